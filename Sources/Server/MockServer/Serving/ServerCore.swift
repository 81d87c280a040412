// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiJSONText
import MockapiMetering
import MockapiSystemIO
import Synchronization

/// The state that the parts of one server share, over all loops.
final class ServerCore: Sendable {
    let context: ServerContext
    let journal: Journal
    let loopCount: Int
    /// Whether the certificates that TLS clients see are of the development authority.
    let hasDevelopmentCertificates: Bool
    let fallback: (@Sendable (String, String, [UInt8]) -> FallbackResponse?)?
    let proxy: (any RequestProxy)?
    /// The forwarder that reaches other servers; nil if nothing does.
    let forwarder: (any RequestForwarder)?
    /// The webhooks that stubs send after their responses; nil if nothing reaches other servers.
    let webhooks: WebhookQueue?
    let observer: (any ResponseObserver)?
    /// Whether there is an observer: asked before it, since an existential is copied to be asked.
    let isObserved: Bool
    /// The rules that let pages of other origins read responses; nil if nothing does.
    let crossOrigin: CrossOrigin?
    let unreadPages = UnreadPages()
    /// The tasks of responses that code computes.
    let handlers = HandlerTasks()
    /// The responses that wait until they are released.
    let holds = Holds()
    /// The long responses of the admin API.
    let reports = AdminReports()
    /// The queues that match requests with large bodies, and with those that are larger still.
    private let matchQueue: MatchQueue
    /// Ends the work beside the loops once the server has stopped.
    let stop = WorkStop()
    private let soleMatchQueue: MatchQueue
    let startedAt = Clock.monotonic()
    let current: CurrentFixtures
    /// How many stubs came by the admin API, which their ids are made of.
    let adminStubCount = Atomic<Int>(0)
    /// The delays that all responses of stubs have.
    let globalDelay = GlobalDelay()
    /// Which findings keep files that are read again from being served.
    let standard: FixtureStandard
    /// Whether the admin API may write to the fixture directory, and the files that it has written stubs to, as names below that directory.
    let isWritable: Bool
    let mappingFiles = Mutex<[StubID: [String]]>([:])
    /// Ends the server; nil if the admin API cannot end it.
    let shutDown: (@Sendable () -> Void)?
    /// The state of a recording that the admin API was asked for.
    let recording = Mutex(RecordingState.neverStarted)
    /// The settings that clients keep here for themselves.
    let extendedSettings = Mutex(JSONObject([]))
    /// Whether clients may use the server as their proxy, and whether their requests that match nothing go on to the servers that they name.
    let isBrowserProxy: Bool
    let passesProxied: Atomic<Bool>

    init(
        _ fixtures: ServedFixtures, _ context: ServerContext, journal: Journal, loopCount: Int,
        hasDevelopmentCertificates: Bool = true,
        fallback: (@Sendable (String, String, [UInt8]) -> FallbackResponse?)? = nil,
        proxy: (any RequestProxy)? = nil, observer: (any ResponseObserver)? = nil, crossOrigin: CrossOrigin? = nil,
        forwarder: (any RequestForwarder)? = nil, maxWaiting: Int = 0, standard: FixtureStandard = .usual,
        isWritable: Bool = false, isBrowserProxy: Bool = false, passesProxied: Bool = true,
        shutDown: (@Sendable () -> Void)? = nil
    ) {
        self.isBrowserProxy = isBrowserProxy
        self.passesProxied = Atomic(passesProxied)
        self.standard = standard
        self.isWritable = isWritable
        self.shutDown = shutDown
        self.forwarder = forwarder
        webhooks = forwarder.map { forwarder in
            WebhookQueue(forwarder, events: journal.subEvents) { context.log?.tell(.webhook, $0) }
        }
        self.observer = observer
        isObserved = observer != nil
        self.crossOrigin = crossOrigin
        self.fallback = fallback
        self.proxy = proxy
        matchQueue = MatchQueue(width: loopCount, limit: maxWaiting)
        soleMatchQueue = MatchQueue(width: 1, limit: maxWaiting)
        self.context = context
        self.journal = journal
        self.loopCount = loopCount
        self.hasDevelopmentCertificates = hasDevelopmentCertificates
        current = CurrentFixtures(fixtures, holds)
    }

    /// The server that a client wants its request to reach by this one, as scheme, host and port; nil if the request is for this server.
    func otherServer(of head: borrowing RequestHead, by connection: ConnectionInfo) -> String? {
        guard isBrowserProxy else { return nil }
        var scheme = head.isSecure ? "https" : "http"
        if let given = head.targetScheme {
            scheme = head.string(given).lowercased()
        } else if !connection.isTunnel {
            return nil
        }
        guard scheme == "http" || scheme == "https", !context.identity.isAsked(by: head) else { return nil }
        return "\(scheme)://\(head.string(head.authority))"
    }

    /// Whether a client wants its request to reach another server by this one.
    @inline(__always)
    func isForElsewhere(_ head: borrowing RequestHead, by connection: ConnectionInfo) -> Bool {
        isBrowserProxy && otherServer(of: head, by: connection) != nil
    }

    /// Whether a request is for this server by one of its names, so that no stub is asked for its host.
    func matchesAnyHost(_ head: borrowing RequestHead, by connection: ConnectionInfo) -> Bool {
        context.identity.isNamed(by: head) && !isForElsewhere(head, by: connection)
    }

    /// The other server that a request goes on to if it matches nothing; nil if it does not.
    func nextServer(of head: borrowing RequestHead, by connection: ConnectionInfo) -> String? {
        guard isBrowserProxy, forwarder != nil, passesProxied.load(ordering: .relaxed) else { return nil }
        return otherServer(of: head, by: connection)
    }

    /// Reports the file of a resource that could not be written.
    var tellResource: @Sendable (String) -> Void {
        let context = context
        return { context.log?.tell(.resource, $0) }
    }

    /// The queue that matches a request with a large body.
    func matchQueue(for body: [UInt8]) -> MatchQueue {
        body.count > MatchQueue.soleLimit ? soleMatchQueue : matchQueue
    }

    /// The fixtures that are served now.
    var fixtures: ServedFixtures { current.fixtures }

    /// Resets sequences, scenarios and resources.
    func resetStates() {
        current.ready.resetStates()
        current.ready.resetResources(tell: tellResource)
    }

    /// Resets tokens, nonces, rates, schedules and random draws, and gives up the webhooks that wait.
    func resetEffects() {
        webhooks?.reset()
        context.resetSchedules()
        context.signIns.reset()
        holds.reset()
        current.ready.resetEffects()
    }
}
