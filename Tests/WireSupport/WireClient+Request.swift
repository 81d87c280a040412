// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

extension WireClient {
    /// Sends one request and reads its response.
    ///
    /// - Parameter fields: lines such as `Range: bytes=0-1`; a Host line is added where there is none.
    package func request(
        _ method: String, _ target: String, _ fields: [String] = [], body: String = ""
    ) throws -> WireResponse {
        var lines = ["\(method) \(target) HTTP/1.1"] + fields
        if !fields.contains(where: { $0.lowercased().hasPrefix("host:") }) { lines.insert("Host: localhost", at: 1) }
        if !body.isEmpty { lines.append("Content-Length: \(body.utf8.count)") }
        try send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
        return try response(isHead: method == "HEAD")
    }
}
