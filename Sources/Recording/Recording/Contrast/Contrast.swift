// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiSecrets

/// The requests of a session, by the stubs they are recorded in: distinguishes those with different responses.
///
/// Requests that nothing but their order in time tells apart are one stub and a sequence. Those that differ in a header line, in an order or in a value that the
/// matchers leave out are one stub as long as their responses are alike; then each stub asks for the least that distinguishes them. That depends on the requests and
/// not on their order.
struct Contrast {
    /// A request, and how often it came.
    struct Member {
        var sent: SentRequest
        var identity: Identity
        var count: Int
        /// The key of the stub that it is recorded in.
        var stub: String
        /// Distinguishes that stub from the same of other senders; nil for the stub for everybody.
        var distinction: Distinction?
        var arrivals: [Arrival] = []

        /// Notes an arrival of it, unless it came often.
        ///
        /// - Parameter size: the bytes that it takes.
        /// - Returns: the bytes that this takes.
        fileprivate mutating func add(_ arrival: Arrival, _ size: Int) -> Int {
            guard arrivals.count < Contrast.arrivalLimit else { return 0 }
            arrivals.append(arrival)
            return size
        }

        /// Numbers its responses as they are in a stub that has only some of the steps.
        mutating func renumber(_ steps: [Int], last: Int) {
            for index in arrivals.indices {
                let step = min(arrivals[index].step, last)
                arrivals[index].step = steps.firstIndex(of: step) ?? steps.count - 1
            }
        }
    }

    /// The values that a request had where no stub may ask, and the step that its response is.
    struct Arrival {
        var unasked: UnaskedValues
        var step: Int
        /// Whether the response is the recorded one: the last step, if there are no more.
        var isSame: Bool
    }

    /// The stub of some of a family's requests.
    struct Variant {
        var key: String
        var places: [SentPlace]
        /// Those of them that select by the user's word.
        var selected: [SentPlace] = []
        var members: [Member] = []
        /// The request of an earlier recording, until its like comes.
        var written: SentRequest?
        /// Whether its requests have different responses without a cause that can be reported.
        var isMixed = false
        /// Whether some of its requests are in stubs of their senders.
        var hasSenders = false

        /// The keys of its stubs, the one for everybody first.
        var stubs: [String] {
            members.reduce(into: [key]) { keys, member in
                if !keys.contains(member.stub) { keys.append(member.stub) }
            }
        }
    }

    /// The requests that are the same but for the values that the response may depend on.
    struct Family {
        var variants: [Variant]
        /// The names of header lines as clients write them, by those in lower case.
        var names: [String: String] = [:]
        var count = 0
    }

    private(set) var families: [String: Family] = [:]
    /// The bytes of the kept values.
    private var size = 0
    private var pool: Set<[SentValue]> = []
    /// Requests of a family that are kept, and bytes of all: further ones are not told apart. 1,024 and 64 MiB.
    private static let countLimit = 1_024
    private static let sizeLimit = 64 * 1024 * 1024
    /// How often it is noted when a request came. 4,096.
    private static let arrivalLimit = 4_096

    // MARK: Finding

    /// The request as it is asked for by the stub that it is recorded in, or will be.
    ///
    /// - Parameter selecting: the places that its stub asks for whatever the responses are.
    mutating func find(
        _ request: DerivedRequest, _ sent: SentRequest, in store: RecordingStore, redactor: Redactor, origin: String,
        selecting: SelectedPlaces
    ) -> DerivedRequest {
        var family = families[request.base] ?? Family(variants: store.family(of: request).map(Variant.init))
        for (key, name) in sent.names where family.names[key] == nil { family.names[key] = name }
        families[request.base] = family
        var lists: [[SentPlace]] = []
        for variant in family.variants where !lists.contains(variant.places) { lists.append(variant.places) }
        lists.sort { $0.count > $1.count }
        var selected = selecting.standing(in: sent) { Self.isUsable($0, at: $1, redactor) }
        for place in family.variants.flatMap(\.selected) where !selected.contains(place) && sent.values[place] != nil {
            selected.append(place)
        }
        let known = lists.filter { $0.allSatisfy(sent.knows) }
        for places in known where selected.allSatisfy(places.contains) {
            let told = request.told(by: places, of: sent, names: family.names, origin: origin)
            let variant = family.variants.first {
                $0.places == places && (places.isEmpty || $0.key == told.key)
            }
            if let variant {
                var told = told
                told.take(variant.key, places)
                told.selected = selected
                return told
            }
        }
        var places = known.first ?? Self.matched(sent, redactor)
        places += selected.filter { !places.contains($0) }
        var told = request.told(by: places, of: sent, names: family.names, origin: origin)
        told.selected = selected
        // The stubs that ask for a placeholder if this one takes any secret go first.
        if known.count < lists.count { told.priority = 6 }
        return told
    }

    /// The stubs of an earlier recording that would match a request because they do not ask for the value that selects its response.
    func loose(beside told: DerivedRequest, _ request: DerivedRequest, _ sent: SentRequest, origin: String) -> [Variant]
    {
        guard !told.selected.isEmpty, let family = families[told.base] else { return [] }
        return family.variants.filter { variant in
            variant.members.isEmpty && variant.key != told.key && !told.selected.allSatisfy(variant.places.contains)
                && request.told(by: variant.places, of: sent, names: family.names, origin: origin).key == variant.key
        }
    }

    /// The places that each request has for itself: the name of its operation, and values that stand there twice, which no list of them asks for.
    private static func matched(_ sent: SentRequest, _ redactor: Redactor) -> [SentPlace] {
        sent.values.filter { place, values in
            place.isMatched(values) && values.allSatisfy { isUsable($0, at: place, redactor) }
        }.keys.sorted { $0.text < $1.text }
    }

    /// Whether a value is not a secret, so that a stub may ask for it.
    static func isUsable(_ value: SentValue, at place: SentPlace, _ redactor: Redactor) -> Bool {
        guard let bytes = value.bytes else { return true }
        let text = value.text
        switch place {
        case .header(let name):
            if CredentialNames.isHeader(name) || redactor.header(name, text).isRedacted { return false }
            return redactor.scan(Array("\"\(name)\": { \"equalTo\": \"\(text)\" }".utf8), isText: true).isEmpty
        case .cookie(let name):
            if CredentialNames.isParameter(name, values: [text]) { return false }
            return redactor.scan(Array("\"\(name)\": { \"equalTo\": \"\(text)\" }".utf8), isText: true).isEmpty
        case .content, .part: return redactor.scan(SentContent.text(of: bytes), isText: true).isEmpty
        default: return redactor.scan(bytes, isText: String(validating: bytes, as: UTF8.self) != nil).isEmpty
        }
    }

    /// The stub of a request, among those of its family.
    func variant(of request: DerivedRequest) -> Variant? {
        families[request.base]?.variants.first { $0.key == request.key }
    }

    // MARK: Taking note

    /// Takes note of a request that was recorded.
    ///
    /// - Parameters:
    ///   - request: as it is told from those of other responses.
    ///   - place: the stub that it was recorded in, by its sender.
    ///   - step: the step of that stub that its response is.
    ///   - isSame: whether that step, or the last one, has this response already.
    mutating func note(
        _ sent: SentRequest, of identity: Identity, _ request: DerivedRequest, at place: SenderPlace, step: Int,
        isSame: Bool
    ) -> CountedRequest? {
        var family = families[request.base] ?? Family(variants: [])
        let index = family.variants.firstIndex { $0.key == request.key } ?? family.variants.count
        if index == family.variants.count {
            family.variants.append(Variant(key: request.key, places: request.places, selected: request.selected))
        }
        defer { families[request.base] = family }
        let stub = place.request.key
        if stub != request.key { family.variants[index].hasSenders = true }
        if stub == request.key { family.variants[index].written = nil }
        let hasSenders = family.variants[index].hasSenders
        let known = family.variants[index].members.firstIndex {
            $0.stub == stub && $0.sent.isAlike(sent) && (!hasSenders || $0.identity.isSame(as: identity))
        }
        // Half of it is for telling requests apart at all.
        let arrival =
            size <= Self.sizeLimit / 2
            ? sent.unasked.map { Arrival(unasked: $0, step: step, isSame: isSame) } : nil
        if let known {
            family.variants[index].members[known].count += 1
            if let arrival { size += family.variants[index].members[known].add(arrival, arrival.unasked.size) }
            return CountedRequest(
                base: request.base, key: request.key, index: known,
                arrival: arrival.map { _ in family.variants[index].members[known].arrivals.count - 1 })
        }
        guard family.count < Self.countLimit, size <= Self.sizeLimit else { return nil }
        var sent = sent
        size += sent.share(&pool) + (arrival?.unasked.size ?? 0)
        family.count += 1
        family.variants[index].members.append(
            Member(
                sent: sent, identity: identity, count: 1, stub: stub, distinction: place.request.distinction,
                arrivals: [arrival].compactMap(\.self)))
        return CountedRequest(
            base: request.base, key: request.key, index: family.variants[index].members.count - 1,
            arrival: arrival.map { _ in 0 })
    }

    /// Moves the requests of a stub to another, which is for their sender alone.
    mutating func move(_ key: String, to target: DerivedRequest) {
        guard var family = families[target.base] else { return }
        for index in family.variants.indices {
            for member in family.variants[index].members.indices
            where family.variants[index].members[member].stub == key {
                family.variants[index].members[member].stub = target.key
                family.variants[index].members[member].distinction = target.distinction
                family.variants[index].hasSenders = true
            }
        }
        families[target.base] = family
    }

    /// A request came again, byte for byte, with the same response as before.
    ///
    /// - Parameter step: the step of its stub that the first of these responses is.
    mutating func count(_ request: CountedRequest, from step: Int, times: Int) {
        guard let index = families[request.base]?.variants.firstIndex(where: { $0.key == request.key }) else { return }
        families[request.base]?.variants[index].members[request.index].count += times
        let arrivals = families[request.base]?.variants[index].members[request.index].arrivals ?? []
        guard let number = request.arrival, arrivals.indices.contains(number), size <= Self.sizeLimit / 2 else {
            return
        }
        for time in 0..<min(times, max(0, Self.arrivalLimit - arrivals.count)) {
            let arrival = Arrival(unasked: arrivals[number].unasked, step: step + time, isSame: true)
            // Its values are those of the request before.
            size += families[request.base]?.variants[index].members[request.index].add(arrival, 64) ?? 0
        }
    }

    /// Nothing distinguishes the requests of a stub, whatever their responses are.
    mutating func mix(_ request: DerivedRequest) {
        guard let index = families[request.base]?.variants.firstIndex(where: { $0.key == request.key }) else { return }
        families[request.base]?.variants[index].isMixed = true
    }

    /// Replaces the stubs of a family.
    mutating func replace(_ base: String, with variants: [Variant]) { families[base]?.variants = variants }
}

extension Contrast.Variant {
    /// - Parameter stub: of an earlier recording.
    fileprivate init(_ stub: RecordedStub) {
        key = stub.key
        places = stub.places
        selected = stub.selected
        written = SentRequest(stub)
    }
}
