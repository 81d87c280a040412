// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiHTTPWire

/// The URL by which clients know the server behind a proxy.
package struct PublicURL: Sendable {
    /// Without a slash at its end.
    let text: String
    /// The name alone.
    let host: String

    /// Nil for a text that is not a URL of http or https, or has a query.
    package init?(_ text: String) {
        var text = text
        while text.utf8.last == ASCII.slash { text.removeLast() }
        let lowered = text.lowercased()
        guard let scheme = ["https://", "http://"].first(where: lowered.hasPrefix),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"?#@\"<>\\".utf8.contains($0) })
        else { return nil }
        let authority = Array(lowered.utf8.dropFirst(scheme.utf8.count).prefix { $0 != ASCII.slash })
        host = String(decoding: Authority.host(authority[...]), as: UTF8.self)
        guard !host.isEmpty else { return nil }
        self.text = text
    }
}

/// The forwarding lines that a proxy in front adds to a request.
struct Forwarding {
    /// Bytes of a line that is believed. 1 KiB.
    private static let limit = 1024

    private(set) var scheme: String?
    private(set) var authority: String?
    private(set) var client: String?
    /// The path at which the proxy serves the server; empty for all of the name.
    private(set) var prefix = ""

    init(_ head: borrowing RequestHead) {
        var port: String?
        for field in head.fields where field.name.count <= 18 && field.value.count <= Self.limit {
            let isStandard = head.equalsIgnoringCase(field.name, "forwarded")
            // The first of a list is the proxy that the client met.
            let value = head.string(field.value).split(ascii: ",").first.map { FieldText.trimmed($0) } ?? ""
            guard !value.isEmpty, value.utf8.allSatisfy({ (0x21...0x7E).contains($0) || $0 == 0x20 }) else { continue }
            if isStandard {
                readElement(value)
            } else if head.equalsIgnoringCase(field.name, "x-forwarded-proto") {
                scheme = scheme ?? Self.scheme(value)
            } else if head.equalsIgnoringCase(field.name, "x-forwarded-host") {
                authority = authority ?? Self.authority(value)
            } else if head.equalsIgnoringCase(field.name, "x-forwarded-port") {
                if value.utf8.count <= 5, value.utf8.allSatisfy(ASCII.isDigit) { port = value }
            } else if head.equalsIgnoringCase(field.name, "x-forwarded-prefix") {
                let isPath = value.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"?#\"<>\\".utf8.contains($0) }
                if value.utf8.first == ASCII.slash, isPath, !value.hasPrefix("//") {
                    prefix = value.utf8.last == ASCII.slash ? String(value.dropLast()) : value
                }
            } else if head.equalsIgnoringCase(field.name, "x-forwarded-for") {
                client = client ?? value
            }
        }
        guard let port else { return }
        let name = authority ?? Self.authority(head.string(head.authority))
        let isDefault = port == (scheme == "https" ? "443" : "80")
        if let name, !Self.hasPort(name) || authority == nil {
            let host = String(decoding: Authority.host(Array(name.utf8)[...]), as: UTF8.self)
            let shown =
                name.utf8.first == UInt8(ascii: "[") && host.utf8.first != UInt8(ascii: "[") ? "[\(host)]" : host
            authority = isDefault ? shown : "\(shown):\(port)"
        }
    }

    /// The element of the first proxy (RFC 7239 §4): `for=192.0.2.60;proto=https;host=mocks.example`.
    private mutating func readElement(_ text: String) {
        for pair in text.split(ascii: ";") {
            let parts = pair.split(ascii: "=", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let value = FieldText.trimmed(parts[1]).filter { $0 != "\"" }
            switch FieldText.trimmed(parts[0]).lowercased() {
            case "proto": scheme = Self.scheme(value) ?? scheme
            case "host": authority = Self.authority(value) ?? authority
            case "for": client = Self.address(value)
            default: break
            }
        }
    }

    private static func scheme(_ text: String) -> String? {
        let scheme = text.lowercased()
        return scheme == "http" || scheme == "https" ? scheme : nil
    }

    private static func authority(_ text: String) -> String? {
        let isAuthority =
            !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"/?#@\"<>\\".utf8.contains($0) }
        return isAuthority ? text : nil
    }

    private static func hasPort(_ authority: String) -> Bool {
        guard let colon = authority.utf8.lastIndex(of: ASCII.colon) else { return false }
        return !authority[colon...].utf8.contains(UInt8(ascii: "]"))
    }

    /// An address without its port: `192.0.2.60:4711`, `[2001:db8::1]:4711`.
    private static func address(_ text: String) -> String {
        if text.utf8.first == UInt8(ascii: "[") {
            return String(text.dropFirst().prefix { $0 != "]" })
        }
        return text.utf8.count { $0 == ASCII.colon } == 1 ? String(text.prefix { $0 != ":" }) : text
    }
}
