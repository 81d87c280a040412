// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Why a fixture directory could not be read at all; all that is wrong inside of it is a finding.
package struct FixtureError: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        case missing
        case notADirectory
        /// With the system's words.
        case unreadable(String)
    }

    /// The directory as it was given.
    package var path: String
    package var reason: Reason
    /// A directory that is there, and whose name is nearly that of the missing one.
    package var near: String?

    package init(path: String, reason: Reason, near: String? = nil) {
        self.path = path
        self.reason = reason
        self.near = near
    }
}

extension FixtureError: CustomStringConvertible {
    package var description: String {
        switch reason {
        case .missing:
            "the fixture directory \(path) does not exist\(near.map { "; did you mean \($0)?" } ?? "")"
        case .notADirectory: "\(path) is neither a directory nor a file"
        case .unreadable(let why): "the fixture directory \(path) cannot be read: \(why)"
        }
    }
}
