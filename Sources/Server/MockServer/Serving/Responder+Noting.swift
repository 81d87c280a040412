// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiEventLoops
import MockapiFixtures
import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiSystemIO

extension Responder {
    /// Notes a response to a request.
    ///
    /// - Parameters:
    ///   - deferred: the request, if it was held until there was a response.
    ///   - proxied: its outcome elsewhere; nil if the response is from here.
    func note(
        _ served: ServedResponse, to request: borrowing Request, of deferred: DeferredRequest? = nil,
        proxied: ProxiedSummary? = nil, fixtures: ServedFixtures
    ) {
        var record = record(
            of: request, sequence: deferred?.note.sequence ?? journal.nextSequence(), served.outcome)
        // A status of 0 says that no response has come.
        record.status = Int32(proxied.map { $0.head?.status ?? 0 } ?? served.response.status)
        let now = Clock.monotonic()
        record.duration = now > request.receivedAt.monotonic ? now - request.receivedAt.monotonic : 0
        let delivery = served.response.delivery
        if let delivery {
            record.addedDelay = delivery.delay
            record.faultKind = served.fault
            record.sendsNoHead = delivery.sendsHead ? 0 : 1
        }
        record.responseSize = proxied?.size ?? Int64(Self.size(of: served.response, delivery))
        callWebhooks(served, request, for: record, fixtures)
        if let move = served.move, ring != nil {
            journal.subEvents.add(SubEvent.scenario(move), to: record.sequence, since: request.receivedAt.monotonic)
        }
        if core.isObserved {
            core.observer?.didServe(ServedRequest(record, served, in: fixtures))
        }
        if ring != nil || journal.isJudged { keep(record, served, of: request, fixtures, deferred) }
        guard isLogged, let log, log.takes(isProblem: Self.isProblem(served)) else { return }
        log.append(
            RequestLogLine(
                record, request.head, served, fixtures.set, reason: served.reason ?? proxied?.problem, proxied: proxied)
        )
        if core.crossOrigin == nil, proxied?.problem == nil,
            let note = core.unreadPages.note(on: served.response.head, to: request.head, core.context.names)
        {
            core.context.log?.tell(.note, note)
        }
    }

    /// Calls the webhooks of the stub after its response.
    private func callWebhooks(
        _ served: ServedResponse, _ request: borrowing Request, for record: JournalRecord, _ fixtures: ServedFixtures
    ) {
        guard fixtures.hasWebhooks, served.outcome == .stub, !served.isRefusal, !served.isGivenUp,
            let queue = core.webhooks,
            let webhooks = fixtures.stubs[served.ordinal].webhooks
        else { return }
        let wait = Int(record.addedDelay / 1_000_000)
        let calls = webhooks.calls(
            request.head, request.body, served.response, request.connection, sequence: record.sequence,
            receivedAt: request.receivedAt.monotonic, wait: wait, dialect: fixtures.set.dialect, core.context)
        // The work of this wake of the loop comes first, and with it the response.
        eventLoop?.execute { _ in
            for call in calls { queue.add(call) }
        }
    }

    /// Bytes of a response's content that its delivery lets go out.
    private static func size(of response: Response, _ delivery: Delivery?) -> Int {
        guard let delivery else { return response.bodySize }
        return delivery.sendsHead ? min(response.bodySize, delivery.bodyLimit ?? .max) : 0
    }

    /// Whether the client did not get the intended response, because a fixture is missing or because of its own request.
    private static func isProblem(_ served: ServedResponse) -> Bool {
        switch served.outcome {
        case .refused: true
        case .miss: served.miss != nil || served.reason != nil || served.response.head.status >= 400
        // A stub that passes requests on gives a reason for those that failed.
        case .stub, .file: served.reason != nil
        case .proxied, .preflight: false
        }
    }

    /// Records a request and its outcome, for the journal and for the verdict.
    private func keep(
        _ record: JournalRecord, _ served: ServedResponse, of request: borrowing Request, _ fixtures: ServedFixtures,
        _ deferred: DeferredRequest?
    ) {
        let names = Self.names(of: served, in: fixtures)
        if let ring {
            if fixtures.set.dialect == .wireMock { journal.responses.keep(served.response, of: record.sequence) }
            if let miss = served.miss {
                journal.misses.add(miss, to: record.sequence)
                for event in ContentForm.unread(miss) {
                    journal.subEvents.add(event, to: record.sequence, since: request.receivedAt.monotonic)
                }
            }
            let place = deferred?.place
            if place.map({ ring.amend($0, record, names: names) }) != true {
                if let place { ring.supersede(place) }
                ring.append(
                    record, names: names, head: request.head, trailers: request.trailers, body: request.body)
            }
        }
        if journal.isJudged, let judge = journal.judge {
            if served.outcome != .refused, deferred?.hasArrived != true {
                judge.arrived(
                    record.sequence, request.head, request.body, request.connection,
                    isUnmatched: served.outcome == .miss)
            }
            judge.ended(
                record, served, names: names, head: request.head, body: request.body, in: fixtures)
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
