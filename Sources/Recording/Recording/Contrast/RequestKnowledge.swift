// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures

/// The requests of one stub for everybody and those beside it, by the response that each got: the values that distinguish them where no matcher asks.
struct RequestKnowledge {
    private typealias Place = SentDigests.Place

    private struct Entry {
        var unasked: UnaskedValues
        var stub: Int
        var step: Int
    }

    /// Requests that a step knows. 256.
    private static let limit = 256
    /// Places that a stub notes although fewer tell the same, beside those of secrets. 4.
    private static let places = 4

    private var entries: [Entry] = []
    /// The key of the stub for everybody.
    private let group: String
    /// The keys of the stubs, and digests that distinguish their responses.
    private let stubs: [(key: String, steps: [String])]

    /// - Parameter steps: the digests of a stub's responses; nil for one that is not there, or is not the recorder's alone.
    init(_ variant: Contrast.Variant, steps: (String) -> [String]?) {
        group = variant.key
        stubs = variant.stubs.compactMap { key in steps(key).flatMap { $0.isEmpty ? nil : (key, $0) } }
        for member in variant.members {
            guard let stub = stubs.firstIndex(where: { $0.key == member.stub }) else { continue }
            // A response that could not be written has no step.
            let count = stubs[stub].steps.count
            entries += member.arrivals.filter { $0.isSame || $0.step < count }.map {
                Entry(unasked: $0.unasked, stub: stub, step: min($0.step, count - 1))
            }
        }
    }

    /// The digests that each stub gets: a list for each, in which the places count in their order.
    var told: [(key: String, beside: String?, places: [(place: SentDigests.Place, digests: [[String]])])] {
        guard stubs.count > 1 || stubs.contains(where: { $0.steps.count > 1 }) else { return [] }
        let places = telling
        if places.isEmpty, stubs.allSatisfy({ $0.steps.count == 1 }) { return [] }
        return stubs.indices.map { index in
            let own = entries.filter { $0.stub == index }
            let told = places.map { place in
                (
                    place: place,
                    digests: stubs[index].steps.indices.map { step in
                        own.filter { $0.step == step }.compactMap { entry in
                            entry.unasked[place].map { SentDigests.text(of: $0, at: place, in: group) }
                        }.unique.prefix(Self.limit).map(\.self)
                    }
                )
            }
            return (stubs[index].key, stubs[index].key == group ? nil : group, told)
        }
    }

    /// The fewest places that distinguish the requests, those with the fewest values first, since a value that comes twice says more; and behind them those
    /// of secrets.
    private var telling: [Place] {
        let values = Dictionary(
            uniqueKeysWithValues: Set(entries.flatMap(\.unasked.places)).map { place in
                (place, Set(entries.map { $0.unasked[place] }).count)
            }
        ).filter { $0.value > 1 }
        let all = values.sorted { ($0.value, $0.key.text) < ($1.value, $1.key.text) }.map(\.key)
        var places: [Place] = []
        var mixed = mixed([])
        for place in all where mixed > 0 {
            let less = self.mixed(places + [place])
            if less == mixed { continue }
            places.append(place)
            mixed = less
        }
        for place in places {
            let rest = places.filter { $0 != place }
            if self.mixed(rest) == mixed { places = rest }
        }
        // Another place with no more values that distinguishes as much may be the deciding one.
        let most = places.compactMap { values[$0] }.max() ?? 0
        for place in all.filter({ !places.contains($0) && values[$0] ?? 0 <= most }) where places.count < Self.places {
            if self.mixed([place]) == mixed { places.append(place) }
        }
        let secrets = Set(entries.flatMap(\.unasked.secrets))
        return places + all.filter { secrets.contains($0) && !places.contains($0) }
    }

    /// How many responses were given to requests that have the values of one with another.
    private func mixed(_ places: [Place]) -> Int {
        var responses: [[[UInt8]?]: Set<String>] = [:]
        for entry in entries {
            responses[places.map { entry.unasked[$0] }, default: []].insert(stubs[entry.stub].steps[entry.step])
        }
        return responses.values.reduce(0) { $0 + $1.count - 1 }
    }
}
