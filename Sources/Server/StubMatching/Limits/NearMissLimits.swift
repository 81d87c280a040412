// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Limits on the cost of a search for near misses.
package enum NearMissLimits {
    /// How many similar paths, of stubs and files, are measured.
    package static let paths = 48
    /// How many similar templates, and how many patterns, are measured.
    package static let templates = 16
    /// How many stubs of one target that the request matches are measured: half of them the best in rank, half spread evenly.
    package static let stubsOfMatchingTarget = 512
    /// How many stubs of one similar target are measured.
    package static let stubsOfSimilarTarget = 16
    /// How many bytes of two texts are compared letter by letter, after their common beginning.
    package static let editedBytes = 128
    /// How many bytes a body may have that is looked into; a larger body is only reported as not meeting its
    /// condition.
    package static let bodyBytes = 256 * 1024
    /// The same for a body that is compared with the JSON of a file. 4 MiB.
    package static let fileBodyBytes = 4 * 1024 * 1024
    /// How many JSON bodies are compared place by place for their distance.
    package static let bodies = 32
    /// How many differences within one JSON body are reported.
    package static let bodyDifferences = 5
    /// How many characters of a value are shown.
    package static let shownCharacters = 80
}
