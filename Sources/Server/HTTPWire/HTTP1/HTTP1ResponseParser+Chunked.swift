// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

extension HTTP1ResponseParser {
    /// Reads the chunked coding (RFC 9112 §7.1) one step further.
    ///
    /// - Returns: an event; nil if the state has moved on and there is more to read.
    mutating func readChunked(_ input: ByteBuffer) throws(ResponseFault) -> Event? {
        switch state {
        case .chunkSize:
            let bytes = input.readable
            guard let line = line(in: bytes) else {
                // The CR of a line that is just short enough may be here already.
                guard bytes.count <= RequestLimits.maxChunkLine + 1 else { throw Self.longLine }
                return .needsMore
            }
            guard line.count <= RequestLimits.maxChunkLine else { throw Self.longLine }
            let size = try chunkSize(bytes, line)
            finishLine(input)
            chunksSize += size
            state = size == 0 ? .trailers : .chunkData(remaining: size)
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
            guard let first = bytes.first else { return .needsMore }
            var count = 1
            if first == ASCII.carriageReturn {
                guard bytes.count >= 2 else { return .needsMore }
                count = 2
            }
            guard bytes[count - 1] == ASCII.lineFeed else {
                throw ResponseFault("a chunk of the response is longer than its size says")
            }
            input.consume(count)
            state = .chunkSize
            return nil
        default:
            return try readTrailers(input)
        }
    }

    private static let longLine = ResponseFault(
        .tooLarge, "the size line of a chunk is longer than \(RequestLimits.maxChunkLine) bytes")

    private mutating func finishLine(_ input: ByteBuffer) {
        input.consume(lineStart)
        lineStart = 0
    }

    /// `chunk-size [ chunk-ext ]`; extensions are passed over (§7.1.1), as is the white space that some pad the size with.
    private mutating func chunkSize(_ bytes: UnsafeBufferPointer<UInt8>, _ line: Range<Int>) throws(ResponseFault)
        -> Int
    {
        let size = ChunkSize(bytes, line)
        guard size.digits <= RequestLimits.maxChunkDigits else {
            throw ResponseFault("the size of a chunk has more than \(RequestLimits.maxChunkDigits) digits")
        }
        guard size.digits > 0 else { throw ResponseFault("a chunk of the response does not start with its size") }
        let rest = bytes[line].dropFirst(size.digits).drop { $0 == ASCII.space || $0 == ASCII.tab }
        guard rest.first ?? ASCII.semicolon == ASCII.semicolon, !rest.contains(where: FieldText.isControl) else {
            throw ResponseFault("what follows the size of a chunk is not a chunk extension")
        }
        extensionsSize += line.count - size.digits
        guard extensionsSize - chunksSize <= RequestLimits.maxExtensions else {
            throw ResponseFault(
                .tooLarge,
                "the chunk extensions of the response are more than \(RequestLimits.maxExtensions) bytes longer than its content"
            )
        }
        return size.value
    }

    private mutating func readTrailers(_ input: ByteBuffer) throws(ResponseFault) -> Event? {
        while true {
            let bytes = input.readable
            guard let line = line(in: bytes) else {
                guard trailersSize + bytes.count <= Self.maxTrailers + 2 else { throw Self.trailersTooLarge }
                return .needsMore
            }
            if line.isEmpty {
                finishLine(input)
                state = .end
                return nil
            }
            trailersSize += line.count + 2
            guard trailersSize <= Self.maxTrailers else { throw Self.trailersTooLarge }
            let field = try field(bytes, line)
            let offset = head.bytes.count - line.lowerBound
            head.bytes.append(contentsOf: bytes[line])
            trailers.append(
                RequestHead.Field(
                    name: ByteRange(Int(field.name.start) + offset, Int(field.name.end) + offset),
                    value: ByteRange(Int(field.value.start) + offset, Int(field.value.end) + offset)))
            finishLine(input)
        }
    }

    private static let trailersTooLarge = ResponseFault(
        .tooLarge, "the trailers of the response are longer than \(maxTrailers) bytes")
}
