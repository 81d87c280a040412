// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch
import Fixtures
import HTTPMessage
import HTTPServer
import HTTPWire
import StubMatching

/// Answers the requests of one server on one loop: match, choose what of the answer is sent, note it in the journal.
final class Responder: RequestHandler {
    /// What answered, for journal and log.
    struct Answer {
        var plan: ResponsePlan
        var outcome: JournalRecord.Outcome
        var ordinal = -1
        var miss: Miss?
        var isNoted = true
    }

    private var fixtures: ServedFixtures
    let core: ServerCore
    let identity: ServerIdentity
    private let journal: Journal
    private let ring: JournalRing?
    private let admin: AdminAPI
    private let log: (any RequestLog)?
    private let selection: ResponseSelection
    private let scratch = MatchScratch()
    private let memo = AnswerMemo()
    let queue: DispatchQueue?

    /// - Parameter queue: that of the loop; nil where there is none, and nothing is passed on.
    init(_ core: ServerCore, loop: Int, queue: DispatchQueue? = nil) {
        self.core = core
        self.queue = queue
        fixtures = core.fixtures
        identity = core.identity
        journal = core.journal
        ring = core.journal.ring(loop)
        admin = AdminAPI(core)
        log = core.makeLog?()
        selection = ResponseSelection(files: OpenFileCache(loops: core.loopCount), identity: core.identity)
    }

    func respond(to request: borrowing IncomingRequest) -> ResponsePlan {
        if AdminAPI.claims(request.head) {
            return admin.respond(to: request.head, connection: queue == nil ? nil : request.connection.id)
        }
        if core.generation != fixtures.generation {
            fixtures = core.fixtures
            memo.removeAll()
        }
        let remembered = request.body.isEmpty ? memo.answer(to: request.head) : nil
        guard let answer = remembered ?? answer(request.head, request.body) else { return pass(request) }
        guard answer.isNoted else { return answer.plan }
        note(
            answer, request.head, request.body, request.trailers, request.connection, request.stream,
            since: request.receivedAt)
        return answer.plan
    }

    func refuse(
        _ error: RequestError, head: RequestHead, stream: UInt32, connection: ConnectionInfo, receivedAt: Moment
    ) -> ResponsePlan {
        let plan = PlainAnswer.text(error.status, error.text + "\n", closes: true)
        note(
            Answer(plan: plan, outcome: .refused), head, [], [], connection, stream, since: receivedAt,
            reason: error.text)
        return plan
    }

    func abandoned(connection: ConnectionInfo, stream: UInt32, code: UInt32?) {
        journal.note(Abandonment(code: code), connection: connection.id, stream: stream)
    }

    func endWake() {
        log?.flush()
    }

    /// - Returns: nil where the request is to be passed on.
    private func answer(_ head: borrowing RequestHead, _ body: [UInt8]) -> Answer? {
        if head.equals(head.method, "CONNECT") {
            return Answer(
                plan: PlainAnswer.text(501, "this server is no proxy: CONNECT is not implemented\n"), outcome: .miss)
        }
        let fixtures = fixtures
        var claimed: PreparedResponse?
        var exhausted: [Int] = []
        let result = fixtures.index.match(
            head, body: body, matchesAnyHost: identity.isNamed(by: head), scratch: scratch, keepsBody: true
        ) { ordinal in
            claimed = fixtures.claim(ordinal)
            if claimed == nil { exhausted.append(ordinal) }
            return claimed != nil
        }
        switch result.outcome {
        case .stub(let ordinal):
            let response = claimed ?? fixtures.stubs[ordinal].first
            var plan = selection.plan(response, for: head)
            response.delivery?.apply(to: &plan, for: head, seed: core.seed)
            let answer = Answer(plan: plan, outcome: .stub, ordinal: ordinal)
            // A sequence gives another answer next time, and so does one that has come to its end once it starts again.
            if body.isEmpty, exhausted.isEmpty, fixtures.stubs[ordinal].sequence == nil, response.delivery == nil,
                !ConditionalFields.arePresent(in: head)
            {
                memo.keep(answer, to: head)
            }
            return answer
        case .file(let ordinal):
            return Answer(plan: selection.plan(fixtures.files[ordinal], for: head), outcome: .file, ordinal: ordinal)
        case .none:
            defer { scratch.dropBody() }
            return unmatched(head, body, exhausted, result)
        }
    }

    /// Explains what was nearest, or says which methods the target has; nil where the request is to be passed on.
    private func unmatched(
        _ head: borrowing RequestHead, _ body: [UInt8], _ exhausted: [Int], _ result: MatchResult
    ) -> Answer? {
        if let fallback = core.fallback, let answer = fallback(head.string(head.method), head.string(head.target), body)
        {
            return Answer(plan: answer.plan, outcome: .miss, isNoted: false)
        }
        if core.passage != nil { return nil }
        let methods = fixtures.allowedMethods(head, identity: identity, scratch: scratch)
        if head.equals(head.method, "OPTIONS"), !methods.isEmpty {
            return Answer(plan: PlainAnswer.options(methods), outcome: .miss)
        }
        if methods.isEmpty, head.equals(head.method, "TRACE") {
            return Answer(plan: PlainAnswer.text(501, "TRACE is not implemented\n"), outcome: .miss)
        }
        var miss = fixtures.miss(head, body, identity: identity, methods: methods, scratch: scratch, reusesBody: true)
        miss.exhausted = exhausted
        miss.exceeding = result.exceedingPatterns
        miss.exceedingComparisons = result.exceedingComparisons
        return Answer(plan: MissReport(miss).plan(for: head), outcome: .miss, miss: miss)
    }

    func note(
        _ answer: Answer, _ head: borrowing RequestHead, _ body: [UInt8], _ trailers: [RequestHead.Field],
        _ connection: ConnectionInfo, _ stream: UInt32, since: Moment, reason: String? = nil,
        passed: PassedAnswer? = nil
    ) {
        var record = JournalRecord(peer: connection.peer)
        record.status = Int32(answer.plan.head.status)
        record.outcome = answer.outcome.rawValue
        record.sequence = journal.nextSequence()
        record.receivedAt = since.wall
        let now = Clock.monotonic()
        record.duration = now > since.monotonic ? now - since.monotonic : 0
        record.addedDelay = answer.plan.delivery?.delay ?? 0
        record.connection = connection.id
        record.stream = stream
        record.tls = Int32(connection.tls?.rawValue ?? 0)
        record.responseSize = passed?.size ?? Int64(answer.plan.body.count)
        record.method = head.method
        record.target = head.target
        record.path = head.path
        record.query = head.query ?? .empty
        record.hasQuery = head.query == nil ? 0 : 1
        record.authority = head.authority
        record.version = Int32(head.version.rawValue)
        ring?.append(record, names: names(of: answer), head: head, trailers: trailers, body: body)
        log?.append(RequestLogLine(record, head, answer, fixtures.set, reason: reason, passed: passed))
    }

    private func names(of answer: Answer) -> AnswerNames? {
        switch answer.outcome {
        case .stub: fixtures.stubs[answer.ordinal].names
        case .file: fixtures.fileNames[answer.ordinal]
        case .miss, .refused, .passed: nil
        }
    }
}
