// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiSecrets
import MockapiUpstream

// Distinguishes requests with different responses.
extension Recorder {
    /// A request as it is told from those of other responses, and how, if that is new.
    typealias Told = (request: DerivedRequest, note: String?)

    /// Which stub a request is recorded in, by its values; a stub that has several requests with one response asks for their differences from now on.
    ///
    /// - Parameter loose: the request without the values that distinguish it from others.
    func tellApart(
        _ request: DerivedRequest, _ loose: DerivedRequest, _ sent: SentRequest, _ identity: Identity,
        _ exchange: Exchange
    ) -> Told {
        guard let variant = contrast.variant(of: request), let key = key(in: variant, of: identity),
            let stub = store.stub(key), !stub.isWidened,
            let limit = limit(of: variant, key, beside: sent, identity), differs(exchange, request, from: stub)
        else { return (request, nil) }
        let variants = contrast.families[request.base]?.variants ?? []
        let members = members(of: variants, beside: sent, in: key, of: identity)
        let others = variants.filter { $0.members.isEmpty && $0.key != variant.key }
        var required =
            variant.members.isEmpty ? variant.places : variant.places.filter { $0.isMatched(sent.values[$0] ?? []) }
        for place in others.flatMap(\.places) + request.selected where !required.contains(place) {
            required.append(place)
        }
        let asked = variants.contains(where: \.hasSenders) ? Set(variants.flatMap(\.places)) : []
        let choice = PlaceChoice(
            members, required: required, asked: asked, vary: varying(exchange, stub), limit: limit
        ) { Contrast.isUsable($1, at: $0, redactor) }
        guard let places = choice.places() else {
            // Another sender may be distinguished by its identity.
            guard limit == .last else { return (request, nil) }
            contrast.mix(request)
            return (request, sent.clocks.isEmpty ? Self.mixed : Self.mixedByClock)
        }
        // Recordings that wait are written first, so that names and files are as those leave them.
        commitGroup()
        do throws(RecordingError) {
            try separate(variant, request, loose, sent, identity, by: places, exchange.origin)
        } catch {
            contrast.mix(request)
            return (request, error.description)
        }
        let names = contrast.families[request.base]?.names ?? [:]
        var told = loose.told(by: places, of: sent, names: names, origin: exchange.origin)
        told.selected = request.selected
        let new = places.filter { !variant.places.contains($0) }.map { $0.text(names) }
        return (
            told,
            "answered otherwise than a request that differs in \(new.joined(separator: ", ")): each stub asks for its own"
        )
    }

    /// The note on responses that differ although requests differ in nothing that a stub may ask for.
    private static let mixed =
        "warning: answered otherwise than a request that differs in a secret alone: they are steps of one sequence"
    /// The same if the client's clock differs.
    private static let mixedByClock =
        "answered otherwise than a request that differs in the time of its client's clock alone: they are steps of one sequence"

    /// The note on values of the target or the content that no stub may ask for and that alone tell a further step of a sequence from those before it.
    func undecided(_ request: DerivedRequest, _ sent: SentRequest) -> String? {
        let members = contrast.variant(of: request)?.members.filter { $0.stub == request.key } ?? []
        let others = members.flatMap(\.arrivals).map(\.unasked)
        guard let unasked = sent.unasked else { return nil }
        let deciding = unasked.deciding(beside: others)
        if deciding.isEmpty { return nil }
        let places = deciding.map(\.text)
        let areGuessable = deciding.allSatisfy { place in
            unasked.isGuessable(place) && others.contains { $0.isGuessable(place) }
        }
        if areGuessable {
            return
                "each value of \(places.joined(separator: " and ")) is a miss, since it could be guessed, and nothing is written that tells it from another: record with random letters and digits in its place, or if it differs each time, with \(PlaceOptions.varying(places))"
        }
        let selecting = PlaceOptions.selecting(places).map { ", and if it selects the response, with \($0)" } ?? ""
        return
            "another value of \(places.joined(separator: " and ")) is a miss; if it differs each time, record with \(PlaceOptions.varying(places))\(selecting)"
    }

    /// The key of a sender's stub; nil if the sender has none yet, and senders are distinguished.
    private func key(in variant: Contrast.Variant, of identity: Identity) -> String? {
        guard variant.hasSenders else { return variant.key }
        return variant.members.first { $0.identity.isSame(as: identity) }?.stub
    }

    /// The last rank of places that may tell a request from those of a stub; nil if all of them are alike.
    ///
    /// Values that identify the sender distinguish two users only if nothing shows that they are two.
    private func limit(
        of variant: Contrast.Variant, _ key: String, beside sent: SentRequest, _ identity: Identity
    ) -> SentPlace.Rank? {
        if let written = variant.written, variant.members.isEmpty { return written.isAlike(sent) ? nil : .selecting }
        let own = variant.members.filter { $0.stub == key }
        // A request that one sender has sent once more is a step of a sequence.
        if variant.hasSenders, own.contains(where: { $0.sent.isAlike(sent) }) { return nil }
        let others = own.filter { !$0.sent.isAlike(sent) }
        if others.isEmpty { return nil }
        return !variant.isMixed && others.contains { $0.identity.isSame(as: identity) } ? .last : .selecting
    }

    /// Whether a response is not among those that a stub has given in this session, or would give.
    private func differs(_ exchange: Exchange, _ request: DerivedRequest, from stub: RecordedStub) -> Bool {
        guard let known = stub.response(of: max(0, steps[stub.key, default: 0] - 1)) else { return false }
        return !isSame(exchange, request, as: known, of: stub)
    }

    /// The names that the responses give in Vary, in lower case.
    private func varying(_ exchange: Exchange, _ stub: RecordedStub) -> Set<String> {
        let new = exchange.head.fields.filter { $0.name.lowercased() == "vary" }.map(\.value)
        let known = stub.steps.flatMap { $0.response.values(of: "vary") }
        return Set(
            (new + known).flatMap { $0.split(ascii: ",") }.map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() })
    }

    /// The requests that are told apart again, with the numbers of their variants.
    ///
    /// Each is told from the one at hand, unless another sender's stub has it or it is the same. If stubs ask for their senders, it is told from the
    /// requests of other stubs that ask for the same one, too.
    ///
    /// - Parameter key: of the stub that has the request at hand until now.
    private func members(
        of variants: [Contrast.Variant], beside sent: SentRequest, in key: String, of identity: Identity
    ) -> [PlaceChoice.Member] {
        let hasSenders = variants.contains(where: \.hasSenders)
        func groups(_ isOwn: Bool, _ distinction: Distinction?) -> [PlaceChoice.Group] {
            (isOwn ? [.own] : []) + (hasSenders ? [.sender(distinction?.note)] : [])
        }
        var members: [PlaceChoice.Member] = [(sent, -1, [.own])]
        for (index, variant) in variants.enumerated() {
            let isOwn = variant.stubs.contains(key)
            for member in variant.members {
                let isOther =
                    variant.hasSenders && member.stub != key && !member.identity.isSame(as: identity)
                    || isOwn && member.sent.isAlike(sent)
                members.append((member.sent, index, groups(!isOther, member.distinction)))
            }
            if isOwn, variant.members.isEmpty, let written = variant.written {
                members.append((written.asking(variant.places, as: sent), index, groups(true, nil)))
            }
        }
        return members.filter { !$0.groups.isEmpty }
    }

    /// Gives a stub of an earlier recording, which did not ask for the selecting value, to the request that it would match.
    ///
    /// - Throws: if its file cannot be changed.
    func claim(
        _ request: DerivedRequest, _ loose: DerivedRequest, _ sent: SentRequest, origin: String
    ) throws(RecordingError) {
        for variant in contrast.loose(beside: request, loose, sent, origin: origin) {
            guard let stub = store.stub(variant.key), !stub.isWidened, store.stub(request.key) == nil else { continue }
            commitGroup()
            _ = try narrow(stub, to: request, asked: 0)
            var variants = contrast.families[request.base]?.variants ?? []
            for index in variants.indices where variants[index].key == variant.key {
                (variants[index].key, variants[index].places) = (request.key, request.places)
                variants[index].selected = request.selected
            }
            contrast.replace(request.base, with: variants)
        }
    }

    // MARK: Separating

    /// Makes the stubs of a family ask for the values at places, each for its own, and splits a stub that several values shared.
    private func separate(
        _ variant: Contrast.Variant, _ request: DerivedRequest, _ loose: DerivedRequest, _ sent: SentRequest,
        _ identity: Identity, by places: [SentPlace], _ origin: String
    ) throws(RecordingError) {
        let names = contrast.families[request.base]?.names ?? [:]
        var owners: [String: Set<String>] = [:]
        for member in (contrast.families[request.base]?.variants ?? []).flatMap(\.members) {
            let told = loose.told(by: places, of: member.sent, names: names, origin: origin)
            owners[told.key, default: []].insert(member.stub)
        }
        var separated: [Contrast.Variant] = []
        for other in contrast.families[request.base]?.variants ?? [] {
            let isOwn = other.key == variant.key
            let isNamed = other.stubs.contains { store.stub($0)?.isWidened == false }
            guard isNamed, isOwn || !other.members.isEmpty else {
                separated.append(other)
                continue
            }
            for key in other.stubs {
                guard let stub = store.stub(key), !stub.isWidened, !stub.steps.isEmpty else { continue }
                var groups = groups(of: other, in: key, loose, by: places, names, origin)
                if other.members.isEmpty, let written = other.written?.asking(other.places, as: sent) {
                    var told = loose.told(by: places, of: written, names: names, origin: origin)
                    told.selected = other.selected
                    groups = [(told, [])]
                }
                // The request at hand has a stub of its own, which is made when it is written, unless it came before.
                if isOwn, let index = groups.firstIndex(where: { $0.members.contains { $0.sent.isAlike(sent) } }) {
                    groups.append(groups.remove(at: index))
                }
                var left: [String] = []
                for (index, group) in groups.enumerated() {
                    let count = group.members.reduce(0) { $0 + $1.count }
                    // A sender that alone has these values is distinguished by them.
                    let distinction = owners[group.told.key]?.count == 1 ? nil : group.members.first?.distinction
                    let asked = distinction?.applied(to: group.told, origin: origin) ?? group.told
                    let steps = group.members.isEmpty ? nil : Self.steps(of: group.members, in: stub)
                    if index == 0 {
                        left = try narrow(stub, to: asked, keeping: steps?.map { stub.steps[$0] }, asked: count)
                        senders.moveUnnamed(key, to: asked.key, of: other.key, to: group.told.key)
                    } else {
                        let lines = group.members.first?.sent.lines ?? []
                        try copy(stub, to: asked, (steps ?? [0]).map { stub.steps[$0] }, lines: lines, asked: count)
                    }
                    var members = group.members
                    if !members.isEmpty { senders.own(asked.key, members.map(\.identity)) }
                    for index in members.indices {
                        members[index].stub = asked.key
                        members[index].distinction = distinction
                        if let steps { members[index].renumber(steps, last: stub.steps.count - 1) }
                    }
                    if let known = separated.firstIndex(where: { $0.key == group.told.key }) {
                        separated[known].members += members
                        separated[known].hasSenders = true
                        continue
                    }
                    var part = other
                    (part.key, part.places, part.members) = (group.told.key, places, members)
                    separated.append(part)
                }
                if left.isEmpty { continue }
                var transaction = FileTransaction(root: directory, beside: store.earlier)
                for path in left { transaction.remove(path) }
                try transaction.commit()
                note(files: [], removed: left, texts: [])
            }
        }
        contrast.replace(request.base, with: separated)
    }

    /// The requests of a stub, by the values that each asks for from now on.
    private func groups(
        of variant: Contrast.Variant, in key: String, _ loose: DerivedRequest, by places: [SentPlace],
        _ names: [String: String], _ origin: String
    ) -> [(told: DerivedRequest, members: [Contrast.Member])] {
        var groups: [(told: DerivedRequest, members: [Contrast.Member])] = []
        for member in variant.members where member.stub == key {
            var told = loose.told(by: places, of: member.sent, names: names, origin: origin)
            told.selected = variant.selected
            if let index = groups.firstIndex(where: { $0.told.key == told.key }) {
                groups[index].members.append(member)
            } else {
                groups.append((told, [member]))
            }
        }
        return groups
    }

    /// The steps of a stub that are the responses to some of its requests, those that repeat the last left out.
    private static func steps(of members: [Contrast.Member], in stub: RecordedStub) -> [Int] {
        let last = max(stub.steps.count - 1, 0)
        var steps = Set(members.flatMap(\.arrivals).map { min($0.step, last) }).sorted()
        while steps.count > 1, stub.steps[steps[steps.count - 1]].node == stub.steps[steps[steps.count - 2]].node {
            steps.removeLast()
        }
        return steps.isEmpty ? [0] : steps
    }

    /// Makes a stub ask for more, in its file.
    ///
    /// - Parameter kept: the steps that stay; nil for all.
    /// - Returns: the bodies that it no longer names.
    private func narrow(
        _ stub: RecordedStub, to request: DerivedRequest, keeping kept: [RecordedStep]? = nil, asked count: Int
    ) throws(RecordingError) -> [String] {
        if stub.key == request.key { return [] }
        let narrowed = try StubNarrowing(stub, to: request, store: store).narrowed(to: kept)
        store.replace(stub, with: narrowed.stub)
        steps[stub.key] = nil
        steps[request.key] = count
        repeats.forget(stub.key)
        senders.move(stub.key, to: request.key)
        given.move(stub.path, to: stub.path, as: request)
        note(files: narrowed.files, removed: [], texts: narrowed.files)
        return narrowed.left
    }

    /// Makes another stub respond to some requests as one did until now.
    private func copy(
        _ stub: RecordedStub, to request: DerivedRequest, _ copied: [RecordedStep], lines: [String], asked count: Int
    ) throws(RecordingError) {
        let made = try StubNarrowing(stub, to: request, store: store).copied(copied, lines: lines)
        store.replace(nil, with: made.stub)
        steps[request.key] = count
        note(files: made.files, removed: [], texts: made.files)
        given.add(
            request, origin: stub.origin, fileExtension: stub.bodyExtension, at: made.stub.path)
    }
}

extension SentPlace {
    /// As it is reported, with the name that clients write.
    fileprivate func text(_ names: [String: String]) -> String {
        if case .header(let name) = self { names[name] ?? name } else { text }
    }
}
