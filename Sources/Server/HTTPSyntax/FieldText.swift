// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The grammar of field lines (RFC 9110 §5).
package enum FieldText {
    /// Whether a text is a token (RFC 9110 §5.6.2): a method or a field name.
    package static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(ASCII.isToken)
    }

    /// The first byte that a field value or a reason phrase cannot hold (RFC 9110 §5.5): a control character that is no tab.
    package static func controlCharacter(in text: String) -> UInt8? {
        text.utf8.first { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }
    }

    /// A control character as messages name it.
    package static func name(ofControl byte: UInt8) -> String {
        switch byte {
        case 0: "NUL"
        case 0x0A: "LF"
        case 0x0D: "CR"
        default: "the control character 0x\(String(byte, radix: 16))"
        }
    }

    /// Without the spaces and tabs at both ends, which are no part of a field value (RFC 9110 §5.5).
    package static func trimmed(_ text: Substring) -> String { String(decoding: text.utf8.trimmed, as: UTF8.self) }

    package static func trimmed(_ text: String) -> String { trimmed(text[...]) }

    /// The cookies of a Cookie line (RFC 6265 §4.2.1), without the blanks around each; what has no `=` is none.
    package static func cookies(of line: String) -> [(name: String, value: String)] {
        line.split(ascii: ";").compactMap { pair in
            let sides = pair.trimmingBlanks.split(ascii: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return sides.count == 2 ? (String(sides[0]), String(sides[1])) : nil
        }
    }
}

/// The field names that rules are about, in lower case; who needs others beside them adds them where they are needed.
package enum FieldNames {
    /// Those of HTTP/1.1's connections, which HTTP/2 has no place for (RFC 9113 §8.2.2).
    package static let ofConnections = Set(connectionTexts.map(\.description))

    private static let connectionTexts: [StaticString] = [
        "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade",
    ]

    /// Whether a name in lower case is one of a connection's.
    package static func isOfConnection(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        connectionTexts.contains { name.isText($0) }
    }

    /// Those of one hop, which nobody passes on (RFC 9110 §7.6.1, §11.7).
    package static let hopByHop: Set<String> = ofConnections.union([
        "te", "proxy-authenticate", "proxy-authorization", "proxy-authentication-info", "http2-settings",
    ])

    /// Those that say how long a message is (RFC 9112 §6).
    package static let framing: Set<String> = ["content-length", "transfer-encoding"]

    /// Those that a response is not replayed with: the server has its own.
    package static let ofServers: Set<String> = framing.union(["connection", "keep-alive", "date"])

    /// Those of a response whose values are URLs that a client follows (RFC 9110 §10.2.2 and §8.7, RFC 8288 §3; Refresh is HTML's).
    package static let urls: Set<String> = ["location", "content-location", "link", "refresh"]

    /// Those that are made of the content (RFC 9110 §8.8.3, RFC 9530).
    package static let ofContent: Set<String> = ["etag", "content-md5", "digest", "repr-digest", "content-digest"]

    /// Whether a line, by its name in lower case, has a checksum of the content: it is wrong beside other bytes.
    package static func isDigest(_ name: String) -> Bool {
        name != "etag" && ofContent.contains(name) || name == "x-goog-hash" || name == "x-ms-content-crc64"
            || name.hasPrefix("x-amz-checksum-")
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether the bytes are those of an ASCII literal.
    package func isText(_ literal: StaticString) -> Bool {
        guard count == literal.utf8CodeUnitCount else { return false }
        for index in 0..<count where self[index] != literal.utf8Start[index] { return false }
        return true
    }
}

extension BidirectionalCollection<UInt8> {
    /// Without the spaces and tabs at both ends.
    package var trimmed: SubSequence {
        var rest = self[...]
        while let first = rest.first, first == ASCII.space || first == ASCII.tab { rest.removeFirst() }
        while let last = rest.last, last == ASCII.space || last == ASCII.tab { rest.removeLast() }
        return rest
    }
}

extension StringProtocol where SubSequence == Substring {
    /// Without the spaces and tabs at both ends.
    package var trimmingBlanks: Substring { Substring(Substring(self).utf8.trimmed) }
}
