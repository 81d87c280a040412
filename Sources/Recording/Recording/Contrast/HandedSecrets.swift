// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiSecrets
import MockapiUpstream

/// The secrets that responses of a session have handed to clients, other than for signing in: tokens of pages, of downloads, of jobs.
///
/// No stub asks for a secret. It asks for a placeholder, which a client sends where the response that is served has given it just that one. What the placeholder is
/// called follows from the request whose response gave it, and never from the secret.
struct HandedSecrets {
    private struct Giver {
        /// The family of the request whose response handed it out.
        let base: String
        let sent: SentRequest
        let method: String
        let path: Substring
        /// The placeholder in that response; nil where it wrote the secret in the clear, which nothing showed to be one.
        let placeholder: String?
        /// What tells it from others of the response.
        let mark: String

        /// The same whenever the response is recorded.
        var identity: String {
            let shown = sent.values.values.flatMap { $0.compactMap(HandedPlaceholder.name(of:)) }.sorted()
            return ([base, mark] + shown).joined(separator: "\n")
        }
    }

    private var givers: [[UInt8]: [Giver]] = [:]
    /// The placeholders that requests are told apart by, if they are, by the secrets.
    private var names: [[UInt8]: String] = [:]
    /// Secrets that are remembered, and responses that handed out the same. 65,536 and 16.
    private static let limit = (secrets: 65_536, givers: 16)
    /// Hexadecimal digits of a placeholder's name. 6.
    private static let digits = 6

    /// Takes note of what a response hands out.
    ///
    /// - Parameters:
    ///   - response: as it is written.
    ///   - base: the family of its request.
    mutating func note(
        _ exchange: Exchange, _ response: RecordedResponse, of sent: SentRequest, base: String, _ redactor: Redactor
    ) {
        guard givers.count < Self.limit.secrets, exchange.head.status < 400 else { return }
        func add(_ value: [UInt8], _ placeholder: String?, _ mark: String) {
            let giver = Giver(
                base: base, sent: sent, method: exchange.method, path: exchange.target.prefix(before: "?"),
                placeholder: placeholder, mark: mark)
            let known = givers[value, default: []]
            if known.count >= Self.limit.givers || known.contains(where: { $0.identity == giver.identity }) { return }
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
            // As it is where nothing shows that it is a secret.
            add(value, placeholder, runs.removeValue(forKey: value) ?? placeholder)
        }
        for (token, mark) in runs where givers.count < Self.limit.secrets { add(token, nil, mark) }
    }

    /// Bytes of a response that is looked through for what it hands out in the clear. 256 KiB.
    private static let textLimit = 256 * 1024

    /// The placeholder by which a request may be told from the same with another secret; nil where no response has handed it out, or where it opens an account.
    ///
    /// A page leads to the next, and a list to what is in it: the first is asked for as the second is, and the other without a change to anything.
    mutating func name(of credential: Credential, in exchange: Exchange) -> String? {
        guard let known = givers[credential.value], !Self.opens(credential.name) else { return nil }
        let path = exchange.target.prefix(before: "?")
        let isNext = { (giver: Giver) in giver.method == exchange.method && giver.path == path }
        guard let giver = known.first(where: isNext) ?? known.first(where: { ["GET", "HEAD"].contains($0.method) })
        else { return nil }
        let digits = ContentHash.of(Array(giver.identity.utf8)).hexadecimal.prefix(Self.digits)
        let name = Self.named(giver.placeholder, for: credential) ?? credential.placeholder(String(digits))
        names[credential.value] = name
        return name
    }

    /// A placeholder that a recording has named for the place of a credential already; nil for any other.
    private static func named(_ placeholder: String?, for credential: Credential) -> String? {
        let start = credential.placeholder("")
        guard let placeholder, placeholder.hasPrefix(start) else { return nil }
        let last = placeholder.dropFirst(start.utf8.count)
        return last.utf8.count == digits && last.allSatisfy(\.isHexDigit) ? placeholder : nil
    }

    /// Whether a secret of a name is exchanged for an account, or protects a form: another one is another step, and not another thing.
    private static func opens(_ name: String) -> Bool {
        let name = name.lowercased()
        return ["refresh", "code", "csrf", "xsrf", "password", "nonce", "state", "assertion"].contains(
            where: name.contains)
    }

    /// The stubs whose responses are to hand out what others ask for, with the new names of placeholders by the old.
    ///
    /// - Parameter redactor: knows the placeholders that have taken the place of secrets in the clear.
    func renames(_ contrast: Contrast, _ redactor: Redactor) -> [(key: String, names: [String: String])] {
        let asked = contrast.handed
        if asked.isEmpty { return [] }
        var renames: [String: [String: String]] = [:]
        for (value, name) in names where asked.contains(name) {
            for giver in givers[value] ?? [] {
                guard let placeholder = giver.placeholder ?? redactor.placeholder(of: value), placeholder != name,
                    let key = contrast.stub(of: giver.sent, base: giver.base)
                else { continue }
                renames[key, default: [:]][placeholder] = name
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
                    variant.members.compactMap { $0.sent.values[place]?.first.flatMap(HandedPlaceholder.name) })
            }
        }
        return names
    }

    /// The key of the stub that a request is recorded in.
    fileprivate func stub(of sent: SentRequest, base: String) -> String? {
        let members = (families[base]?.variants ?? []).flatMap(\.members)
        return members.first { $0.sent.values == sent.values }?.stub
    }
}
