// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPMessage
import HTTPServer
import HTTPWire

/// What the gates of the stubs that match one request say; each is asked once, however often the request is judged.
struct Admission {
    /// The answer of the gate that turned the request away.
    private(set) var refusal: Responder.Answer?
    private var admitted: Set<Int> = []
    private var fields: [WireField] = []

    /// Asks the gate of a stub.
    ///
    /// - Returns: whether it answers in the place of the stub.
    mutating func isRefused(
        by gate: StubGate, of ordinal: Int, _ head: borrowing RequestHead, _ body: [UInt8], from peer: SocketAddress,
        _ fixtures: ServedFixtures, seed: UInt64
    ) -> Bool {
        guard admitted.insert(ordinal).inserted else { return false }
        switch gate.admit(head, body, from: peer, issuers: fixtures.issuers, seed: seed) {
        case .closed(let plan, let reason):
            refusal = Responder.Answer(plan: plan, outcome: .stub, ordinal: ordinal, reason: reason)
            return true
        case .open(let further):
            fields += further
            return false
        }
    }

    /// A verdict with the lines of the gates that were passed.
    func marked(_ verdict: Judge.Verdict) -> Judge.Verdict {
        admitted.isEmpty ? verdict : .marked(verdict, fields)
    }
}
