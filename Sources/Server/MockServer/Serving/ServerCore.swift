// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiSystemIO
import Synchronization

/// The state that the parts of one server share, over all loops.
final class ServerCore: Sendable {
    let identity: ServerIdentity
    let journal: Journal
    let loopCount: Int
    let log: LogSettings?
    /// Whether the certificates that TLS clients see are of the development authority.
    let hasDevelopmentCertificates: Bool
    /// The seed of random delays and of other seeded draws.
    let seed: UInt64
    /// The time that templates and matchers see; nil for the time of the clock. Milliseconds since 1970.
    let frozen: Int64?
    let fallback: (@Sendable (String, String, [UInt8]) -> FallbackResponse?)?
    let proxy: (any RequestProxy)?
    /// The forwarder that reaches other servers; nil where nothing does.
    let forwarder: (any RequestForwarder)?
    /// The webhooks that stubs send when they have answered; nil where nothing reaches other servers.
    let webhooks: WebhookQueue?
    /// The name of the server in Via fields (RFC 9110 §7.6.3).
    let pseudonym = "mockapi-" + ServerCore.randomDigits()
    let observer: (any ResponseObserver)?
    /// Whether there is an observer: asked before it, since an existential is copied to be asked.
    let isObserved: Bool
    /// The rules that let pages of other origins read responses; nil where nothing does.
    let crossOrigin: CrossOrigin?
    /// The tasks of responses that code computes.
    let handlers = HandlerTasks()
    /// The long responses of the admin API.
    let reports = AdminReports()
    /// The queues that match requests with large bodies, and with those that are larger still.
    private let matchQueue: MatchQueue
    private let soleMatchQueue: MatchQueue
    let startedAt = Clock.monotonic()
    /// When the schedules of rules began.
    private let scheduledSince = Atomic<UInt64>(Clock.monotonic())
    let current: CurrentFixtures
    /// How many stubs came by the admin API, which their ids are made of.
    let adminStubCount = Atomic<Int>(0)
    /// The delays that all responses of stubs have.
    let globalDelay = GlobalDelay()
    /// Whether the admin API may write to the fixture directory, and where it has written stubs to: names below it.
    let isWritable: Bool
    let mappingFiles = Mutex<[StubID: [String]]>([:])
    /// Ends the server; nil where the admin API cannot.
    let shutDown: (@Sendable () -> Void)?
    /// The settings that clients keep here for themselves.
    let extendedSettings = Mutex(JSONObject([]))

    init(
        _ fixtures: ServedFixtures, identity: ServerIdentity, journal: Journal, loopCount: Int, seed: UInt64,
        log: LogSettings?, hasDevelopmentCertificates: Bool = true,
        fallback: (@Sendable (String, String, [UInt8]) -> FallbackResponse?)? = nil,
        proxy: (any RequestProxy)? = nil, observer: (any ResponseObserver)? = nil, crossOrigin: CrossOrigin? = nil,
        forwarder: (any RequestForwarder)? = nil, maxWaiting: Int = 0, now: Int64? = nil,
        isWritable: Bool = false, shutDown: (@Sendable () -> Void)? = nil
    ) {
        self.isWritable = isWritable
        self.shutDown = shutDown
        frozen = now
        self.forwarder = forwarder
        webhooks = forwarder.map { forwarder in
            WebhookQueue(forwarder, events: journal.subEvents) { line in
                log?.tell(.webhook, line)
            }
        }
        self.observer = observer
        isObserved = observer != nil
        self.crossOrigin = crossOrigin
        self.fallback = fallback
        self.proxy = proxy
        matchQueue = MatchQueue(width: loopCount, limit: maxWaiting)
        soleMatchQueue = MatchQueue(width: 1, limit: maxWaiting)
        self.identity = identity
        self.journal = journal
        self.loopCount = loopCount
        self.seed = seed
        self.log = log
        self.hasDevelopmentCertificates = hasDevelopmentCertificates
        current = CurrentFixtures(fixtures)
    }

    /// Tells of the file of a resource that could not be written.
    var tellResource: @Sendable (String) -> Void {
        let log = log
        return { log?.tell(.resource, $0) }
    }

    /// The time that templates see, in milliseconds since 1970.
    func now() -> Int64 { frozen ?? Int64(clamping: Clock.wall() / 1_000_000) }

    /// The queue that matches a request with a large body.
    func matchQueue(for body: [UInt8]) -> MatchQueue {
        body.count > MatchQueue.soleLimit ? soleMatchQueue : matchQueue
    }

    /// The fixtures that are served now.
    var fixtures: ServedFixtures { current.fixtures }

    /// Sixteen hexadecimal digits that no other server has.
    private static func randomDigits() -> String {
        UInt64.random(in: .min ... .max).hexadecimal
    }

    /// Milliseconds of the schedules of rules.
    var elapsedMilliseconds: Int {
        let (now, since) = (Clock.monotonic(), scheduledSince.load(ordering: .relaxed))
        return now > since ? Int((now - since) / 1_000_000) : 0
    }

    /// Has tokens, nonces, rates, schedules and what is drawn begin again, and gives up the webhooks that wait.
    func resetEffects() {
        webhooks?.reset()
        scheduledSince.store(Clock.monotonic(), ordering: .relaxed)
        current.ready.resetEffects()
    }
}
