// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Finds the places by which requests of different responses are told apart.
struct PlaceChoice {
    /// A request, the number of its variant, and the groups within which it is told from those of other stubs: those of one stub had the same response.
    typealias Member = (sent: SentRequest, stub: Int, groups: [Group])

    enum Group: Hashable {
        /// The request at hand, and those that it may be taken for.
        case own
        /// Those whose stubs ask for one sender, by the words of its distinction; nil for everybody.
        case sender(String?)
    }

    private let members: [Member]
    /// The places that some stub asks for already and that no request of this session has.
    private let required: [SentPlace]
    private var candidates: [SentPlace] = []

    /// - Parameters:
    ///   - asked: the places that stubs ask for already, whatever their rank.
    ///   - vary: the names that responses give in Vary, in lower case.
    ///   - limit: the last rank that is thought of.
    ///   - isUsable: whether a value at a place may be written to a stub.
    init(
        _ members: [Member], required: [SentPlace], asked: Set<SentPlace>, vary: Set<String>,
        limit: SentPlace.Rank,
        isUsable: (SentPlace, SentValue) -> Bool
    ) {
        self.members = members
        self.required = required
        var weights: [(place: SentPlace, weight: (Int, Int, Int, String))] = []
        for place in Set(members.flatMap { $0.sent.values.keys }).subtracting(required) {
            guard members.allSatisfy({ $0.sent.knows(place) }) else { continue }
            // A stub that asks for the time of a client's clock never matches again.
            if members.allSatisfy({ $0.sent.clocks.contains(place) }) { continue }
            let values = Set(members.map { $0.sent.values[place] })
            guard values.count > 1 else { continue }
            let texts = values.compactMap(\.self).flatMap(\.self)
            // A value that the service has handed out for asking decides its response.
            let isHanded = texts.allSatisfy { $0.placeholder != nil }
            let rank =
                isHanded ? .selecting : place.rank(vary: vary, areRandom: Self.areRandom(texts, of: members.count))
            guard rank <= limit || asked.contains(place), texts.allSatisfy({ isUsable(place, $0) }) else { continue }
            // The values of one stub that has several need stubs of their own.
            let pairs = Set(members.map { Pair(stub: $0.stub, value: $0.sent.values[place]) })
            weights.append((place, (rank.rawValue, pairs.count, values.count, place.text)))
        }
        candidates = weights.sorted { $0.weight < $1.weight }.map(\.place)
    }

    private struct Pair: Hashable {
        var stub: Int
        var value: [SentValue]?
    }

    /// Whether all values look like no two others, and none came twice.
    private static func areRandom(_ values: [SentValue], of count: Int) -> Bool {
        values.count + 1 >= count
            && values.allSatisfy { value in
                let text = value.text
                return UnsteadyValues.isRandom(text) || UnsteadyValues.seconds(text) != nil
            }
    }

    /// The least places that tell the requests apart; nil if none do.
    func places() -> [SentPlace]? {
        if separates(required) { return required }
        for place in candidates where separates(required + [place]) { return required + [place] }
        let first = candidates.prefix(Self.pairLimit)
        for (index, place) in first.enumerated() {
            for other in first.dropFirst(index + 1) where separates(required + [place, other]) {
                return required + [place, other]
            }
        }
        return greedy()
    }

    /// Places whose pairs are all tried. 32.
    private static let pairLimit = 32

    /// The places that each tell more requests apart than those before it do.
    private func greedy() -> [SentPlace]? {
        var places = required
        var rest = candidates
        var mixed = self.mixed(places)
        while mixed > 0 {
            let counts = rest.map { self.mixed(places + [$0]) }
            guard let least = counts.min(), least < mixed, let index = counts.firstIndex(of: least) else { return nil }
            places.append(rest.remove(at: index))
            mixed = least
        }
        return places
    }

    /// The values of a request at places, within a group.
    private struct Signature: Hashable {
        var group: Group
        var values: [[SentValue]?]
    }

    private func separates(_ places: [SentPlace]) -> Bool {
        var stubs: [Signature: Int] = [:]
        return members.allSatisfy { member in
            let values = member.sent.signature(places)
            return member.groups.allSatisfy { group in
                let known = stubs.updateValue(member.stub, forKey: Signature(group: group, values: values))
                return known == nil || known == member.stub
            }
        }
    }

    /// How many requests have the values of a request of another stub.
    private func mixed(_ places: [SentPlace]) -> Int {
        var stubs: [Signature: Set<Int>] = [:]
        for member in members {
            let values = member.sent.signature(places)
            for group in member.groups {
                stubs[Signature(group: group, values: values), default: []].insert(member.stub)
            }
        }
        return stubs.values.reduce(0) { $0 + $1.count - 1 }
    }
}
