// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import HTTPTypes
import MockapiHTTPSyntax

/// A request that came, and the source of its response.
public struct JournalEntry: Sendable {
    /// The outcome of a request, and the source of its response.
    public enum Outcome: Sendable, Equatable {
        /// A stub, by its file, its name and its id.
        case stub(file: String, name: String?, id: String)
        /// A plain file.
        case file(String)
        /// Nothing matched.
        case unmatched
        /// The message broke the protocol and was refused before it was matched.
        case refused
        /// It matches no fixture, and was proxied to a live service.
        case proxied
        /// A preflight of a page of another origin (CORS), with a response of the server itself.
        case preflight
    }

    /// Counts the requests of a server from 1, over all connections.
    public package(set) var sequence: UInt64
    /// When the request had come, in seconds since 1970.
    public let receivedAt: Double
    /// The time from its last byte to the response being ready.
    public let duration: Duration
    /// How long the fixture delayed the response after that.
    public let addedDelay: Duration
    /// `HTTP/1.1`, `HTTP/1.0` or `HTTP/2.0`.
    public let protocolName: String
    /// `TLSv1.3` or `TLSv1.2`; nil if the connection was not encrypted.
    public let tlsVersion: String?
    /// Counts the connections of the process from 1.
    public let connection: UInt64
    /// The stream's number on its connection; nil in HTTP/1.x.
    public let stream: Int?
    /// The client's address and port.
    public let peer: String
    /// Method, scheme, authority, path with query, and the header fields in the order they came.
    public let request: HTTPRequest
    /// The trailer fields.
    public let trailers: HTTPFields
    /// The content; no more than `bodySize`, less if it was too long to keep.
    public let body: [UInt8]
    /// How many bytes of content came.
    public let bodySize: Int
    /// The outcome of the request.
    public let outcome: Outcome
    /// The status of the response; 0 if a request was proxied and no response came, or a fault kept the response back.
    public let status: Int
    /// The fault that was played, by its name in stub files; nil if there was none.
    public let fault: String?
    /// How many bytes of content the response has; 0 if it is passed through and does not say.
    public let responseSize: Int

    /// How the client gave up the response before it had all of it; nil if it did not.
    public let abandonment: Abandonment?

    /// The names and values as they came, which `request` cannot hold if they are not UTF-8 or not valid.
    package let fields: [(name: String, value: String)]
    /// Path and query, byte for byte as they were sent; the whole URL by which a proxy is asked (RFC 9112 §3.2.2).
    public let target: String
    /// The status that the response would have had without its fault.
    package let statusOfStub: Int
    /// Whether the client wanted another server, which it asked by this one.
    package let isForElsewhere: Bool

    /// Path and query, of a whole URL too.
    package var origin: String { target.hasPrefix("/") ? target : request.path ?? target }

    /// The method's name.
    public var method: String { request.method.rawValue }
}
