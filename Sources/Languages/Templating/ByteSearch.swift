// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Looks for bytes in bytes, in time that grows with their sum (Knuth, Morris, Pratt).
struct ByteSearch {
    private let pattern: [UInt8]
    private let table: [Int]

    var count: Int { pattern.count }

    /// - Parameter text: not empty.
    init(_ text: String) {
        let pattern = Array(text.utf8)
        var table = [Int](repeating: 0, count: pattern.count)
        var length = 0
        for index in pattern.indices.dropFirst() {
            while length > 0, pattern[index] != pattern[length] { length = table[length - 1] }
            if pattern[index] == pattern[length] { length += 1 }
            table[index] = length
        }
        self.pattern = pattern
        self.table = table
    }

    func first(in bytes: [UInt8], from start: Int) -> Int? {
        var length = 0
        var index = start
        while index < bytes.count {
            while length > 0, bytes[index] != pattern[length] { length = table[length - 1] }
            if bytes[index] == pattern[length] { length += 1 }
            index += 1
            if length == pattern.count { return index - length }
        }
        return nil
    }
}
