// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Collects bytes that come in pieces into the whole blocks that a hash mixes.
package struct HashBlocks: Sendable {
    /// Bytes of a block.
    private let size: Int
    /// How many bytes have come.
    package private(set) var length: UInt64 = 0
    /// Bytes behind the last whole block.
    package private(set) var rest: [UInt8] = []

    package init(of size: Int) {
        self.size = size
    }

    /// - Parameter mix: takes any number of whole blocks, as soon as they are complete.
    package mutating func append(_ bytes: UnsafeRawBufferPointer, _ mix: (UnsafeRawBufferPointer) -> Void) {
        length &+= UInt64(bytes.count)
        var start = 0
        if !rest.isEmpty {
            start = min(size - rest.count, bytes.count)
            rest.append(contentsOf: bytes[..<start])
            guard rest.count == size else { return }
            let full = rest
            rest.removeAll(keepingCapacity: true)
            full.withUnsafeBytes { mix($0) }
        }
        let end = bytes.count - (bytes.count - start) % size
        mix(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
        rest.append(contentsOf: bytes[end...])
    }

    /// The bytes that end a message: the rest, one bit, zeros, and the length in bits in the last eight bytes (RFC 1321 §3.1, FIPS 180-4 §5.1.1).
    ///
    /// - Parameter length: puts the length in bits into the byte order of the hash.
    func ending(_ length: (UInt64) -> UInt64) -> [UInt8] {
        var last = rest
        last.append(0x80)
        last.append(contentsOf: repeatElement(0, count: (size + 56 - last.count % size) % size))
        withUnsafeBytes(of: length(self.length &<< 3)) { last.append(contentsOf: $0) }
        return last
    }
}
