// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPMessage
import HTTPWire

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The answers to the last requests of one loop, for requests that are the same byte for byte and whose answer nothing but their head
/// decides.
///
/// What a request is answered follows from its head and the fixtures, but for sequences, random delays, dates that are compared with the
/// clock, and files that may have changed: those answers are not kept.
final class AnswerMemo {
    /// A request's head, copied so that the connection's own memory stays its own, and its answer.
    private struct Slot {
        var hash: UInt64 = 0
        var bytes: [UInt8] = []
        var fields: [RequestHead.Field] = []
        var method = ByteRange.empty
        var target = ByteRange.empty
        var authority = ByteRange.empty
        var version = HTTPVersion.http11
        var isSecure = false
        var answer: Responder.Answer?

        func holds(_ head: borrowing RequestHead) -> Bool {
            method == head.method && target == head.target && authority == head.authority
                && version == head.version && isSecure == head.isSecure && Self.areSame(bytes, head.bytes)
                && Self.areSame(fields, head.fields)
        }

        private static func areSame<Element: BitwiseCopyable>(_ first: [Element], _ second: [Element]) -> Bool {
            guard first.count == second.count else { return false }
            return first.withUnsafeBytes { first in
                second.withUnsafeBytes { second in
                    guard let one = first.baseAddress, let other = second.baseAddress else { return true }
                    return memcmp(one, other, first.count) == 0
                }
            }
        }
    }

    /// Requests that are remembered; a power of two.
    private static let size = 64
    /// Bytes of a head beyond which it is not remembered. 2 KiB.
    private static let headLimit = 2 * 1024
    /// Bytes of content beyond which an answer is not kept. 64 KiB.
    private static let bodyLimit = 64 * 1024

    /// No access overlaps another: nothing is called with a slot.
    @exclusivity(unchecked) private var slots = [Slot](repeating: Slot(), count: size)
    /// The hash of the last request that came to each slot: only what comes twice is worth a copy.
    @exclusivity(unchecked) private var seen = [UInt64](repeating: 0, count: size)
    /// The hash of the request that was last asked for.
    @exclusivity(unchecked) private var asked: UInt64 = 0

    /// The answer to a request without content; nil where it is not remembered.
    func answer(to head: borrowing RequestHead) -> Responder.Answer? {
        guard head.bytes.count <= Self.headLimit else { return nil }
        asked = Self.hash(of: head.bytes)
        let place = Self.place(of: asked)
        return slots[place].hash == asked && slots[place].holds(head) ? slots[place].answer : nil
    }

    /// Remembers an answer that only the head has decided, where the same request has just come before.
    func keep(_ answer: Responder.Answer, to head: borrowing RequestHead) {
        guard head.bytes.count <= Self.headLimit else { return }
        let place = Self.place(of: asked)
        guard seen[place] == asked else {
            seen[place] = asked
            return
        }
        guard answer.plan.body.count <= Self.bodyLimit else { return }
        if case .file = answer.plan.body { return }
        slots[place].hash = asked
        slots[place].bytes.removeAll(keepingCapacity: true)
        slots[place].bytes.append(contentsOf: head.bytes)
        slots[place].fields.removeAll(keepingCapacity: true)
        slots[place].fields.append(contentsOf: head.fields)
        slots[place].method = head.method
        slots[place].target = head.target
        slots[place].authority = head.authority
        slots[place].version = head.version
        slots[place].isSecure = head.isSecure
        slots[place].answer = answer
    }

    /// Forgets everything: the fixtures have changed.
    func removeAll() {
        slots = [Slot](repeating: Slot(), count: Self.size)
        seen = [UInt64](repeating: 0, count: Self.size)
    }

    private static func place(of hash: UInt64) -> Int {
        Int(truncatingIfNeeded: hash >> 32) & (size - 1)
    }

    private static func hash(of bytes: [UInt8]) -> UInt64 {
        bytes.withUnsafeBytes { bytes in
            var hash = UInt64(bytes.count)
            var index = 0
            while index &+ 8 <= bytes.count {
                let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
                hash ^= hash >> 29
                index &+= 8
            }
            return hash
        }
    }
}
