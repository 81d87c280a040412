// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiSystemIO

/// The gate between a stub's request and its response; its state lives as long as the stub stays as it is.
final class StubGate: Sendable {
    enum Admission {
        /// The stub responds, with further lines.
        case open([WireField])
        /// The gate responds: with a refusal, or tokens.
        case closed(Response, reason: String?)
    }

    let isGuard: Bool
    private let authenticator: Authenticator?
    private let limiter: RateLimiter?

    init(_ access: StubAccess, salt: UInt64) {
        isGuard = access.isGuard
        authenticator = access.authentication.map { Authenticator($0, salt: salt) }
        limiter = access.rateLimit.map { RateLimiter($0) }
    }

    var issuer: TokenIssuer? { authenticator?.issuer }

    func reset() {
        authenticator?.reset()
        limiter?.reset()
    }

    /// Lets a request in or responds to it; a request that is turned away for its credentials does not count against a rate.
    func admit(
        _ head: borrowing RequestHead, _ body: [UInt8], from peer: SocketAddress, issuers: [String: TokenIssuer],
        seed: UInt64
    ) -> Admission {
        let now = Clock.monotonic()
        if let issuer, issuer.isAsked(by: head) {
            let (response, reason) = issuer.respond(to: head, body, seed: seed, now: now)
            return .closed(response, reason: reason)
        }
        if let (response, reason) = authenticator?.refusal(of: head, issuers: issuers, seed: seed, now: now) {
            return .closed(response, reason: reason)
        }
        guard let limiter else { return .open([]) }
        let standing = limiter.count(head, from: peer, now: now)
        if standing.isAdmitted { return .open(standing.fields) }
        return .closed(limiter.refusal(standing, isHead: head.equals(head.method, "HEAD")), reason: limiter.reason)
    }
}
