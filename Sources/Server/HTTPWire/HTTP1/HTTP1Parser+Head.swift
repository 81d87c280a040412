// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// Notes on the framing of a message, gathered from the field lines of its head one by one and judged at its end.
struct HeadNotes {
    var hosts = 0
    var host = ByteRange.empty
    var contentLengths = 0
    var contentLength = ByteRange.empty
    var transferCodings = 0
    /// 1 for `chunked`, counted over all lines.
    var chunkedCodings = 0
    var otherCodings = 0
    var lastCodingIsChunked = false
    var closes = false
    var keepsAlive = false
    var expectations = 0
    var unknownExpectations = 0
    /// Whether an Upgrade line is among them.
    var upgrades = false
    /// Whether a value has a byte beyond ASCII.
    var hasHighBytes = false
}

extension HTTP1Parser {
    /// Reads lines until the head is complete.
    ///
    /// - Returns: false if more bytes are needed.
    mutating func readHead(_ input: ByteBuffer) throws(RequestError) -> Bool {
        var bytes = input.readable
        if case .requestLine = state {
            guard let line = try firstLine(in: &bytes, of: input) else { return false }
            try beginHead(bytes, line)
            state = .fields
        }
        while let line = try line(in: bytes) {
            guard lineStart <= limits.maxHead else { throw tooLarge }
            if line.isEmpty {
                let count = lineStart
                head.replaceBytes(with: UnsafeBufferPointer(rebasing: bytes.prefix(count)))
                // Ranges may lead behind the lines from here on: `abandon` is to keep the bytes of a head that is refused.
                state = .end
                try finishHead()
                input.consume(count)
                lineStart = 0
                return true
            }
            guard head.fields.count < RequestLimits.maxFields else {
                throw RequestError(431, "the request has more than \(RequestLimits.maxFields) field lines")
            }
            let field = try parseFieldLine(bytes, line)
            head.fields.append(field)
            note(field, in: bytes)
        }
        guard bytes.count <= limits.maxHead else { throw tooLarge }
        return false
    }

    /// The first line that is not empty; nil if more bytes are needed.
    private mutating func firstLine(
        in bytes: inout UnsafeBufferPointer<UInt8>, of input: ByteBuffer
    ) throws(RequestError) -> Range<Int>? {
        while let line = try line(in: bytes) {
            if !line.isEmpty { return line }
            try skipLeadingLine(input)
            bytes = input.readable
        }
        try checkUnfinishedLine(bytes)
        return nil
    }

    /// Begins a head with its request line.
    private mutating func beginHead(
        _ bytes: UnsafeBufferPointer<UInt8>, _ line: Range<Int>
    ) throws(RequestError) {
        head.resetRanges()
        if !trailers.isEmpty { trailers.removeAll(keepingCapacity: true) }
        notes = HeadNotes()
        received = 0
        trailersSize = 0
        extensionsSize = 0
        guard line.count <= limits.maxHead else { throw requestLineTooLong(bytes) }
        try parseRequestLine(bytes, line)
    }

    private var tooLarge: RequestError {
        .headTooLarge(limits)
    }

    private mutating func skipLeadingLine(_ input: ByteBuffer) throws(RequestError) {
        leadingLines += 1
        guard leadingLines <= RequestLimits.maxLeadingLines else {
            throw RequestError(400, "more than \(RequestLimits.maxLeadingLines) empty lines in front of the request")
        }
        input.consume(lineStart)
        lineStart = 0
    }

    /// Refuses an unfinished request line as soon as its end cannot make it good.
    private func checkUnfinishedLine(_ bytes: UnsafeBufferPointer<UInt8>) throws(RequestError) {
        // The CR of a line that is just short enough may be here already.
        guard bytes.count <= limits.maxHead + 1 else { throw requestLineTooLong(bytes) }
        if let first = bytes.first, !ASCII.isToken(first), first != ASCII.carriageReturn {
            throw Self.noMethod(first)
        }
    }

    /// The first byte of a TLS record with a ClientHello (RFC 8446 §5.1).
    static let tlsHandshake: UInt8 = 0x16

    static func noMethod(_ first: UInt8) -> RequestError {
        first == tlsHandshake
            ? RequestError(400, "the client speaks TLS, and this port does not: ask by http://")
            : RequestError(400, "the request line does not start with a method")
    }

    private func requestLineTooLong(_ bytes: UnsafeBufferPointer<UInt8>) -> RequestError {
        if let first = bytes.first, !ASCII.isToken(first) { return Self.noMethod(first) }
        guard let space = bytes.prefix(limits.maxHead).firstIndex(of: ASCII.space) else { return Self.noRequestLine }
        return space > RequestLimits.maxMethod ? methodTooLong : .requestLineTooLarge(limits)
    }

    private static let noRequestLine = RequestError(400, "the request line does not start with a method and a space")

    private var methodTooLong: RequestError {
        RequestError(501, "the method is longer than \(RequestLimits.maxMethod) bytes")
    }

    /// `method SP request-target SP HTTP-version` (RFC 9112 §3), one space each.
    private mutating func parseRequestLine(
        _ bytes: UnsafeBufferPointer<UInt8>, _ line: Range<Int>
    ) throws(RequestError) {
        var index = line.lowerBound
        // The CR behind the line ends a token.
        while ASCII.isToken(bytes[index]) { index += 1 }
        guard index > line.lowerBound else { throw Self.noMethod(bytes[index]) }
        guard bytes[index] == ASCII.space else {
            throw Self.noRequestLine
        }
        head.method = ByteRange(line.lowerBound, index)
        guard head.method.count <= RequestLimits.maxMethod else { throw methodTooLong }
        index += 1
        let targetStart = index
        index = ByteWords.targetEnd(in: bytes, from: index, to: line.upperBound)
        if index < line.upperBound, bytes[index] != ASCII.space {
            throw RequestError(
                400, "the request target has byte 0x\(Self.hex(bytes[index])), which must be percent-encoded")
        }
        guard index > targetStart, index < line.upperBound else {
            throw RequestError(400, "the request line is not: method, space, target, space, version")
        }
        head.target = ByteRange(targetStart, index)
        head.version = try Self.version(bytes, index + 1..<line.upperBound)
        head.splitTarget(at: bytes[targetStart..<index].firstIndex(of: ASCII.question))
    }

    static func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count == 1 ? "0" + digits : digits
    }

    /// `HTTP/1.1`, `HTTP/1.0`, or a later minor version, which is read as 1.1 (RFC 9110 §2.5).
    private static func version(
        _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
    ) throws(RequestError) -> HTTPVersion {
        let name: StaticString = "HTTP/"
        guard range.count == 8,
            (0..<5).allSatisfy({ bytes[range.lowerBound + $0] == name.utf8Start[$0] }),
            ASCII.isDigit(bytes[range.lowerBound + 5]), bytes[range.lowerBound + 6] == UInt8(ascii: "."),
            ASCII.isDigit(bytes[range.lowerBound + 7])
        else { throw RequestError(400, "the request line does not end with a version such as HTTP/1.1") }
        guard bytes[range.lowerBound + 5] == UInt8(ascii: "1") else {
            throw RequestError(505, "the version of the request is not HTTP/1.x")
        }
        return bytes[range.lowerBound + 7] == UInt8(ascii: "0") ? .http10 : .http11
    }

    /// `field-name ":" OWS field-value OWS` (RFC 9112 §5).
    ///
    /// - Parameter line: without its CR, which stands behind it and ends a name or white space.
    mutating func parseFieldLine(
        _ bytes: UnsafeBufferPointer<UInt8>, _ line: Range<Int>
    ) throws(RequestError) -> RequestHead.Field {
        var index = line.lowerBound
        while ASCII.isToken(bytes[index]) { index += 1 }
        guard index > line.lowerBound, bytes[index] == ASCII.colon else {
            throw Self.badFieldName(bytes, line, at: index)
        }
        let name = ByteRange(line.lowerBound, index)
        var start = index + 1
        var end = line.upperBound
        while bytes[start] == ASCII.space || bytes[start] == ASCII.tab { start += 1 }
        while end > start, bytes[end - 1] == ASCII.space || bytes[end - 1] == ASCII.tab { end -= 1 }
        if !ByteWords.arePrintable(in: bytes, from: start, to: end) { try checkValue(bytes, start..<end) }
        return RequestHead.Field(name: name, value: ByteRange(start, end))
    }

    /// Refuses a field value with a control byte, and notes one with bytes beyond ASCII.
    private mutating func checkValue(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) throws(RequestError) {
        var all: UInt8 = 0
        for byte in bytes[range] {
            all |= byte
            guard !FieldText.isControl(byte) else {
                throw RequestError(400, "a field value has the control byte 0x\(Self.hex(byte))")
            }
        }
        if all >= 0x80 { notes.hasHighBytes = true }
    }

    private static func badFieldName(
        _ bytes: UnsafeBufferPointer<UInt8>, _ line: Range<Int>, at index: Int
    ) -> RequestError {
        let first = bytes[line.lowerBound]
        if first == ASCII.space || first == ASCII.tab {
            return RequestError(400, "a line starts with white space: folded field lines are refused")
        }
        if bytes[index] == ASCII.space || bytes[index] == ASCII.tab {
            return RequestError(400, "white space stands between a field name and its colon")
        }
        return RequestError(400, "a field line does not start with a name and a colon")
    }

    private mutating func note(_ field: RequestHead.Field, in bytes: UnsafeBufferPointer<UInt8>) {
        switch field.name.count {
        case 4 where bytes.equals(field.name, "host"):
            notes.hosts += 1
            notes.host = field.value
        case 6 where bytes.equals(field.name, "expect"):
            bytes.forEachListMember(of: field.value) { member in
                notes.expectations += 1
                if !bytes.equals(member, "100-continue") { notes.unknownExpectations += 1 }
            }
        case 7 where bytes.equals(field.name, "upgrade"): notes.upgrades = true
        case 10 where bytes.equals(field.name, "connection"):
            bytes.forEachListMember(of: field.value) { member in
                if bytes.equals(member, "close") { notes.closes = true }
                if bytes.equals(member, "keep-alive") { notes.keepsAlive = true }
            }
        case 14 where bytes.equals(field.name, "content-length"):
            notes.contentLengths += 1
            notes.contentLength = field.value
        case 17 where bytes.equals(field.name, "transfer-encoding"):
            notes.transferCodings += 1
            notes.lastCodingIsChunked = false
            bytes.forEachListMember(of: field.value) { member in
                notes.lastCodingIsChunked = bytes.equals(member, "chunked")
                if notes.lastCodingIsChunked { notes.chunkedCodings += 1 } else { notes.otherCodings += 1 }
            }
        default: break
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether a range holds a lower-case ASCII word, in any case.
    @inline(__always)
    func equals(_ range: ByteRange, _ lowercased: StaticString) -> Bool {
        guard range.count == lowercased.utf8CodeUnitCount else { return false }
        for index in 0..<range.count
        where ASCII.lowercased(self[Int(range.start) + index]) != lowercased.utf8Start[index] { return false }
        return true
    }

    /// Calls for each member of a comma-separated list, without white space around it; empty members are passed over
    /// (RFC 9110 §5.6.1.2).
    @inline(__always)
    func forEachListMember(of range: ByteRange, _ body: (ByteRange) -> Void) {
        var start = Int(range.start)
        while start < Int(range.end) {
            var end = start
            while end < Int(range.end), self[end] != ASCII.comma { end += 1 }
            var first = start
            var last = end
            while first < last, self[first] == ASCII.space || self[first] == ASCII.tab { first += 1 }
            while last > first, self[last - 1] == ASCII.space || self[last - 1] == ASCII.tab { last -= 1 }
            if first < last { body(ByteRange(first, last)) }
            start = end + 1
        }
    }
}
