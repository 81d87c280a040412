// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

extension HTTP1Parser {
    /// Judges a head that is complete: target, host, and how its content is delimited.
    mutating func finishHead() throws(RequestError) {
        try resolveTarget()
        try checkHost()
        framing = try judgeFraming()
        if framing != .none, framing != .length(0), head.equals(head.method, "CONNECT") {
            throw RequestError(400, "CONNECT has no content (RFC 9110 §9.3.6)")
        }
        keepsAlive = head.version == .http10 ? notes.keepsAlive && !notes.closes : !notes.closes
        try judgeExpectation()
        if notes.hasHighBytes { head.readLatin1() }
        switch framing {
        case .none, .length(0): state = .end
        case .length(let count): state = .body(remaining: count)
        case .chunked: state = .chunkSize
        }
        leadingLines = 0
    }

    /// Bytes of a Host that is kept for the next requests: a name has no more (RFC 1035 §2.3.4), and five are a port's. 261.
    private static let longestKnownHost = 261

    /// One Host line in HTTP/1.1, at most one in HTTP/1.0, and a valid one (RFC 9112 §3.2).
    private mutating func checkHost() throws(RequestError) {
        guard notes.hosts <= 1 else { throw RequestError(400, "the request has more than one Host line") }
        guard notes.hosts == 1 || head.version == .http10 else {
            throw RequestError(400, "the request has no Host line")
        }
        if knownHost.isEmpty || !head.equals(notes.host, knownHost) {
            let host = head.bytes[notes.host.range]
            guard Authority.isValid(host, allowsEmpty: head.version == .http10) else {
                throw RequestError(400, "the Host line is not a host with an optional port")
            }
            knownHost = host.count <= Self.longestKnownHost ? Array(host) : []
        }
        // The authority of an absolute-form target goes before Host (§3.2.2).
        if head.authority.isEmpty { head.authority = notes.host }
    }

    /// Content-Length and Transfer-Encoding (RFC 9112 §6): every doubtful pair of them is refused.
    private mutating func judgeFraming() throws(RequestError) -> Framing {
        if notes.transferCodings > 0 {
            guard notes.contentLengths == 0 else {
                throw RequestError(400, "the request has both Transfer-Encoding and Content-Length")
            }
            guard head.version != .http10 else {
                throw RequestError(400, "an HTTP/1.0 request cannot have Transfer-Encoding")
            }
            guard notes.chunkedCodings + notes.otherCodings > 0 else {
                throw RequestError(400, "the Transfer-Encoding line is empty")
            }
            guard notes.chunkedCodings > 0 else { throw RequestError(501, "the only transfer coding known is chunked") }
            guard notes.lastCodingIsChunked, notes.chunkedCodings == 1 else {
                throw RequestError(400, "chunked must be the last transfer coding, and be there once")
            }
            guard notes.otherCodings == 0 else { throw RequestError(501, "the only transfer coding known is chunked") }
            return .chunked
        }
        guard notes.contentLengths > 0 else { return .none }
        guard notes.contentLengths == 1 else { throw RequestError(400, "the request has more than one Content-Length") }
        return .length(try contentLength())
    }

    private func contentLength() throws(RequestError) -> Int {
        guard !notes.contentLength.isEmpty else { throw RequestError(400, "Content-Length is empty") }
        // RFC 9112 §6.3: a number that no 63 bits hold is taken for a mistake, not for a large body.
        let digits = head.bytes[notes.contentLength.range].drop { $0 == UInt8(ascii: "0") }
        var length = 0
        var isTooLarge = false
        for byte in head.bytes[notes.contentLength.range] {
            guard ASCII.isDigit(byte) else { throw RequestError(400, "Content-Length is not a decimal number") }
            // Past the limit the value no longer counts, and so cannot overflow.
            if !isTooLarge { length = length * 10 + Int(byte &- 0x30) }
            isTooLarge = isTooLarge || length > limits.maxBody
        }
        if isTooLarge {
            guard digits.count < 19 || Int(String(decoding: digits, as: UTF8.self)) != nil else {
                throw RequestError(400, "Content-Length is larger than any content")
            }
            throw contentTooLarge
        }
        return length
    }

    var contentTooLarge: RequestError {
        .contentTooLarge(limits)
    }

    /// Expect (RFC 9110 §10.1.1): `100-continue` is all there is; HTTP/1.0 has none.
    private mutating func judgeExpectation() throws(RequestError) {
        expectsContinue = false
        guard notes.expectations > 0, head.version != .http10 else { return }
        guard notes.unknownExpectations == 0 else {
            throw RequestError(417, "the only expectation known is 100-continue")
        }
        if framing == .none,
            head.equals(head.method, "POST") || head.equals(head.method, "PUT")
                || head.equals(head.method, "PATCH")
        {
            throw RequestError(
                411, "content is announced by Expect, but neither Content-Length nor chunked gives its length")
        }
        expectsContinue = framing != .none && framing != .length(0)
    }

    /// The four forms of a target (RFC 9112 §3.2); `path`, `query` and `authority` are set for each.
    private mutating func resolveTarget() throws(RequestError) {
        let start = Int(head.target.start)
        let end = Int(head.target.end)
        let isConnect = head.equals(head.method, "CONNECT")
        if head.bytes[start] == ASCII.slash, !isConnect { return }
        if isConnect {
            guard Authority.isValid(head.bytes[start..<end], allowsEmpty: false),
                head.bytes[start..<end].last.map(ASCII.isDigit) == true, head.bytes[start..<end].contains(ASCII.colon)
            else { throw RequestError(400, "the target of CONNECT is not host:port") }
            head.authority = head.target
            return
        }
        if end - start == 1, head.bytes[start] == UInt8(ascii: "*") {
            guard head.equals(head.method, "OPTIONS") else {
                throw RequestError(400, "only OPTIONS may have the target *")
            }
            return
        }
        try resolveAbsoluteForm(start, end)
    }

    private mutating func resolveAbsoluteForm(_ start: Int, _ end: Int) throws(RequestError) {
        let bytes = head.bytes
        var index = start
        while index < end, bytes[index] != ASCII.colon {
            let byte = ASCII.lowercased(bytes[index])
            let isLetter = byte &- 0x61 < 26
            guard isLetter || index > start && (ASCII.isDigit(byte) || byte == 0x2B || byte == 0x2D || byte == 0x2E)
            else {
                throw RequestError(400, "the request target starts neither with / nor with a scheme")
            }
            index += 1
        }
        guard index > start, index + 2 < end, bytes[index + 1] == ASCII.slash, bytes[index + 2] == ASCII.slash else {
            throw RequestError(400, "the request target starts neither with / nor with a scheme and //")
        }
        let authorityStart = index + 3
        var authorityEnd = authorityStart
        while authorityEnd < end, bytes[authorityEnd] != ASCII.slash, bytes[authorityEnd] != ASCII.question {
            authorityEnd += 1
        }
        guard Authority.isValid(bytes[authorityStart..<authorityEnd], allowsEmpty: false) else {
            throw RequestError(400, "the request target has no valid host")
        }
        head.authority = ByteRange(authorityStart, authorityEnd)
        // The Host line is passed over (§3.2.2), for every reader of it, too: the journal has the target's host in it.
        if let line = head.fields.firstIndex(where: { head.equalsIgnoringCase($0.name, "host") }) {
            head.fields[line].value = head.authority
        }
        if authorityEnd < end, bytes[authorityEnd] == ASCII.slash {
            head.path.start = UInt32(authorityEnd)
            return
        }
        // An empty path is "/" (RFC 9112 §3.2.1); path and query are kept side by side after the head.
        let pathStart = head.bytes.count
        head.bytes.append(ASCII.slash)
        head.bytes.append(contentsOf: bytes[authorityEnd..<end])
        head.path = ByteRange(pathStart, pathStart + 1)
        head.query = authorityEnd < end ? ByteRange(pathStart + 2, head.bytes.count) : nil
    }
}
