// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import Synchronization

/// The server's side of Digest authentication (RFC 7616): the nonces it has given out, and how often each was used.
final class DigestNonces: Sendable {
    /// The validity of credentials.
    enum Standing {
        case valid
        /// The password is right, and the nonce no longer good: the client may try again with another, without asking its user.
        case stale(String)
        case wrong(String)
    }

    private struct Use {
        /// The highest count that has come.
        var highest: UInt64 = 0
        /// Which of the 64 counts up to the highest have come, the highest in the lowest bit.
        var seen: UInt64 = 0
        var count = 0

        /// Takes note of a count; false if it has come before, or is too old to be known.
        mutating func note(_ number: UInt64) -> Bool {
            if number > highest {
                let step = number - highest
                seen = (step < 64 ? seen << step : 0) | 1
                highest = number
                return true
            }
            let age = highest - number
            guard age < 64, seen & 1 << age == 0 else { return false }
            seen |= 1 << age
            return true
        }
    }

    private struct State {
        var count: UInt64 = 0
        var uses = BoundedTable<Use>()
    }

    private let settings: Authentication.Digest
    private let salt: UInt64
    private let state = Mutex(State())

    init(_ settings: Authentication.Digest, salt: UInt64) {
        self.settings = settings
        self.salt = salt
    }

    func reset() {
        state.withLock { $0 = State() }
    }

    /// The challenge with a new nonce (RFC 7616 §3.3).
    func challenge(seed: UInt64, isStale: Bool = false) -> String {
        let nonce = state.withLock { state in
            var draw = SeededDraw(seed: seed, salt: salt, number: state.count)
            state.count += 1
            let nonce = draw.hexadecimal()
            state.uses[nonce] = Use()
            return nonce
        }
        return "Digest realm=\"\(settings.realm)\", qop=\"auth\", algorithm=\(settings.algorithm.rawValue), "
            + "nonce=\"\(nonce)\"" + (isStale ? ", stale=true" : "")
    }

    /// Judges credentials (RFC 7616 §3.4).
    func judge(_ field: AuthorizationField, method: String, target: String) -> Standing {
        guard let parameters = field.parameters else { return .wrong("the Digest credentials cannot be read") }
        for name in ["username", "realm", "nonce", "uri", "response", "qop", "nc", "cnonce"]
        where parameters[name] == nil {
            return .wrong("the Digest credentials have no \(name)")
        }
        func value(_ name: String) -> String { parameters[name] ?? "" }
        guard value("qop") == "auth" else { return .wrong("the qop of the Digest credentials is not auth") }
        guard parameters["algorithm"].map({ $0.uppercased() == settings.algorithm.rawValue }) ?? true else {
            return .wrong("the Digest credentials are not of \(settings.algorithm.rawValue)")
        }
        guard value("uri") == target else { return .wrong("the Digest credentials are for another target") }
        guard value("nc").utf8.count == 8, let number = UInt64(value("nc"), radix: 16), number > 0 else {
            return .wrong("the count (nc) of the Digest credentials is not of eight hexadecimal digits")
        }
        guard value("username") == settings.username, value("realm") == settings.realm,
            value("response").lowercased() == response(to: parameters, method: method)
        else { return .wrong("the name or the password is wrong") }
        return state.withLock { state in
            guard var use = state.uses[value("nonce")] else {
                return .stale("the nonce is not one of this server's, or too old")
            }
            guard use.note(number) else {
                return .stale("the count (nc) \(value("nc")) was used before with this nonce")
            }
            use.count += 1
            state.uses[value("nonce")] = use
            if let uses = settings.uses, use.count > uses {
                return .stale("the nonce was good for \(Counts.count(uses, "request"))")
            }
            return .valid
        }
    }

    /// The response that proves the password (RFC 7616 §3.4.1).
    func response(to parameters: [String: String], method: String) -> String {
        func value(_ name: String) -> String { parameters[name] ?? "" }
        let secret = hash("\(settings.username):\(settings.realm):\(settings.password)")
        let request = hash("\(method):\(value("uri"))")
        return hash(
            [secret, value("nonce"), value("nc"), value("cnonce"), value("qop"), request].joined(separator: ":"))
    }

    private func hash(_ text: String) -> String {
        switch settings.algorithm {
        case .md5: MD5.text(of: text)
        case .sha256: SHA256.text(of: Array(text.utf8))
        }
    }
}

extension SeededDraw {
    /// 32 hexadecimal digits.
    mutating func hexadecimal() -> String {
        [next(), next()].map(\.hexadecimal).joined()
    }
}
