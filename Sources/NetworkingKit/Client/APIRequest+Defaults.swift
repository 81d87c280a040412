// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

extension APIRequest {
    /// No base: a relative URL.
    public var baseURL: URL { URL(string: "/") ?? URL(fileURLWithPath: "/") }
    public var parameters: Any? { nil }

    public var queryParameters: [String: Any]? {
        method.prefersQueryParameters ? parameters as? [String: Any] : nil
    }

    public var bodyParameters: (any BodyParameters)? {
        method.prefersQueryParameters ? nil : parameters.map(JSONBodyParameters.init)
    }

    public var headerFields: [String: String] { [:] }
    public var dataParser: any DataParser { JSONDataParser() }

    public func intercept(urlRequest: URLRequest) throws -> URLRequest { urlRequest }

    public func intercept(object: Any, urlResponse: HTTPURLResponse) throws -> Any {
        guard AcceptedStatuses.successful.contains(urlResponse.statusCode) else { throw UnacceptableStatus() }
        return object
    }
}

/// The status says that there is no response; whoever has the data makes a `HTTPStatusError` of this.
struct UnacceptableStatus: Error {}

extension HTTPMethod {
    /// Whether content has no meaning in requests of this method (RFC 9110 §9.3.1, §9.3.2, §9.3.5).
    var prefersQueryParameters: Bool { [.get, .head, .delete].contains(self) }
}
