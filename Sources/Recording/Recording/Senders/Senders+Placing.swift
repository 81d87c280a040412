// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Which stub a request is recorded in, if somebody else sent the same.
struct SenderPlace {
    var request: DerivedRequest
    /// The stubs that were recorded for other senders and are another request's now: the key of each, and the request
    /// that is of its sender alone.
    var moves: [(key: String, to: DerivedRequest)] = []
    /// How they are told apart from now on, or that they are not.
    var note: String?

    init(_ request: DerivedRequest, note: String? = nil) {
        self.request = request
        self.note = note
    }
}

/// The properties of a response that decide where its request is placed.
struct PlacedResponse {
    let status: Int
    let origin: String
    /// The recorded stub of a key.
    let stub: (String) -> RecordedStub?
    /// Whether a stub of an earlier recording knows the sender by a digest.
    let knows: (RecordedStub) -> Bool
    /// Whether the response differs from those of a stub.
    let differs: (RecordedStub) -> Bool
    /// The digest that tells the response from others.
    let mark: () -> String
    /// The words that follow the beginning of a placeholder in the stubs of the same path.
    let words: (DerivedRequest, String) -> [String]

    var isRefused: Bool { status >= 400 }
}

extension Senders {
    /// Finds the stub of a request.
    ///
    /// A stub with the same response for several senders is for all of them. As soon as responses differ, one stub is for all that no other is for:
    /// that of a sender that nothing distinguishes, then of a response that refuses nothing, then of the first by name, then of the first by
    /// its response: never by the order of arrival.
    mutating func place(_ request: DerivedRequest, _ identity: Identity, _ response: PlacedResponse) -> SenderPlace {
        let isRefused = response.isRefused
        let own = identity.distinctions(isRefused: isRefused).map {
            ($0, $0.applied(to: request, origin: response.origin))
        }
        if let known = own.first(where: { response.stub($0.1.key) != nil })?.1 { return take(known, identity) }
        guard let base = response.stub(request.key) else { return take(request, identity) }
        let others = owners[request.key] ?? []
        if base.sent != nil, !others.contains(where: { $0.isSame(as: identity) }) {
            if response.knows(base) { return take(request, identity) }
            let known = unnamed(request, identity, response) { _, stub in response.knows(stub) }
            if let known { return take(known, identity) }
        }
        if others.contains(where: { $0.isSame(as: identity) }) || !response.differs(base) {
            return take(request, identity)
        }
        if let known = known(request, identity, response) { return take(known, identity) }
        guard let other = others.first else { return take(request, identity) }
        // Another code or captcha of one account is not another sender, unless one is accepted and the other is not.
        if identity.hasSameAccount(as: other), isRefused == base.isRefused { return take(request, identity) }

        let theirs = other.distinctions(isRefused: base.isRefused)
            .map { ($0, $0.applied(to: request, origin: response.origin)) }
        let mine = own.first { mine in !theirs.contains { $0.1.key == mine.1.key } }
        let their = theirs.first { their in !own.contains { $0.1.key == their.1.key } }
        let areUnnamed = mine == nil && their == nil
        let isFirst =
            (mine == nil ? 0 : 1, isRefused ? 1 : 0, identity.name ?? "", areUnnamed ? response.mark() : "")
            < (their == nil ? 0 : 1, base.isRefused ? 1 : 0, other.name ?? "", areUnnamed ? base.mark : "")
        if isFirst, base.ordinal == nil, !base.isWidened {
            if let their {
                move(request.key, to: their.1.key)
                var place = take(request, identity)
                place.moves = [(request.key, their.1)]
                place.note = "another sender's response is told apart by \(their.0.note)"
                return place
            }
            let added = Unnamed(other, base, key: request.key)
            if let place = settled(added, request, beside: identity, status: response.status, response) { return place }
        }
        if let mine {
            var place = take(mine.1, identity)
            place.note = "told apart from another sender's by \(mine.0.note)"
            return place
        }
        let added = Unnamed(identity, status: response.status, mark: response.mark())
        let status = base.steps.last?.response.status ?? 200
        if let place = settled(added, request, beside: other, status: status, response) { return place }
        var place = take(request, identity)
        place.note =
            "warning: another sender was answered otherwise, and nothing but a secret tells them apart: they are steps of one sequence"
        return place
    }

    private mutating func take(_ request: DerivedRequest, _ identity: Identity) -> SenderPlace {
        own(request.key, identity)
        return SenderPlace(request)
    }
}

// MARK: Senders that nothing tells apart

/// A sender that only a secret distinguishes from the sender of the stub for everybody.
struct Unnamed {
    let identity: Identity
    /// The status of its response.
    let status: Int
    /// The digest that tells its response from others.
    let mark: String
    /// The key of its stub; nil before there is one.
    var key: String?

    init(_ identity: Identity, status: Int, mark: String) {
        self.identity = identity
        self.status = status
        self.mark = mark
    }

    init(_ identity: Identity, _ stub: RecordedStub, key: String) {
        self.init(identity, status: stub.steps.last?.response.status ?? 200, mark: stub.mark)
        self.key = key
    }
}

extension Senders {
    /// Senders that nothing but a secret tells apart, beyond the one for everybody; the rest are steps of its sequence. 64.
    private static let unnamedLimit = 64
    /// The least number of digits of a mark that stands in a name. 6.
    private static let markLength = 6

    /// The stub of a sender that only a placeholder tells from others: the one this sender has recorded, or one of the same response.
    private func known(_ request: DerivedRequest, _ identity: Identity, _ response: PlacedResponse) -> DerivedRequest? {
        let members = unnamed[request.key] ?? []
        return unnamed(request, identity, response) { key, stub in
            owners[key]?.contains { $0.isSame(as: identity) } == true
                || members.contains { $0.key == key && $0.identity.isSame(as: identity) } || !response.differs(stub)
        }
    }

    /// The first stub of a sender that only a placeholder tells from others, of those that a condition holds for.
    private func unnamed(
        _ request: DerivedRequest, _ identity: Identity, _ response: PlacedResponse,
        which isMeant: (String, RecordedStub) -> Bool
    ) -> DerivedRequest? {
        for part in identity.lastDistinctions("") {
            guard let placeholder = part.placeholder else { continue }
            for word in response.words(request, placeholder) {
                for distinction in identity.lastDistinctions(word) {
                    let known = distinction.applied(to: request, origin: response.origin)
                    if let stub = response.stub(known.key), isMeant(known.key, stub) { return known }
                }
            }
        }
        return nil
    }

    /// Gives each of the senders that nothing distinguishes a word that only its response decides: a refused sender is called by the status, unless
    /// the stub for everybody is of the same; if there are several, the first by their responses; the others by a digest of it.
    ///
    /// - Parameters:
    ///   - added: the new one among them: the sender of the request, which has no key yet, or that of the stub for everybody.
    ///   - other: the owner of the stub for everybody from now on, and the status of its response.
    /// - Returns: nil if they are too many, or no matcher can distinguish them.
    private mutating func settled(
        _ added: Unnamed, _ request: DerivedRequest, beside other: Identity, status: Int, _ response: PlacedResponse
    ) -> SenderPlace? {
        var members = (unnamed[request.key] ?? []) + [added]
        guard members.count <= Self.unnamedLimit else { return nil }
        members.sort { ($0.mark, $0.status) < ($1.mark, $1.status) }
        let known = Set(members.compactMap(\.key))
        var taken: Set<String> = []
        var given: [(Distinction, DerivedRequest)] = []
        for member in members {
            let isFirst =
                member.status >= 400 && member.status != status && taken.insert(String(member.status)).inserted
            let words =
                (isFirst ? [String(member.status)] : []) + [String(member.mark.prefix(Self.markLength)), member.mark]
            let choices = words.lazy.flatMap { member.identity.lastDistinctions($0, from: other) }
                .map { ($0, $0.applied(to: request, origin: response.origin)) }
            let choice = choices.first { choice in
                !given.contains { $0.1.key == choice.1.key }
                    && (known.contains(choice.1.key) || response.stub(choice.1.key) == nil)
            }
            guard let choice else { return nil }
            given.append(choice)
        }
        // A sender that makes room goes first: a status is given on, a digest is not.
        var moves: [(key: String, to: DerivedRequest)] = []
        for (member, choice) in zip(members, given) {
            if let key = member.key, key != choice.1.key { moves.append((key, choice.1)) }
        }
        moves.sort { known.contains($1.to.key) && !known.contains($0.to.key) }
        for move in moves { self.move(move.key, to: move.to.key) }
        let place = members.firstIndex { $0.key == added.key && $0.identity.isSame(as: added.identity) }
        guard let place else { return nil }
        let distinction = given[place].0
        for index in members.indices { members[index].key = given[index].1.key }
        unnamed[request.key] = members
        var found = added.key == nil ? take(given[place].1, added.identity) : take(request, other)
        found.moves = moves
        found.note =
            added.key == nil
            ? "told apart from another sender's by \(distinction.note)"
            : "another sender's response is told apart by \(distinction.note)"
        return found
    }
}

extension RecordedStub {
    /// Whether its last response refuses the request.
    fileprivate var isRefused: Bool { (steps.last?.response.status ?? 200) >= 400 }

    /// The digest that tells its first response from others.
    fileprivate var mark: String { steps.first?.response.mark ?? "" }
}
