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

/// An answer that is not what its request expects.
///
///     GET http://127.0.0.1:8080/api/contents: 200: data.0.attributes.name: Expected to decode String but found a number instead.
///     {"data": [{"id": "1", "attributes": {"name": 7}}]}
public struct DecodingFailure: Error, Sendable {
    public let method: HTTPMethod
    public let url: URL
    /// The answer; where only its data is known, with the status 200.
    public let response: DataResponse
    /// What the decoder threw: mostly a `DecodingError`.
    public let cause: any Error

    public init(method: HTTPMethod, url: URL, response: DataResponse, cause: any Error) {
        self.method = method
        self.url = url
        self.response = response
        self.cause = cause
    }

    public var status: Int { response.status }
    public var headers: [String: String] { response.headers }
    public var body: Data { response.data }

    /// Where in the JSON the cause lies; empty where that is the whole, or not known.
    public var codingPath: [any CodingKey] {
        switch cause as? DecodingError {
        case .keyNotFound(let key, let context): context.codingPath + [key]
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            context.codingPath
        default: []
        }
    }
}

extension DecodingFailure: CustomStringConvertible, LocalizedError {
    /// The request, the status, the place, the cause and the beginning of the body.
    public var description: String {
        let path = codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
        let line = "\(method) \(url.absoluteString): \(status): \(path.isEmpty ? "" : "\(path): ")\(reason)"
        return response.shownText.map { "\(line)\n\($0)" } ?? line
    }

    private var reason: String {
        switch cause as? DecodingError {
        case .keyNotFound(let key, _): "there is no \(key.stringValue.debugDescription)"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            context.debugDescription
        default: "\(cause)"
        }
    }

    public var errorDescription: String? { description }
}

extension DataResponse {
    /// How much of a text the description of an error shows, in characters.
    private static let shownCharacters = 2_000

    /// The beginning of the content, where it is text.
    var shownText: String? {
        // Four bytes are as long as a scalar gets; a text cut within one is none.
        let head = data.prefix(Self.shownCharacters * 4)
        guard !head.isEmpty, let text = Self.text(head, isCut: head.count < data.count) else { return nil }
        return String(text.prefix(Self.shownCharacters))
    }

    private static func text(_ head: Data, isCut: Bool) -> String? {
        for missing in 0...(isCut ? 3 : 0) {
            if let text = String(data: head.dropLast(missing), encoding: .utf8) { return text }
        }
        return nil
    }
}
