// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser

/// What is asked of an upstream, and what is recorded.
enum RecordMode: String, ExpressibleByArgument, CaseIterable {
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

    /// Whether fixtures are changed.
    var records: Bool { self != .none && self != .passthrough }
    /// Whether fixtures that are there answer.
    var serves: Bool { self != .all && self != .passthrough }
}
