// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

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
    /// The request as it is sent, with the headers that a delegate has for it.
    func wireRequest(delegate headers: [String: String]) throws -> WireRequest {
        var request = try urlRequest()
        try request.addHeaders(headers)
        let content = request.httpBody == nil ? try bodyContent() : .none
        if content.isElsewhere || request.httpBody?.isEmpty == false {
            // Without one, URLSession calls any content a form.
            request.setContentTypeIfAbsent("application/octet-stream")
        }
        return WireRequest(urlRequest: request, content: content)
    }

    /// What an answer is read to, by the coders of a networking.
    ///
    /// - Throws: `DecodingFailure` in the place of a `DecodingError`, and whatever else the request throws.
    func output(of response: DataResponse, by coders: Coders) throws -> Output {
        do {
            return try coders.use { try output(of: response) }
        } catch let error as DecodingError {
            throw DecodingFailure(method: method, url: response.http.url ?? url, response: response, cause: error)
        }
    }
}

/// A request as it goes to the wire.
struct WireRequest: Sendable {
    let urlRequest: URLRequest
    /// What is not in the URLRequest.
    let content: BodyContent
}

extension BodyContent {
    /// Whether the content is not data.
    var isElsewhere: Bool {
        switch source {
        case .none, .data: false
        case .file, .form, .stream: true
        }
    }
}

extension URLRequest {
    /// Fields that say how a message is framed and where it goes; the transport writes them, nobody else (RFC 9110 §7.6.1, §8.6, §7.2).
    static let reservedHeaders: Set = [
        "connection", "content-length", "host", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding",
        "upgrade",
    ]

    /// Sets fields, each in the place of one of the same name; reserved ones are left out.
    mutating func setHeaders(_ headers: [String: String]) throws(RequestError) {
        for (name, value) in headers.sorted(by: { $0.key < $1.key })
        where !Self.reservedHeaders.contains(name.lowercased()) {
            guard HTTPMethod(name).isValid, !value.utf8.contains(where: { $0 == 0 || $0 == 10 || $0 == 13 }) else {
                throw .header(name: name, value: value)
            }
            setValue(value, forHTTPHeaderField: name)
        }
    }

    mutating func setContentTypeIfAbsent(_ type: String) {
        if value(forHTTPHeaderField: "Content-Type") == nil { setValue(type, forHTTPHeaderField: "Content-Type") }
    }

    /// Adds the fields that are not there yet.
    mutating func addHeaders(_ headers: [String: String]) throws(RequestError) {
        let present = Set((allHTTPHeaderFields ?? [:]).keys.map { $0.lowercased() })
        try setHeaders(headers.filter { !present.contains($0.key.lowercased()) })
    }
}

extension URL {
    /// The URL with items behind those its query has.
    func adding(_ items: [URLQueryItem]) throws(RequestError) -> URL {
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
    /// Everything but the unreserved characters as octets (RFC 3986 §2.3), so that no reader takes one for a delimiter or a `+` for a space.
    var percentEncoded: String {
        var result = ""
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return result
    }
}

extension [URLQueryItem] {
    /// The items as the content of a form: `name=value&name=value`.
    var form: Data {
        Data(map { "\($0.name.percentEncoded)=\(($0.value ?? "").percentEncoded)" }.joined(separator: "&").utf8)
    }
}
