// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser

/// The requests that go to an upstream, and those that are recorded.
enum RecordMode: String, ExpressibleByArgument {
    /// Only fixtures that are there are served; a missing one is an error.
    case none
    /// Like `new` if the directory is empty, else like `none`.
    case once
    /// Fixtures that are there are served; missing ones are asked for and recorded.
    case new
    /// Everything is asked for and recorded.
    case all
    /// Everything is asked for, nothing is recorded.
    case passthrough
    /// Fixtures that are there are served; missing ones are asked for, and nothing is recorded. It is not a value of
    /// `--mode` and `--record`.
    case unmatched

    static let allValueStrings = ["none", "once", "new", "all", "passthrough"]

    init?(argument: String) {
        guard Self.allValueStrings.contains(argument) else { return nil }
        self.init(rawValue: argument)
    }

    /// Whether fixtures are changed.
    var records: Bool { ![.none, .passthrough, .unmatched].contains(self) }
    /// Whether existing fixtures respond.
    var serves: Bool { self != .all && self != .passthrough }
}
