// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

extension Endpoint {
    /// An answer, from a service or from a stub.
    public struct Response: Sendable {
        public let statusCode: Int
        /// The content; empty where it went to a file.
        public let data: Data
        /// What was sent.
        public let request: URLRequest?
        /// Status and fields; nil where a stub has a status and no more.
        public let response: HTTPURLResponse?

        public init(statusCode: Int, data: Data, request: URLRequest? = nil, response: HTTPURLResponse? = nil) {
            self.statusCode = statusCode
            self.data = data
            self.request = request
            self.response = response
        }
    }
}

extension Endpoint.Response: Equatable {
    /// Whether the same was answered, to whatever request.
    public static func == (left: Self, right: Self) -> Bool {
        left.statusCode == right.statusCode && left.data == right.data && left.response == right.response
    }
}

extension Endpoint.Response: CustomStringConvertible {
    public var description: String { "status \(statusCode), \(data.count) bytes" }
}
