// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiMetering
import MockapiStubMatching
import MockapiSystemIO

/// The next step for a request.
enum Disposition {
    /// Its response, complete.
    case now(ServedResponse)
    case later(DeferredWork)
}

/// The work behind a response that is not ready at once.
indirect enum DeferredWork: Sendable {
    /// Matching a request beside the loop, by the prepared stubs; nil if the stubs are to be made ready first.
    case matching(ready: StubMatcher?, admitted: StubAdmission? = nil)
    case rendering(StubMatcher.Match, TemplatedResponse, number: UInt64)
    case coding(StubMatcher.Match, ResponseSelection.LongWork)
    case serving(MatchedStub, ResourceCollection, ResourceRequest)
    case computing(MatchedStub, StubHandler)
    /// Waiting until the hold of a name is released, which the match is for.
    case holding(StubMatcher.Match, MatchedStub, String)
    /// Asking another server for a stub, after a delay in nanoseconds.
    case forwarding(MatchedStub, ProxyTarget, delay: UInt64)
    /// Asking the proxy if no fixture matches.
    case proxying
    /// Asking the server that the client has named, given as scheme, host and port.
    case passing(String)
    case waiting(@Sendable () async -> FallbackResponse)

    /// Whether the work is spared if the client has ended its side.
    var isForClientAlone: Bool {
        switch self {
        case .computing, .holding, .forwarding, .proxying, .passing: true
        case .matching, .rendering, .coding, .serving, .waiting: false
        }
    }
}

extension Responder {
    /// Begins work that a response comes of; the response goes out, and is noted, when that is done.
    func start(_ work: DeferredWork, of matcher: StubMatcher, _ sender: consuming ResponseSender) {
        let note = sender.note
        switch work {
        case .matching(let ready, let admitted):
            let core = core
            inQueue(for: note.body, "requests wait to be matched", of: matcher, sender) { scratch in
                let matcher = ready ?? StubMatcher(fixtures: core.fixtures, core: core)
                let match = matcher.match(
                    note.head, note.body, from: note.connection, scratch: scratch, isOnLoop: false,
                    admitted: admitted)
                return (match, matcher)
            } use: { responder, found, sender in
                responder.respond(with: found.0, by: found.1, sender)
            }
        case .rendering(let match, let templated, let number):
            inQueue(for: [], "slow responses wait to be made", of: matcher, sender) { scratch in
                matcher.rendered(match, templated, number, for: note, stop: scratch.stop)
            } use: { responder, match, sender in
                responder.respond(with: match, by: matcher, sender)
            }
        case .coding(let match, let work):
            inQueue(for: [], "slow responses wait to be made", of: matcher, sender) { _ in
                work.run()
            } use: { responder, made, sender in
                if let made { responder.selection.take(made) }
                responder.respond(with: match, by: matcher, sender, isPrepared: true)
            }
        case .serving(let stub, let collection, let asked):
            let tell = core.tellResource
            inQueue(for: asked.body, "slow requests wait for their responses", of: matcher, sender) { scratch in
                collection.respond(to: asked, meter: Meter(stop: scratch.stop), tell: tell)
            } use: { responder, made, sender in
                responder.finish(responder.select(stub, made, for: note.head), of: matcher, sender)
            }
        case .computing(let stub, let handler): compute(stub, by: handler, of: matcher, sender)
        case .holding(let match, let stub, let name): hold(stub, match, until: name, of: matcher, sender)
        case .forwarding(let stub, let target, let delay): forward(stub, to: target, after: delay, sender)
        case .proxying: proxy(sender)
        case .passing(let base): pass(to: base, sender)
        case .waiting(let compute): wait(for: compute, of: matcher, sender)
        }
    }

    /// Runs work in the queue for bodies of a size; if too much waits there, the request is refused.
    ///
    /// - Parameter waiting: the work that waits there, in words.
    private func inQueue<Result: Sendable>(
        for body: [UInt8], _ waiting: String, of matcher: StubMatcher, _ sender: consuming ResponseSender,
        _ work: @escaping @Sendable (MatchScratch) -> Result,
        use: @escaping @Sendable (Responder, Result, consuming ResponseSender) -> Void
    ) {
        let queue = core.matchQueue(for: body)
        let size = body.count
        let stop = WorkStop(of: core.stop)
        sender.stream.whenAbandoned { stop.ask() }
        sender.stream.whenClientEnds { stop.shorten() }
        let left = carry(sender, use: use) { finish in
            queue.add { scratch in
                ProcessMemory.giveBack(before: size)
                scratch.stop = stop
                defer { scratch.stop = nil }
                finish(work(scratch))
            }
        }
        if let left { refuse(left, "more than \(queue.limit) \(waiting)", of: matcher) }
    }

    func respond(
        with match: StubMatcher.Match, by matcher: StubMatcher, _ sender: consuming ResponseSender,
        isPrepared: Bool = false
    ) {
        let note = sender.note
        let disposition = disposition(
            of: match, by: matcher, note.head, note.body, from: note.connection.peer, isPrepared: isPrepared)
        switch disposition {
        case .now(let served): finish(served, of: matcher, sender)
        case .later(let work): start(work, of: matcher, sender)
        }
    }

    private func wait(
        for compute: @escaping @Sendable () async -> FallbackResponse, of matcher: StubMatcher,
        _ sender: consuming ResponseSender
    ) {
        let version = sender.note.head.version
        _ = carry(sender) { (responder, computed: FallbackResponse, sender) in
            guard let response = computed.response(for: version) else { return }
            responder.finish(
                ServedResponse(response: response, outcome: .miss, isNoted: false), of: matcher, sender)
        } start: { finish in
            Task {
                var computed = await compute()
                while case .later(let next) = computed { computed = await next() }
                finish(computed)
            }
            return true
        }
    }

    /// Refuses a request since too much waits.
    func refuse(_ sender: consuming ResponseSender, _ reason: String, of matcher: StubMatcher) {
        let served = ServedResponse(
            response: PlainResponse.text(503, reason + "\n", closes: true), outcome: .refused, reason: reason)
        let head = sender.note.head
        finish(complete(served, nil, beside: nil, for: head), of: matcher, sender)
    }

    /// Notes a response, complete, to a request that has waited for it, and sends it.
    func finish(_ served: ServedResponse, of matcher: StubMatcher, _ sender: consuming ResponseSender) {
        let request = sender.request
        if served.isNoted { note(served, to: request.note.request, of: request, fixtures: matcher.fixtures) }
        sender.send(served.response)
        // If the client has gone, nothing comes after this that would write the line.
        if request.hasGone { endWake() }
    }
}
