// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import JSONText

extension StubFileReader {
    /// Reads where a response comes from; nil where it is the stub's own.
    mutating func proxy(of cursor: Cursor) -> ProxyTarget? {
        guard let written = cursor["proxyBaseUrl"], let text = written.node.string else {
            for key in ["proxyUrlPrefixToRemove", "additionalProxyRequestHeaders", "removeProxyRequestHeaders"] {
                guard let other = cursor[key], !(isWireMock && other.node.isNull) else { continue }
                report(isWireMock ? .warning : .error, "\"\(key)\" goes with \"proxyBaseUrl\"", at: other)
            }
            return nil
        }
        guard Self.isBase(text) else {
            report(
                .error,
                "expected a URL such as \"https://api.example.com\", of http or https, without credentials, query and fragment, found "
                    + "\"\(text)\"", at: written)
            return nil
        }
        for key in [
            "status", "body", "jsonBody", "base64Body", "bodyFile", "bodyFileName", "contentEncoding", "trailers",
        ] {
            guard let other = cursor[key] else { continue }
            report(
                isWireMock ? .warning : .error,
                "\"\(key)\" beside \"proxyBaseUrl\"; the answer is the other server's, leave it out", at: other)
        }
        var proxy = ProxyTarget(base: String(text.hasSuffix("/") ? text.dropLast() : text[...]))
        proxy.isOfWireMock = isWireMock
        proxy.prefixToRemove = cursor["proxyUrlPrefixToRemove"]?.node.string ?? ""
        proxy.addedFields = headerLines(cursor["additionalProxyRequestHeaders"]).map(\.line)
        for element in cursor["removeProxyRequestHeaders"]?.elements ?? [] {
            guard let name = element.node.string else { continue }
            if !HeaderText.isToken(name) {
                report(.error, "\"\(name)\" is no field name (RFC 9110 §5.1)", at: element)
            }
            proxy.removedNames.insert(name.lowercased())
        }
        return proxy
    }

    private static func isBase(_ text: String) -> Bool {
        guard let scheme = ["https://", "http://"].first(where: text.lowercased().hasPrefix) else { return false }
        let rest = text.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" }
        return !authority.isEmpty && !authority.contains("@")
            && rest.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"?#\\".utf8.contains($0) }
    }
}
