// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiSecrets

/// The sender of a request, as far as its credentials show it.
struct Identity {
    struct Part {
        var credential: Credential
        /// The same for values that belong to one sender.
        var sender: Int
        /// The placeholder that a client is given if the recording is served; nil if no recorded response gave it.
        var given: String?
    }

    /// The credentials that show an account, in the order of the request.
    var account: [Part] = []
    /// The credentials that open one, such as a password.
    var proof: [Part] = []
    /// The name of the sender.
    var name: String?

    fileprivate var parts: [Part] { account + proof }

    /// Whether two requests show the same.
    func isSame(as other: Identity) -> Bool {
        Self.senders(parts) == Self.senders(other.parts)
    }

    func hasSameAccount(as other: Identity) -> Bool {
        Self.senders(account) == Self.senders(other.account)
    }

    private static func senders(_ parts: [Part]) -> [Credential.Place: Int] {
        Dictionary(parts.map { ($0.credential.place, $0.sender) }, uniquingKeysWith: { first, _ in first })
    }

    /// Words of tests for credentials that are to be refused.
    private static let madeUp = [
        "wrong", "invalid", "incorrect", "expired", "revoked", "unknown", "bogus", "missing", "mistake", "false",
        "nope",
    ]

    /// The distinctions of its requests from others', the surest first.
    func distinctions(isRefused: Bool) -> [Distinction] {
        let cookies = account.filter { if case .cookie = $0.credential.place { true } else { false } }
        var found = account.compactMap { part -> Distinction? in
            guard let name, let given = part.given, given.hasSuffix(".\(name)") else { return nil }
            var distinction = Distinction.having(
                given, as: part.credential, word: name, note: "\(part.credential.name) that \(name) is given")
            if case .cookie = part.credential.place { distinction?.cookies += present(cookies, but: part) }
            return distinction
        }
        if !cookies.isEmpty {
            let names = cookies.map(\.credential.name).sorted()
            found.append(
                Distinction(
                    word: "with-" + names.joined(separator: "-"), note: "the cookie \(names.joined(separator: ", "))",
                    cookies: present(cookies, but: nil)))
        }
        for part in account {
            guard case .header = part.credential.place, let shown = part.credential.openName else { continue }
            found.append(
                Distinction(
                    word: SenderName.word(shown.name),
                    note: "\(part.credential.name) of \(SenderName.word(shown.name))",
                    headers: [.init(part.credential.name, .matching(shown.pattern))]))
        }
        guard isRefused else { return found }
        for part in proof + account {
            let value = String(decoding: part.credential.value, as: UTF8.self).lowercased()
            guard let word = Self.madeUp.first(where: value.contains) else { continue }
            if let distinction = Distinction.saying(word, in: part.credential) { found.append(distinction) }
        }
        return found
    }

    private func present(_ cookies: [Part], but left: Part?) -> [Distinction.Named] {
        cookies.filter { $0.credential.place != left?.credential.place }.map {
            Distinction.Named($0.credential.name, .present)
        }.sorted { $0.name < $1.name }
    }

    /// Placeholders to be sent, if nothing else distinguishes two senders: of each credential that is another's, or of all.
    func lastDistinctions(_ word: String, from other: Identity? = nil) -> [Distinction] {
        let others = Self.senders(other?.parts ?? [])
        return (proof + account).compactMap { part in
            guard part.sender != others[part.credential.place] else { return nil }
            let text = part.credential.placeholder(word)
            var found = Distinction.having(
                text, as: part.credential, word: word,
                note: "nothing but a secret (\(part.credential.name)): a client gets this response by sending \(text)")
            found?.placeholder = text
            return found
        }
    }
}

extension Credential {
    /// The sender that a header line names without keeping it secret, and a pattern of its credentials.
    fileprivate var openName: (name: String, pattern: String)? {
        isBasic ? Base64Pattern.user(ofBasic: value) : Base64Pattern.subject(ofToken: value)
    }
}

/// The senders that a session knows: values of credentials, whose they are, and which stubs they have recorded.
struct Senders {
    /// Values that are remembered; further ones are each of a sender of their own. 65,536.
    private static let limit = 65_536

    private var senders: [[UInt8]: Int] = [:]
    private var names: [Int: String] = [:]
    private var given: [[UInt8]: String] = [:]
    /// Those of requests that open an account, by their kinds and values.
    private var openings: [String: Int] = [:]
    /// The senders that recorded a stub in this session, by its key; the first of them first.
    private(set) var owners: [String: [Identity]] = [:]
    /// The senders that only a secret distinguishes from that of the stub for everybody, by that stub's key.
    var unnamed: [String: [Unnamed]] = [:]
    private var next = 1

    // MARK: Identity

    mutating func identity(of request: DerivedRequest) -> Identity {
        var identity = Identity()
        for credential in request.credentials {
            if case .cookie(let name) = credential.place, !Credential.isSession(name), given[credential.value] == nil {
                continue
            }
            let sender = sender(of: credential)
            let part = Identity.Part(credential: credential, sender: sender, given: given[credential.value])
            if credential.isOfAccount { identity.account.append(part) } else { identity.proof.append(part) }
        }
        identity.name = identity.account.lazy.compactMap { [names] in names[$0.sender] }.first
        return identity
    }

    private mutating func sender(of credential: Credential) -> Int {
        if let known = senders[credential.value] { return known }
        let open = credential.openName
        // A token that its client makes again each time is still of its subject; Basic credentials are of a user and a password.
        if let open, !credential.isBasic {
            return openings["subject \(open.name)"] ?? number(for: "subject \(open.name)")
        }
        // A cookie that a page writes itself may differ each time.
        if case .cookie(let name) = credential.place,
            !CredentialNames.isParameter(name, values: [String(decoding: credential.value, as: UTF8.self)])
        {
            return openings["cookie \(name)"] ?? number(for: "cookie \(name)")
        }
        defer { next += 1 }
        if senders.count < Self.limit { senders[credential.value] = next }
        return next
    }

    private mutating func number(for opening: String) -> Int {
        defer { next += 1 }
        if openings.count < Self.limit { openings[opening] = next }
        return next
    }

    // MARK: Given credentials

    /// Takes note of the credentials that a response gives to the sender of its request.
    ///
    /// - Parameters:
    ///   - status: of the response; a refusal gives nothing to an account.
    ///   - values: those that were replaced in the response, with their placeholders.
    /// - Returns: placeholders that say whose they are, for those values whose own do not.
    mutating func give(
        _ values: [(value: [UInt8], placeholder: String)], to identity: Identity, of request: DerivedRequest,
        status: Int
    ) -> [(value: [UInt8], placeholder: String)] {
        if values.isEmpty { return [] }
        let sender = status < 400 ? receiver(identity, request) : identity.account.first?.sender ?? 0
        let name = names[sender]
        var renamed: [(value: [UInt8], placeholder: String)] = []
        for (value, placeholder) in values where value.count >= 8 && senders.count < Self.limit {
            // A value that a request has shown before remains its sender's.
            if senders[value] == nil { senders[value] = sender }
            guard given[value] == nil else { continue }
            let isOwn = ["redacted.response.", "redacted.cookie."].contains(where: placeholder.hasPrefix)
            if let name, isOwn, !placeholder.hasSuffix(".\(name)"), placeholder.utf8.count + name.utf8.count < 100 {
                given[value] = "\(placeholder).\(name)"
                renamed.append((value, "\(placeholder).\(name)"))
            } else {
                given[value] = placeholder
            }
        }
        return renamed
    }

    /// Whose the credentials are that a response gives.
    private mutating func receiver(_ identity: Identity, _ request: DerivedRequest) -> Int {
        // A token that is exchanged for another is of the same sender.
        if let known = identity.proof.first(where: { $0.given != nil }) { return known.sender }
        if !identity.proof.isEmpty {
            let shown = identity.proof.map { String($0.sender) }.sorted().joined(separator: " ")
            let opening = request.account.map { "account \($0)" } ?? "\(request.key) \(shown)"
            let sender = openings[opening] ?? number(for: opening)
            // If a session is made again when it is signed in, its earlier identity is a different one.
            names[sender] = request.account ?? (identity.account.isEmpty ? nil : "signed-in")
            return sender
        }
        // 0 is anybody.
        return identity.account.first?.sender ?? 0
    }

    // MARK: Whose a stub is

    /// Makes a stub that of some senders alone.
    mutating func own(_ key: String, _ identities: [Identity]) {
        owners[key] = nil
        for identity in identities { own(key, identity) }
    }

    mutating func own(_ key: String, _ identity: Identity) {
        if owners[key]?.contains(where: { $0.isSame(as: identity) }) == true { return }
        // A few are enough to see whether somebody else has come.
        if owners[key, default: []].count < 16 { owners[key, default: []].append(identity) }
    }

    /// Gives the stub of a sender that nothing distinguishes to another, and that for everybody too.
    mutating func moveUnnamed(_ key: String, to other: String, of base: String, to otherBase: String) {
        guard let index = unnamed[base]?.firstIndex(where: { $0.key == key }),
            var member = unnamed[base]?.remove(at: index)
        else { return }
        if other == otherBase { return }
        member.key = other
        unnamed[otherBase, default: []].append(member)
    }

    mutating func move(_ key: String, to other: String) {
        owners[other] = owners.removeValue(forKey: key)
    }
}
