// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser

/// What is asked of an upstream, and what is recorded.
enum RecordMode: String, ExpressibleByArgument {
    /// Only what is there is served; what is missing is an error.
    case none
    /// Like `new` where the directory is empty, else like `none`.
    case once
    /// What is there is served; what is missing is asked for and recorded.
    case new
    /// Everything is asked for and recorded.
    case all
    /// Everything is asked for, nothing is recorded.
    case passthrough
    /// What is there is served; what is missing is asked for, and nothing is recorded. It is no value of `--mode` and `--record`.
    case unmatched

    static let allValueStrings = ["none", "once", "new", "all", "passthrough"]

    init?(argument: String) {
        guard Self.allValueStrings.contains(argument) else { return nil }
        self.init(rawValue: argument)
    }

    /// Whether fixtures are changed.
    var records: Bool { ![.none, .passthrough, .unmatched].contains(self) }
    /// Whether fixtures that are there answer.
    var serves: Bool { self != .all && self != .passthrough }
}
