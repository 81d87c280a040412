// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

extension HTTP1Parser {
    /// Reads the chunked coding (RFC 9112 §7.1) one step further.
    ///
    /// - Returns: an event; nil if the state has moved on and there is more to read.
    mutating func readChunked(_ input: ByteBuffer) throws(RequestError) -> Event? {
        switch state {
        case .chunkSize:
            guard let line = try chunkLine(input) else { return .needsMore }
            let size = try chunkSize(input.readable, line)
            finishLine(input)
            if size == 0 {
                state = .trailers
            } else {
                received += size
                guard received <= limits.maxBody else { throw contentTooLarge }
                state = .chunkData(remaining: size)
            }
            return nil
        case .chunkData(let remaining):
            let available = input.readable
            guard !available.isEmpty else { return .needsMore }
            let taken = UnsafeBufferPointer(rebasing: available.prefix(remaining))
            state = taken.count == remaining ? .chunkEnd : .chunkData(remaining: remaining - taken.count)
            input.consume(taken.count)
            return .body(taken)
        case .chunkEnd:
            let bytes = input.readable
            if let first = bytes.first, first != ASCII.carriageReturn { throw Self.unendedChunk }
            guard bytes.count >= 2 else { return .needsMore }
            guard bytes[1] == ASCII.lineFeed else { throw Self.unendedChunk }
            input.consume(2)
            state = .chunkSize
            return nil
        default:
            return try readTrailers(input)
        }
    }

    private static let unendedChunk = RequestError(400, "a chunk is longer than its size says")

    private mutating func chunkLine(_ input: ByteBuffer) throws(RequestError) -> Range<Int>? {
        let line = try line(in: input.readable)
        // The CR of a line that is just short enough may be here already.
        guard line?.count ?? searched - 1 <= RequestLimits.maxChunkLine else {
            throw RequestError(400, "the size line of a chunk is longer than \(RequestLimits.maxChunkLine) bytes")
        }
        return line
    }

    private mutating func finishLine(_ input: ByteBuffer) {
        input.consume(lineStart)
        lineStart = 0
    }

    /// `chunk-size [ chunk-ext ]`: extensions are checked and passed over (§7.1.1).
    private mutating func chunkSize(_ bytes: UnsafeBufferPointer<UInt8>, _ line: Range<Int>) throws(RequestError) -> Int
    {
        let size = ChunkSize(bytes, line)
        guard size.digits <= RequestLimits.maxChunkDigits else {
            throw RequestError(400, "the size of a chunk has more than \(RequestLimits.maxChunkDigits) digits")
        }
        guard size.digits > 0 else { throw RequestError(400, "a chunk does not start with its size") }
        var extensions = ChunkExtensions(bytes[line].dropFirst(size.digits))
        guard extensions.areValid() else {
            throw RequestError(400, "what follows the size of a chunk is not a chunk extension")
        }
        extensionsSize += line.count - size.digits
        guard extensionsSize <= RequestLimits.maxExtensions + received else {
            throw RequestError(
                400,
                "the chunk extensions of the request are more than \(RequestLimits.maxExtensions) bytes longer than its content"
            )
        }
        return size.value
    }

    private mutating func readTrailers(_ input: ByteBuffer) throws(RequestError) -> Event? {
        while true {
            let bytes = input.readable
            guard let line = try line(in: bytes) else {
                guard bytes.count <= RequestLimits.maxTrailers else { throw Self.trailersTooLarge }
                return .needsMore
            }
            if line.isEmpty {
                finishLine(input)
                state = .end
                return nil
            }
            try appendTrailer(bytes, line)
            finishLine(input)
        }
    }

    private static let trailersTooLarge = RequestError(
        431, "the trailers of the request are longer than \(RequestLimits.maxTrailers) bytes")

    /// Keeps a trailer apart from the header (RFC 9110 §6.5); those that would change the framing or the routing are refused.
    private mutating func appendTrailer(_ bytes: UnsafeBufferPointer<UInt8>, _ line: Range<Int>) throws(RequestError) {
        let field = try parseFieldLine(bytes, line)
        guard !bytes.equals(field.name, "content-length"), !bytes.equals(field.name, "transfer-encoding"),
            !bytes.equals(field.name, "host")
        else { throw RequestError(400, "a trailer cannot be Content-Length, Transfer-Encoding or Host") }
        trailersSize += line.count + 2
        guard trailersSize <= RequestLimits.maxTrailers else { throw Self.trailersTooLarge }
        let offset = head.bytes.count
        head.bytes.append(contentsOf: bytes[line])
        trailers.append(
            RequestHead.Field(
                name: ByteRange(offset, offset + field.name.count),
                value: ByteRange(
                    offset + Int(field.value.start) - line.lowerBound, offset + Int(field.value.end) - line.lowerBound))
        )
    }
}

/// The hexadecimal digits that a line begins with, as the size of a chunk does (RFC 9112 §7.1).
struct ChunkSize {
    private(set) var value = 0
    /// One more than are allowed if there are more.
    private(set) var digits = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>, _ line: Range<Int>) {
        for byte in bytes[line] {
            guard let digit = ASCII.hexValue(byte) else { return }
            digits += 1
            if digits > RequestLimits.maxChunkDigits { return }
            value = value << 4 | Int(digit)
        }
    }
}

/// Checks `*( BWS ";" BWS name [ BWS "=" BWS ( token / quoted-string ) ] )`.
private struct ChunkExtensions {
    private var rest: Slice<UnsafeBufferPointer<UInt8>>

    init(_ rest: Slice<UnsafeBufferPointer<UInt8>>) {
        self.rest = rest
    }

    mutating func areValid() -> Bool {
        while !rest.isEmpty {
            guard take(ASCII.semicolon), takeToken() else { return false }
            let behindName = rest
            if take(ASCII.equals) {
                guard takeToken() || takeQuotedString() else { return false }
            } else {
                rest = behindName
            }
        }
        return true
    }

    private mutating func skipSpace() {
        rest = rest.drop { $0 == ASCII.space || $0 == ASCII.tab }
    }

    /// Takes a byte with the white space around it.
    private mutating func take(_ byte: UInt8) -> Bool {
        skipSpace()
        guard rest.first == byte else { return false }
        rest = rest.dropFirst()
        skipSpace()
        return true
    }

    private mutating func takeToken() -> Bool {
        let behind = rest.drop(while: ASCII.isToken)
        defer { rest = behind }
        return behind.count < rest.count
    }

    private mutating func takeQuotedString() -> Bool {
        guard rest.first == ASCII.quote else { return false }
        let (text, isClosed) = FieldText.takeQuoted(from: &rest) { _ in true }
        return isClosed && !text.contains(where: FieldText.isControl)
    }
}
