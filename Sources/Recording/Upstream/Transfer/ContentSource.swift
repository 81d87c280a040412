// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The part of a request's content that is at hand, and how much has gone.
struct ContentSource {
    enum Reading: Equatable {
        case bytes(Int)
        case end
        /// The next chunk is to be asked for.
        case empty
        /// The chunks do not add up to the length; so many bytes there were, or more.
        case wrongLength(Int)
    }

    /// Bytes in all; nil if that is not known.
    let length: Int?
    private let isWhole: Bool
    private var chunk: [UInt8]
    private var offset = 0
    private var isAtEnd: Bool
    private var sent = 0
    private var wasAsked = false

    /// Whether the content can be sent from its beginning once more.
    var canRestart: Bool { isWhole || !wasAsked }

    /// - Returns: nil if there is no content.
    init?(_ body: UpstreamRequestBody) {
        switch body {
        case .none: return nil
        case .bytes(let bytes):
            length = bytes.count
            chunk = bytes
            isWhole = true
        case .chunks(let length, _):
            self.length = length
            chunk = []
            isWhole = false
        }
        isAtEnd = isWhole
    }

    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Reading {
        wasAsked = true
        let count = min(buffer.count, chunk.count - offset)
        if count == 0 {
            guard isAtEnd else { return length == sent ? .end : .empty }
            return length.map { $0 == sent } ?? true ? .end : .wrongLength(sent)
        }
        if let length, sent + count > length { return .wrongLength(sent + count) }
        chunk.withUnsafeBytes { bytes in
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + count)]))
        }
        offset += count
        sent += count
        return .bytes(count)
    }

    /// The next chunk; nil for the end.
    mutating func supply(_ next: [UInt8]?) {
        chunk = next ?? []
        offset = 0
        isAtEnd = next == nil
    }

    /// Goes back to a place, since the request is sent again on another connection.
    ///
    /// - Returns: false if the earlier bytes are gone.
    mutating func seek(to place: Int) -> Bool {
        guard isWhole, chunk.indices.contains(place) || place == chunk.count else { return sent == place }
        offset = place
        sent = place
        return true
    }
}
