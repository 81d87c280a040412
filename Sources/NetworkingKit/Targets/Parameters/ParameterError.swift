// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// A parameter that has no form in JSON.
public struct ParameterError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
    /// Where the parameter is: `filter[tags][1]`.
    public let path: String
    /// What is there.
    public let value: String

    public var description: String {
        "\(path): \(value) is no JSON value: give a string, a finite number, a Boolean, an array, a dictionary by strings, or nil"
    }

    public var errorDescription: String? { description }
}
