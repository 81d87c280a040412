// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import HTTPTypes
import MockapiHTTPSyntax
import MockapiStubMatching

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A request as code has it that computes the response.
public struct StubRequest: Sendable {
    /// Such as `GET`.
    public let method: String
    /// The path, percent-encoded as it came.
    public let path: String
    /// The parameters of the query, decoded, in the order they came.
    public let queryItems: [(name: String, value: String)]
    /// The values of the variables of the stub's path, decoded.
    public let pathParameters: [String: String]
    /// The header fields.
    public let headers: HTTPFields
    /// The content.
    public let body: [UInt8]
    /// `HTTP/1.1`, `HTTP/1.0` or `HTTP/2.0`.
    public let protocolName: String

    /// The content as text.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The first value of a query parameter.
    public func query(_ name: String) -> String? { queryItems.first { $0.name == name }?.value }

    /// The values of a header, with commas between them.
    public func header(_ name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }

    /// The content as JSON.
    public func json<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: Data(body))
    }

    init(_ note: PendingEntry, template: String?) {
        let head = note.head
        method = head.string(head.method)
        path = head.string(head.path)
        queryItems = head.query.map { QueryText.decodedPairs(of: head.string($0)) } ?? []
        pathParameters = template.map { [path] in Self.parameters($0, path) } ?? [:]
        var fields = HTTPFields()
        for field in head.fields {
            guard let name = HTTPField.Name(head.string(field.name)) else { continue }
            fields.append(HTTPField(name: name, value: head.string(field.value)))
        }
        headers = fields
        body = note.body
        protocolName = head.version.name
    }

    /// The values of the variables of a path template, be they whole segments or parts of one.
    static func parameters(_ template: String, _ path: String, isRaw: Bool = false) -> [String: String] {
        PathTemplate.values(of: template, in: path).mapValues { value in
            String(decoding: isRaw ? Array(value) : PercentCoding.decode(value), as: UTF8.self)
        }
    }
}
