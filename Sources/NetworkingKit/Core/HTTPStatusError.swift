// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// A response whose status is not accepted.
///
/// Where a failure can only be a `URLError`, it is `badServerResponse` and carries this: `error.statusError`.
public struct HTTPStatusError: Error, Sendable {
    public let method: HTTPMethod
    public let url: URL
    public let response: DataResponse

    public init(method: HTTPMethod, url: URL, response: DataResponse) {
        self.method = method
        self.url = url
        self.response = response
    }

    public var status: Int { response.status }
    public var headers: [String: String] { response.headers }
    public var body: Data { response.data }
}

extension HTTPStatusError: CustomStringConvertible, LocalizedError {
    /// The request, the status and, where the body is text, its beginning.
    public var description: String {
        let line = "\(method) \(url.absoluteString): \(status)"
        return response.shownText.map { "\(line)\n\($0)" } ?? line
    }

    public var errorDescription: String? { description }
}
