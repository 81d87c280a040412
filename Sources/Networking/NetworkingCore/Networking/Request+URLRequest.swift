// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import Foundation

extension Request
where Body: RequestBody, Headers: RequestHeaders, Query: RequestQuery, BodyFile: RequestFile {
    public func urlRequest() throws -> URLRequest {
        guard method.isValid else { throw RequestError.method(method.rawValue) }
        var request = URLRequest(url: try url.adding(try query.items))
        request.httpMethod = method.rawValue
        try request.setHeaders(try headers.fields)
        let content = try bodyContent()
        if case .data(let data) = content.source { request.httpBody = data }
        if let type = content.contentType { request.setContentTypeIfAbsent(type) }
        return request
    }

    public func bodyContent() throws -> BodyContent {
        if let file = bodyFile.file { return .file(file) }
        return try body.content(encoder: encoder)
    }
}

extension Request {
    /// The request as it goes to the wire, but for the additions of a delegate and the middlewares.
    func wireRequest() throws -> WireRequest {
        let request = try urlRequest()
        return WireRequest(urlRequest: request, content: request.httpBody == nil ? try bodyContent() : .none)
    }

    /// The same with the headers that the delegate of a networking has for it.
    func wireRequest(by networking: any Networking) throws -> WireRequest {
        let headers = networking.delegate?.headers(for: networking) ?? [:]
        var wire = try networking.coders.use { try wireRequest() }
        try wire.urlRequest.addHeaders(headers)
        return wire
    }

    /// The output that a response is read to, by the coders of a networking.
    ///
    /// - Throws: `ResponseError` in the place of a `DecodingError`, and whatever else the request throws.
    func output(of response: DataResponse, by coders: Coders) throws -> Output {
        do {
            return try coders.use { try output(of: response) }
        } catch let error where error is DecodingError || error is UnexpectedObject {
            throw ResponseError(self, response, cause: error)
        }
    }
}

/// A request as it goes to the wire.
struct WireRequest: Sendable {
    var urlRequest: URLRequest
    /// The content if the URLRequest does not have it; none if it does.
    let content: BodyContent
}

/// A request that is made already, as a networking takes it.
package struct SentRequest: Request {
    /// The request that is on its way to the wire, in its sender's form.
    @TaskLocal static var asked: (any Request)?

    package let sent: URLRequest
    package var bodyFile: URL?

    package init(sent: URLRequest, bodyFile: URL? = nil) {
        self.sent = sent
        self.bodyFile = bodyFile
    }

    package var url: URL { sent.url ?? URL(fileURLWithPath: "/") }
    package var method: HTTPMethod { HTTPMethod(sent.httpMethod ?? "GET") }
    package var headers: [String: String] { sent.allHTTPHeaderFields ?? [:] }
    package var body: Data? { sent.httpBody }

    package func urlRequest() -> URLRequest { sent }
}

extension BodyContent {
    /// Whether the content is not data.
    var isElsewhere: Bool {
        switch source {
        case .none, .data: false
        case .file, .form, .stream: true
        }
    }

    /// The request with a type for this content, or for its own, if nobody has named one: URLSession calls any content a form.
    func completing(_ request: URLRequest) -> URLRequest {
        var request = request
        if isElsewhere || request.httpBody?.isEmpty == false {
            request.setContentTypeIfAbsent("application/octet-stream")
        }
        return request
    }
}

extension URLRequest {
    /// Fields on the framing and the target of a message; the transport writes them, nobody else (RFC 9110 §7.6.1, §8.6, §7.2).
    static let reservedHeaders: Set = [
        "connection", "content-length", "host", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding",
        "upgrade",
    ]

    /// Sets fields, each in the place of one of the same name; reserved ones are left out.
    package mutating func setHeaders(_ headers: [String: String]) throws(RequestError) {
        for (name, value) in headers.sorted(by: { $0.key < $1.key })
        where !Self.reservedHeaders.contains(name.lowercased()) {
            guard HTTPMethod(name).isValid, !value.utf8.contains(where: { $0 == 0 || $0 == 10 || $0 == 13 }) else {
                throw .header(name: name, value: value)
            }
            setValue(value, forHTTPHeaderField: name)
        }
    }

    package mutating func setContentTypeIfAbsent(_ type: String) {
        if value(forHTTPHeaderField: "Content-Type") == nil { setValue(type, forHTTPHeaderField: "Content-Type") }
    }

    /// Adds the fields that are not there yet.
    mutating func addHeaders(_ headers: [String: String]) throws(RequestError) {
        let present = Set((allHTTPHeaderFields ?? [:]).keys.map { $0.lowercased() })
        try setHeaders(headers.filter { !present.contains($0.key.lowercased()) })
    }
}

extension URL {
    /// The URL with items after those its query has.
    package func adding(_ items: [URLQueryItem]) throws(RequestError) -> URL {
        guard !items.isEmpty else { return self }
        guard var components = URLComponents(url: self, resolvingAgainstBaseURL: true) else {
            throw .url(absoluteString)
        }
        let added = items.map { item in
            let name = item.name.percentEncoded
            return item.value.map { "\(name)=\($0.percentEncoded)" } ?? name
        }
        let present = components.percentEncodedQuery.map { $0.isEmpty ? [] : [$0] } ?? []
        components.percentEncodedQuery = (present + added).joined(separator: "&")
        guard let url = components.url else { throw .url(absoluteString) }
        return url
    }
}

extension String {
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    /// Everything but the unreserved characters as octets (RFC 3986 §2.3), so that no reader takes one for a delimiter or a `+` for a space.
    var percentEncoded: String { addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? "" }
}

extension [URLQueryItem] {
    /// The items as the content of a form: `name=value&name=value`.
    package var form: Data {
        Data(map { "\($0.name.percentEncoded)=\(($0.value ?? "").percentEncoded)" }.joined(separator: "&").utf8)
    }
}
