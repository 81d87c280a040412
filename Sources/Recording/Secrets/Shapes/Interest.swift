// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Which bytes a secret may begin with, so that most bytes of a text are passed over at a glance.
struct Interest: Sendable {
    enum Rule: Sendable {
        case prefix(PrefixShape)
        case jsonWebToken
        /// `Bearer` and `Basic`.
        case scheme
        case discord
        /// The words of SQL that a secret stands behind.
        case statement
    }

    static let shared = Interest()

    /// 0: nothing, 1: a word, 2: a mark in the middle.
    private var kinds = [UInt8](repeating: 0, count: 256)
    /// A bit for each two bytes that a word of interest begins with.
    private var pairs = [UInt64](repeating: 0, count: 1024)
    private(set) var rules: [UInt16: [Rule]] = [:]

    private init() {
        for shape in PrefixShape.known { add(.prefix(shape), shape.prefix[0], shape.prefix[1]) }
        add(.jsonWebToken, UInt8(ascii: "e"), UInt8(ascii: "y"))
        for first in "Bb".utf8 { for second in "EeAa".utf8 { add(.scheme, first, second) } }
        for first in "MNO".utf8 {
            for second in UInt8.min...UInt8.max where ByteClass.alphanumeric.contains(second) {
                add(.discord, first, second)
            }
        }
        for first in ["i", "p", "r"] {
            for second in (first == "i" ? "nd" : first == "p" ? "a" : "e").utf8 {
                for start in (first + first.uppercased()).utf8 {
                    add(.statement, start, second)
                    add(.statement, start, second & 0xDF)
                }
            }
        }
        for mark in "-:=>@~./,".utf8 { kinds[Int(mark)] = 2 }
    }

    private mutating func add(_ rule: Rule, _ first: UInt8, _ second: UInt8) {
        let pair = UInt16(first) << 8 | UInt16(second)
        kinds[Int(first)] = 1
        pairs[Int(pair >> 6)] |= 1 << UInt64(pair & 63)
        rules[pair, default: []].append(rule)
    }

    func withTables(_ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt64>) -> Void) {
        kinds.withUnsafeBufferPointer { kinds in
            pairs.withUnsafeBufferPointer { pairs in body(kinds, pairs) }
        }
    }
}
