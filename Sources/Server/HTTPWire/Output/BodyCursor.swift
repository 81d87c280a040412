// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A place in the content of a response, from which it is taken piece by piece.
package struct BodyCursor {
    /// Bytes that are still to be taken.
    package private(set) var remaining: Int
    private var current: BodySource
    private var offset = 0
    /// The parts after the current one, the last first.
    private var rest: [BodySource] = []

    /// - Parameter count: bytes to be taken in all; no more than the content has.
    package init(_ body: consuming BodySource, count: Int) {
        remaining = count
        current = body
        flatten()
    }

    private mutating func flatten() {
        while case .parts(let parts) = current {
            rest.append(contentsOf: parts.reversed())
            current = rest.popLast() ?? .none
        }
    }

    /// Puts the next bytes into a queue.
    ///
    /// - Parameter count: no more than remain.
    /// - Returns: false if a file is shorter than it was, or cannot be read.
    package mutating func move(_ count: Int, to output: OutputQueue) -> Bool {
        var left = count
        while left > 0 {
            let piece = min(left, current.count - offset)
            if piece == 0 {
                current = rest.popLast() ?? .none
                offset = 0
                flatten()
                continue
            }
            guard append(piece, to: output) else { return false }
            offset += piece
            left -= piece
        }
        remaining -= count
        return true
    }

    private func append(_ count: Int, to output: OutputQueue) -> Bool {
        switch current {
        case .none, .parts: return true
        case .bytes(let bytes):
            output.append(bytes, offset..<offset + count)
            return true
        case .slice(let bytes, let range):
            let start = range.lowerBound + offset
            output.append(bytes, start..<start + count)
            return true
        case .file(let file, let range):
            let start = range.lowerBound + offset
            return output.append(file, start..<start + count)
        }
    }
}
