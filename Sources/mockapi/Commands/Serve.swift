// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import Fixtures
import HTTPServer
import MockServer
import Recording

/// `mockapi serve`: replays a fixture directory.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve fixtures over HTTP.",
        discussion: """
            One line on standard output says where: listening on http://127.0.0.1:8080. The same port speaks HTTP/1.1 and \
            HTTP/2, with TLS and without. Everything else goes to standard error. SIGINT and SIGTERM end the server: answers under way go out first. \
            SIGHUP has the fixtures read anew, and sequences begin again.

            Each option can be given in the environment, too: --log-format json as MOCKAPI_LOG_FORMAT=json, --watch as MOCKAPI_WATCH=1. The \
            command line goes before.
            """)

    @OptionGroup var fixtures: FixtureDirectory

    @Option(help: "The port; 0 picks a free one.")
    var port = 8080

    @Option(help: "The name or address to listen on.")
    var host = "127.0.0.1"

    @OptionGroup var admin: AdminNames

    @Flag(
        help: """
            Let pages of every origin read answers, with credentials: answer preflights, and send the lines of CORS with every answer, in the \
            place of those that were recorded (default: only of misses and /__admin/health).
            """)
    var cors = false

    @Option(help: "Event loops (default: as many as the processors this process may use).")
    var loops: Int?

    @Flag(inversion: .prefixedNo, help: "Serve changed fixtures at once (default: where standard error is a terminal).")
    var watch: Bool?

    @Flag(name: .shortAndLong, help: "Write no lines of requests and no summary.")
    var quiet = false

    @Option(
        help: """
            Write a line for every request as text or json (default: text where standard error is a terminal; elsewhere only of misses, \
            refused messages and failed TLS handshakes).
            """)
    var logFormat: LogFormat?

    @Flag(help: "Refuse to start on a warning too.")
    var strict = false

    @Flag(help: "Serve what can be served where some stubs have errors, and say which those are.")
    var lenient = false

    @Option(help: "What random delays are drawn from: the same seed and the same requests give the same delays.")
    var seed: UInt64 = 0

    @OptionGroup(title: "Protocols") var protocols: ServeProtocols

    @OptionGroup(title: "Limits") var limits: ServeLimits

    @OptionGroup(title: "Recording") var recording: ServeRecording

    func validate() throws {
        if strict, lenient { throw ValidationError("--strict and --lenient exclude each other") }
        guard (0...65535).contains(port) else { throw ValidationError("--port must be between 0 and 65535") }
        guard loops.map({ (1...1024).contains($0) }) ?? true else {
            throw ValidationError("--loops must be between 1 and 1024")
        }
    }

    func run() async throws {
        // Before anything else: a signal that comes early must end the server as well as one that comes late.
        let signals = StopSignals()
        Output.queue()
        DescriptorLimit.raise()
        ProcessMemory.giveBackWhenFreed()
        try recording.prepare(fixtures.directory)
        // Before the fixtures are read, so that no change is missed.
        let changes = FixtureChanges()
        let hangUp = HangUpSignal(reload: { changes.noticed(begins: true) }, end: signals.stop)
        let watcher = startWatching(changes)
        let loaded = try fixtures.load()
        try judge(loaded)
        let recording = try self.recording.start(
            loaded, isWireMockRoot: fixtures.isWireMockRoot, isQuiet: quiet, isLenient: lenient)
        let (server, proxies) = try start(loaded, recording)
        Output.result("listening on \(server.address)")
        if !quiet {
            Output.note("  \(loaded.counts), \(Counts.count(loaded.findings.count, "finding"))")
            if let note = fixtures.leftOutNote(loaded) { Output.note(note) }
            if let note = server.reachNote { Output.note(note) }
            if !cors, let note = loaded.originNote { Output.note(note) }
        }
        if recording.map({ $0.mode.serves }) ?? true {
            changes.reload(
                by: Reloader(
                    servers: proxies?.servers ?? [server], directory: fixtures, isStrict: strict, isLenient: lenient,
                    isQuiet: quiet))
        }
        await signals.first()
        withExtendedLifetime(hangUp) {}
        watcher?.stop()
        recording?.session.stops()
        await proxies?.stop(grace: limits.grace.duration)
        await server.stop(grace: limits.grace.duration)
        await recording?.end(signals)
    }

    /// Prints the findings, and ends the command where they forbid to serve.
    private func judge(_ loaded: LoadedFixtures) throws {
        for finding in loaded.findings { Output.note(finding.located(in: fixtures.directory).description) }
        let isUnusable = loaded.findings.contains { $0.severity == .error && !lenient || strict }
        guard isUnusable else { return }
        let way = strict || loaded.leftOut.isEmpty ? "" : "; --lenient serves the others"
        Output.note(
            "error: these fixtures cannot be served; mockapi check \(fixtures.directory) prints the same findings\(way)"
        )
        throw Exit.unusableFixtures
    }

    private func start(
        _ loaded: LoadedFixtures, _ recording: ServedRecording?
    ) throws -> (server: MockServer, proxies: Proxies?) {
        var configuration = configuration
        configuration.passage = recording?.session.passage(to: 0)
        let answers = recording.map { $0.mode.serves } ?? true
        do throws(MockServerError) {
            let server = try MockServer(answers ? loaded : .none, configuration, loops: loops)
            return (server, try recording?.begin(with: server, configuration))
        } catch {
            Output.note("error: \(error)")
            throw Exit.impossible
        }
    }

    private var configuration: MockServer.Configuration {
        var configuration = MockServer.Configuration()
        configuration.host = host
        configuration.port = port
        configuration.adminHosts = admin.hosts
        configuration.isWireMockRoot = fixtures.isWireMockRoot
        configuration.journalLimit = limits.journalLimit.bytes
        configuration.maxHead = limits.maxHead.bytes
        configuration.maxBody = limits.maxBody.bytes
        configuration.maxConnections = limits.maxConnections
        configuration.idleTimeout = limits.idleTimeout.duration
        configuration.tls = protocols.tls
        configuration.speaksHTTP2 = !protocols.speaksNoHTTP2
        configuration.seed = seed
        configuration.allowsCORS = cors
        configuration.log = quiet ? nil : logFormat ?? .text
        configuration.logsRequests = logFormat != nil || Output.errorIsTerminal
        configuration.logsInColor = Output.errorIsColored
        return configuration
    }

    private func startWatching(_ changes: FixtureChanges) -> FixtureWatcher? {
        guard watch ?? Output.errorIsTerminal else { return nil }
        return FixtureWatcher(directory: fixtures.directory) { reason in
            Output.note("error: not every change of the fixtures will be seen: \(reason)")
        } changed: {
            changes.noticed()
        }
    }
}
