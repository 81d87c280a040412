// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// A request that says of itself where it goes, what it carries and what its answer becomes.
///
/// A path, a method and the type of the response are enough where that is `Decodable`:
///
///     struct UserRequest: APIRequest {
///         typealias Response = User
///         let name: String
///         var method: HTTPMethod { .get }
///         var path: String { "/users/\(name)" }
///     }
///
/// It is a `Request`: any networking fetches it. A `Client` sends it, which also has a base URL for those that have none, and errors by phase.
public protocol APIRequest<Response>: Request where Output == Response {
    associatedtype Response: Sendable
    associatedtype Output = Response

    /// What `path` is appended to; without one the request is for a client that has a base URL.
    var baseURL: URL { get }
    /// The path as it is meant, not percent-encoded. A `?` or `#` in it is an error: a query is for the parameters.
    var path: String { get }
    /// What goes into the query of GET, HEAD and DELETE, and into a JSON body else; nil for nothing.
    var parameters: Any? { get }
    /// What goes into the query; by default `parameters`, where the method has them there.
    ///
    /// Sent in the order of the names. An array is its name repeated, `NSNull` a name alone, nil nothing.
    var queryParameters: [String: Any]? { get }
    /// What is sent as content; by default `parameters` as JSON, where the method has them there.
    var bodyParameters: (any BodyParameters)? { get }
    /// Field lines; they go before `Accept`, which is the parser's, and `Content-Type`, which is the body's.
    var headerFields: [String: String] { get }
    /// What reads the data of the answer.
    ///
    /// By default `DecodableDataParser` where the response is `Decodable`, whose object is the data, `JSONDataParser` where it is a type of one's own.
    var dataParser: any DataParser { get }

    /// Makes another request of the one that is about to be sent; called once each time it is sent.
    func intercept(urlRequest: URLRequest) throws -> URLRequest

    /// Judges what came, and may make another object of it; by default it throws on any status but 2xx, which the client tells by
    /// `HTTPStatusError`.
    ///
    /// - Parameter object: what the parser made of the data; the data where the parser failed, whose error is thrown afterwards.
    func intercept(object: Any, urlResponse: HTTPURLResponse) throws -> Any

    /// Makes the response; `Decodable`, `URLSessionDecodable`, `Data`, `String` and `Void` need none.
    func response(from object: Any, urlResponse: HTTPURLResponse) throws -> Response
}
