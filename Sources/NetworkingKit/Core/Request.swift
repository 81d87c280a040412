// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// What is asked of a service, and how its answer is read.
///
/// A URL and a method are enough; the answer is `Data` then. With another `Output` the request says how it is decoded, and nothing else
/// has to: where the output is `Decodable` it is read as JSON, where it is `URLSessionDecodable` by its initialiser.
///
///     struct DomainsRequest: Request {
///         let url = URL(string: "http://127.0.0.1:8080/api/domains")!
///         let method = HTTPMethod.get
///     }
public protocol Request<Output>: Sendable {
    /// What the data of an answer is decoded to.
    associatedtype Output = Data

    var url: URL { get }
    var method: HTTPMethod { get }
    /// Field lines of this request; where the delegate has one of the same name, this one is sent.
    var headers: [String: String] { get }
    /// What is added to the query of the URL, names and values as they are meant: `+` is sent as `%2B`, a space as `%20`.
    var query: [URLQueryItem] { get }
    var body: Data? { get }
    /// A file whose bytes are sent in the place of `body`, without being read into memory where the networking can help it.
    var bodyFile: URL? { get }

    /// Reads an answer.
    func decode(_ data: Data) throws -> Output

    /// The request as Foundation has it, without what a delegate adds.
    ///
    /// - Throws: `RequestError` where the parts make no request.
    func urlRequest() throws -> URLRequest
}

extension Request {
    public var headers: [String: String] { [:] }
    public var query: [URLQueryItem] { [] }
    public var body: Data? { nil }
    public var bodyFile: URL? { nil }
}

extension Request where Output == Data {
    public func decode(_ data: Data) throws -> Data { data }
}

extension Request where Output: Decodable {
    public func decode(_ data: Data) throws -> Output {
        try JSONDecoder().decode(Output.self, from: data)
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
