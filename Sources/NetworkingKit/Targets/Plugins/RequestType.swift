// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

/// A request as plugins see it.
public protocol RequestType: Sendable {
    /// The request as all plugins have prepared it; the content of an upload is not in it.
    var request: URLRequest? { get }
}

/// A request that goes out.
struct SentRequest: RequestType {
    let request: URLRequest?
}
