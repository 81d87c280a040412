// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiEventLoops
import MockapiFixtures
import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiSystemIO

extension Responder {
    /// Notes a response to a request that is at hand.
    func note(_ served: ServedResponse, to request: borrowing Request, reason: String? = nil, fixtures: ServedFixtures)
    {
        note(
            served, request.head, request.body, request.trailers, request.connection, request.stream,
            since: request.receivedAt, reason: reason, fixtures: fixtures)
    }

    /// Notes a response to a request that was held until there was one.
    func note(
        _ served: ServedResponse, to request: PendingEntry, reason: String? = nil, proxied: ProxiedSummary? = nil,
        fixtures: ServedFixtures, of deferred: DeferredRequest?, problem: String? = nil
    ) {
        note(
            served, request.head, request.body, request.trailers, request.connection, request.stream,
            since: request.receivedAt, reason: reason, proxied: proxied, fixtures: fixtures, of: deferred,
            problem: problem)
    }

    func note(
        _ served: ServedResponse, _ head: borrowing RequestHead, _ body: [UInt8], _ trailers: [RequestHead.Field],
        _ connection: ConnectionInfo, _ stream: UInt32, since: Timestamps, reason: String? = nil,
        proxied: ProxiedSummary? = nil, fixtures: ServedFixtures, of deferred: DeferredRequest? = nil,
        problem: String? = nil
    ) {
        var record = Self.record(
            of: head, connection, stream, since: since,
            sequence: deferred?.note.sequence ?? journal.nextSequence(), served.outcome)
        // A status of 0 says that no response has come.
        record.status = Int32(proxied.map { $0.head?.status ?? 0 } ?? served.response.status)
        let now = Clock.monotonic()
        record.duration = now > since.monotonic ? now - since.monotonic : 0
        if let delivery = served.response.delivery {
            record.addedDelay = delivery.delay
            record.fault = served.fault?.rawValue ?? 0
            record.sendsNoHead = delivery.sendsHead ? 0 : 1
        }
        record.responseSize = proxied?.size ?? Int64(Self.size(of: served.response))
        callWebhooks(served, head, body, connection, for: record, since: since, fixtures)
        if let move = served.move, ring != nil {
            journal.subEvents.add(SubEvent.scenario(move), to: record.sequence, since: since.monotonic)
        }
        if core.isObserved {
            core.observer?.didServe(ServedRequest(record, served, in: fixtures))
        }
        if ring != nil || journal.isJudged {
            let reason = problem ?? served.reason ?? (served.outcome == .refused ? reason : nil)
            keep(record, served, reason, head, body, trailers, connection, fixtures, deferred)
        }
        guard isLogged, let log, log.takes(isProblem: Self.isProblem(served, reason: served.reason ?? reason)) else {
            return
        }
        log.append(
            RequestLogLine(record, head, served, fixtures.set, reason: served.reason ?? reason, proxied: proxied))
    }

    /// Has the webhooks of the stub follow its response.
    private func callWebhooks(
        _ served: ServedResponse, _ head: borrowing RequestHead, _ body: [UInt8], _ connection: ConnectionInfo,
        for record: JournalRecord, since: Timestamps, _ fixtures: ServedFixtures
    ) {
        guard fixtures.hasWebhooks, served.outcome == .stub, !served.isRefusal, !served.isGivenUp,
            let queue = core.webhooks,
            let webhooks = fixtures.stubs[served.ordinal].webhooks
        else { return }
        let wait = Int(record.addedDelay / 1_000_000)
        let calls = webhooks.calls(
            head, body, served.response, connection, sequence: record.sequence, receivedAt: since.monotonic, wait: wait,
            dialect: fixtures.set.dialect, core.context)
        // The work of this wake of the loop comes first, and with it the response.
        eventLoop?.execute { _ in
            for call in calls { queue.add(call) }
        }
    }

    /// Bytes of a response's content that its delivery lets go out.
    private static func size(of response: Response) -> Int {
        guard let delivery = response.delivery else { return response.bodySize }
        return delivery.sendsHead ? min(response.bodySize, delivery.bodyLimit ?? .max) : 0
    }

    /// Whether something did not go as its client wanted, because a fixture is missing or because of what the client sent.
    private static func isProblem(_ served: ServedResponse, reason: String?) -> Bool {
        switch served.outcome {
        case .refused: true
        case .miss: served.miss != nil || reason != nil || served.response.head.status >= 400
        // A stub that passes requests on gives a reason for those that failed.
        case .stub, .file: served.reason != nil
        case .proxied, .preflight: false
        }
    }

    /// Records a request and its outcome, for the journal and for the verdict.
    private func keep(
        _ record: JournalRecord, _ served: ServedResponse, _ reason: String?, _ head: borrowing RequestHead,
        _ body: [UInt8], _ trailers: [RequestHead.Field], _ connection: ConnectionInfo, _ fixtures: ServedFixtures,
        _ deferred: DeferredRequest?
    ) {
        let names = Self.names(of: served, in: fixtures)
        if let ring {
            if fixtures.set.dialect == .wireMock { journal.responses.keep(served.response, of: record.sequence) }
            if let miss = served.miss { journal.misses.add(miss, served.response, in: fixtures, to: record.sequence) }
            let place = deferred?.place
            if place.map({ ring.amend($0, record, names: names) }) != true {
                if let place { ring.supersede(place) }
                ring.append(record, names: names, head: head, trailers: trailers, body: body)
            }
        }
        if journal.isJudged, let judge = journal.judge {
            if served.outcome != .refused, deferred?.hasArrived != true {
                judge.arrived(record.sequence, head, body, connection, isUnmatched: served.outcome == .miss)
            }
            judge.ended(
                record, served, reason: reason, names: names, head: head, body: body, in: fixtures)
        }
        journal.arrivals.notify()
    }

    private static func names(of served: ServedResponse, in fixtures: ServedFixtures) -> JournalNames? {
        switch served.outcome {
        case .stub: fixtures.stubs.names(served.ordinal)
        case .file: fixtures.fileNames[served.ordinal]
        case .miss, .refused, .proxied, .preflight: nil
        }
    }
}
