// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire

/// The decisions of the stubs' gates, and of the fallback, on one request: each is asked once, however often the stubs are looked through.
struct StubAdmission: Sendable {
    enum Word: Sendable {
        /// The stub may respond.
        case open
        /// The stub has no response for the requests that it lets in; the next stub is asked.
        case passes
        /// The gate has responded.
        case closed
    }

    private let fixtures: ServedFixtures
    private let peer: SocketAddress
    private let seed: UInt64
    private var words: [Int: Word] = [:]
    private var isFallbackAsked = false
    /// The response of the gate that is closed; nil if none is.
    private(set) var refusal: ServedResponse?
    /// Lines that the response has beside its own; nil if no gate was asked.
    private(set) var fields: [WireField]?

    init(_ fixtures: ServedFixtures, from peer: SocketAddress, seed: UInt64) {
        self.fixtures = fixtures
        self.peer = peer
        self.seed = seed
    }

    /// A browser asks without credentials whether it may ask (Fetch §4.8).
    private static func isPreflight(_ head: borrowing RequestHead) -> Bool {
        head.equals(head.method, "OPTIONS") && head.firstValue("access-control-request-method") != nil
    }

    /// Asks the server's fallback, for a request that no fixture matches; nil if it has no response, or has said so before.
    mutating func askFallback(
        of core: ServerCore, _ head: borrowing RequestHead, _ body: [UInt8]
    ) -> FallbackResponse? {
        guard !isFallbackAsked, let fallback = core.fallback else { return nil }
        isFallbackAsked = true
        return fallback(head.string(head.method), head.string(head.target), body)
    }

    /// Asks the gate of a stub that matches.
    mutating func ask(_ ordinal: Int, _ head: borrowing RequestHead, _ body: [UInt8]) -> Word {
        guard let gate = fixtures.stubs[ordinal].gate else { return .open }
        if gate.isGuard, Self.isPreflight(head) { return .passes }
        if let word = words[ordinal] { return word }
        let word: Word
        switch gate.admit(head, body, from: peer, issuers: fixtures.issuers, seed: seed) {
        case .closed(let response, let reason):
            refusal = ServedResponse(
                response: response, outcome: .stub, ordinal: ordinal, reason: reason, isRefusal: true)
            word = .closed
        case .open(let further):
            fields = (fields ?? []) + further
            word = gate.isGuard ? .passes : .open
        }
        words[ordinal] = word
        return word
    }
}
