// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// A request to a service, and how its response is read.
///
/// A URL and a method are enough; the output is `Data` then. With another `Output` the request says how it is decoded,
/// and nothing else has to: if the output is `Decodable` it is read as JSON, if it is `URLSessionDecodable` by
/// its initialiser.
///
///     struct DomainsRequest: Request {
///         let url = URL(string: "http://127.0.0.1:8080/api/domains")!
///         let method = HTTPMethod.get
///     }
///
/// `body`, `headers`, `query` and `bodyFile` may be of any type that says how it is sent, and may throw: a property of another type does
/// not compile, since `urlRequest()` is then missing.
public protocol Request<Output>: Sendable {
    /// The type that the data of a response is decoded to.
    associatedtype Output = Data
    /// A `RequestBody`.
    associatedtype Body = Data?
    /// `RequestHeaders`.
    associatedtype Headers = [String: String]
    /// A `RequestQuery`.
    associatedtype Query = [URLQueryItem]
    /// A `RequestFile`.
    associatedtype BodyFile = URL?

    /// The URL without the query.
    var url: URL { get }
    /// The method.
    var method: HTTPMethod { get }
    /// Field lines of this request; if the delegate has one of the same name, this one is sent.
    var headers: Headers { get throws }
    /// Items that are added to the query of the URL, names and values as they are meant: `+` is sent as `%2B`, a space
    /// as `%20`.
    var query: Query { get throws }
    /// The content that is sent: data, text, `JSON`, `Form`, `FileBody`, `StreamBody`, `MultipartFormData`, or nil of
    /// one of these.
    var body: Body { get throws }
    /// A file whose bytes are sent in the place of `body`, without being read into memory if the networking can help it.
    var bodyFile: BodyFile { get }
    /// The decoder of JSON; by default that of the networking.
    var decoder: JSONDecoder { get }
    /// The encoder of JSON; by default that of the networking.
    var encoder: JSONEncoder { get }

    /// Reads the data of a response.
    func decode(_ data: Data) throws -> Output

    /// Reads a response whose status is accepted; by default its data.
    func output(of response: DataResponse) throws -> Output

    /// The request as Foundation has it, without the additions of a delegate; content that is a file, a form of parts or a stream is not in it.
    ///
    /// - Throws: `RequestError` if the parts make no request, and their own errors.
    func urlRequest() throws -> URLRequest

    /// The content that is sent, wherever it comes from.
    func bodyContent() throws -> BodyContent
}

extension Request {
    public var decoder: JSONDecoder { Coders.current.decoder }
    public var encoder: JSONEncoder { Coders.current.encoder }

    public func output(of response: DataResponse) throws -> Output { try decode(response.data) }
}

// The parts that code reads of `any Request`, or of a request of whatever type.
extension Request {
    /// The field lines that are sent; none if the parts make no request.
    @_disfavoredOverload
    public var headers: [String: String] { (try? urlRequest())?.allHTTPHeaderFields ?? [:] }

    /// The content that is sent, if it is data.
    @_disfavoredOverload
    public var body: Data? { (try? urlRequest())?.httpBody }

    /// The file that is sent, if the content is one.
    @_disfavoredOverload
    public var bodyFile: URL? { (try? bodyContent())?.file }
}

extension Request where Headers == [String: String] {
    public var headers: [String: String] { [:] }
}

extension Request where Query == [URLQueryItem] {
    /// None.
    public var query: [URLQueryItem] { [] }
}

extension Request where Body == Data? {
    public var body: Data? { nil }
}

extension Request where BodyFile == URL? {
    public var bodyFile: URL? { nil }
}

extension Request where Output == Data {
    /// The bytes as they came.
    public func decode(_ data: Data) throws -> Data { data }
}

extension Request where Output: Decodable {
    public func decode(_ data: Data) throws -> Output {
        if let none = NoContent.value(of: Output.self, in: data) { return none }
        return try decoder.decode(Output.self, from: data)
    }
}

/// The output for a response without content, such as that of a 204.
package enum NoContent {
    /// The nil of an output that is optional; nothing of any other, nor if there is content.
    package static func value<Output>(of type: Output.Type, in data: Data) -> Output? {
        guard data.isEmpty, let type = type as? any ExpressibleByNilLiteral.Type else { return nil }
        return type.init(nilLiteral: ()) as? Output
    }
}

extension Request where Output: URLSessionDecodable {
    public func decode(_ data: Data) throws -> Output {
        try Output(from: data)
    }
}

extension Request where Output: URLSessionDecodable & Decodable {
    public func decode(_ data: Data) throws -> Output {
        try Output(from: data)
    }
}

/// A type that can be made from the data of a response.
///
///     extension Array: URLSessionDecodable where Element == Story {
///         public init(from output: Data) throws { … }
///     }
///
///     networking.fetch(StoriesRequest()).tryMap([Story].init(from:))
public protocol URLSessionDecodable {
    /// Decodes a value of the content.
    init(from output: Data) throws
}

/// Field lines, each with its name.
public protocol RequestHeaders: Sendable {
    /// The fields by their names.
    var fields: [String: String] { get }
}

extension Dictionary: RequestHeaders where Key == String, Value == String {
    /// The fields themselves.
    public var fields: [String: String] { self }
}

extension Optional: RequestHeaders where Wrapped: RequestHeaders {
    /// The fields; none for nil.
    public var fields: [String: String] { self?.fields ?? [:] }
}

/// Names and values of a query.
public protocol RequestQuery: Sendable {
    /// The parameters, in their order.
    var items: [URLQueryItem] { get }
}

extension Array: RequestQuery where Element == URLQueryItem {
    /// The parameters themselves.
    public var items: [URLQueryItem] { self }
}

/// In the order of the names.
extension Dictionary: RequestQuery where Key == String, Value == String {
    /// The parameters, sorted by their names.
    public var items: [URLQueryItem] { sorted { $0.key < $1.key }.map { URLQueryItem(name: $0.key, value: $0.value) } }
}

extension Optional: RequestQuery where Wrapped: RequestQuery {
    /// The parameters; none for nil.
    public var items: [URLQueryItem] { self?.items ?? [] }
}

/// A file that may be there.
public protocol RequestFile: Sendable {
    /// The file; nil if there is none.
    var file: URL? { get }
}

extension URL: RequestFile {
    /// The file itself.
    public var file: URL? { self }
}

extension Optional: RequestFile where Wrapped: RequestFile {
    /// The file; nil for nil.
    public var file: URL? { self?.file }
}
