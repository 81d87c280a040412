// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiSystemIO

#if canImport(Glibc)
    package import Glibc
#elseif canImport(Darwin)
    package import Darwin
#endif

/// The output to be sent, in order: small pieces copied together, large ones by reference, files by range.
///
/// A queue that holds small pieces only, as nearly every queue does, is one run of bytes for one write.
///
/// It belongs to one loop, and no access to a property of it overlaps another: the dynamic checks of exclusivity are left out where they
/// would be made for each piece.
package final class OutputQueue {
    /// The part that goes out next.
    package enum Front {
        case nothing
        /// Good until the queue changes.
        case run(UnsafeBufferPointer<UInt8>)
        case bytes([UInt8], Range<Int>)
        case file(OpenFile, Range<Int>)
    }

    private enum Segment {
        /// The next bytes of `copied`.
        case copied(Int)
        case bytes([UInt8], Range<Int>)
        case file(OpenFile, Range<Int>)

        var count: Int {
            switch self {
            case .copied(let count): count
            case .bytes(_, let range), .file(_, let range): range.count
            }
        }

        func dropping(_ sent: Int) -> Segment {
            switch self {
            case .copied(let count): .copied(count - sent)
            case .bytes(let bytes, let range): .bytes(bytes, range.lowerBound + sent..<range.upperBound)
            case .file(let file, let range): .file(file, range.lowerBound + sent..<range.upperBound)
            }
        }
    }

    /// Pieces up to this size are copied: less work than one more piece of a call. 2 KiB.
    package static let copyLimit = 2 * 1024
    /// The same if all is copied once more anyway, to be encrypted in records of this size. 16 KiB.
    package static let recordSize = 16 * 1024

    /// `copyLimit` or `recordSize`.
    @exclusivity(unchecked) var limit = copyLimit

    private let copied = ByteBuffer()
    /// How many bytes at the end of `copied` are after the last segment.
    @exclusivity(unchecked) private var tail = 0
    @exclusivity(unchecked) private var segments: [Segment] = []
    @exclusivity(unchecked) private var first = 0
    @exclusivity(unchecked) private var unsent = 0

    /// Bytes that are still to be sent: computed, since another module that reads a stored property makes the dynamic check all the same.
    package var count: Int { unsent }

    package init() {}

    package var isEmpty: Bool { count == 0 }

    /// Whether something follows the result of `front()`.
    package var hasMoreBehindFront: Bool {
        first < segments.count && (first + 1 < segments.count || tail > 0)
    }

    package func append(_ bytes: [UInt8]) {
        append(bytes, 0..<bytes.count)
    }

    package func append(_ bytes: [UInt8], _ range: Range<Int>) {
        if range.count > limit {
            appendSegment(.bytes(bytes, range))
        } else {
            bytes.withUnsafeBufferPointer { append(UnsafeBufferPointer(rebasing: $0[range])) }
        }
    }

    package func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        copied.append(bytes)
        tail += bytes.count
        unsent += bytes.count
    }

    package func append(_ text: StaticString) {
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    package func append(text: String) {
        append(Array(text.utf8))
    }

    package func append(_ body: BodySource) {
        switch body {
        case .none: break
        case .bytes(let bytes): append(bytes)
        case .slice(let bytes, let range): append(bytes, range)
        case .file(let file, let range):
            if !range.isEmpty { appendSegment(.file(file, range)) }
        case .parts(let parts):
            for part in parts { append(part) }
        }
    }

    /// How many bytes have been copied; beyond `copyBatch` their buffer would not be kept for the next responses.
    package var copiedCount: Int { copied.count }

    /// Bytes that are copied before they are sent: with one more frame they fit into a buffer that is kept. 100 KiB.
    package static let copyBatch = 100 * 1024

    /// Reads a part of a file and copies it to the end.
    ///
    /// - Returns: false if the file is shorter than that, or cannot be read.
    package func append(_ file: OpenFile, _ range: Range<Int>) -> Bool {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let space = copied.space(atLeast: range.upperBound - offset)
            let read = file.read(
                into: UnsafeMutableRawBufferPointer(rebasing: space[..<(range.upperBound - offset)]), at: offset)
            guard read > 0 else { return false }
            copied.filled(read)
            tail += read
            unsent += read
            offset += read
        }
        return true
    }

    private func appendSegment(_ segment: Segment) {
        if tail > 0 {
            segments.append(.copied(tail))
            tail = 0
        }
        segments.append(segment)
        unsent += segment.count
    }

    /// The part that goes out next; it stays in the queue.
    package func front() -> Front {
        if unsent == 0 { return .nothing }
        guard first < segments.count else { return .run(copied.readable) }
        switch segments[first] {
        case .copied(let count): return .run(UnsafeBufferPointer(rebasing: copied.readable.prefix(count)))
        case .bytes(let bytes, let range): return .bytes(bytes, range)
        case .file(let file, let range): return .file(file, range)
        }
    }

    /// Whether the next output is in one piece: small pieces, or a file, or small pieces in front of a file.
    package var isSimple: Bool {
        if first == segments.count { return true }
        switch segments[first] {
        case .file: return true
        case .bytes: return false
        case .copied:
            guard first + 1 < segments.count, case .file = segments[first + 1] else { return false }
            return true
        }
    }

    /// Gathers the parts that go out next, up to the next file, as pieces for one call.
    ///
    /// The pieces are good until the queue changes: an array that is kept here keeps its memory where it is, since code that would
    /// change it gets a copy.
    ///
    /// - Returns: how many pieces there are.
    package func gather(into pieces: UnsafeMutableBufferPointer<iovec>) -> Int {
        var number = 0
        var offset = 0
        let small = UnsafeMutablePointer(mutating: copied.readable.baseAddress)
        for index in first..<segments.count {
            guard number < pieces.count else { return number }
            switch segments[index] {
            case .copied(let count):
                pieces[number] = iovec(iov_base: small.map { $0 + offset }, iov_len: count)
                offset += count
            case .bytes(let bytes, let range):
                let start = bytes.withUnsafeBufferPointer { $0.baseAddress.map { $0 + range.lowerBound } }
                pieces[number] = iovec(iov_base: UnsafeMutablePointer(mutating: start), iov_len: range.count)
            case .file: return number
            }
            number += 1
        }
        if tail > 0, number < pieces.count {
            pieces[number] = iovec(iov_base: small.map { $0 + offset }, iov_len: tail)
            number += 1
        }
        return number
    }

    /// Says how many bytes have been sent.
    package func sent(_ sent: Int) {
        unsent -= sent
        var left = sent
        while left > 0, first < segments.count {
            let segment = segments[first]
            let taken = min(left, segment.count)
            if case .copied = segment { copied.consume(taken) }
            if taken == segment.count {
                // A large body or a file is let go at once, not with the last byte of the queue.
                segments[first] = .copied(0)
                first += 1
            } else {
                segments[first] = segment.dropping(taken)
            }
            left -= taken
        }
        copied.consume(left)
        tail -= left
        if unsent == 0 { removeAll() }
    }

    /// Drops everything.
    package func removeAll() {
        unsent = 0
        tail = 0
        first = 0
        copied.removeAll()
        if !segments.isEmpty { segments.removeAll(keepingCapacity: true) }
    }
}
