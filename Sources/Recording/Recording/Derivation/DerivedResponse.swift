// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A response as it is written, and the notes that are reported with it.
struct DerivedResponse {
    var response: RecordedResponse
    /// The coding of the content that was undone and is not replayed.
    var undoneCoding: String?
    /// Whether the body was re-indented.
    var isPretty = false
    /// The places of values that are the request's.
    var echoed: [String] = []
    /// Placeholders that stand in the response now.
    var redacted: [String] = []
    var notes: [String] = []
}
