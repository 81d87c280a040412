// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

extension DocumentScanner {
    /// Looks through the fields of a form (`application/x-www-form-urlencoded`).
    mutating func form(_ range: Range<Int>) {
        var start = range.lowerBound
        while start < range.upperBound {
            let end = bytes[start..<range.upperBound].firstIndex(of: UInt8(ascii: "&")) ?? range.upperBound
            if let equals = bytes[start..<end].firstIndex(of: UInt8(ascii: "=")) {
                let name = String(
                    decoding: MappedText(percent: bytes.slice(start..<equals), isForm: true).bytes, as: UTF8.self)
                field(name, equals + 1..<end)
            } else {
                text(start..<end)
            }
            start = end + 1
        }
    }

    /// Looks through the value of a form's field, as it is written in a form.
    private mutating func field(_ name: String, _ range: Range<Int>) {
        let mapped = MappedText(percent: bytes.slice(range), isForm: true)
        value(mapped, of: name, at: range)
    }

    private mutating func value(_ mapped: MappedText, of name: String, at range: Range<Int>) {
        lazy var place = Placeholder.place(of: name, in: base, known: known)
        mapped.bytes.withUnsafeBufferPointer { value in
            if let kind = ParameterScanner.secret(value, of: name) {
                hits.append(SecretHit(range: range, value: mapped.bytes, kind: kind, place: place))
                return
            }
            for match in TextScanner.matches(in: value, strictness: strictness, known: known) {
                let inner = mapped.range(match.range)
                add(match, at: range.lowerBound + inner.lowerBound..<range.lowerBound + inner.upperBound, place: place)
            }
        }
    }

    /// Looks through the parts of a multipart content (RFC 2046 §5.1, RFC 7578); parts that are not text are looked through for known values
    /// alone.
    mutating func multipart() {
        guard let lineEnd = bytes.firstIndex(of: 0x0A), bytes.has(Array("--".utf8), at: 0) else {
            text(0..<bytes.count)
            return
        }
        let boundary = Array(bytes[..<lineEnd].filter { $0 != 0x0D })
        var start = lineEnd + 1
        while start < bytes.count {
            var end = start
            while end < bytes.count,
                !(bytes[end - 1] == 0x0A && bytes[end] == boundary[0] && bytes.has(boundary, at: end))
            { end += 1 }
            part(start..<end)
            start = (bytes[end...].firstIndex(of: 0x0A) ?? bytes.count) + 1
        }
    }

    private mutating func part(_ range: Range<Int>) {
        guard let (head, content) = split(range) else {
            text(range)
            return
        }
        text(head)
        let fields = String(decoding: bytes[head], as: UTF8.self)
        if bytes[content].contains(0) {
            known.search(bytes.slice(content)) { found, value in
                hits.append(
                    SecretHit(
                        range: content.lowerBound + found.lowerBound..<content.lowerBound + found.upperBound,
                        value: value,
                        kind: .known(""), place: base))
            }
        } else if let name = Self.name(in: fields), !json(content) {
            value(MappedText(plain: bytes.slice(content)), of: name, at: content)
        } else {
            text(content)
        }
    }

    /// The head of a part, and its content without the line end in front of the boundary.
    private func split(_ range: Range<Int>) -> (head: Range<Int>, content: Range<Int>)? {
        var index = range.lowerBound
        while index < range.upperBound {
            for separator in [Array("\r\n\r\n".utf8), Array("\n\n".utf8)] where bytes.has(separator, at: index) {
                let start = index + separator.count
                var end = range.upperBound
                if end > start, bytes[end - 1] == 0x0A { end -= 1 }
                if end > start, bytes[end - 1] == 0x0D { end -= 1 }
                return start <= end ? (range.lowerBound..<index, start..<end) : nil
            }
            index += 1
        }
        return nil
    }

    /// The name of the field in a part's Content-Disposition.
    private static func name(in head: String) -> String? {
        guard let range = head.lowercased().utf8.firstRange(of: " name=\"") else { return nil }
        let rest = head.utf8.dropFirst(range)
        return String(rest.prefix { $0 != UInt8(ascii: "\"") })
    }
}

extension Collection<UInt8> {
    /// How many bytes stand in front of the end of a text; nil if it does not stand here.
    fileprivate func firstRange(of text: String) -> Int? {
        let all = Array(self)
        let wanted = Array(text.utf8)
        guard all.count >= wanted.count else { return nil }
        return (0...all.count - wanted.count).first { all[$0...].starts(with: wanted) }.map { $0 + wanted.count }
    }
}
