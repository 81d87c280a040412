// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiWireSupport

/// A response as a client saw it.
struct Seen: Sendable {
    /// What curl ended with; 0 where the response came whole.
    var code = 0
    var status = 0
    var reason = ""
    /// In the order they came.
    var fields: [(name: String, value: String)] = []
    /// Decoded.
    var body: [UInt8] = []

    /// For the text of a failure.
    var summary: String { "\(status), \(body.count) bytes: \(String(decoding: body.prefix(120), as: UTF8.self))" }

    func all(_ name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }
}

/// curl, which makes all requests of a list in one process.
enum Curl {
    /// curl 7.88 fails with 16 at the second request of a connection that it opened so; these requests have a process each.
    private static let priorKnowledge = "--http2-prior-knowledge"

    /// - Parameters:
    ///   - base: the server, without a slash at its end.
    ///   - options: of each request.
    static func fetch(_ base: String, _ asks: [Ask], _ options: [String] = []) async throws -> [Seen] {
        if asks.count > 1, options.contains(priorKnowledge) {
            var all: [Seen] = []
            for ask in asks { all += try await fetch(base, [ask], options) }
            return all
        }
        let files = try TemporaryDirectory()
        var line = ["/usr/bin/env", "curl"]
        for (index, ask) in asks.enumerated() {
            if index > 0 { line.append("--next") }
            line += ["--silent", "--show-error", "--max-time", "90", "--noproxy", "*", "--path-as-is", "--globoff"]
            line +=
                options + ["--dump-header", "\(files.path)/\(index).head", "--output", "\(files.path)/\(index).body"]
            line += ["--write-out", "\(index) %{exitcode}\\n"]
            line += ask.method == "HEAD" ? ["--head"] : ["--request", ask.method]
            for field in ask.fields { line += ["--header", field] }
            if let body = ask.body {
                try files.write("\(index).content", body)
                line += ["--data-binary", "@\(files.path)/\(index).content"]
            }
            line.append(base + ask.target)
        }
        let end = try await Command(line: line).end()
        var codes: [Int: Int] = [:]
        for row in end.output.split(separator: "\n") {
            let words = row.split(separator: " ").compactMap { Int($0) }
            if words.count == 2 { codes[words[0]] = words[1] }
        }
        return asks.indices.map { index in
            var seen = head(files.text("\(index).head"))
            seen.code = codes[index] ?? -1
            if asks[index].method != "HEAD" { seen.body = files.bytes("\(index).body") }
            return seen
        }
    }

    /// The last head of those that came, without the interim ones and those of redirects.
    private static func head(_ text: String) -> Seen {
        var seen = Seen()
        for line in text.split(separator: "\r\n") {
            if line.hasPrefix("HTTP/") {
                let words = line.split(separator: " ", maxSplits: 2)
                seen = Seen()
                seen.status = words.count > 1 ? Int(words[1]) ?? 0 : 0
                seen.reason = words.count > 2 ? String(words[2]) : ""
            } else if let colon = line.firstIndex(of: ":") {
                let value = line[line.index(after: colon)...].drop { $0 == " " }
                seen.fields.append((String(line[..<colon]), String(value)))
            }
        }
        return seen
    }
}
