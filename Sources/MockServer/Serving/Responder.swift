// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import EventLoops
import Fixtures
import HTTPServer
import HTTPSyntax
import HTTPWire
import StubMatching
import SystemIO

/// Answers the requests of one server on one loop: match, choose what of the answer is sent, note it in the journal.
final class Responder: RequestHandler {
    /// What answered, for journal and log.
    struct Answer: Sendable {
        var plan: Response
        var outcome: JournalRecord.Outcome
        var ordinal = -1
        /// Which step of the stub, from 0.
        var step = 0
        var fault: Fault.Kind?
        var isNoted = true
        /// Whether the stub has turned the request away.
        var isRefusal = false
        /// What few answers have, apart: an answer is copied several times.
        private var told: Told?

        private final class Told: Sendable {
            let miss: Miss?
            let reason: String?
            let move: ScenarioMove?

            init(_ miss: Miss?, _ reason: String?, _ move: ScenarioMove?) {
                self.miss = miss
                self.reason = reason
                self.move = move
            }
        }

        init(
            plan: Response, outcome: JournalRecord.Outcome, ordinal: Int = -1, step: Int = 0,
            fault: Fault.Kind? = nil, miss: Miss? = nil, reason: String? = nil, isNoted: Bool = true,
            isRefusal: Bool = false, move: ScenarioMove? = nil
        ) {
            self.plan = plan
            self.outcome = outcome
            self.ordinal = ordinal
            self.step = step
            self.fault = fault
            self.isNoted = isNoted
            self.isRefusal = isRefusal
            told = miss == nil && reason == nil && move == nil ? nil : Told(miss, reason, move)
        }

        var miss: Miss? { told?.miss }
        /// What the log says of it besides.
        var reason: String? { told?.reason }
        /// What came of the stub's scenario.
        var move: ScenarioMove? { told?.move }
    }

    @exclusivity(unchecked) private(set) var judge: Judge
    let core: ServerCore
    private let journal: Journal
    private let ring: JournalRing?
    private let admin: AdminAPI
    private let log: (any RequestLog)?
    let selection: ResponseSelection
    let scratch = MatchScratch()
    let eventLoop: EventLoop?

    /// - Parameter eventLoop: nil where there is none, and nothing is passed on.
    init(_ core: ServerCore, loop: Int, on eventLoop: EventLoop? = nil) {
        self.core = core
        self.eventLoop = eventLoop
        judge = Judge(fixtures: core.fixtures, core: core)
        journal = core.journal
        ring = core.journal.ring(loop)
        admin = AdminAPI(core)
        log = core.log?.makeLog()
        selection = ResponseSelection(files: OpenFileCache(loops: core.loopCount), identity: core.identity)
    }

    func respond(to request: borrowing Request) -> Response {
        if AdminAPI.claims(request.head) {
            return admin.respond(
                to: request.head, body: request.body, connection: eventLoop == nil ? nil : request.connection.id)
        }
        if let plan = core.crossOrigin?.preflight(request.head) {
            let answer = Answer(plan: plan, outcome: .preflight)
            note(
                answer, request.head, request.body, request.trailers, request.connection, request.stream,
                since: request.receivedAt)
            return plan
        }
        if let eventLoop, core.current.isUnready { return handToJudges(request, answerOn: eventLoop) }
        let judge = newestJudge()
        if let eventLoop, judge.isLong(request.head, request.body) { return handToJudges(request, answerOn: eventLoop) }
        let verdict = judge.verdict(on: request.head, request.body, from: request.connection, scratch: scratch)
        switch verdict.found {
        case .plain(let ordinal, let response):
            return send(answer(ordinal, response, for: request.head), nil, request, judge)
        case .stub(let stub):
            switch stub.source {
            case .computed(let handler): return compute(stub, by: handler, for: request)
            case .proxied(let target): return forward(stub, to: target, for: request)
            case .resource(let collection): return serve(stub, collection, to: request)
            case .response, .unrendered: break
            }
            return send(answer(stub, for: request.head, from: request.connection.peer), verdict.fields, request, judge)
        case .file(let ordinal):
            return send(answer(file: ordinal, of: judge, for: request.head), verdict.fields, request, judge)
        case .other(let answer): return send(answer, verdict.fields, request, judge)
        case .passesOn: return pass(request)
        }
    }

    /// Notes an answer with the lines that it has beside its own.
    private func send(
        _ answer: consuming Answer, _ fields: [WireField]?, _ request: borrowing Request, _ judge: Judge
    ) -> Response {
        complete(&answer, fields, for: request.head)
        if answer.isNoted {
            note(
                answer, request.head, request.body, request.trailers, request.connection, request.stream,
                since: request.receivedAt, fixtures: judge.fixtures)
        }
        return answer.plan
    }

    /// Adds the lines that an answer has beside its own, and those that let a page read it.
    private func complete(_ answer: inout Answer, _ fields: [WireField]?, for head: borrowing RequestHead) {
        if let fields { answer.plan.head = answer.plan.head.adding(fields) }
        if let crossOrigin = core.crossOrigin {
            answer.plan.head = crossOrigin.adapted(answer.plan.head, for: CrossOrigin.origin(of: head))
        }
    }

    private func answer(file ordinal: Int, of judge: Judge, for head: borrowing RequestHead) -> Answer {
        Answer(plan: selection.plan(judge.fixtures.files[ordinal], for: head), outcome: .file, ordinal: ordinal)
    }

    /// What judges by the fixtures that are served now; on a loop by those that are ready.
    @discardableResult
    func newestJudge() -> Judge {
        let isLate = core.current.generation != judge.fixtures.generation
        if eventLoop == nil ? isLate || core.current.isUnready : isLate {
            judge = Judge(fixtures: eventLoop == nil ? core.fixtures : core.current.ready, core: core)
        }
        return judge
    }

    func refuse(
        _ error: RequestError, head: RequestHead, stream: UInt32, connection: ConnectionInfo, receivedAt: Timestamps
    ) -> Response {
        var plan = PlainResponse.text(error.status, error.told + "\n", closes: true)
        if let crossOrigin = core.crossOrigin {
            plan.head = crossOrigin.adapted(plan.head, for: CrossOrigin.origin(of: head))
        }
        note(
            Answer(plan: plan, outcome: .refused), head, [], [], connection, stream, since: receivedAt,
            reason: error.told)
        return plan
    }

    func abandoned(connection: ConnectionInfo, stream: UInt32, code: UInt32?) {
        journal.note(Abandonment(code: code), connection: connection.id, stream: stream)
    }

    /// Says in the log why a client got nothing of an answer that has its line already.
    func couldNotSend(
        _ status: Int, to head: RequestHead, connection: ConnectionInfo, stream: UInt32, at moment: Timestamps
    ) {
        guard let log else { return }
        var record = JournalRecord(peer: connection.peer)
        record.status = Int32(clamping: status)
        record.receivedAt = moment.wall
        record.connection = connection.id
        record.stream = stream
        record.tls = Int32(connection.tls?.rawValue ?? 0)
        record.responseSize = 0
        record.version = Int32(HTTPVersion.http2.rawValue)
        let reason =
            "the header section of this answer is longer than \(HTTP2Limits.maxSentHead / 1_048_576) MiB: the stream is reset"
        let answer = Answer(plan: PlainResponse.text(status, ""), outcome: .refused)
        log.append(RequestLogLine(record, head, answer, judge.fixtures.set, reason: reason, passed: nil))
    }

    func endWake() {
        log?.flush()
    }

    /// Chooses what is sent of what was found; nil where the request is to be passed on.
    func answer(
        _ verdict: Judge.Verdict, of judge: Judge, to head: borrowing RequestHead, from peer: SocketAddress
    ) -> Answer? {
        var answer: Answer
        switch verdict.found {
        case .plain(let ordinal, let response): answer = self.answer(ordinal, response, for: head)
        case .stub(let stub): answer = self.answer(stub, for: head, from: peer)
        case .file(let ordinal): answer = self.answer(file: ordinal, of: judge, for: head)
        case .other(let other): answer = other
        case .passesOn: return nil
        }
        complete(&answer, verdict.fields, for: head)
        return answer
    }

    /// What makes the head of an answer that comes from elsewhere one that a page may read; nil where nothing does.
    func adapter(for head: borrowing RequestHead) -> (@Sendable (ResponseHead) -> ResponseHead)? {
        guard let crossOrigin = core.crossOrigin else { return nil }
        let origin = CrossOrigin.origin(of: head)
        return { crossOrigin.adapted($0, for: origin) }
    }

    private func answer(_ ordinal: Int, _ response: PreparedResponse, for head: borrowing RequestHead) -> Answer {
        var plan = selection.plan(response, for: head)
        if core.globalDelay.isSet { core.globalDelay.apply(to: &plan, beside: nil, seed: core.seed) }
        return Answer(plan: plan, outcome: .stub, ordinal: ordinal, step: response.step)
    }

    private func answer(_ stub: StubVerdict, for head: borrowing RequestHead, from peer: SocketAddress) -> Answer {
        if case .unrendered(let failure) = stub.source {
            let plan = PlainResponse.text(
                failure.status, "\(failure.status): \(failure.text)\n", isHead: head.equals(head.method, "HEAD"))
            return stub.answer(plan, reason: failure.text)
        }
        var plan = selection.plan(stub.response, for: head)
        let fault = stub.response.delivery?.apply(
            to: &plan, for: head, on: DeliveryOccasion(core, from: peer, move: stub.move))
        if core.globalDelay.isSet {
            core.globalDelay.apply(to: &plan, beside: stub.response.delivery, seed: core.seed)
        }
        return stub.answer(plan, fault: fault)
    }

    /// What lets the journal and the log have a request's head; nil where nobody asks.
    var teller: (any RequestProxy)? { ring == nil && log == nil ? nil : core.proxy }

    func note(
        _ answer: Answer, _ head: borrowing RequestHead, _ body: [UInt8], _ trailers: [RequestHead.Field],
        _ connection: ConnectionInfo, _ stream: UInt32, since: Timestamps, reason: String? = nil,
        passed: ProxiedSummary? = nil, fixtures: ServedFixtures? = nil
    ) {
        let fixtures = fixtures ?? judge.fixtures
        var record = JournalRecord(peer: connection.peer)
        record.status = Int32(answer.plan.head.status)
        record.outcome = answer.outcome.rawValue
        record.sequence = journal.nextSequence()
        record.receivedAt = since.wall
        let now = Clock.monotonic()
        record.duration = now > since.monotonic ? now - since.monotonic : 0
        if let delivery = answer.plan.delivery {
            record.addedDelay = delivery.delay
            record.fault = answer.fault?.rawValue ?? 0
            record.sendsNoHead = delivery.sendsHead ? 0 : 1
        }
        record.connection = connection.id
        record.stream = stream
        record.tls = Int32(connection.tls?.rawValue ?? 0)
        record.responseSize = passed?.size ?? Int64(Self.size(of: answer.plan))
        record.method = head.method
        record.target = head.target
        record.path = head.path
        record.query = head.query ?? .empty
        record.hasQuery = head.query == nil ? 0 : 1
        record.authority = head.authority
        record.version = Int32(head.version.rawValue)
        send(answer, head, body, connection, for: record, since: since, fixtures)
        if let move = answer.move, ring != nil {
            journal.subEvents.add(SubEvent.scenario(move), to: record.sequence, since: since.monotonic)
        }
        core.observer?.answered(AnsweredRequest(record, answer, in: fixtures))
        if let ring {
            if let miss = answer.miss { journal.misses.add(miss, answer.plan, in: fixtures, to: record.sequence) }
            ring.append(record, names: Self.names(of: answer, in: fixtures), head: head, trailers: trailers, body: body)
            journal.arrivals.notify()
        }
        guard let log, log.takes(isProblem: Self.isProblem(answer, reason: answer.reason ?? reason)) else { return }
        log.append(
            RequestLogLine(record, head, answer, fixtures.set, reason: answer.reason ?? reason, passed: passed))
    }

    /// Has what the stub sends of its own follow its answer.
    private func send(
        _ answer: Answer, _ head: borrowing RequestHead, _ body: [UInt8], _ connection: ConnectionInfo,
        for record: JournalRecord, since: Timestamps, _ fixtures: ServedFixtures
    ) {
        guard answer.outcome == .stub, !answer.isRefusal, let queue = core.webhooks,
            let webhooks = fixtures.stubs[answer.ordinal].webhooks
        else { return }
        let wait = Int(record.addedDelay / 1_000_000)
        let calls = webhooks.calls(
            head, body, answer.plan, connection, sequence: record.sequence, receivedAt: since.monotonic, wait: wait,
            core)
        // What is done with this wake of the loop comes first, and with it the answer.
        eventLoop?.execute { _ in
            for call in calls { queue.add(call) }
        }
    }

    /// Bytes of content that an answer has, as far as its delivery lets them go out.
    private static func size(of plan: Response) -> Int {
        guard let delivery = plan.delivery else { return plan.body.count }
        return delivery.sendsHead ? min(plan.body.count, delivery.bodyLimit ?? .max) : 0
    }

    /// Whether something did not go as its client wanted for want of a fixture, or because of what it sent.
    private static func isProblem(_ answer: Answer, reason: String?) -> Bool {
        switch answer.outcome {
        case .refused: true
        case .miss: answer.miss != nil || reason != nil || answer.plan.head.status >= 400
        // Who passes requests on tells of those that came to nothing.
        case .stub: answer.reason != nil
        case .file, .passed, .preflight: false
        }
    }

    func handshakeFailed(_ failure: HandshakeFailure, connection: ConnectionInfo) {
        guard let log, log.takes(failure) else { return }
        log.append(HandshakeLine(failure, connection: connection, isDevelopment: core.hasDevelopmentCertificates))
    }

    private static func names(of answer: Answer, in fixtures: ServedFixtures) -> JournalNames? {
        switch answer.outcome {
        case .stub: fixtures.stubs[answer.ordinal].names
        case .file: fixtures.fileNames[answer.ordinal]
        case .miss, .refused, .passed, .preflight: nil
        }
    }
}

extension ResponseHead {
    /// The same head with further lines behind its own.
    func adding(_ fields: [WireField]) -> ResponseHead {
        fields.isEmpty ? self : replacing(fields: self.fields + fields)
    }
}
