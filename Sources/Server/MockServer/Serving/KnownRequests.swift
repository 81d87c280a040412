// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiSecrets

/// The recorded requests that differ only where no matcher asks: one that comes again is known by the digests of its values there.
final class KnownRequests: Sendable {
    /// The stub of a known request, and the steps of it that are its own.
    struct Found {
        var ordinal: Int
        var steps: [Int]
    }

    enum Recognition {
        case known(Found)
        /// Recorded requests were told apart by these places, and this one has other values there.
        case unknown(UnknownPlaces)
    }

    private let stubs: [Stub]
    /// The ordinals of those that are recorded of one request but for such values, by the key of the one for everybody.
    private let groups: [String: [Int]]
    /// The ordinals of the stubs for everybody, and of those beside them that ask for the same.
    private let shared: Set<Int>
    /// The ordinals of the stubs that ask for a placeholder in the place of a credential, which nobody sends who was recorded.
    private let hiding: Set<Int>
    /// The placeholders that stubs ask for in the place of secrets, by the digests of these in their family, by method and path, the latter empty for a pattern.
    private let handed: [String: [SentDigests.Place: [String: [String: String]]]]
    /// Whether a client may send a secret that a stub has a placeholder for.
    let haveHanded: Bool

    init(_ stubs: [Stub]) {
        self.stubs = stubs
        var groups: [String: [Int]] = [:]
        for (ordinal, stub) in stubs.enumerated() {
            if let group = stub.toldGroup { groups[group, default: []].append(ordinal) }
        }
        self.groups = groups
        var shared: Set<Int> = []
        for members in groups.values {
            guard let first = members.first(where: { stubs[$0].sent?.isForEverybody == true }) else { continue }
            let request = stubs[first].source.object?["request"]
            shared.formUnion(members.filter { $0 == first || stubs[$0].source.object?["request"] == request })
        }
        self.shared = shared
        hiding = Set(
            groups.values.flatMap(\.self).filter { ordinal in
                stubs[ordinal].source["request"].map { request in
                    // A pattern has backslashes in front of its dots.
                    Placeholders.stand(in: JSONWriter.compact(request).filter { $0 != ASCII.backslash })
                } == true
            })
        var handed: [String: [SentDigests.Place: [String: [String: String]]]] = [:]
        for stub in stubs {
            guard let sent = stub.sent, !sent.handed.isEmpty else { continue }
            var path = ""
            if case .path(let plain) = stub.request.url { path = plain }
            let key = "\(stub.request.method ?? "") \(path)"
            for secrets in sent.handed {
                for digest in secrets.digests {
                    handed[key, default: [:]][secrets.place, default: [:]][sent.family, default: [:]][digest] =
                        secrets.placeholder
                }
            }
        }
        self.handed = handed
        haveHanded = !handed.isEmpty
    }

    private init(_ stubs: [Stub], _ known: KnownRequests) {
        self.stubs = stubs
        (groups, shared, hiding) = (known.groups, known.shared, known.hiding)
        (handed, haveHanded) = (known.handed, known.haveHanded)
    }

    /// The same beside further stubs.
    ///
    /// - Parameter stubs: those of before, and the further ones.
    func adding(_ stubs: [Stub]) -> KnownRequests {
        guard stubs[self.stubs.count...].allSatisfy({ $0.sent == nil }) else { return KnownRequests(stubs) }
        return KnownRequests(stubs, self)
    }

    /// A request as a client sends it that has got placeholders in the place of recorded secrets.
    ///
    /// Content of more than 64 KiB stays as it is.
    /// - Returns: nil if it has none of these.
    func standingFor(_ head: borrowing RequestHead, _ body: [UInt8]) -> (head: RequestHead, body: [UInt8])? {
        let method = head.string(head.method)
        let places = [head.string(head.path), ""].compactMap { handed["\(method) \($0)"] }.flatMap { Array($0) }
        if places.isEmpty { return nil }
        let message = Self.message(head, body, readsContent: places.contains { $0.key.isInContent })
        var pairs: [(secret: [UInt8], placeholder: [UInt8])] = []
        for (place, families) in places {
            let values = message[place]
            guard values.count == 1, var value = values.first else { continue }
            let content = SentDigests.content(of: values)
            let placeholder = families.lazy.compactMap { $1[SentDigests.text(of: content, at: place, in: $0)] }.first
            guard let placeholder else { continue }
            if case .member(let member) = place {
                // A number is compared as a number by the stub, and has no placeholder.
                guard value.first == ASCII.quote else { continue }
                value = message.written(member) ?? Array(value.dropFirst().dropLast())
            }
            pairs.append((value, Array(placeholder.utf8)))
        }
        if pairs.isEmpty { return nil }
        func replaced(_ bytes: [UInt8]) -> [UInt8] {
            pairs.reduce(bytes) { $0.replacing($1.secret, with: $1.placeholder) }
        }
        let content = body.count > SentDigests.contentLimit ? body : replaced(body)
        return (head.rewritten(by: replaced) ?? copy head, content)
    }

    private static func message(
        _ head: borrowing RequestHead, _ body: [UInt8], readsContent: Bool
    ) -> SentDigests.Message {
        var fields: [(name: String, value: [UInt8])] = []
        for field in head.fields { fields.append((head.string(field.name), Array(head.sentValue(of: field)))) }
        return SentDigests.Message(
            fields: fields, target: Array(head.bytes[head.target.range]), content: body, readsContent: readsContent)
    }

    /// The stub that a request was recorded in, among those that its matchers take for one.
    ///
    /// - Parameter ordinal: of the stub that matches.
    /// - Returns: nil if the request is not known, and gets the next response.
    func find(_ ordinal: Int, _ head: borrowing RequestHead, _ body: [UInt8]) -> Recognition? {
        guard let own = stubs[ordinal].sent else { return nil }
        let isShared = own.isForEverybody || shared.contains(ordinal)
        let siblings = stubs[ordinal].toldGroup.flatMap { groups[$0] } ?? []
        let members = siblings.contains(ordinal) ? siblings : [ordinal] + siblings
        var places: [SentDigests.Place] = []
        var deciding: Set<SentDigests.Place> = []
        for told in members.flatMap({ stubs[$0].sent?.places ?? [] }) {
            if !places.contains(told.place) { places.append(told.place) }
            if told.decides { deciding.insert(told.place) }
        }
        if places.isEmpty { return nil }
        let message = Self.message(head, body, readsContent: places.contains(where: \.isInContent))
        var found: [Found] = []
        // By cookies and credentials that were sent, in the stubs of other senders, too.
        var sent: [Found] = []
        // By values that were not sent again and again, as a token is.
        var single: [Found] = []
        // By values that can have no digest, which are those of this stub's steps without one.
        var guessable: [Found] = []
        var unknown = UnknownPlaces()
        for place in places {
            if place == .content || place.isInContent, body.count > SentDigests.contentLimit { continue }
            let values = message[place]
            let digest = SentDigests.text(of: SentDigests.content(of: values), at: place, in: own.group)
            var known = members.compactMap { steps(of: $0, at: place) { $0.steps[digest] } }
            // A client has a placeholder from a served response.
            if known.isEmpty, !values.contains(where: Placeholders.stand) {
                let isGuessable = values.contains(where: place.isGuessable)
                let decides = deciding.contains(place)
                let peers = decides ? members : [ordinal] + members.filter { $0 != ordinal && hiding.contains($0) }
                if isGuessable, peers.contains(where: { told($0, at: place)?.isMixed == true }) {
                    unknown.add(place, isGuessable: true)
                } else if isGuessable {
                    let without = peers.compactMap { steps(of: $0, at: place, \.undigested) }
                    if decides { known = without } else { guessable += without }
                }
                if known.isEmpty, decides { unknown.add(place, isGuessable: false) }
            }
            // A match that contradicts an earlier place is ignored.
            found = Self.narrowed(found, by: isShared ? known : known.filter { $0.ordinal == ordinal })
            if !values.isEmpty, place.isOfSender { sent = Self.narrowed(sent, by: known) }
            if !values.isEmpty, place.isNamed || isSingle(place, members) {
                single = Self.narrowed(single, by: known)
            }
        }
        if !unknown.places.isEmpty, single.count != 1 || single[0].steps.count != 1 { return .unknown(unknown) }
        if !isShared, !sent.isEmpty, !sent.contains(where: { $0.ordinal == ordinal }),
            !message.fields.contains(where: { Placeholders.stand(in: $0.value) })
        {
            found = sent
        }
        for steps in guessable { found = Self.narrowed(found, by: [steps]) }
        return (found.first { $0.ordinal == ordinal } ?? found.first).map(Recognition.known)
    }

    /// Whether each value of a place came once.
    private func isSingle(_ place: SentDigests.Place, _ members: [Int]) -> Bool {
        let steps = members.flatMap { member in
            told(member, at: place)?.steps.map { ($0.key, $0.value.count) } ?? []
        }
        return steps.allSatisfy { $0.1 == 1 } && Set(steps.map(\.0)).count == steps.count
    }

    private static func narrowed(_ found: [Found], by known: [Found]) -> [Found] {
        let narrowed = found.isEmpty ? known : common(found, known)
        return narrowed.isEmpty ? found : narrowed
    }

    private func told(_ ordinal: Int, at place: SentDigests.Place) -> SentDigests.Told? {
        stubs[ordinal].sent?.places.first { $0.place == place }
    }

    private func steps(
        of ordinal: Int, at place: SentDigests.Place, _ known: (SentDigests.Told) -> [Int]?
    ) -> Found? {
        let known = told(ordinal, at: place).flatMap(known) ?? []
        let count = stubs[ordinal].responses.count
        let steps = known.filter { $0 < count }
        return steps.isEmpty ? nil : Found(ordinal: ordinal, steps: steps)
    }

    private static func common(_ left: [Found], _ right: [Found]) -> [Found] {
        left.compactMap { found in
            guard let other = right.first(where: { $0.ordinal == found.ordinal }) else { return nil }
            let steps = found.steps.filter(other.steps.contains)
            return steps.isEmpty ? nil : Found(ordinal: found.ordinal, steps: steps)
        }
    }
}

/// Places at which a request has other values than those that were recorded.
struct UnknownPlaces {
    private(set) var places: [SentDigests.Place] = []
    /// Those of them whose recorded values could be guessed, so that none is known again.
    private(set) var guessable: [SentDigests.Place] = []

    mutating func add(_ place: SentDigests.Place, isGuessable: Bool) {
        if !places.contains(place) { places.append(place) }
        if isGuessable, !guessable.contains(place) { guessable.append(place) }
    }
}

extension SentDigests.Place {
    /// Whether its value shows the sender of a request.
    fileprivate var isOfSender: Bool {
        switch self {
        case .header(let name): CredentialNames.isHeader(name)
        case .cookie: true
        default: false
        }
    }

    /// Whether a value of it got no digest since it could be guessed.
    fileprivate func isGuessable(_ value: [UInt8]) -> Bool {
        func decoded(_ text: some Collection<UInt8>) -> [UInt8] { Array(QueryText.decoded(text).utf8) }
        switch self {
        case .header: return SecretScan.isGuessable(line: value)
        case .cookie: return SecretScan.isGuessable(value)
        case .parameter(let name): return SecretScan.isGuessable(decoded(value), of: name)
        case .field: return SecretScan.isGuessable(decoded(value), of: nil)
        case .member:
            let text = (try? JSONParser.parse(value))?.string
            return text.map { SecretScan.isGuessable(Array($0.utf8), of: nil) } ?? true
        // Which segment is the secret is not known.
        case .path:
            return value.split(separator: ASCII.slash).contains { SecretScan.isGuessable(decoded($0), of: nil) }
        case .scheme, .target, .content: return false
        }
    }
}
