// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// Makes an object of the data of an answer.
public protocol DataParser: Sendable {
    /// What is asked for by `Accept`; nil for anything.
    var contentType: String? { get }

    func parse(data: Data) throws -> Any
}
