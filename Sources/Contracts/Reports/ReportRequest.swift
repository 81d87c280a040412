// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Report {
    /// A request that a verdict is about, and the line of shell that sends it.
    package struct Request: Sendable {
        /// A URL that begins with this is one of a server that the reader starts: the line has the variable.
        package static let base = "$MOCKAPI_URL"
        /// The most bytes of content that stand in a line. 2,000.
        package static let contentLimit = 2_000

        package let method: String
        package let url: String
        package var headers: [(name: String, value: String)] = []
        package var body: [UInt8]?
        /// Further options of curl, such as `-L` and `--max-time 5`.
        package var options: [String] = []
        /// A command whose output is the content, if that is too long for a line.
        package var bodyCommand: String?

        package init(_ method: String, _ url: String) {
            self.method = method
            self.url = url
        }

        /// Method and URL, the field lines below, and how long the content is.
        package var text: String {
            var lines = ["\(method) \(url)"] + headers.map { "\($0.name): \($0.value)" }
            if let body { lines.append("(\(body.count) \(body.count == 1 ? "byte" : "bytes") of content)") }
            return lines.joined(separator: "\n")
        }

        /// The line of shell: curl sends this request, and adds nothing of its own for the content.
        package var curl: String {
            var words = ["curl", "-sS"] + options
            switch method {
            case "GET" where body == nil: break
            case "HEAD": words.append("--head")
            default: words += ["-X", method.shellWord]
            }
            words += headers.map { "-H " + ($0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)").shellWord }
            guard let body else { return (words + [quotedURL]).joined(separator: " ") }
            if !headers.contains(where: { $0.name.lowercased() == "content-type" }) { words.append("-H Content-Type:") }
            if let text = Self.text(body) {
                return (words + ["--data-raw", text.shellWord, quotedURL]).joined(separator: " ")
            }
            let line = (words + ["--data-binary", "@-", quotedURL]).joined(separator: " ")
            if let bodyCommand { return "\(bodyCommand) | \(line)" }
            guard body.count <= Self.contentLimit else {
                return "\(line) < CONTENT  # \(body.count) bytes that are too many for a line"
            }
            return "printf %s \(Data(body).base64EncodedString()) | base64 -d | \(line)"
        }

        /// A content that can stand in a line of shell as it is.
        private static func text(_ body: [UInt8]) -> String? {
            guard body.count <= contentLimit, body.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x0A }) else {
                return nil
            }
            return String(validating: body, as: UTF8.self)
        }

        private var quotedURL: String {
            guard url.hasPrefix(Self.base) else { return url.shellWord }
            let rest = url.dropFirst(Self.base.count).flatMap { "\\\"`$".contains($0) ? "\\\($0)" : "\($0)" }
            return "\"\(Self.base)\(String(rest))\""
        }
    }
}
