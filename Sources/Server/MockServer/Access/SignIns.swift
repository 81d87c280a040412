// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiSecrets
import MockapiStubMatching
import Synchronization

/// The sign-ins with OpenID Connect that clients have begun: a recorded ID token is served with the `nonce` of the client that asks for it, by which the
/// client knows it as its own (OpenID Connect Core §3.1.3.7).
///
/// The request for the token does not have the nonce. It has the verifier of the challenge that came with it (RFC 7636 §4). If no sign-in had a
/// challenge, the last begun sign-in is meant, but not by a request that refreshes a token.
final class SignIns: Sendable {
    private struct State {
        /// Keyed by the SHA-256 of the verifier.
        var nonces = BoundedTable<String>()
        var last: String?
    }

    /// Characters of a nonce that is kept. 512.
    private static let limit = 512

    private let state = Mutex(State())

    func reset() { state.withLock { $0 = State() } }

    /// Takes note of a request that begins one.
    ///
    /// - Returns: whether it does.
    func note(_ head: borrowing RequestHead) -> Bool {
        guard let query = head.query, Self.mayBegin(head, query) else { return false }
        let (nonce, verifier) = Self.sent(head.string(query))
        guard let nonce else { return false }
        state.withLock { state in
            if let verifier { state.nonces[verifier] = nonce }
            state.last = nonce
        }
        return true
    }

    /// The nonce of the sign-in that a request belongs to; nil if it is not known to belong to one.
    func nonce(of head: borrowing RequestHead, _ body: [UInt8]) -> String? {
        if let query = head.query, let own = Self.sent(head.string(query)).nonce { return own }
        let (verifier, isRefresh) = Self.asked(body)
        let hash = verifier.map { SHA256.text(of: Array($0.utf8)) }
        return state.withLock { state in
            if let hash { return state.nonces[hash] }
            return isRefresh || state.nonces.count > 0 ? nil : state.last
        }
    }

    /// Finds without reading them that most queries begin none.
    private static func mayBegin(_ head: borrowing RequestHead, _ query: ByteRange) -> Bool {
        let name: StaticString = "nonce="
        return head.bytes.withUnsafeBufferPointer { bytes in
            UnsafeBufferPointer(rebasing: bytes[query.range])
                .contains(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        }
    }

    private static func sent(_ query: String) -> (nonce: String?, verifier: String?) {
        let pairs = QueryText.decodedPairs(of: query)
        func value(_ name: String) -> String? { pairs.first { $0.name == name }?.value }
        guard value("response_type") != nil, let nonce = value("nonce"), (1...limit).contains(nonce.utf8.count) else {
            return (nil, nil)
        }
        let verifier = value("code_challenge").flatMap { challenge -> String? in
            guard value("code_challenge_method") == "S256" else { return SHA256.text(of: Array(challenge.utf8)) }
            return Base64.decode(challenge, .found).map { Hexadecimal.text(of: $0[...]) }
        }
        return (nonce, verifier)
    }

    /// The parts of a request for a token that are about its sign-in; nothing if it is longer than a form is.
    private static func asked(_ body: [UInt8]) -> (verifier: String?, isRefresh: Bool) {
        guard body.count <= TokenIssuer.formLimit else { return (nil, false) }
        let (verifier, grant) = ("code_verifier", "grant_type")
        if body.first == UInt8(ascii: "{") {
            let node = try? JSONParser.parse(body)
            return (node?[verifier]?.string, node?[grant]?.string == "refresh_token")
        }
        let pairs = QueryText.decodedPairs(of: String(decoding: body, as: UTF8.self))
        return (
            pairs.first { $0.name == verifier }?.value, pairs.first { $0.name == grant }?.value == "refresh_token"
        )
    }
}

extension StubResponse {
    private static let nonce = "nonce"

    /// Whether a token in the body or in the place of a redirect has a nonce.
    var hasNonce: Bool {
        guard (200..<400).contains(status) else { return false }
        return Placeholders.hasClaim(Self.nonce, in: body.held)
            || headers.contains { $0.isLocation && Placeholders.hasClaim(Self.nonce, in: Array($0.value.utf8)) }
    }

    /// Gives the tokens another nonce.
    mutating func set(nonce: String) {
        if let bytes = Placeholders.claiming(Self.nonce, nonce, in: body.held) { body = .bytes(bytes) }
        for index in headers.indices where headers[index].isLocation {
            guard let value = Placeholders.claiming(Self.nonce, nonce, in: Array(headers[index].value.utf8)) else {
                continue
            }
            headers[index].value = String(decoding: value, as: UTF8.self)
        }
    }
}

extension HeaderLine {
    fileprivate var isLocation: Bool { name.lowercased() == "location" }
}
