// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiHTTPWire

/// Judges the credentials of requests by the schemes that a stub has (RFC 9110 §11).
final class Authenticator: Sendable {
    /// Why a request is turned away.
    private struct Refusal {
        let status: Int
        let text: String
        /// The parameters of Bearer's challenge besides the realm (RFC 6750 §3).
        var bearer: [(name: String, value: String)] = []
        var isStale = false
    }

    private let authentication: Authentication
    let issuer: TokenIssuer?
    private let nonces: DigestNonces?
    /// Their names as a sentence has them.
    private let schemes: String

    init(_ authentication: Authentication, salt: UInt64) {
        self.authentication = authentication
        issuer = authentication.oauth2.map { TokenIssuer($0, salt: salt) }
        nonces = authentication.digest.map { DigestNonces($0, salt: salt ^ 1) }
        var schemes: [String] = []
        if authentication.bearer != nil || authentication.oauth2 != nil { schemes.append("Bearer") }
        if authentication.basic != nil { schemes.append("Basic") }
        if authentication.digest != nil { schemes.append("Digest") }
        self.schemes = schemes.joined(separator: " or ")
    }

    func reset() {
        issuer?.reset()
        nonces?.reset()
    }

    /// Judges a request.
    ///
    /// - Parameter issuers: those that stubs may name.
    /// - Returns: the response to a request that is turned away, and why; nil for a request that is let in.
    func refusal(
        of head: borrowing RequestHead, issuers: [String: TokenIssuer], seed: UInt64, now: UInt64
    ) -> (response: Response, reason: String)? {
        guard let refusal = judge(head, issuers, now) else { return nil }
        let challenges = refusal.status == 400 ? [] : self.challenges(for: refusal, seed)
        let response = PlainResponse.text(
            refusal.status, "\(refusal.status): \(refusal.text)\n",
            fields: challenges.map { WireField("WWW-Authenticate", $0) }, isHead: head.equals(head.method, "HEAD"))
        return (response, refusal.text)
    }

    private func challenges(for refusal: Refusal, _ seed: UInt64) -> [String] {
        var challenges: [String] = []
        if let realm = authentication.bearer?.realm ?? authentication.oauth2?.realm {
            let parameters = [(name: "realm", value: realm)] + refusal.bearer
            challenges.append("Bearer " + parameters.map { "\($0.name)=\"\($0.value)\"" }.joined(separator: ", "))
        }
        if refusal.status != 401 { return challenges }
        if let basic = authentication.basic {
            challenges.append("Basic realm=\"\(basic.realm)\", charset=\"UTF-8\"")
        }
        if let nonces { challenges.append(nonces.challenge(seed: seed, isStale: refusal.isStale)) }
        return challenges
    }

    private func judge(_ head: borrowing RequestHead, _ issuers: [String: TokenIssuer], _ now: UInt64) -> Refusal? {
        guard let field = AuthorizationField(head) else {
            guard head.firstValue("authorization") == nil else {
                return Refusal(status: 400, text: "the request has more than one Authorization line")
            }
            return Refusal(
                status: 401, text: "credentials are required: an Authorization line of the scheme \(schemes)")
        }
        switch field.scheme {
        case "bearer" where authentication.bearer != nil || issuer != nil:
            return judge(token: field.credentials, issuers, now)
        case "basic":
            guard let basic = authentication.basic else { break }
            guard let given = field.nameAndPassword else {
                return Refusal(status: 401, text: "the Basic credentials cannot be read")
            }
            if given.name == basic.username, given.password == basic.password { return nil }
            return Refusal(status: 401, text: "the name or the password is wrong")
        case "digest":
            guard let nonces else { break }
            switch nonces.judge(field, method: head.string(head.method), target: head.string(head.target)) {
            case .valid: return nil
            case .stale(let text): return Refusal(status: 401, text: text, isStale: true)
            case .wrong(let text): return Refusal(status: 401, text: text)
            }
        default: break
        }
        return Refusal(
            status: 401, text: "Authorization is of the scheme \(field.scheme.printable), but \(schemes) is required")
    }

    private func judge(token: String, _ issuers: [String: TokenIssuer], _ now: UInt64) -> Refusal? {
        let bearer = authentication.bearer ?? Authentication.Bearer()
        if bearer.insufficient.contains(token) { return Self.insufficient(bearer.scope) }
        if bearer.expired.contains(token) { return Self.expired }
        if bearer.tokens.contains(token) { return nil }
        var isExpired = false
        let named = bearer.issuer.flatMap { issuers[$0] }
        for issuer in [issuer, named].compactMap(\.self) {
            switch issuer.use(token, now: now) {
            case .valid(let scope):
                guard let needed = bearer.scope, !TokenIssuer.covers(scope, needed) else { return nil }
                return Self.insufficient(needed)
            case .expired: isExpired = true
            case .unknown: break
            }
        }
        if isExpired { return Self.expired }
        let takesAny = authentication.oauth2 == nil && bearer.tokens.isEmpty && bearer.issuer == nil
        return takesAny && !token.isEmpty ? nil : Self.invalid("the access token is not known")
    }

    private static let expired = invalid("the access token has expired")

    private static func invalid(_ text: String) -> Refusal {
        Refusal(
            status: 401, text: text,
            bearer: [(name: "error", value: "invalid_token"), (name: "error_description", value: text)])
    }

    private static func insufficient(_ scope: String?) -> Refusal {
        Refusal(
            status: 403,
            text: "the access token is for something else" + (scope.map { ", and this asks for \($0)" } ?? ""),
            bearer: [(name: "error", value: "insufficient_scope")] + (scope.map { [(name: "scope", value: $0)] } ?? []))
    }
}
