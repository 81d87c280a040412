// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// What is sent as the content of a request.
public protocol BodyParameters {
    /// The value of `Content-Type`.
    var contentType: String { get }

    func buildEntity() throws -> Data
}
