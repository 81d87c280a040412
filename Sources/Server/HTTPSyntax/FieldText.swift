// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The grammar of field lines (RFC 9110 §5).
package enum FieldText {
    /// Whether a text is a token (RFC 9110 §5.6.2): a method or a field name.
    package static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(ASCII.isToken)
    }

    /// The first byte that a field value or a reason phrase cannot hold (RFC 9110 §5.5): a control character that is not a tab.
    package static func controlCharacter(in text: String) -> UInt8? {
        text.utf8.first(where: isControl)
    }

    /// Whether a byte is a control character that is not a tab.
    @inlinable package static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != 0x09 || byte == 0x7F }

    /// A control character as messages name it.
    package static func name(ofControl byte: UInt8) -> String {
        switch byte {
        case 0: "NUL"
        case 0x0A: "LF"
        case 0x0D: "CR"
        default: "the control character 0x\(String(byte, radix: 16))"
        }
    }

    /// Without the spaces and tabs at both ends, which are not part of a field value (RFC 9110 §5.5).
    package static func trimmed(_ text: Substring) -> String { String(decoding: text.utf8.trimmed, as: UTF8.self) }

    package static func trimmed(_ text: String) -> String { trimmed(text[...]) }

    /// The value of a parameter behind a field's first `;`, without its quotes (RFC 9110 §5.6.6); nil if there is none.
    package static func parameter(_ name: String, of value: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        func end(_ byte: UInt8, _ start: Int) -> Int { value[start...].firstIndex(of: byte) ?? value.count }
        var place = end(ASCII.semicolon, 0)
        while place < value.count {
            place += 1
            let semicolon = end(ASCII.semicolon, place)
            guard let equals = value[place..<semicolon].firstIndex(of: ASCII.equals) else {
                place = semicolon
                continue
            }
            let isNamed = value[place..<equals].trimmed.lazy.map(ASCII.lowercased).elementsEqual(name.utf8)
            place = equals + 1
            while place < value.count, value[place] == ASCII.space || value[place] == ASCII.tab { place += 1 }
            var text: [UInt8] = []
            if place < value.count, value[place] == ASCII.quote {
                var rest = value[place...]
                // Old browsers sent Windows paths unescaped; only a quote and a backslash are ever escaped.
                text = takeQuoted(from: &rest) { $0 == ASCII.quote || $0 == ASCII.backslash }.text
                place = end(ASCII.semicolon, rest.startIndex)
            } else {
                if isNamed { text = Array(value[place..<semicolon].trimmed) }
                place = semicolon
            }
            if isNamed { return text }
        }
        return nil
    }

    /// Takes a quoted string (RFC 9110 §5.6.4) from the start of bytes, and returns its text; one without an end goes on to the end of the bytes.
    ///
    /// - Parameter escaping: whether a backslash in front of a byte escapes it.
    package static func takeQuoted(
        from rest: inout Slice<UnsafeBufferPointer<UInt8>>, escaping isEscaped: (UInt8) -> Bool
    ) -> (text: [UInt8], isClosed: Bool) {
        var text: [UInt8] = []
        rest = rest.dropFirst()
        while let byte = rest.popFirst() {
            if byte == ASCII.quote { return (text, true) }
            if byte == ASCII.backslash, let next = rest.first, isEscaped(next) {
                text.append(next)
                rest = rest.dropFirst()
            } else {
                text.append(byte)
            }
        }
        return (text, false)
    }

    package static func parameter(_ name: String, of value: String) -> String? {
        Array(value.utf8).withUnsafeBufferPointer { parameter(name, of: $0) }.map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// The cookies of a Cookie line (RFC 6265 §4.2.1), without the blanks around names and values; a pair without `=` is left out.
    package static func cookies(of line: String) -> [(name: String, value: String)] {
        line.split(ascii: ";").compactMap { pair in
            let sides = pair.split(ascii: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return sides.count == 2 ? (trimmed(sides[0]), trimmed(sides[1])) : nil
        }
    }
}

/// The field names that rules are about, in lower case; code that needs others adds them itself.
package enum FieldNames {
    /// Those of HTTP/1.1's connections, which HTTP/2 has no place for (RFC 9113 §8.2.2).
    package static let ofConnections = Set(connectionTexts.map(\.description))

    private static let connectionTexts: [StaticString] = [
        "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade",
    ]

    /// Whether a name, in lower case, is that of a field of a connection.
    package static func isOfConnection(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        connectionTexts.contains { name.isText($0) }
    }

    /// Those of one hop, which nobody passes on (RFC 9110 §7.6.1, §11.7).
    package static let hopByHop = Set(hopTexts.map(\.description))

    private static let hopTexts: [StaticString] =
        connectionTexts + [
            "te", "proxy-authenticate", "proxy-authorization", "proxy-authentication-info", "http2-settings",
        ]

    /// Whether a name, in any case, is that of a field that nobody passes on as it came: of one hop, or of the message's length.
    package static func isNotPassedOn(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        hopTexts.contains(where: name.isTextIgnoringCase) || framingTexts.contains(where: name.isTextIgnoringCase)
    }

    /// Those that say how long a message is (RFC 9112 §6).
    package static let framing = Set(framingTexts.map(\.description))

    private static let framingTexts: [StaticString] = ["content-length", "transfer-encoding"]

    /// Those that describe a message or its connection, and are never behind the content, wherever a response comes from: in HTTP/2 a client
    /// would reset the stream, and a reader that merges trailers would see another message (RFC 9110 §6.5.1).
    package static let neverTrailers: Set<String> = hopByHop.union(framing).union(["host", "trailer"])

    /// Those that say how the content is read, and come too late behind it (RFC 9110 §6.5.1).
    package static let notInTrailers: Set<String> = [
        "content-encoding", "content-type", "content-range", "host", "trailer", "set-cookie",
    ]

    /// Those that a response is not replayed with: the server has its own.
    package static let ofServers: Set<String> = framing.union(["connection", "keep-alive", "date"])

    /// Those of a response whose values are URLs that a client follows (RFC 9110 §10.2.2 and §8.7, RFC 8288 §3; Refresh is HTML's).
    package static let urls: Set<String> = ["location", "content-location", "link", "refresh"]

    /// Those that are made of the content (RFC 9110 §8.8.3, RFC 9530).
    package static let ofContent: Set<String> = ["etag", "content-md5", "digest", "repr-digest", "content-digest"]

    /// Whether a line, by its name in lower case, has a checksum of the content, which is wrong for other bytes.
    package static func isDigest(_ name: String) -> Bool {
        name != "etag" && ofContent.contains(name) || name == "x-goog-hash" || name == "x-ms-content-crc64"
            || name.hasPrefix("x-amz-checksum-")
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether the bytes are those of an ASCII literal.
    package func isText(_ literal: StaticString) -> Bool {
        guard count == literal.utf8CodeUnitCount, let baseAddress else {
            return isEmpty && literal.utf8CodeUnitCount == 0
        }
        return ByteWords.areEqual(baseAddress, literal.utf8Start, count)
    }

    /// Whether the bytes equal a lower-case ASCII literal, ignoring their case.
    package func isTextIgnoringCase(_ literal: StaticString) -> Bool {
        guard count == literal.utf8CodeUnitCount else { return false }
        for index in 0..<count where ASCII.lowercased(self[index]) != literal.utf8Start[index] { return false }
        return true
    }
}

extension BidirectionalCollection<UInt8> {
    /// Without the spaces and tabs at both ends.
    @inlinable package var trimmed: SubSequence {
        var (start, end) = (startIndex, endIndex)
        while start < end, self[start] == ASCII.space || self[start] == ASCII.tab { formIndex(after: &start) }
        while start < end {
            let last = index(before: end)
            guard self[last] == ASCII.space || self[last] == ASCII.tab else { break }
            end = last
        }
        return self[start..<end]
    }
}

extension StringProtocol where SubSequence == Substring {
    /// Without the spaces and tabs at both ends.
    package var trimmingBlanks: Substring { Substring(Substring(self).utf8.trimmed) }
}
