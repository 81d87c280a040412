// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// References between schemas: URIs (RFC 3986) and JSON Pointers (RFC 6901).
enum SchemaURI {
    private struct Parts {
        var scheme: Substring?
        var authority: Substring?
        var path: Substring
        var query: Substring?
    }

    /// Splits off the fragment.
    static func split(_ uri: String) -> (uri: String, fragment: String?) {
        guard let hash = uri.firstIndex(of: "#") else { return (uri, nil) }
        return (String(uri[..<hash]), String(uri[uri.index(after: hash)...]))
    }

    /// A reference without its fragment, seen from a base (RFC 3986 §5.2.2).
    static func resolve(_ reference: String, base: String) -> String {
        if reference.isEmpty { return base }
        let one = parts(reference)
        let from = parts(base)
        var result = one
        if one.scheme == nil {
            result.scheme = from.scheme
            if one.authority == nil {
                result.authority = from.authority
                if one.path.isEmpty {
                    result.path = from.path
                    result.query = one.query ?? from.query
                } else if !one.path.hasPrefix("/") {
                    result.path = merge(one.path, from)
                }
            }
        }
        var text = ""
        if let scheme = result.scheme { text += scheme + ":" }
        if let authority = result.authority { text += "//" + authority }
        text += result.path.contains("/") ? withoutDots(result.path) : String(result.path)
        if let query = result.query { text += "?" + query }
        return text
    }

    private static func parts(_ uri: String) -> Parts {
        var rest = uri[...]
        var parts = Parts(path: "")
        if let colon = rest.firstIndex(where: { ":/?".contains($0) }), rest[colon] == ":", colon > rest.startIndex {
            parts.scheme = rest[..<colon]
            rest = rest[rest.index(after: colon)...]
        }
        if let question = rest.firstIndex(of: "?") {
            parts.query = rest[rest.index(after: question)...]
            rest = rest[..<question]
        }
        if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
            let slash = rest.firstIndex(of: "/") ?? rest.endIndex
            parts.authority = rest[..<slash]
            rest = rest[slash...]
        }
        parts.path = rest
        return parts
    }

    private static func merge(_ path: Substring, _ base: Parts) -> Substring {
        if base.authority != nil, base.path.isEmpty { return "/" + path }
        guard let slash = base.path.lastIndex(of: "/") else { return path }
        return base.path[...slash] + path
    }

    /// RFC 3986 §5.2.4.
    private static func withoutDots(_ path: Substring) -> String {
        var output: [Substring] = []
        let segments = path.split(ascii: "/", omittingEmptySubsequences: false)
        for (position, segment) in segments.enumerated() {
            let isLast = position == segments.count - 1
            switch segment {
            case ".":
                if isLast { output.append("") }
            case "..":
                if output.count > 1 || output.first.map({ !$0.isEmpty }) == true { output.removeLast() }
                if isLast { output.append("") }
            default: output.append(segment)
            }
        }
        return output.joined(separator: "/")
    }

    /// A fragment with its percent signs decoded.
    static func decoded(_ fragment: String) -> String {
        guard fragment.contains("%") else { return fragment }
        let bytes = Array(fragment.utf8)
        var output: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let high = digit(bytes[index + 1]), let low = digit(bytes[index + 2])
            {
                output.append(high << 4 | low)
                index += 3
            } else {
                output.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
    }
}
