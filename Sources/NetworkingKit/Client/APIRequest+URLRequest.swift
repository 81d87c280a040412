// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

extension APIRequest {
    public var url: URL { url(below: baseURL) }

    public var query: [URLQueryItem] { (try? queryItems()) ?? [] }

    public var body: Data? { try? bodyParameters?.buildEntity() }

    public var headers: [String: String] {
        let own = Set(headerFields.keys.map { $0.lowercased() })
        let derived = ["Accept": dataParser.contentType, "Content-Type": bodyParameters?.contentType]
        return derived.compactMapValues { $0 }.filter { !own.contains($0.key.lowercased()) }
            .merging(headerFields) { $1 }
    }

    /// - Throws: `ClientError.requestError`.
    public func urlRequest() throws -> URLRequest {
        try urlRequest(baseURL: baseURL)
    }

    /// Whether the request itself says where it goes.
    var hasBaseURL: Bool { baseURL.scheme != nil }

    func url(below base: URL) -> URL {
        path.isEmpty ? base : base.appendingPathComponent(path)
    }

    func urlRequest(baseURL: URL) throws(ClientError) -> URLRequest {
        do {
            return try intercept(urlRequest: try plainRequest(baseURL))
        } catch {
            throw .requestError(error)
        }
    }

    private func plainRequest(_ base: URL) throws -> URLRequest {
        guard base.scheme != nil else { throw ClientError.RequestFailure.noBaseURL(request: "\(Self.self)") }
        guard !path.contains(where: { $0 == "?" || $0 == "#" }) else { throw ClientError.RequestFailure.path(path) }
        guard method.isValid else { throw RequestError.method(method.rawValue) }
        var request = URLRequest(url: try url(below: base).adding(try queryItems()))
        request.httpMethod = method.rawValue
        request.httpBody = try bodyParameters?.buildEntity()
        try request.setHeaders(headers)
        return request
    }

    private func queryItems() throws(ClientError.RequestFailure) -> [URLQueryItem] {
        if let parameters, method.prefersQueryParameters, !(parameters is [String: Any]) {
            throw .parameters(method: method, type: "\(type(of: parameters))")
        }
        return try QueryParameters.items(queryParameters ?? [:])
    }
}
