// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText

/// The requests of one stub for everybody and those beside it, or of stubs that ask for the same, by the response that each got: the values that distinguish them where no matcher asks.
struct RequestKnowledge {
    private typealias Place = SentDigests.Place

    private struct Entry {
        var unasked: UnaskedValues
        var stub: Int
        var step: Int
        /// A digest of the response, and whether it refuses the request.
        var response: (mark: String, refuses: Bool)
        /// Tells the stub of its sender from the one for everybody.
        var distinction: Distinction?

        /// Whether only a placeholder that no response gives shows its sender.
        var isAnyones: Bool { distinction.map { $0.placeholder != nil } ?? true }
        /// Whether its sender is known by a placeholder that a response gives, and by nothing else.
        var isGiven: Bool { distinction?.asksPlaceholder == true && !isAnyones }
    }

    /// Requests that a step knows. 256.
    private static let limit = 256
    /// Places that a stub notes although fewer tell the same, beside those of secrets. 4.
    private static let places = 4

    private var entries: [Entry] = []
    /// The key of the stub for everybody.
    private let group: String
    /// The keys of the stubs, and their responses.
    private let stubs: [(key: String, steps: [(mark: String, refuses: Bool)])]

    /// The secrets in whose place each of the stubs asks for a placeholder.
    private let handed: [[SentDigests.Handed]]
    /// Whether each request that came is among the entries.
    private let isWhole: Bool

    /// A variant, and the key of its family.
    typealias Known = (base: String, variant: Contrast.Variant)

    /// - Parameters:
    ///   - variants: one, or those whose stubs ask for the same since a secret was learnt.
    ///   - steps: a stub's responses; nil for one that is not there, or is not the recorder's alone.
    init(_ variants: [Known], steps: (String) -> [(mark: String, refuses: Bool)]?) {
        group = variants.first?.variant.key ?? ""
        isWhole = variants.flatMap(\.variant.members).allSatisfy { $0.count <= $0.arrivals.count }
        var stubs: [(key: String, steps: [(mark: String, refuses: Bool)])] = []
        var handed: [[SentDigests.Handed]] = []
        for (base, variant) in variants {
            let secrets = Self.handed(variant, of: base)
            for key in variant.stubs {
                guard let steps = steps(key), !steps.isEmpty else { continue }
                stubs.append((key, steps))
                handed.append(secrets)
            }
        }
        (self.stubs, self.handed) = (stubs, handed)
        for member in variants.flatMap(\.variant.members) {
            guard let stub = stubs.firstIndex(where: { $0.key == member.stub }) else { continue }
            // A response that could not be written has no step.
            let steps = stubs[stub].steps
            let count = steps.count
            entries += member.arrivals.filter { $0.isSame || $0.step < count }.map {
                let step = min($0.step, count - 1)
                return Entry(
                    unasked: $0.unasked, stub: stub, step: step, response: steps[step],
                    distinction: member.distinction)
            }
        }
    }

    private static func handed(_ variant: Contrast.Variant, of base: String) -> [SentDigests.Handed] {
        variant.places.compactMap { place in
            guard let digested = place.digestPlace,
                let placeholder = variant.members.lazy.compactMap({ $0.sent.values[place]?.first?.placeholder }).first
            else { return nil }
            let values = variant.members.flatMap(\.arrivals).compactMap { $0.unasked[digested] }
            let digests = Set(values).prefix(limit).map { SentDigests.text(of: $0, at: digested, in: base) }.sorted()
            return SentDigests.Handed(digested, placeholder.name, digests)
        }
    }

    /// The digests that each stub gets: a list for each, in which the places count in their order.
    var told: [(key: String, beside: String?, sent: JSONNode)] {
        let isOne = stubs.count < 2 && stubs.allSatisfy { $0.steps.count == 1 }
        let hasHanded = !handed.allSatisfy(\.isEmpty)
        if isOne, !hasHanded { return [] }
        let deciding = isOne || !isWhole ? [] : deciding
        let telling = isOne ? [] : telling
        let mixed = Set(isOne ? [] : deciding.filter(areMixed) + mixedSenders)
        let places = telling.union(deciding).union(mixed.sorted { $0.text < $1.text })
        if places.isEmpty, !hasHanded, stubs.allSatisfy({ $0.steps.count == 1 }) { return [] }
        return stubs.indices.map { index in
            let own = entries.filter { $0.stub == index }
            let told = places.map { place in
                (
                    place: place, decides: deciding.contains(place),
                    digests: stubs[index].steps.indices.map { step in
                        own.filter { $0.step == step }.compactMap { entry in
                            if let value = entry.unasked[place] {
                                return SentDigests.text(of: value, at: place, in: group)
                            }
                            // Nobody sends the secret itself to a stub that a response gives the placeholder of.
                            if entry.isGiven, !place.isNamed, entry.unasked.secrets.contains(place) { return nil }
                            let isMixed = mixed.contains(place) && (place.isNamed || entry.isAnyones)
                            return isMixed ? SentDigests.mixed : SentDigests.noDigest
                        }.unique.prefix(Self.limit).map(\.self)
                    }
                )
            }
            return (stubs[index].key, stubs[index].key == group ? nil : group, SentDigests.node(told, handed[index]))
        }
    }

    /// The fewest places that distinguish the requests, and behind them those of secrets.
    private var telling: [Place] {
        let places = fewest(of: Set(entries.flatMap(\.unasked.places)), in: entries, beside: [])
        let secrets = Set(entries.flatMap(\.unasked.secrets)).filter { values(at: $0, in: entries) > 1 }
        return places.union(secrets.sorted { $0.text < $1.text })
    }

    /// The places of the target and of the content that distinguish requests whose senders do not, responses that refuse a request aside.
    private var deciding: [Place] {
        let senders = Set(entries.flatMap(\.unasked.secrets)).filter { !$0.isNamed }.sorted { $0.text < $1.text }
        let places = Set(entries.flatMap(\.unasked.decidable))
        let guessable = places.filter { place in entries.contains { $0.unasked.isGuessable(place) } }
        let own = deciding(places.subtracting(guessable), entries, beside: senders)
        if guessable.isEmpty { return own }
        // Only if nothing that has a digest does: such a value is known again if it is the only one.
        let compared = entries.map { entry in
            var entry = entry
            entry.unasked = entry.unasked.comparing
            return entry
        }
        return own + guessable.filter { told(by: $0, compared, beside: senders + own) }.sorted { $0.text < $1.text }
    }

    /// Whether two values of a place got different responses, beside the same values of others.
    private func told(by place: Place, _ entries: [Entry], beside given: [Place]) -> Bool {
        let served = entries.filter { !$0.response.refuses }
        guard !varies(place, served), entries.allSatisfy({ $0.unasked[place] != nil }) else { return false }
        var responses: [[[UInt8]?]: [[UInt8]?: Set<String>]] = [:]
        for entry in served where entry.unasked.decidable.contains(place) {
            let values = given.map { entry.unasked[$0] }
            responses[values, default: [:]][entry.unasked[place], default: []].insert(entry.response.mark)
        }
        return responses.values.contains { Set($0.values).count > 1 }
    }

    private func deciding(_ places: Set<Place>, _ entries: [Entry], beside given: [Place]) -> [Place] {
        let served = entries.filter { !$0.response.refuses }
        // A value that is not known, or one too many for the stub, could not be found again.
        let own = places.filter { place in
            served.contains { $0.unasked.decidable.contains(place) } && !varies(place, served)
                && entries.allSatisfy { $0.unasked[place] != nil } && values(at: place, in: entries) <= Self.limit
        }
        return own.isEmpty ? [] : fewest(of: own, in: served, beside: given)
    }

    /// Whether values without digests at a place got different responses, those that refuse a request aside.
    private func areMixed(_ place: Place) -> Bool {
        var responses: [[UInt8]?: Set<String>] = [:]
        for entry in entries where entry.unasked[place] == nil && !entry.response.refuses {
            responses[entry.unasked.compared(place), default: []].insert(entry.response.mark)
        }
        return Set(responses.values).count > 1
    }

    /// The places of credentials that could be guessed, if only these tell senders with different responses apart.
    private var mixedSenders: [Place] {
        let served = entries.filter { !$0.response.refuses && $0.isAnyones }
        let senders = Set(served.flatMap(\.unasked.secrets)).filter { !$0.isNamed }.sorted { $0.text < $1.text }
        return senders.filter { place in
            var stubs: [[[UInt8]?]: [[UInt8]?: Set<Int>]] = [:]
            for entry in served where entry.unasked[place] == nil {
                let others = senders.map { entry.unasked[$0] }
                stubs[others, default: [:]][entry.unasked.compared(place), default: []].insert(entry.stub)
            }
            return stubs.values.contains { Set($0.values).count > 1 }
        }
    }

    /// Whether a value that moves by itself makes no difference: two of them got the same response.
    private func varies(_ place: Place, _ entries: [Entry]) -> Bool {
        guard entries.contains(where: { $0.unasked.moving.contains(place) }) else { return false }
        var values: [String: Set<[UInt8]?>] = [:]
        for entry in entries { values[entry.response.mark, default: []].insert(entry.unasked[place]) }
        return values.values.contains { $0.count > 1 }
    }

    private func values(at place: Place, in entries: [Entry]) -> Int { Set(entries.map { $0.unasked[place] }).count }

    /// The fewest of some places that distinguish requests, those with the fewest values first, since a value that comes twice says more.
    ///
    /// - Parameter given: places that distinguish them already.
    private func fewest(of candidates: Set<Place>, in entries: [Entry], beside given: [Place]) -> [Place] {
        let values = Dictionary(uniqueKeysWithValues: candidates.map { ($0, self.values(at: $0, in: entries)) })
            .filter { $0.value > 1 }
        let all = values.sorted { ($0.value, $0.key.text) < ($1.value, $1.key.text) }.map(\.key)
        var places: [Place] = []
        var mixed = Self.mixed(given, entries)
        for place in all where mixed > 0 {
            let less = Self.mixed(given + places + [place], entries)
            if less == mixed { continue }
            places.append(place)
            mixed = less
        }
        for place in places {
            let rest = places.filter { $0 != place }
            if Self.mixed(given + rest, entries) == mixed { places = rest }
        }
        // Another place with no more values that distinguishes as much may be the deciding one.
        let most = places.compactMap { values[$0] }.max() ?? 0
        for place in all.filter({ !places.contains($0) && values[$0] ?? 0 <= most }) where places.count < Self.places {
            if Self.mixed(given + [place], entries) == mixed { places.append(place) }
        }
        return places
    }

    /// How many responses were given to requests that have the values of one with another.
    private static func mixed(_ places: [Place], _ entries: [Entry]) -> Int {
        var responses: [[[UInt8]?]: Set<String>] = [:]
        for entry in entries {
            responses[places.map { entry.unasked[$0] }, default: []].insert(entry.response.mark)
        }
        return responses.values.reduce(0) { $0 + $1.count - 1 }
    }
}

extension [SentDigests.Place] {
    /// With those of others that are not among them, behind them.
    fileprivate func union(_ others: [SentDigests.Place]) -> [SentDigests.Place] {
        self + others.filter { !contains($0) }
    }
}
