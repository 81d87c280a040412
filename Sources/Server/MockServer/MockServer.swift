// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiEventLoops
import MockapiFixtures
import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiMetering
import MockapiStubMatching
import MockapiSystemIO
import Synchronization

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A mock server that replays a directory of fixtures over HTTP.
///
/// Any number of servers run side by side in one process and share its event loops; each has a port, fixtures and a journal
/// of its own.
///
///     let server = try await MockServer.start(fixtures: "Fixtures")
///     let (data, _) = try await URLSession.shared.data(from: server.baseURL.appending(path: "api/contents"))
///     print(server.journal.entries.count)
///     await server.stop()
public final class MockServer: Sendable {
    /// The URL the server is reached by, such as `http://127.0.0.1:49152`.
    public let baseURL: URL
    /// The same as text, without a slash at its end.
    package let address: String
    /// The requests that came, and the sources of their responses.
    public let journal: Journal

    /// The ports that it listens on besides.
    package let furtherPorts: [Int]

    let core: ServerCore
    private let server: HTTPServer
    /// Whether somebody has asked for the results of the expectations.
    let isVerified = Atomic<Bool>(false)

    /// Loads fixtures and starts to serve them.
    ///
    /// - Parameters:
    ///   - fixtures: the directory, a relative path being one of the working directory; nil for none.
    ///   - stubs: further stubs, which go before stubs of the directory at equal priority.
    /// - Throws: `MockServerError` if the fixtures cannot be used or the port is taken.
    public static func start(
        fixtures: String? = nil, stubs: [MockStub] = [], configuration: Configuration = Configuration()
    ) async throws(MockServerError) -> MockServer {
        let server = try MockServer(LoadedFixtures(usable(fixtures, stubs, configuration)), configuration)
        server.inheritTask()
        StartedServers.keeper?.keep(server)
        return server
    }

    /// Starts to serve fixtures that have been loaded and judged.
    ///
    /// - Parameter loops: how many event loops of its own the server has; nil for those that all servers of the process share.
    package init(
        _ fixtures: LoadedFixtures, _ configuration: Configuration, loops: Int? = nil
    ) throws(MockServerError) {
        let group: EventLoopGroup
        do throws(SystemError) {
            group = if let loops { try EventLoopGroup(count: loops) } else { try EventLoopGroup.shared.get() }
        } catch {
            throw MockServerError(.system("the event loops cannot be made: \(error)"))
        }
        let objection = try configuration.tls?.check()
        journal = Journal(
            limit: configuration.journalLimit, entries: configuration.journalEntries, rings: group.loops.count,
            judges: configuration.judges)
        let sockets = try Self.listen(configuration)
        let ports = sockets.map { Int($0.address.port) }
        furtherPorts = ports.indices.filter { ports.firstIndex(of: ports[$0]) == $0 }.dropFirst().map { ports[$0] }
        let identity = ServerIdentity(
            host: configuration.host, address: sockets[0].address, adminHosts: configuration.adminHosts,
            publicURL: configuration.publicURL, trustsForwarded: configuration.trustsForwarded,
            proxyPorts: configuration.isBrowserProxy ? ports : [])
        let context = ServerContext(
            identity: identity, seed: configuration.seed, frozen: configuration.frozenMilliseconds,
            log: configuration.logSettings, names: configuration.names, adminAccess: configuration.adminAccess)
        let core = ServerCore(
            fixtures.served.at(configuration.frozenMilliseconds.map { Int($0 / 1000) }), context, journal: journal,
            loopCount: group.loops.count,
            hasDevelopmentCertificates: configuration.tls.map { $0.certificate == nil && $0.keyStore == nil } ?? true,
            fallback: configuration.fallback,
            proxy: configuration.proxy, observer: configuration.observer, crossOrigin: configuration.crossOrigin,
            forwarder: configuration.forwarder, maxWaiting: configuration.maxWaiting,
            standard: configuration.standard, isWritable: configuration.writesFixtures,
            isBrowserProxy: configuration.isBrowserProxy, passesProxied: configuration.passesProxied,
            shutDown: configuration.whenShutDown)
        self.core = core
        if let delay = configuration.delay { core.globalDelay.set(delay, reachesFiles: true) }
        if let objection { core.context.log?.tell(.note, objection) }
        let settings = configuration.server {
            core.current.isUnready ? FixtureHosts.names(of: core.current.set.stubs) : core.fixtures.hosts
        }
        let date = configuration.frozenMilliseconds.flatMap { $0 < 0 ? nil : HTTPDate.format(Int($0 / 1000)) }
        server = HTTPServer(sockets, settings, date: date, group: group) { Responder(core, loop: $0.index, on: $0) }
        address = "http://\(identity.authority)"
        guard let url = URL(string: address) else { throw MockServerError(.system("\(address) is not a URL")) }
        baseURL = url
    }

    /// Takes the ports, the server's own first; none if one is taken.
    private static func listen(_ configuration: Configuration) throws(MockServerError) -> [ListeningSocket] {
        var sockets: [ListeningSocket] = []
        for port in [configuration.port] + configuration.furtherPorts {
            do throws(SystemError) {
                sockets += try UsedPorts.ofProcess.listen(host: configuration.host, port: port)
            } catch {
                for socket in sockets { socket.close() }
                throw MockServerError(
                    listening: error, host: configuration.host, port: port, configuration.names)
            }
        }
        return sockets
    }

    /// Stops: takes no more connections, lets responses under way go out, and returns when the port is free.
    ///
    /// - Parameter grace: how long responses under way may take; connections that last longer are cut.
    public func stop(grace: Duration = .zero) async {
        if grace == .zero { core.stop.ask() }
        await server.stop(grace: grace)
        core.stop.ask()
        await core.handlers.cancel()
        await core.webhooks?.stop()
        for (_, stub) in core.current.ready.stubs.ready { await stub.resource?.writer?.finish() }
        core.context.log?.limit.tell()
    }

    deinit {
        core.stop.ask()
        let (server, handlers, webhooks) = (server, core.handlers, core.webhooks)
        Task {
            await server.stop()
            await handlers.cancel()
            await webhooks?.stop()
        }
    }

    /// The text that its client got for an unmatched request, and the stub that came too late for it.
    func explanation(of entry: JournalEntry) -> String {
        let fixtures = core.fixtures
        let head = RequestHead(entry)
        let matchesAnyHost = !entry.isForElsewhere && core.context.identity.isNamed(by: head)
        // Few of the misses that the journal still has lack a text: those whose texts gave way to newer ones.
        guard let miss = journal.misses.text(of: entry.sequence) else {
            return fixtures.explanation(of: head, body: entry.body, matchesAnyHost: matchesAnyHost)
        }
        guard
            let late = fixtures.stub(for: head, body: entry.body, from: miss.stubCount, matchesAnyHost: matchesAnyHost)
        else {
            return miss.text
        }
        let end = miss.text.firstIndex(of: "\n") ?? miss.text.endIndex
        return miss.text[..<end] + "\n\n\(late) answers it, but was added after the request had come"
            + miss.text[end...]
    }

    /// The stubs that are served.
    var stubs: [Stub] { core.current.set.stubs }

    /// Serves other fixtures from now on; requests under way use those they came to.
    package func replace(_ fixtures: LoadedFixtures) {
        core.current.replace(with: fixtures.served)
    }

    /// Starts all sequences and scenarios again, and gives all resources the items of their files.
    public func resetStates() {
        core.resetStates()
    }

    /// Resets all resources to the content of their files.
    public func resetResources() {
        core.current.ready.resetResources(tell: core.tellResource)
    }

    /// The note for its user if other machines can reach it; nil if only this one can.
    package var reachNote: String? {
        guard core.context.identity.isReachable else { return nil }
        let place = core.context.identity.reachedBy.first.map { " by http://\($0)" } ?? ""
        return "  the network reaches this port\(place), the journal (/__admin) too; "
            + "\(core.context.names(.host, "127.0.0.1")) keeps it to this machine"
    }

    /// The fixtures that are served now.
    package var fixtures: LoadedFixtures { LoadedFixtures(core.fixtures) }

    /// Serves more stubs from now on; they go before those of files and those added before at equal priority.
    ///
    /// A request that comes when this has returned meets them.
    /// - Throws: `MockServerError` if one has an error; none is added then.
    public func add(_ stubs: MockStub...) throws(MockServerError) {
        try core.current.add(stubs)
    }

    /// Oddities of the fixtures and the stubs, in lines: the warnings of `check` on files.
    package var warnings: [String] {
        core.current.set.findings.filter { $0.severity == .warning }.map(\.description)
    }

    /// Makes the code of stubs run in tasks that inherit from the calling task, as they do from the task that has started the server.
    package func inheritTask() { core.handlers.inherit() }

    /// Reads a directory once more, to replace the present fixtures; stubs that were added stay.
    package func reload(_ path: String, wireMock: Bool) throws(MockServerError) -> LoadedFixtures {
        var set = try FixtureCache.read(path, wireMock: wireMock, templatesAll: core.current.set.templatesAll)
        let current = core.fixtures
        set.stubs += CurrentFixtures.added(current.set.stubs, beside: set.stubs)
        return LoadedFixtures(
            ServedFixtures(reloaded: set, generation: core.current.nextGeneration(), previous: current))
    }

    /// Reads a directory that is to be served, and the stubs beside it.
    static func usable(
        _ path: String?, _ stubs: [MockStub], _ configuration: Configuration
    ) throws(MockServerError) -> ServedFixtures {
        var set = FixtureSet(root: "")
        if let path {
            set = try FixtureCache.load(
                path, wireMock: configuration.isWireMockRoot, templatesAll: configuration.templatesAllResponses)
        }
        set.templatesAll = configuration.templatesAllResponses
        let handlers = try set.add(stubs, from: 0)
        let served = ServedFixtures(set, generation: 1, handlers: handlers)
        let errors = (set.findings + served.index.findings).filter { $0.severity == .error }.sorted()
        guard errors.isEmpty else { throw MockServerError(.fixturesUnusable(findings: errors.map(\.description))) }
        return served
    }
}

extension MockServer: CustomReflectable {
    /// Shows nothing of the server if a failed `#expect` shows its operands: other threads change its contents meanwhile.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}
