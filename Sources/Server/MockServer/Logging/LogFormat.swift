// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// How request lines are written.
public enum LogFormat: String, Sendable, CaseIterable {
    /// For people: one line a request.
    case text
    /// For programs: one JSON object a line.
    case json
}
