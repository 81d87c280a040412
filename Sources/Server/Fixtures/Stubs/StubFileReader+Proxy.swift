// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiJSONText
import MockapiTemplating

extension StubFileReader {
    /// Where a response comes from, with the lines that requests get on their way.
    struct WrittenProxy {
        var target: ProxyTarget
        var lines: [PlacedLine]
    }

    /// Reads where a response comes from; nil if it is the stub's own.
    mutating func proxy(of cursor: Cursor, isTemplated: Bool) -> WrittenProxy? {
        guard let written = cursor["proxyBaseUrl"], let text = written.node.string else {
            for key in ["proxyUrlPrefixToRemove", "additionalProxyRequestHeaders", "removeProxyRequestHeaders"] {
                guard let other = cursor[key], !(isWireMock && other.node.isNull) else { continue }
                report(isWireMock ? .warning : .error, "\"\(key)\" goes with \"proxyBaseUrl\"", at: other)
            }
            return nil
        }
        guard let base = base(text, isTemplated, at: written) else { return nil }
        for key in [
            "status", "body", "jsonBody", "base64Body", "bodyFile", "bodyFileName", "contentEncoding", "trailers",
        ] {
            guard let other = cursor[key] else { continue }
            report(
                isWireMock ? .warning : .error,
                "\"\(key)\" beside \"proxyBaseUrl\"; the response is the other server's, leave it out", at: other)
        }
        var proxy = ProxyTarget(base: base)
        proxy.isOfWireMock = isWireMock
        proxy.prefixToRemove = cursor["proxyUrlPrefixToRemove"]?.node.string ?? ""
        let lines = headerLines(cursor["additionalProxyRequestHeaders"])
        proxy.addedFields = lines.map(\.line)
        for element in cursor["removeProxyRequestHeaders"]?.elements ?? [] {
            guard let name = element.node.string else { continue }
            if !FieldText.isToken(name) {
                report(.error, "\"\(name)\" is not a field name (RFC 9110 §5.1)", at: element)
            }
            proxy.removedNames.insert(name.lowercased())
        }
        return WrittenProxy(target: proxy, lines: lines)
    }

    private mutating func base(_ text: String, _ isTemplated: Bool, at cursor: Cursor) -> String? {
        if Template.isNeeded(for: text.utf8) {
            if isTemplated { return text }
            reportFailure("a URL that is a template needs \"transformers\": [\"response-template\"]", at: cursor)
            return nil
        }
        if let base = ProxyTarget.base(of: text) { return base }
        report(
            .error,
            "expected a URL such as \"https://api.example.com\", of http or https, without credentials, query and fragment, found "
                + "\"\(text)\"", at: cursor)
        return nil
    }
}
