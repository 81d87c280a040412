// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch
import MockapiFixtures
import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire
import Synchronization

/// The basis of verdicts on the requests of one server, counted when each comes, and apart from the journal, which is bounded and forgets.
///
/// A loop leaves a request in the inbox, which takes no longer than a copy; expectations are held against it beside the loops.
final class RequestJudge: Sendable {
    /// A request that a test may fail for, whether an expectation asks for it or not.
    struct Problem: Sendable {
        enum Kind: Sendable, CaseIterable {
            /// Nothing matched it.
            case unmatched
            /// The message was refused before it was matched.
            case refused
            /// A fixture matched, and had no usable response.
            case unanswered
        }

        let sequence: UInt64
        let kind: Kind
        let status: Int
        let reason: String
    }

    /// Bytes of the requests that are kept for their outcomes, whatever becomes of the journal. 8 MiB.
    private static let keptLimit = 8 * 1024 * 1024
    /// Bytes of a body that is kept so. 64 KiB.
    private static let keptBody = 64 * 1024
    /// Problems of a kind that are reported one by one. 1,000.
    private static let toldLimit = 1_000
    /// Unmatched requests that are known to be expected, by their numbers. 100,000.
    private static let askedLimit = 100_000
    /// Bytes that wait before they are judged, and before the loop that brings more has to judge them itself: 256 KiB and 64 MiB.
    private static let waiting = (some: 256 * 1024, most: 64 * 1024 * 1024)

    private struct Inbox {
        var requests: [ArrivedRequest] = []
        var size = 0
    }

    private struct Findings {
        var problems: [Problem] = []
        var counts: [Problem.Kind: Int] = [:]
        var asides = 0
        var usedStubs: Set<String> = []
        var usedFiles: Set<String> = []
    }

    private struct Expected {
        var states: [ExpectationState] = []
        /// The numbers of the unmatched requests that an expectation asks for: as many as are ever reported, and more.
        var asked: Set<UInt64> = []
        var askedCount = 0

        /// - Returns: whether any asks for it.
        mutating func judge(_ request: ArrivedRequest) {
            var isAsked = false
            for index in states.indices where states[index].seen.remove(request.sequence) == nil {
                if states[index].judge(request) { isAsked = true }
            }
            if isAsked, request.isUnmatched { ask(request.sequence) }
        }

        mutating func ask(_ sequence: UInt64) {
            if asked.count < RequestJudge.askedLimit, !asked.insert(sequence).inserted { return }
            askedCount += 1
        }
    }

    private let inbox = Mutex(Inbox())
    private let findings = Mutex(Findings())
    private let expected = Mutex(Expected())
    private let isExpecting = Atomic(false)
    private let count = Atomic(0)
    private let kept = JournalRing(limit: RequestJudge.keptLimit)
    private let queue = DispatchQueue(label: "mockapi.judge")

    /// How many requests have come, refused messages among them.
    var total: Int { count.load(ordering: .relaxed) }

    // MARK: Requests

    /// Notes a request, before its response is known.
    ///
    /// - Parameter isUnmatched: whether it is known to match nothing.
    func arrived(
        _ sequence: UInt64, _ head: borrowing RequestHead, _ body: [UInt8], _ connection: ConnectionInfo,
        isUnmatched: Bool
    ) {
        guard isExpecting.load(ordering: .acquiring) else { return }
        let request = ArrivedRequest(sequence, head, body, connection, isUnmatched: isUnmatched)
        let size = inbox.withLock { inbox in
            inbox.requests.append(request)
            inbox.size += request.size
            return inbox.size
        }
        if size > Self.waiting.most {
            drain()
        } else if size > Self.waiting.some, size - request.size <= Self.waiting.some {
            queue.async { [self] in drain() }
        }
    }

    /// Notes the outcome of a request.
    func ended(
        _ record: JournalRecord, _ served: ServedResponse, names: JournalNames?, head: borrowing RequestHead,
        body: [UInt8], in fixtures: ServedFixtures
    ) {
        count.wrappingAdd(1, ordering: .relaxed)
        var isNew = false
        switch served.outcome {
        case .stub where !served.isRefusal:
            let id = fixtures.set.stubs[served.ordinal].id
            isNew = findings.withLock { $0.usedStubs.insert(id).inserted }
        case .file:
            let path = fixtures.set.files[served.ordinal].path
            isNew = findings.withLock { $0.usedFiles.insert(path).inserted }
        case .stub, .miss, .refused, .proxied, .preflight: break
        }
        let kind = Self.problem(served)
        guard isNew || kind != nil else { return }
        let isAside = kind == .unmatched && BrowserRequests.contain(head)
        let isKept = findings.withLock { findings in
            guard let kind else { return true }
            if isAside {
                findings.asides += 1
                return false
            }
            findings.counts[kind, default: 0] += 1
            guard findings.counts[kind, default: 0] <= Self.toldLimit else { return false }
            findings.problems.append(
                Problem(
                    sequence: record.sequence, kind: kind, status: Int(record.status), reason: served.reason ?? ""))
            return true
        }
        guard isKept, kept.size < Self.keptLimit - Self.keptBody - 4 * head.bytes.count - 4096 else { return }
        kept.append(
            record, names: names, head: head, trailers: [], body: Array(body.prefix(Self.keptBody)),
            bodySize: body.count)
    }

    /// Notes a failure of an action that a fixture asks for beside its response, such as a webhook.
    func failed(_ sequence: UInt64, _ reason: String) {
        findings.withLock { findings in
            findings.counts[.unanswered, default: 0] += 1
            guard findings.counts[.unanswered, default: 0] <= Self.toldLimit else { return }
            findings.problems.append(Problem(sequence: sequence, kind: .unanswered, status: 0, reason: reason))
        }
    }

    private static func problem(_ served: ServedResponse) -> Problem.Kind? {
        switch served.outcome {
        case .miss: .unmatched
        case .refused: .refused
        case .stub, .file: served.reason == nil || served.isGivenUp ? nil : .unanswered
        case .proxied, .preflight: nil
        }
    }

    // MARK: Expectations

    /// Adds an expectation, for requests from now on and those that the journal still has.
    ///
    /// - Returns: the number of the expectation.
    @discardableResult
    func expect(_ expectation: Expectation, of journal: Journal) -> Int {
        // Before the journal is read: a request that comes meanwhile is in the inbox, or in the journal, or in both.
        isExpecting.store(true, ordering: .releasing)
        return expected.withLock { expected in
            judgeInbox(&expected)
            var state = ExpectationState(expectation)
            let (entries, lost) = evidence(of: journal)
            for entry in entries {
                state.seen.insert(entry.sequence)
                guard entry.outcome != .refused else { continue }
                if state.judge(ArrivedRequest(entry)), entry.outcome == .unmatched { expected.ask(entry.sequence) }
            }
            state.lost = lost
            expected.states.append(state)
            return expected.states.count - 1
        }
    }

    /// The requests that can be read, oldest first, and how many are gone.
    func evidence(of journal: Journal) -> (entries: [JournalEntry], lost: Int) {
        var (entries, lost) = journal.evidence
        let known = Set(entries.map(\.sequence))
        let others = keptEntries.filter { !known.contains($0.sequence) && $0.sequence > journal.chapter }
        guard !others.isEmpty else { return (entries, lost) }
        lost = max(0, lost - others.count)
        entries = (entries + others).sorted { $0.sequence < $1.sequence }
        return (entries, lost)
    }

    private var keptEntries: [JournalEntry] {
        var places: [JournalRing.Place] = []
        kept.forEach(JournalFilter()) { places.append($0.place) }
        return places.compactMap { place in
            kept.entry(at: place)?.withUnsafeBytes { JournalReader($0).entry(abandonment: nil) }
        }
    }

    /// Holds the expectations against all that has come.
    private func drain() { expected.withLock { judgeInbox(&$0) } }

    private func judgeInbox(_ expected: inout Expected) {
        let requests = inbox.withLock { inbox in
            let requests = inbox.requests
            inbox = Inbox()
            return requests
        }
        for request in requests.sorted(by: { $0.sequence < $1.sequence }) { expected.judge(request) }
    }

    /// Reads, or changes, how far the expectations have come true.
    func withStates<Result>(_ body: (inout [ExpectationState]) -> sending Result) -> sending Result {
        expected.withLock { expected in
            judgeInbox(&expected)
            return body(&expected.states)
        }
    }

    // MARK: Reports

    /// The problems that are reported, but for requests that an expectation asks for, and how many of each kind there were in all.
    var problems: (told: [Problem], counts: [Problem.Kind: Int]) {
        let (asked, askedCount) = expected.withLock { expected in
            judgeInbox(&expected)
            return (expected.asked, expected.askedCount)
        }
        return findings.withLock { findings in
            let told = findings.problems.filter { $0.kind != .unmatched || !asked.contains($0.sequence) }
            var counts = findings.counts
            counts[.unmatched, default: 0] -= min(askedCount, counts[.unmatched, default: 0])
            return (told.sorted { $0.sequence < $1.sequence }, counts)
        }
    }

    /// How many requests browsers made on their own that matched nothing.
    var asides: Int { findings.withLock { $0.asides } }

    /// The ids of the stubs that were used.
    var usedStubs: Set<String> { findings.withLock { $0.usedStubs } }

    /// Forgets the requests so far, for a test that forgets its journal; the expectations stay.
    func begin() {
        inbox.withLock { $0 = Inbox() }
        findings.withLock { $0 = Findings() }
        kept.removeAll()
        count.store(0, ordering: .relaxed)
        expected.withLock { expected in
            expected.asked = []
            expected.askedCount = 0
            expected.states = expected.states.map { ExpectationState($0.expectation) }
        }
    }
}

/// The requests that browsers make of themselves, for a page that names none of them.
enum BrowserRequests {
    static func contain(_ head: borrowing RequestHead) -> Bool {
        guard head.equals(head.method, "GET") || head.equals(head.method, "HEAD") else { return false }
        switch head.string(head.path) {
        case "/favicon.ico", "/robots.txt", "/.well-known/appspecific/com.chrome.devtools.json": return true
        case let path: return path.hasPrefix("/apple-touch-icon") && path.hasSuffix(".png")
        }
    }
}
