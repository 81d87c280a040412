// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

extension Request {
    public func urlRequest() throws -> URLRequest {
        guard method.isValid else { throw RequestError.method(method.rawValue) }
        var request = URLRequest(url: try url.adding(query))
        request.httpMethod = method.rawValue
        request.httpBody = bodyFile == nil ? body : nil
        try request.setHeaders(headers)
        return request
    }

    /// The request as it is sent, with the headers that a delegate has for it.
    func wireRequest(delegate headers: [String: String]) throws -> URLRequest {
        var request = try urlRequest()
        try request.addHeaders(headers)
        if bodyFile != nil || request.httpBody?.isEmpty == false {
            // Without one, URLSession calls any content a form.
            try request.addHeaders(["Content-Type": "application/octet-stream"])
        }
        return request
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
