// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// A fixture that is named as a sample and cannot be read.
public struct SampleFixtureError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
    public enum Reason: Hashable, Sendable {
        case missing
        /// The path leads out of this directory.
        case outside(URL)
        case unreadable(String)
        /// The directory is no `file:` URL.
        case noFileURL
    }

    /// The path as the target has it.
    public let path: String
    /// The file that was tried.
    public let file: URL
    public let reason: Reason

    public var description: String {
        switch reason {
        case .missing: "\(path.debugDescription): there is no sample file \(file.path)"
        case .outside(let root):
            "\(path.debugDescription): a sample file is inside of its directory, \(root.path), and \(file.path) is not"
        case .unreadable(let error): "\(path.debugDescription): the sample file \(file.path) cannot be read: \(error)"
        case .noFileURL: "\(path.debugDescription): the directory of samples is a file URL, and \(file) is not"
        }
    }

    public var errorDescription: String? { description }
}
