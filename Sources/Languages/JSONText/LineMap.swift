// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Turns byte offsets of a text into lines and columns, both counted from 1; columns count bytes.
package struct LineMap: Sendable {
    private let lineStarts: [Int]

    package init(_ text: some Sequence<UInt8>) {
        lineStarts = text.withContiguousStorageIfAvailable { Self.starts(of: $0) } ?? Self.starts(of: Array(text))
    }

    private static func starts(of text: some RandomAccessCollection<UInt8>) -> [Int] {
        var starts = [0]
        var offset = 0
        for byte in text {
            offset += 1
            if byte == UInt8(ascii: "\n") { starts.append(offset) }
        }
        return starts
    }

    /// Where a line begins; nil if there are fewer.
    package func start(ofLine line: Int) -> Int? {
        lineStarts.indices.contains(line - 1) ? lineStarts[line - 1] : nil
    }

    package func position(of offset: Int) -> (line: Int, column: Int) {
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return (low + 1, offset - lineStarts[low] + 1)
    }
}
