// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// A response that its request does not accept, with all its known facts: its status is not accepted, or it cannot be read.
///
///     GET http://127.0.0.1:8080/api/contents: 200: data.0.attributes.name: Expected to decode String but found a number instead.
///     {"data": [{"id": "1", "attributes": {"name": 7}}]}
///
/// If a failure can only be a `URLError`, a status is `badServerResponse` and carries this: `error.statusError`.
public struct ResponseError: Error, Sendable {
    /// The method of the request.
    public let method: HTTPMethod
    /// The URL of the request.
    public let url: URL
    /// The response; if only its data is known, with the status 200.
    public let response: DataResponse
    /// The error of the decoder or the parser, mostly a `DecodingError`; nil if the status is not accepted.
    public let cause: (any Error)?

    /// Makes an error of a response.
    public init(method: HTTPMethod, url: URL, response: DataResponse, cause: (any Error)? = nil) {
        self.method = method
        self.url = url
        self.response = response
        self.cause = cause
    }

    /// - Parameter request: the request that was sent; if the response came from elsewhere, that is its URL.
    package init(_ request: some Request, _ response: DataResponse, cause: (any Error)? = nil) {
        self.init(method: request.method, url: response.response?.url ?? request.url, response: response, cause: cause)
    }

    /// The status code.
    public var status: Int { response.status }
    /// The header fields of the response.
    public var headers: [String: String] { response.headers }
    /// The content of the response.
    public var body: Data { response.data }

    /// Whether the status is why.
    public var isStatus: Bool { cause == nil }

    /// Where in the JSON the cause lies; empty if that is the whole, or not known.
    public var codingPath: [any CodingKey] { (cause as? DecodingError)?.place ?? [] }
}

/// The error of a status that is not accepted.
@available(*, deprecated, renamed: "ResponseError")
public typealias HTTPStatusError = ResponseError
/// The error of a content that cannot be decoded.
@available(*, deprecated, renamed: "ResponseError")
public typealias DecodingFailure = ResponseError

extension ResponseError: CustomStringConvertible, LocalizedError {
    /// The request, the status, the place, the cause and, if the body is text, its beginning.
    public var description: String {
        response.told("\(method) \(url.absoluteString): \(status)", because: cause)
    }

    public var errorDescription: String? { description }
}

extension ResponseError {
    /// The error of a request whose parser has made something else than it makes its response of; the sender of the
    /// request adds the rest.
    public static func unexpectedObject(_ object: Any) -> any Error { UnexpectedObject(object) }

    /// The error of a request that does not take the status; the sender adds the rest.
    public static func unacceptableStatusCode(_ status: Int) -> any Error { UnacceptableStatus() }
}

/// The status says that there is no response; code that has the data makes a `ResponseError` of this.
package struct UnacceptableStatus: Error {
    package init() {}
}

/// A parser made an object that a request cannot make its response of.
package struct UnexpectedObject: Error, CustomStringConvertible, LocalizedError {
    /// How much of the object the description shows, in characters. 200.
    private static let shown = 200

    package let description: String
    package var errorDescription: String? { description }

    package init(_ object: Any) {
        description = "unexpected \(type(of: object)): \(String("\(object)".prefix(Self.shown)))"
    }
}

extension DecodingError {
    /// Where in the JSON the error lies.
    fileprivate var place: [any CodingKey] {
        switch self {
        case .keyNotFound(let key, let context): context.codingPath + [key]
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            context.codingPath
        @unknown default: []
        }
    }

    fileprivate var reason: String {
        let path = place.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
        let text =
            switch self {
            case .keyNotFound(let key, _): "there is no \(key.stringValue.debugDescription)"
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
                context.debugDescription
            @unknown default: "\(self)"
            }
        return path.isEmpty ? text : "\(path): \(text)"
    }
}

extension DataResponse {
    /// How much of a text the description of an error shows, in characters.
    private static let shownCharacters = 2_000

    /// A line about the response, its cause after that, and the beginning of the content below, if it is text.
    package func told(_ line: String, because cause: (any Error)?) -> String {
        let reason = cause.map { ": \(($0 as? DecodingError)?.reason ?? "\($0)")" } ?? ""
        return "\(line)\(reason)\(shownText.map { "\n\($0)" } ?? "")"
    }

    private var shownText: String? {
        // Four bytes are as long as a scalar gets; a text cut within one is not text.
        let head = data.prefix(Self.shownCharacters * 4)
        guard !head.isEmpty else { return nil }
        for missing in 0...(head.count < data.count ? 3 : 0) {
            guard let text = String(data: head.dropLast(missing), encoding: .utf8) else { continue }
            return String(text.prefix(Self.shownCharacters))
        }
        return nil
    }
}

// MARK: For functions that throw only URLError

extension URLError {
    /// The response whose status was not accepted; nil if something else went wrong.
    public var statusError: ResponseError? { userInfo[NSUnderlyingErrorKey] as? ResponseError }

    /// The nearest error of `URLSession`.
    public init(_ error: ResponseError) {
        self.init(.badServerResponse, because: error, url: error.url)
    }

    /// Marks an error that was made of another, which is in it.
    private static let carriesKey = "NetworkingKit.carries"

    /// Any error of a fetch as a `URLError`; an error of another kind is carried by `unknown`.
    init(fetching error: any Error, url: URL?) {
        switch error {
        case let error as URLError: self = error
        case let error as ResponseError where error.isStatus: self.init(error)
        case is CancellationError: self.init(.cancelled, because: error, url: url)
        case is RequestError: self.init(.badURL, because: error, url: url)
        default:
            let carrier = URLError(.unknown, because: error, url: url)
            self.init(.unknown, userInfo: carrier.userInfo.merging([Self.carriesKey: true]) { $1 })
        }
    }

    package init(_ code: Code, because error: any Error, url: URL?) {
        self.init(code, "\(error)", url: url, [NSUnderlyingErrorKey: error])
    }

    /// - Parameter text: the problem and the way out, in a sentence without a capital and a full stop.
    package init(_ code: Code, _ text: String, url: URL?, _ others: [String: Any] = [:]) {
        var userInfo = others
        userInfo[NSLocalizedDescriptionKey] = text
        if let url { userInfo[NSURLErrorFailingURLErrorKey] = url }
        self.init(code, userInfo: userInfo)
    }

    /// The error this one was made from, if there was one with more to say.
    var mostSpecific: any Error {
        switch userInfo[NSUnderlyingErrorKey] {
        case let error as ResponseError: error
        case let error as RequestError: error
        case let error as any Error where userInfo[Self.carriesKey] != nil: error
        default: self
        }
    }
}
