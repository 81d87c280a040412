// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiSecrets
import MockapiUpstream

/// The secrets that responses of a session have handed to clients, other than for signing in: tokens of pages, of downloads, of jobs.
///
/// No stub asks for a secret. It asks for a placeholder, which a client sends if the served response has given it that placeholder. Its name
/// follows from the request whose response gave it, and never from the secret.
struct HandedSecrets {
    private struct Giver {
        /// The family of the request whose response handed it out.
        let base: String
        let sent: SentRequest
        let method: String
        let path: Substring
        /// The placeholder in that response; nil if it wrote the secret in the clear, which nothing showed to be one.
        let placeholder: String?
        /// Distinguishes it from others of the response.
        let mark: String
        /// The placeholder of its place in the recording that was there before; nil if there is none.
        let recorded: String?

        /// The same whenever the response is recorded.
        var identity: String {
            let shown = sent.values.values.flatMap { $0.compactMap { $0.placeholder?.name } }.sorted()
            return ([base, mark] + shown).joined(separator: "\n")
        }

        /// The same for requests of one stub alone, which asks for their values at some places.
        func identity(at places: [SentPlace]) -> String {
            let values = places.compactMap { place -> String? in
                guard let values = sent.values[place], values.allSatisfy({ $0.bytes != nil }) else { return nil }
                let digests = values.map { ContentHash.of($0.bytes ?? []).hexadecimal }
                return "\(place.text)\n" + digests.joined(separator: "\n")
            }
            return ([identity] + values.sorted()).joined(separator: "\n\n")
        }
    }

    private var givers: [[UInt8]: [Giver]] = [:]
    /// The placeholders that requests are told apart by, if they are, by the secrets.
    private var names: [[UInt8]: Set<String>] = [:]
    /// The digits of those of a giver, and which requests they were chosen for: their difference may be found out later.
    private var chosen: [String: [(sent: SentRequest, digits: String)]] = [:]
    /// Secrets that are remembered, and responses that handed out the same. 65,536 and 16.
    private static let limit = (secrets: 65_536, givers: 16)
    /// Hexadecimal digits of a placeholder's name: of 65,536 placeholders two have the same with a probability of 1 in 130,000. 12.
    private static let digits = 12

    /// Notes the secrets that a response hands out.
    ///
    /// - Parameters:
    ///   - response: as it is written.
    ///   - base: the family of its request.
    ///   - known: as it was recorded before; nil if it is new.
    mutating func note(
        _ exchange: Exchange, _ response: RecordedResponse, of sent: SentRequest, base: String,
        known: RecordedResponse?,
        _ redactor: Redactor
    ) {
        guard givers.count < Self.limit.secrets, exchange.head.status < 400 else { return }
        var known = known
        known?.isText = response.isText
        let recorded = Dictionary(
            known.map { GivenCredentials.handed(in: exchange, $0, redactor) } ?? []
        ) { first, _ in first }
        func add(_ value: [UInt8], _ placeholder: String?, _ mark: String) {
            let giver = Giver(
                base: base, sent: sent, method: exchange.method, path: exchange.target.prefix(before: "?"),
                placeholder: placeholder, mark: mark, recorded: recorded[value])
            let known = givers[value, default: []]
            let isKnown = known.contains { $0.identity == giver.identity && $0.sent.values == sent.values }
            if known.count >= Self.limit.givers || isKnown { return }
            givers[value] = known + [giver]
        }
        var runs: [[UInt8]: String] = [:]
        if response.isText, case .bytes(let bytes) = exchange.content.storage, bytes.count <= Self.textLimit {
            for (token, mark) in TokenRuns.all(in: bytes) where runs[token] == nil { runs[token] = mark }
        }
        for field in exchange.head.fields where FieldNames.urls.contains(field.name.lowercased()) {
            for (token, mark) in TokenRuns.all(in: field.bytes) where runs[token] == nil { runs[token] = mark }
        }
        for (value, placeholder) in GivenCredentials.handed(in: exchange, response, redactor) {
            // Unchanged, if nothing shows that it is a secret.
            add(value, placeholder, runs.removeValue(forKey: value) ?? placeholder)
        }
        for (token, mark) in runs where givers.count < Self.limit.secrets { add(token, nil, mark) }
    }

    /// Bytes of a response that is searched for secrets that it hands out in the clear. 256 KiB.
    private static let textLimit = 256 * 1024

    /// The placeholder that may distinguish a request from the same with another secret; nil if no response has handed it out, if that cannot be written with
    /// the placeholder, or if the secret opens an account.
    ///
    /// A page leads to the next, and a list to its items: the first is asked for as the second is, and the other without a change to anything.
    mutating func name(
        of credential: Credential, in exchange: Exchange, _ contrast: Contrast, _ store: RecordingStore
    ) -> String? {
        guard let known = givers[credential.value], !Credential.opens(credential.name) else { return nil }
        let path = exchange.target.prefix(before: "?")
        let isNext = { (giver: Giver) in giver.method == exchange.method && giver.path == path }
        guard let giver = known.first(where: isNext) ?? known.first(where: { ["GET", "HEAD"].contains($0.method) })
        else { return nil }
        let name: String
        if let named = Self.named(giver.recorded, for: credential) {
            name = named
        } else {
            let variants = contrast.variants(of: giver.sent, base: giver.base)
            guard let first = variants.first, variants.allSatisfy({ $0.stubs.allSatisfy(store.canName) }) else {
                return nil
            }
            name = credential.placeholder(digits(of: giver, first.places))
        }
        names[credential.value, default: []].insert(name)
        return name
    }

    /// The digits of a placeholder, which are others for requests that are told apart.
    private mutating func digits(of giver: Giver, _ places: [SentPlace]) -> String {
        let known = chosen[giver.identity, default: []]
        let signature = giver.sent.signature(places)
        if let same = known.first(where: { $0.sent.signature(places) == signature }) { return same.digits }
        let digits = String(ContentHash.of(Array(giver.identity(at: places).utf8)).hexadecimal.prefix(Self.digits))
        chosen[giver.identity] = known + [(giver.sent, digits)]
        return digits
    }

    /// A placeholder that a recording has named for the place of a credential already; nil for any other.
    private static func named(_ placeholder: String?, for credential: Credential) -> String? {
        let start = credential.placeholder("")
        guard let placeholder, placeholder.hasPrefix(start) else { return nil }
        let last = placeholder.dropFirst(start.utf8.count)
        return last.utf8.count == digits && last.allSatisfy(\.isHexDigit) ? placeholder : nil
    }

    /// The stubs whose responses are to hand out the values that others ask for, with the new names of placeholders by the old.
    ///
    /// - Parameter redactor: knows the placeholders that have taken the place of secrets in the clear.
    func renames(_ contrast: Contrast, _ redactor: Redactor) -> [(key: String, names: [String: String])] {
        let asked = contrast.handed
        if asked.isEmpty { return [] }
        let stubs = contrast.stubs(of: Set(names.keys.flatMap { givers[$0] ?? [] }.map(\.base)))
        var renames: [String: [String: String]] = [:]
        for (value, known) in names {
            // A secret that is asked for at places of two names is handed out once.
            guard let name = known.filter(asked.contains).min() else { continue }
            for giver in givers[value] ?? [] {
                guard let placeholder = giver.placeholder ?? redactor.placeholder(of: value), placeholder != name
                else { continue }
                for key in stubs[giver.base]?[giver.sent.values] ?? [] {
                    renames[key, default: [:]][placeholder] = name
                }
            }
        }
        return renames.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

extension Contrast {
    /// The placeholders that stubs ask for.
    fileprivate var handed: Set<String> {
        var names: Set<String> = []
        for variant in families.values.flatMap(\.variants) {
            for place in variant.places {
                names.formUnion(
                    variant.members.compactMap { $0.sent.values[place]?.first?.placeholder?.name })
            }
        }
        return names
    }

    /// The places by which a request is told from others, and the keys of the stubs that it is recorded in: one for each of its senders.
    fileprivate func variants(of sent: SentRequest, base: String) -> [(places: [SentPlace], stubs: Set<String>)] {
        (families[base]?.variants ?? []).compactMap { variant in
            let members = variant.members.filter { $0.sent.values == sent.values }
            return members.isEmpty ? nil : (variant.places, Set(members.map(\.stub)))
        }
    }

    /// The keys of the stubs of requests of some families, by their values.
    fileprivate func stubs(of bases: Set<String>) -> [String: [[SentPlace: [SentValue]]: Set<String>]] {
        Dictionary(
            uniqueKeysWithValues: bases.map { base in
                var stubs: [[SentPlace: [SentValue]]: Set<String>] = [:]
                for member in (families[base]?.variants ?? []).flatMap(\.members) {
                    stubs[member.sent.values, default: []].insert(member.stub)
                }
                return (base, stubs)
            })
    }
}

extension RecordingStore {
    /// Whether the responses of a stub can be written with other placeholders: it is a file of its own, as are its bodies.
    func canName(in key: String) -> Bool {
        guard let stub = stub(key), stub.ordinal == nil else { return false }
        return stub.steps.allSatisfy { step in
            step.response.bodyFile.map { stub.resolved($0).map(isOwn) ?? false } ?? true
        }
    }
}
