// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation
public import NetworkingCore

/// A request that defines its own target, its content and the object that its response becomes.
///
/// A path, a method and the type of the response are enough if that is `Decodable`:
///
///     struct UserRequest: APIRequest {
///         typealias Response = User
///         let name: String
///         var method: HTTPMethod { .get }
///         var path: String { "/users/\(name)" }
///     }
///
/// It is a `Request`: any networking fetches it. A `Client` sends it, which also has a base URL for those that have none, and errors by phase.
/// The properties with an associated type may be of any type that can be sent, and may throw; a value of another type is an error when the request
/// is made, never left out.
public protocol APIRequest<Response>: Request
where Output == Response, Body == Data?, Headers == [String: String], Query == [URLQueryItem], BodyFile == URL? {
    /// The type that the response is decoded to.
    associatedtype Response: Sendable
    associatedtype Output = Response
    /// The type of `baseURL`: `URL`, or an optional one.
    associatedtype BaseURL = URL
    /// The type of `parameters`.
    associatedtype Parameters = Any?
    /// The type of `queryParameters`.
    associatedtype QueryParameters = [String: Any]?
    /// The type of `bodyParameters`.
    associatedtype Content = (any BodyParameters)?
    /// The type of `headerFields`.
    associatedtype HeaderFields = [String: String]
    /// The type of `dataParser`.
    associatedtype Parser = any DataParser

    /// The URL that `path` is appended to, or nil; without one the request is for a client that has a base URL.
    var baseURL: BaseURL { get }
    /// The path as it is meant, not percent-encoded. A `?` or `#` in it is an error: a query is for the parameters.
    var path: String { get }
    /// The parameters: in the query of GET, HEAD and DELETE, in a JSON body else; nil for none.
    ///
    /// A dictionary, an array or a single value of JSON, or an `Encodable`.
    var parameters: Parameters { get throws }
    /// The parameters of the query; by default `parameters`, if the method has them there.
    ///
    /// Sent in the order of the names. An array is its name repeated, `NSNull` a name alone, nil nothing.
    var queryParameters: QueryParameters { get throws }
    /// The content that is sent, `BodyParameters` or nil; by default `parameters` as JSON, if the method has them
    /// there.
    var bodyParameters: Content { get throws }
    /// Field lines; they go before `Accept`, which is the parser's, and `Content-Type`, which is the body's.
    var headerFields: HeaderFields { get throws }
    /// The parser of the response's data: a `DataParser`.
    ///
    /// By default `DecodableDataParser` if the response is `Decodable`, whose object is the data, `JSONDataParser` if it is a type of one's own.
    var dataParser: Parser { get }

    /// Makes another request of the request that is about to be sent; called once each time it is sent.
    func intercept(urlRequest: URLRequest) throws -> URLRequest

    /// Judges the response, and may make another object of it; by default it throws on any status but 2xx, which the
    /// client reports by `ResponseError`.
    ///
    /// - Parameter object: the object that the parser made of the data; the data if the parser failed, whose error
    ///   is thrown afterwards.
    func intercept(object: Any, urlResponse: HTTPURLResponse) throws -> Any

    /// Makes the response; `Decodable`, `URLSessionDecodable`, `Data`, `String` and `Void` need none.
    func response(from object: Any, urlResponse: HTTPURLResponse) throws -> Response
}

extension APIRequest where BaseURL == URL {
    /// No base: a relative URL.
    public var baseURL: URL { .noBase }
}

extension APIRequest where Parameters == Any? {
    /// None.
    public var parameters: Any? { nil }
}

extension APIRequest where QueryParameters == [String: Any]? {
    /// The parameters of a method without content; none of others.
    public var queryParameters: [String: Any]? {
        get throws {
            guard method.prefersQueryParameters, let parameters = ParameterValue.unwrapped(try parameters) else {
                return nil
            }
            if let dictionary = parameters as? [String: Any] { return dictionary }
            guard let value = parameters as? any Encodable, !(parameters is [Any]),
                let object = try JSONSerialization.jsonObject(with: encoder.encode(value), options: .fragmentsAllowed)
                    as? [String: Any]
            else { throw RequestError.parameters(method: method, type: "\(type(of: parameters))") }
            return object
        }
    }
}

extension APIRequest where Content == (any BodyParameters)? {
    /// The parameters of a method with content, as JSON; none of others.
    public var bodyParameters: (any BodyParameters)? {
        get throws {
            guard !method.prefersQueryParameters, let parameters = ParameterValue.unwrapped(try parameters) else {
                return nil
            }
            if !JSONSerialization.isValidJSONObject([parameters]), let value = parameters as? any Encodable,
                !(parameters is [String: Any]), !(parameters is [Any])
            {
                return JSONBodyParameters(value, encoder: encoder)
            }
            return JSONBodyParameters(JSONObject: parameters)
        }
    }
}

extension APIRequest where HeaderFields == [String: String] {
    /// None.
    public var headerFields: [String: String] { [:] }
}

extension APIRequest where Parser == any DataParser {
    /// A parser of JSON.
    public var dataParser: any DataParser {
        switch Response.self {
        case is Data.Type, is Void.Type: DecodableDataParser(contentType: nil)
        case is String.Type: StringDataParser()
        case is any Decodable.Type, is any URLSessionDecodable.Type: DecodableDataParser()
        default: JSONDataParser()
        }
    }
}

extension APIRequest {
    public func intercept(urlRequest: URLRequest) throws -> URLRequest { urlRequest }

    public func intercept(object: Any, urlResponse: HTTPURLResponse) throws -> Any {
        guard AcceptedStatuses.successful.contains(urlResponse.statusCode) else { throw UnacceptableStatus() }
        return object
    }
}

extension HTTPMethod {
    /// Whether content has no meaning in requests of this method (RFC 9110 §9.3.1, §9.3.2, §9.3.5).
    var prefersQueryParameters: Bool { [.get, .head, .delete].contains(self) }
}

extension URL {
    fileprivate static let noBase = URL(string: "/") ?? URL(fileURLWithPath: "/")
}

// MARK: The request that is sent

extension APIRequest {
    /// The URL of the path below the base.
    public var url: URL { url(below: ownBase ?? .noBase) }
    /// The query, made of `queryParameters`.
    public var query: [URLQueryItem] { get throws { try queryItems() } }
    /// The content, made of `bodyParameters`.
    public var body: Data? { get throws { try content?.buildEntity() } }
    public var bodyFile: URL? { nil }

    /// The header fields, with the media types of the content and of the parser.
    public var headers: [String: String] {
        get throws { try fields(content: try content) }
    }

    /// - Throws: `ClientError.requestError`.
    public func urlRequest() throws -> URLRequest {
        try urlRequest(baseURL: ownBase ?? .noBase)
    }

    /// Whether the request has a base URL of its own.
    var hasBaseURL: Bool { ownBase?.scheme != nil }

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

    private var ownBase: URL? {
        ParameterValue.unwrapped(baseURL) as? URL
    }

    private func plainRequest(_ base: URL) throws -> URLRequest {
        if let own = ParameterValue.unwrapped(baseURL), !(own is URL) { throw property("baseURL", own, "a URL") }
        guard base.scheme != nil else { throw RequestError.noBaseURL(request: "\(Self.self)") }
        guard !path.contains(where: { $0 == "?" || $0 == "#" }) else { throw RequestError.path(path) }
        guard method.isValid else { throw RequestError.method(method.rawValue) }
        var request = URLRequest(url: try url(below: base).adding(try queryItems()))
        request.httpMethod = method.rawValue
        let content = try content
        request.httpBody = try content?.buildEntity()
        try request.setHeaders(try fields(content: content))
        return request
    }

    private func fields(content: (any BodyParameters)?) throws -> [String: String] {
        var own: [String: String] = [:]
        if let fields = ParameterValue.unwrapped(try headerFields) {
            guard let headers = fields as? any RequestHeaders else {
                throw property("headerFields", fields, "a dictionary of strings")
            }
            own = headers.fields
        }
        let names = Set(own.keys.map { $0.lowercased() })
        let derived = ["Accept": try parser.contentType, "Content-Type": content?.contentType]
        return derived.compactMapValues { $0 }.filter { !names.contains($0.key.lowercased()) }.merging(own) { $1 }
    }

    private var content: (any BodyParameters)? {
        get throws {
            guard let content = ParameterValue.unwrapped(try bodyParameters) else { return nil }
            guard let parameters = content as? any BodyParameters else {
                throw property("bodyParameters", content, "`BodyParameters`")
            }
            return parameters
        }
    }

    var parser: any DataParser {
        get throws {
            guard let parser = dataParser as? any DataParser else {
                throw property("dataParser", dataParser, "a `DataParser`")
            }
            return parser
        }
    }

    private func queryItems() throws -> [URLQueryItem] {
        guard let parameters = ParameterValue.unwrapped(try queryParameters) else { return [] }
        guard let dictionary = parameters as? [String: Any] else {
            throw property("queryParameters", parameters, "a dictionary with names as keys")
        }
        return try FormEncoding.plain.items(dictionary)
    }

    private func property(_ name: String, _ value: Any, _ expected: String) -> RequestError {
        .property(name, of: "\(Self.self)", type: "\(type(of: value))", expected: expected)
    }
}

/// A type that makes the content of a request.
public protocol BodyParameters {
    /// The value of `Content-Type`.
    var contentType: String { get }

    /// The content as bytes.
    func buildEntity() throws -> Data
}

/// A form: `name=value&name=value`, in the order of the names.
public struct FormURLEncodedBodyParameters: BodyParameters {
    /// The names and values of the form.
    public let form: [String: Any]
    public var contentType: String { "application/x-www-form-urlencoded" }

    /// - Parameter formObject: values as `APIRequest.queryParameters` has them.
    public init(formObject: [String: Any]) {
        form = formObject
    }

    /// The form as bytes (WHATWG URL §5).
    public func buildEntity() throws -> Data {
        try FormEncoding.plain.items(form).form
    }
}

/// JSON, its keys sorted, so that the same parameters are always sent as the same bytes.
public struct JSONBodyParameters: BodyParameters {
    public let contentType: String
    private let build: () throws -> Data

    /// - Parameter object: dictionaries, arrays, strings, numbers, `Bool` and `NSNull`.
    public init(JSONObject object: Any) {
        contentType = "application/json"
        build = {
            guard JSONSerialization.isValidJSONObject([object]) else {
                throw RequestError.body(type: "\(type(of: object))")
            }
            return try JSONSerialization.data(
                withJSONObject: object, options: [.sortedKeys, .fragmentsAllowed, .withoutEscapingSlashes])
        }
    }

    /// Makes content of a value.
    public init(_ value: some Encodable, contentType: String = "application/json", encoder: JSONEncoder? = nil) {
        self.contentType = contentType
        build = { try (encoder ?? .sorted).encode(value) }
    }

    /// The JSON as bytes.
    public func buildEntity() throws -> Data { try build() }
}
