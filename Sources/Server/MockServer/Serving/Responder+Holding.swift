// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire

extension Responder {
    /// The next step for a request whose response waits for a hold: it is made when that is released.
    func hold(_ stub: MatchedStub, _ match: StubMatcher.Match, until name: String) -> Disposition {
        if eventLoop != nil { return .later(.holding(match, stub, name)) }
        let text = "a stub with \"hold\" needs a server, which releases \"\(name)\"".printable
        return .now(stub.serving(PlainResponse.text(501, text + "\n"), reason: text))
    }

    /// Notes a request that has come, and responds when the hold of its stub is released.
    func hold(
        _ stub: MatchedStub, _ match: StubMatcher.Match, until name: String, of matcher: StubMatcher,
        _ sender: consuming ResponseSender
    ) {
        var isTold = false
        if case .proxied = stub.source { isTold = true }
        arrived(sender.request, stub, isTold: isTold)
        let stream = sender.stream
        let holds = core.holds
        let free = stub.released
        let released = StubMatcher.Match(found: .stub(free), fields: match.fields)
        _ = carry(sender) { (responder, isReleased: Bool, sender) in
            if isReleased { return responder.respond(with: released, by: matcher, sender) }
            let reason = "the client went away before \"\(name)\" was released".printable
            var served = free.serving(PlainResponse.text(503, reason + "\n"), reason: reason)
            served.isGivenUp = true
            responder.finish(served, of: matcher, sender)
        } start: { finish in
            if let giveUp = holds.wait(for: name, finish) { stream.whenAbandoned(giveUp) }
            return true
        }
    }
}
