// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// A request as a key: all that is sent of it, whatever type says it.
public struct AnyRequest: Hashable, Sendable {
    public let url: URL
    public let method: HTTPMethod
    public let headers: [String: String]
    public let query: [URLQueryItem]
    public let body: Data?
    public let bodyFile: URL?

    public init(url: URL, method: HTTPMethod) {
        self.url = url
        self.method = method
        headers = [:]
        query = []
        body = nil
        bodyFile = nil
    }

    public init(_ request: any Request) {
        url = request.url
        method = request.method
        headers = request.headers
        query = request.query
        body = request.body
        bodyFile = request.bodyFile
    }
}
