// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// The matches of requests that nothing but method and target decided (`RequestState.isOfTargetAlone`): the next request for the target matches the
/// same, whatever else it has.
///
/// A table of one index: a target takes the place of another that falls into its slot, and all begin again when their bytes are full. It belongs
/// to one scratch, and no access to it overlaps another.
final class KnownTargets {
    /// Distinguishes an index from every other while it is known.
    final class Owner: Sendable {}

    /// The place of a stub or a file in the set.
    struct Match: BitwiseCopyable {
        var isFile = false
        var ordinal: UInt32 = 0
    }

    private struct Slot: BitwiseCopyable {
        var hash: UInt64 = 0
        /// A range of `texts`; empty for a slot that is free.
        var start: UInt32 = 0
        var end: UInt32 = 0
        var method: UInt16 = 0
        var match = Match()
    }

    /// Slots, a power of two. 8,192.
    private static let capacity = 8192
    /// Bytes of a target that is kept. 512.
    private static let longest = 512
    /// Bytes of all targets. 512 KiB.
    private static let most = 512 * 1024

    /// None before the first target.
    @exclusivity(unchecked) private var slots = Growable<Slot>(capacity: 0)
    @exclusivity(unchecked) private var texts = Growable<UInt8>(capacity: 0)
    /// The index that they are known of.
    @exclusivity(unchecked) private var owner: Owner?

    deinit {
        slots.deallocate()
        texts.deallocate()
    }

    /// The match of a method and a target; nil if it is not known.
    func match(_ method: UInt16, _ target: Bytes, in index: Owner) -> Match? {
        guard owner === index else { return nil }
        let hash = Self.hash(method, target)
        let slot = slots[Self.place(hash)]
        guard slot.hash == hash, slot.method == method, slot.end > slot.start,
            texts.slice(slot.start, slot.end).equals(target)
        else { return nil }
        return slot.match
    }

    func add(_ match: Match, _ method: UInt16, _ target: Bytes, in index: Owner) {
        guard !target.isEmpty, target.count <= Self.longest else { return }
        if owner !== index || texts.count + target.count > Self.most { begin(index) }
        let hash = Self.hash(method, target)
        let start = UInt32(texts.count)
        texts.append(contentsOf: target)
        slots[Self.place(hash)] = Slot(
            hash: hash, start: start, end: start + UInt32(target.count), method: method, match: match)
    }

    private func begin(_ index: Owner) {
        owner = index
        texts.removeAll()
        slots.removeAll()
        slots.resize(Self.capacity, filling: Slot())
    }

    @inline(__always)
    private static func hash(_ method: UInt16, _ target: Bytes) -> UInt64 {
        ByteHash.hash(target, seed: UInt64(method))
    }

    @inline(__always)
    private static func place(_ hash: UInt64) -> Int { Int(hash & UInt64(capacity - 1)) }
}
