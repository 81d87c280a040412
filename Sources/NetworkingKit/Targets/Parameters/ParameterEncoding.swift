// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

/// Puts parameters into a request.
public protocol ParameterEncoding: Sendable {
    /// The request with the parameters in it; nil parameters leave it as it is.
    func encode(_ request: URLRequest, with parameters: [String: any Sendable]?) throws -> URLRequest
}
