// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiUpstream

/// The value of `--connect-to`, as curl takes it.
enum ConnectRoute {
    /// - Parameter text: `HOST:PORT:HOST:PORT`; an IPv6 address stands in brackets.
    static func parse(_ text: String) -> UpstreamRoute? {
        var parts: [String] = [""]
        var isInBrackets = false
        for character in text {
            switch character {
            case "[": isInBrackets = true
            case "]": isInBrackets = false
            case ":" where !isInBrackets: parts.append("")
            default: parts[parts.count - 1].append(character)
            }
        }
        guard parts.count == 4, !isInBrackets, !parts[2].isEmpty, let port = Self.port(parts[3]) else { return nil }
        guard parts[1].isEmpty || Self.port(parts[1]) != nil else { return nil }
        return UpstreamRoute(
            host: parts[0].isEmpty ? nil : parts[0], port: Self.port(parts[1]), toHost: parts[2], toPort: port)
    }

    private static func port(_ text: String) -> Int? {
        Int(text).flatMap { (1...65535).contains($0) ? $0 : nil }
    }
}
