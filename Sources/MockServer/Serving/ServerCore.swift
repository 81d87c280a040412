// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Fixtures
import HTTPServer
import Synchronization

/// What the parts of one server share, over all loops.
final class ServerCore: Sendable {
    let identity: ServerIdentity
    let journal: Journal
    let loopCount: Int
    let log: LogSettings?
    /// Whether the certificates that TLS clients see are of the development authority.
    let hasDevelopmentCertificates: Bool
    /// What random delays are drawn from.
    let seed: UInt64
    /// What the time is to templates; nil for what the clock says. Milliseconds since 1970.
    private let frozen: Int64?
    let fallback: (@Sendable (String, String, [UInt8]) -> FallbackAnswer?)?
    let passage: (any RequestPassage)?
    let observer: (any AnswerObserver)?
    /// Whether pages of every origin may read answers.
    let allowsCORS: Bool
    /// The answers that code computes.
    let handlers = HandlerTasks()
    /// What is told of the journal.
    let reports = AdminReports()
    /// Who judges requests with large bodies, and with those that are larger still.
    private let judges: JudgeQueue
    private let soleJudge: JudgeQueue
    let startedAt = Clock.monotonic()
    private let current: Mutex<ServedFixtures>
    /// Which load of the fixtures is served, to be compared before each request without a lock.
    private let currentGeneration: Atomic<UInt64>

    init(
        _ fixtures: ServedFixtures, identity: ServerIdentity, journal: Journal, loopCount: Int, seed: UInt64,
        log: LogSettings?, hasDevelopmentCertificates: Bool = true,
        fallback: (@Sendable (String, String, [UInt8]) -> FallbackAnswer?)? = nil,
        passage: (any RequestPassage)? = nil, observer: (any AnswerObserver)? = nil, allowsCORS: Bool = false,
        maxWaiting: Int = 0, now: Int64? = nil
    ) {
        frozen = now
        self.observer = observer
        self.allowsCORS = allowsCORS
        self.fallback = fallback
        self.passage = passage
        judges = JudgeQueue(width: loopCount, limit: maxWaiting)
        soleJudge = JudgeQueue(width: 1, limit: maxWaiting)
        self.identity = identity
        self.journal = journal
        self.loopCount = loopCount
        self.seed = seed
        self.log = log
        self.hasDevelopmentCertificates = hasDevelopmentCertificates
        current = Mutex(fixtures)
        currentGeneration = Atomic(fixtures.generation)
    }

    /// What the time is to templates: milliseconds since 1970.
    func now() -> Int64 { frozen ?? Int64(clamping: Clock.wall() / 1_000_000) }

    /// Who judges a request with a large body.
    func judges(of body: [UInt8]) -> JudgeQueue {
        body.count > JudgeQueue.soleLimit ? soleJudge : judges
    }

    /// The fixtures that are served now.
    var fixtures: ServedFixtures {
        current.withLock { $0 }
    }

    var generation: UInt64 { currentGeneration.load(ordering: .acquiring) }

    func replace(_ fixtures: ServedFixtures) {
        current.withLock { $0 = fixtures }
        fixtures.scenarios?.keep(Set(fixtures.set.stubs.compactMap(\.scenario?.name)))
        currentGeneration.store(fixtures.generation, ordering: .releasing)
    }
}
