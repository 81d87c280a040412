// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Pairs the members of one list with members of another, each with one of its own (augmenting paths).
///
/// The memory is that of the lists and of the pairs that were judged on the way, and each of those was paid for by `mayGoOn`.
struct Pairing {
    private let candidates: [ArraySlice<Int32>]
    private let fits: (Int, Int) -> Bool
    private let mayGoOn: () -> Bool
    /// The partner of each right member, and of each left member; -1 for none.
    private var owners: [Int32]
    private var partners: [Int32]
    /// The candidates that fit, of the left members whose candidates were all judged.
    private var fitting: [Int: [Int32]] = [:]
    /// In which search a right member was reached last, and from which left one.
    private var reached: [Int32]
    private var parents: [Int32]

    /// Whether every one of as many members as there are can have a partner.
    ///
    /// - Parameters:
    ///   - mayGoOn: asked before each step; false gives up, and then not every one has.
    ///   - fits: whether a left and a right member may be a pair.
    static func isComplete(_ count: Int, mayGoOn: () -> Bool, fits: (Int, Int) -> Bool) -> Bool {
        let all = (0..<Int32(clamping: count)).map { $0 }
        return unpaired(Array(repeating: all[...], count: count), among: count, mayGoOn: mayGoOn, fits: fits) == nil
    }

    /// A left member that is left without a partner, or that the search was given up at; nil if all have one.
    ///
    /// - Parameters:
    ///   - candidates: for each left member the right ones that may be its partner.
    ///   - right: how many right members there are.
    ///   - mayGoOn: asked before each step; false gives up.
    static func unpaired(
        _ candidates: [ArraySlice<Int32>], among right: Int, mayGoOn: () -> Bool, fits: (Int, Int) -> Bool
    ) -> Int? {
        if let lone = candidates.firstIndex(where: \.isEmpty) { return lone }
        if candidates.count > right { return right }
        return withoutActuallyEscaping(mayGoOn) { mayGoOn in
            withoutActuallyEscaping(fits) { fits in
                var pairing = Pairing(candidates, right, mayGoOn, fits)
                for member in candidates.indices where !pairing.place(member) { return member }
                return nil
            }
        }
    }

    private init(
        _ candidates: [ArraySlice<Int32>], _ right: Int, _ mayGoOn: @escaping () -> Bool,
        _ fits: @escaping (Int, Int) -> Bool
    ) {
        self.candidates = candidates
        self.mayGoOn = mayGoOn
        self.fits = fits
        owners = Array(repeating: -1, count: right)
        partners = Array(repeating: -1, count: candidates.count)
        reached = Array(repeating: -1, count: right)
        parents = owners
    }

    private mutating func place(_ member: Int) -> Bool {
        // Most lists stand in the same order.
        if member < owners.count, owners[member] < 0, mayGoOn(), fits(member, member) {
            pair(member, member)
            return true
        }
        for other in candidates[member] where owners[Int(other)] < 0 {
            guard mayGoOn() else { return false }
            guard fits(member, Int(other)) else { continue }
            pair(member, Int(other))
            return true
        }
        return augment(member)
    }

    private mutating func pair(_ member: Int, _ other: Int) {
        owners[other] = Int32(member)
        partners[member] = Int32(other)
    }

    /// Finds a partner for a member whose candidates all have one, by having others change theirs.
    private mutating func augment(_ member: Int) -> Bool {
        var queue = [member]
        var position = 0
        while position < queue.count {
            let current = queue[position]
            position += 1
            guard let fitting = judged(current) else { return false }
            for other in fitting where reached[Int(other)] != Int32(member) {
                guard mayGoOn() else { return false }
                reached[Int(other)] = Int32(member)
                parents[Int(other)] = Int32(current)
                if owners[Int(other)] < 0 {
                    turn(Int(other), until: member)
                    return true
                }
                queue.append(Int(owners[Int(other)]))
            }
        }
        return false
    }

    private mutating func judged(_ member: Int) -> [Int32]? {
        if let known = fitting[member] { return known }
        var found: [Int32] = []
        for other in candidates[member] {
            guard mayGoOn() else { return nil }
            if fits(member, Int(other)) { found.append(other) }
        }
        fitting[member] = found
        return found
    }

    /// Turns a path round: each member on it takes the partner it was reached for.
    private mutating func turn(_ free: Int, until member: Int) {
        var other = free
        while true {
            let owner = Int(parents[other])
            let previous = partners[owner]
            pair(owner, other)
            guard owner != member, previous >= 0 else { return }
            other = Int(previous)
        }
    }
}
