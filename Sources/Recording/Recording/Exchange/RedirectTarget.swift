// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// References of Location lines (RFC 3986 §5.2).
enum RedirectTarget {
    /// The URL that a reference means.
    ///
    /// - Parameters:
    ///   - origin: scheme, host and port of the request that was redirected.
    ///   - target: its path and query.
    static func resolve(_ reference: String, from origin: String, _ target: String) -> String? {
        // A URL has no blanks, and services write them all the same: clients encode them.
        let reference = String(reference.trimmingBlanks.prefix(before: "#")).replacing(bytesOf: " ", with: "%20")
        if hasScheme(reference) { return reference }
        if reference.utf8.starts(with: "//".utf8) { return origin.prefix(before: "/") + reference }
        let path = target.prefix(before: "?")
        if reference.isEmpty { return origin + target }
        if reference.utf8.first == ASCII.question { return origin + path + reference }
        let (relative, query) = parts(reference)
        let folder = path.lastIndex(ascii: "/").map { path[..<path.utf8.index(after: $0)] } ?? "/"
        let merged = relative.utf8.first == ASCII.slash ? relative : folder + relative
        return origin + withoutDots(String(merged)) + query
    }

    /// The part of a URL to the end of its authority, and the part after it without the fragment.
    static func split(_ url: String) -> (base: String, rest: String)? {
        guard let scheme = url.utf8.firstRange(of: "://".utf8) else { return nil }
        let behind = url[scheme.upperBound...]
        let end = behind.utf8.firstIndex { "/?#".utf8.contains($0) } ?? behind.endIndex
        return (String(url[..<end]), String(url[end...].prefix(before: "#")))
    }

    private static func hasScheme(_ reference: String) -> Bool {
        guard let colon = reference.firstIndex(ascii: ":"), colon != reference.startIndex else { return false }
        return !reference[..<colon].utf8.contains { "/?".utf8.contains($0) }
    }

    private static func parts(_ reference: String) -> (path: Substring, query: Substring) {
        let question = reference.firstIndex(ascii: "?") ?? reference.endIndex
        return (reference[..<question], reference[question...])
    }

    /// RFC 3986 §5.2.4.
    private static func withoutDots(_ path: String) -> String {
        var kept: [Substring] = []
        let segments = path.split(ascii: "/", omittingEmptySubsequences: false).dropFirst()
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment {
            case ".": if isLast { kept.append("") }
            case "..":
                if !kept.isEmpty { kept.removeLast() }
                if isLast { kept.append("") }
            default: kept.append(segment)
            }
        }
        return "/" + kept.joined(separator: "/")
    }
}
