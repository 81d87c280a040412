// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import NetworkingKit

/// A request as HTTP/1.1 sends it, whole.
struct RequestMessage {
    let url: URL
    let bytes: [UInt8]
    let isSecure: Bool

    init(_ request: URLRequest, file: URL?) throws(URLError) {
        guard let url = request.url, let components = URLComponents(url: url, resolvingAgainstBaseURL: true),
            let host = components.percentEncodedHost, !host.isEmpty,
            let scheme = components.scheme?.lowercased(), ["http", "https"].contains(scheme)
        else { throw URLError(.unsupportedURL, "a request goes to a host by http or https", url: request.url) }
        self.url = url
        isSecure = scheme == "https"
        let body = try Self.body(request, file)
        let path = components.percentEncodedPath
        let target = (path.isEmpty ? "/" : path) + (components.percentEncodedQuery.map { "?\($0)" } ?? "")
        var head = "\(request.httpMethod ?? "GET") \(target) HTTP/1.1\r\n"
        head += "Host: \(host)\(components.port.map { ":\($0)" } ?? "")\r\n"
        for (name, value) in (request.allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key }) {
            head += "\(name): \(value)\r\n"
        }
        if let body { head += "Content-Length: \(body.count)\r\n" }
        bytes = Array((head + "\r\n").utf8) + (body ?? Data())
    }

    private static func body(_ request: URLRequest, _ file: URL?) throws(URLError) -> Data? {
        guard let file else { return request.httpBody }
        do throws(UnreadableFile) {
            _ = try file.regularFileSize()
        } catch {
            throw URLError(error, file: file)
        }
        do {
            return try Data(contentsOf: file)
        } catch {
            throw URLError(.cannotOpenFile, because: error, url: request.url)
        }
    }
}
