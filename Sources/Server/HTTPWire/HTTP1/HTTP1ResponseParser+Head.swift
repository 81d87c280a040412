// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

extension HTTP1ResponseParser {
    /// Reads lines until the head of the final response is complete; interim ones (RFC 9110 §15.2) are passed over.
    ///
    /// - Returns: false if more bytes are needed.
    mutating func readHead(_ input: ByteBuffer) throws(ResponseFault) -> Bool {
        while true {
            let bytes = input.readable
            guard let line = line(in: bytes) else {
                if case .statusLine = state { try checkStart(bytes) }
                guard headSize + bytes.count <= maxHead else { throw headTooLarge }
                return false
            }
            guard headSize + lineStart <= maxHead else { throw headTooLarge }
            if case .statusLine = state {
                head.reset()
                folds.removeAll(keepingCapacity: true)
                try parseStatusLine(bytes, line)
                state = .fields
            } else if !line.isEmpty {
                try parseFieldLine(bytes, line)
            } else {
                let count = lineStart
                head.bytes.append(contentsOf: bytes.prefix(count))
                unfold()
                input.consume(count)
                headSize += count
                lineStart = 0
                if try finishHead() { return true }
            }
        }
    }

    private var headTooLarge: ResponseFault {
        ResponseFault(.tooLarge, "the response's fields are more than \(maxHead) bytes")
    }

    private static let notHTTP = ResponseFault(.notHTTP, "the response does not start with a status line of HTTP/1.x")

    /// `HTTP/1.`, whose last digit may be any.
    private static let versionStart: StaticString = "HTTP/1."

    /// Refuses bytes that cannot become a status line as soon as that is seen.
    private func checkStart(_ bytes: UnsafeBufferPointer<UInt8>) throws(ResponseFault) {
        for index in 0..<min(bytes.count, Self.versionStart.utf8CodeUnitCount)
        where bytes[index] != Self.versionStart.utf8Start[index] { throw Self.notHTTP }
    }

    /// `HTTP-version SP status-code SP [ reason-phrase ]` (RFC 9112 §4); the second space may be missing if there is no phrase.
    private mutating func parseStatusLine(
        _ bytes: UnsafeBufferPointer<UInt8>, _ line: Range<Int>
    ) throws(ResponseFault) {
        try checkStart(bytes)
        let start = line.lowerBound
        guard line.count >= 12, ASCII.isDigit(bytes[start + 7]), bytes[start + 8] == ASCII.space,
            bytes[(start + 9)..<(start + 12)].allSatisfy(ASCII.isDigit), bytes[start + 9] != UInt8(ascii: "0"),
            line.count == 12 || bytes[start + 12] == ASCII.space
        else {
            throw ResponseFault(
                .notHTTP, "the response's status line is not: version, space, three digits, space, reason")
        }
        head.version = bytes[start + 7] == UInt8(ascii: "0") ? .http10 : .http11
        head.status = bytes[(start + 9)..<(start + 12)].reduce(0) { $0 * 10 + Int($1 &- 0x30) }
        head.reason = ByteRange(min(start + 13, line.upperBound), line.upperBound)
        try checkText(bytes, head.reason.range)
    }

    /// `field-name ":" OWS field-value OWS`, or a continuation of the line before it.
    private mutating func parseFieldLine(
        _ bytes: UnsafeBufferPointer<UInt8>, _ line: Range<Int>
    ) throws(ResponseFault) {
        if Self.isBlank(bytes[line.lowerBound]), !head.fields.isEmpty {
            let rest = Self.trimmed(bytes, line)
            try checkText(bytes, rest.range)
            folds.append((head.fields.count - 1, rest))
            return
        }
        head.fields.append(try field(bytes, line))
    }

    func field(_ bytes: UnsafeBufferPointer<UInt8>, _ line: Range<Int>) throws(ResponseFault) -> RequestHead.Field {
        var index = line.lowerBound
        // The line's end ends a token.
        while ASCII.isToken(bytes[index]) { index += 1 }
        let start = index
        // White space in front of the colon (RFC 9112 §5.1) stays part of the name: a proxy refuses it.
        while Self.isBlank(bytes[index]) { index += 1 }
        let name = ByteRange(line.lowerBound, index)
        guard start > line.lowerBound, bytes[index] == ASCII.colon else {
            throw ResponseFault("a field line of the response does not start with a name and a colon")
        }
        let value = Self.trimmed(bytes, index + 1..<line.upperBound)
        try checkText(bytes, value.range)
        return RequestHead.Field(name: name, value: value)
    }

    private static func trimmed(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> ByteRange {
        var start = range.lowerBound
        var end = range.upperBound
        while start < end, isBlank(bytes[start]) { start += 1 }
        while end > start, isBlank(bytes[end - 1]) { end -= 1 }
        return ByteRange(start, end)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == ASCII.space || byte == ASCII.tab }

    /// Refuses NUL and CR (RFC 9110 §5.5): another reader would see the end of the line there.
    private func checkText(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) throws(ResponseFault) {
        if ByteWords.firstUnprintable(in: bytes, range, where: { $0 == 0 || $0 == ASCII.carriageReturn }) != nil {
            throw ResponseFault("a line of the response's head has a NUL or a CR in its middle")
        }
    }

    /// Joins folded lines with a space (RFC 9112 §5.2), each value once however many lines it has.
    private mutating func unfold() {
        let end = head.bytes.count
        var joined: [UInt8] = []
        var start = 0
        var folded = -1
        for fold in folds {
            if fold.field != folded {
                folded = fold.field
                start = joined.count
                joined += head.bytes[head.fields[folded].value.range]
            }
            joined.append(ASCII.space)
            joined += head.bytes[fold.rest.range]
            head.fields[folded].value = ByteRange(end + start, end + joined.count)
        }
        head.bytes += joined
    }

    // MARK: Framing

    /// Notes on the framing of a response, from the field lines of its head.
    private struct Notes {
        var lengths: [ByteRange] = []
        var chunked = 0
        var otherCodings = 0
        var lastCodingIsChunked = false
        var closes = false
        var keepsAlive = false
    }

    /// Judges a head that is complete.
    ///
    /// - Returns: false if it is an interim one.
    private mutating func finishHead() throws(ResponseFault) -> Bool {
        if head.status < 200 {
            guard head.status != 101 else {
                throw ResponseFault("the server switches to another protocol, which it was not asked for")
            }
            state = .statusLine
            return false
        }
        let notes = notes()
        keepsAlive = head.version == .http10 ? notes.keepsAlive && !notes.closes : !notes.closes
        framing = try judgeFraming(notes)
        switch framing {
        case .none, .length(0): state = .end
        case .length(let length): state = .body(remaining: length)
        case .chunked: state = .chunkSize
        case .connection:
            keepsAlive = false
            state = .untilClose
        }
        return true
    }

    private func notes() -> Notes {
        var notes = Notes()
        head.bytes.withUnsafeBufferPointer { bytes in
            for field in head.fields {
                switch field.name.count {
                case 10 where bytes.equals(field.name, "connection"):
                    bytes.forEachListMember(of: field.value) { member in
                        if bytes.equals(member, "close") { notes.closes = true }
                        if bytes.equals(member, "keep-alive") { notes.keepsAlive = true }
                    }
                case 14 where bytes.equals(field.name, "content-length"):
                    if field.value.isEmpty { notes.lengths.append(field.value) }
                    bytes.forEachListMember(of: field.value) { notes.lengths.append($0) }
                case 17 where bytes.equals(field.name, "transfer-encoding"):
                    bytes.forEachListMember(of: field.value) { member in
                        // Once a coding that changes nothing (RFC 2616 §3.6), which some still name.
                        if bytes.equals(member, "identity") { return }
                        notes.lastCodingIsChunked = bytes.equals(member, "chunked")
                        if notes.lastCodingIsChunked { notes.chunked += 1 } else { notes.otherCodings += 1 }
                    }
                default: break
                }
            }
        }
        return notes
    }

    /// RFC 9112 §6.3: every doubtful pair of Content-Length and Transfer-Encoding is refused.
    private mutating func judgeFraming(_ notes: Notes) throws(ResponseFault) -> Framing {
        let length = try contentLength(notes.lengths)
        if isHead || head.status == 204 || head.status == 304 { return .none }
        if notes.chunked + notes.otherCodings > 0 {
            // One that says so twice has applied it once: no sender may twice (§6.1), and curl and browsers read it so.
            guard notes.otherCodings == 0 else {
                throw ResponseFault("the response has a transfer coding that it was not asked for")
            }
            guard length == nil else {
                throw ResponseFault("the response has both Transfer-Encoding and Content-Length")
            }
            // Chunks of HTTP/1.0 are read, and the connection is not trusted after them (§6.1).
            if head.version == .http10 { keepsAlive = false }
            return .chunked
        }
        return length.map { .length($0) } ?? .connection
    }

    /// The number that all members agree on (RFC 9110 §8.6).
    private func contentLength(_ members: [ByteRange]) throws(ResponseFault) -> Int? {
        var length: Int?
        for member in members {
            let digits = head.bytes[member.range]
            guard !digits.isEmpty, digits.count <= 18, digits.allSatisfy(ASCII.isDigit) else {
                throw ResponseFault("the response's Content-Length is not a decimal number")
            }
            let number = digits.reduce(0) { $0 * 10 + Int($1 &- 0x30) }
            guard length == nil || length == number else {
                throw ResponseFault("the response has Content-Length lines that differ")
            }
            length = number
        }
        return length
    }
}
