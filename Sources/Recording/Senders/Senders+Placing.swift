// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Which stub a request is recorded in, where the same was sent by somebody else.
struct SenderPlace {
    var request: DerivedRequest
    /// What was recorded of another sender and is for all no more: the stub, and the request that is of that sender alone.
    var moved: (stub: RecordedStub, to: DerivedRequest)?
    /// How they are told apart from now on, or that they are not.
    var note: String?

    init(_ request: DerivedRequest, moved: (stub: RecordedStub, to: DerivedRequest)? = nil, note: String? = nil) {
        self.request = request
        self.moved = moved
        self.note = note
    }
}

extension Senders {
    /// Senders that nothing but a secret tells apart, beyond the first. 8.
    private static let unnamed = 2...9

    /// Finds the stub of a request.
    ///
    /// One that several senders have answered alike is for all of them. As soon as answers differ, one stub is for all that no other is for:
    /// that of whom nothing tells from others, then of an answer that refuses nothing, then of the first by name.
    /// - Parameters:
    ///   - status: of the answer.
    ///   - stub: the recorded one of a key.
    ///   - differs: whether the answer is none of a stub's.
    mutating func place(
        _ request: DerivedRequest, _ identity: Identity, origin: String, status: Int,
        stub: (String) -> RecordedStub?, differs: (RecordedStub) -> Bool
    ) -> SenderPlace {
        let isRefused = status >= 400
        let own = identity.distinctions(isRefused: isRefused).map { ($0, $0.applied(to: request, origin: origin)) }
        if let known = own.first(where: { stub($0.1.key) != nil })?.1 { return take(known, identity) }
        guard let base = stub(request.key) else { return take(request, identity) }
        let others = owners[request.key] ?? []
        if others.contains(where: { $0.isSame(as: identity) }) || !differs(base) { return take(request, identity) }
        if let known = unnamed(request, identity, origin, status, stub, differs) { return take(known, identity) }
        guard let other = others.first else { return take(request, identity) }
        let isBaseRefused = base.isRefused
        // Another code or captcha of one account is no other sender, but where one is accepted and the other is not.
        if identity.hasSameAccount(as: other), isRefused == isBaseRefused { return take(request, identity) }

        let theirs = other.distinctions(isRefused: isBaseRefused).map { ($0, $0.applied(to: request, origin: origin)) }
        let mine = own.first { mine in !theirs.contains { $0.1.key == mine.1.key } }
        let their = theirs.first { their in !own.contains { $0.1.key == their.1.key } }
        let isFirst =
            (mine == nil ? 0 : 1, isRefused ? 1 : 0, identity.name ?? "")
            < (their == nil ? 0 : 1, isBaseRefused ? 1 : 0, other.name ?? "")
        if isFirst, base.ordinal == nil, !base.isWidened {
            let word = isRefused == isBaseRefused ? nil : base.steps.last.map { String($0.answer.status) }
            if let their = their ?? last(of: other, from: identity, request, origin, word, stub) {
                move(request.key, to: their.1.key)
                var place = take(request, identity)
                place.moved = (base, their.1)
                place.note = "another sender's answer is told apart by \(their.0.note)"
                return place
            }
        }
        let word = isRefused == isBaseRefused ? nil : String(status)
        guard let mine = mine ?? last(of: identity, from: other, request, origin, word, stub) else {
            var place = take(request, identity)
            place.note =
                "warning: another sender was answered otherwise, and nothing but a secret tells them apart: they are steps of one sequence"
            return place
        }
        var place = take(mine.1, identity)
        place.note = "told apart from another sender's by \(mine.0.note)"
        return place
    }

    private mutating func take(_ request: DerivedRequest, _ identity: Identity) -> SenderPlace {
        own(request.key, identity)
        return SenderPlace(request)
    }

    /// The stub of a sender that only a placeholder tells from others: the one this sender has recorded, or one of the same answer.
    private func unnamed(
        _ request: DerivedRequest, _ identity: Identity, _ origin: String, _ status: Int,
        _ stub: (String) -> RecordedStub?, _ differs: (RecordedStub) -> Bool
    ) -> DerivedRequest? {
        for word in [String(status)] + Self.unnamed.map(String.init) {
            for distinction in identity.lastDistinctions(word) {
                let known = distinction.applied(to: request, origin: origin)
                guard let stub = stub(known.key) else { continue }
                let isOwn = owners[known.key]?.contains { $0.isSame(as: identity) } == true
                if isOwn || !differs(stub) { return known }
            }
        }
        return nil
    }

    /// What is left to tell a sender by: a placeholder with the status in it, or a number.
    private func last(
        of identity: Identity, from other: Identity, _ request: DerivedRequest, _ origin: String, _ word: String?,
        _ stub: (String) -> RecordedStub?
    ) -> (Distinction, DerivedRequest)? {
        for word in [word].compactMap(\.self) + Self.unnamed.map(String.init) {
            for distinction in identity.lastDistinctions(word, from: other) {
                let request = distinction.applied(to: request, origin: origin)
                if stub(request.key) == nil { return (distinction, request) }
            }
        }
        return nil
    }
}

extension RecordedStub {
    /// Whether its last answer refuses what was asked.
    fileprivate var isRefused: Bool { (steps.last?.answer.status ?? 200) >= 400 }
}
