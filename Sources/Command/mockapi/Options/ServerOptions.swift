// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import MockServer
import MockapiFixtures
import MockapiProxy
import MockapiRecording
import MockapiUpstream

/// The options of every command that serves fixtures, the port aside: the address, and the output.
struct ServerOptions: ParsableArguments {
    @Option(help: "The name or address to listen on.")
    var host = "127.0.0.1"

    @Option(
        help: ArgumentHelp(
            "Event loops (default: one for each processor that this process may use).", visibility: .hidden))
    var loops: Int?

    @Flag(inversion: .prefixedNo, help: "Serve changed fixtures at once (default: if standard error is a terminal).")
    var watch: Bool?

    @Flag(name: .shortAndLong, help: "Print no request lines and no summary.")
    var quiet = false

    @Option(
        help: """
            Write a line for every request as text or json (default: text if standard error is a terminal; otherwise only misses, \
            refused messages and failed TLS handshakes).
            """)
    var logFormat: LogFormat?

    @Flag(help: "Refuse to start on warnings, too.")
    var strict = false

    @Flag(help: "Serve the other stubs if some have errors, and name those.")
    var lenient = false

    /// Which findings keep the fixtures from being served, at the start and later.
    var standard: FixtureStandard { strict ? .strict : lenient ? .lenient : .usual }

    mutating func validate() throws {
        if strict, lenient { throw ValidationError("--strict and --lenient exclude each other") }
        guard loops.map({ (1...1024).contains($0) }) ?? true else {
            throw ValidationError("--loops must be between 1 and 1024")
        }
    }
}

/// A command that serves fixtures. Each has the groups of options side by side: one in another costs a multiple of the time to read them.
protocol ServingCommand {
    var fixtures: FixtureDirectory { get }
    var options: ServerOptions { get }
    var responses: ResponseOptions { get }
    var admin: AdminNames { get }
    var protocols: ServeProtocols { get }
    var limits: ServeLimits { get }
    var recording: ServeRecording { get }
}

extension ServingCommand {
    var server: ServerSettings {
        ServerSettings(
            fixtures: fixtures, options: options, responses: responses, admin: admin, protocols: protocols,
            limits: limits,
            recording: recording)
    }
}

/// The settings of a command that serves fixtures, made of its options.
struct ServerSettings {
    let fixtures: FixtureDirectory
    let options: ServerOptions
    let responses: ResponseOptions
    let admin: AdminNames
    let protocols: ServeProtocols
    let limits: ServeLimits
    let recording: ServeRecording
    /// Whether the servers that stubs lead to see the host that the client has asked.
    var preservesHost = false
    /// The servers that stubs may lead to; nil for all.
    var targets: UpstreamTargets?

    /// - Parameters:
    ///   - port: 0 for a free one.
    ///   - logsByDefault: whether there is a log if `--log-format` asks for none.
    func configuration(port: Int, logsByDefault: Bool = true) -> MockServer.Configuration {
        var configuration = MockServer.Configuration()
        configuration.names = .options
        configuration.host = options.host
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
        configuration.seed = responses.seed
        configuration.delay = responses.delay?.delay
        configuration.judges = false
        configuration.now = responses.now?.date
        configuration.templatesAllResponses = fixtures.globalResponseTemplating
        configuration.allowsCORS = responses.cors
        configuration.corsOrigins = responses.corsOrigin
        configuration.publicURL = responses.publicUrl
        configuration.trustsForwarded = responses.trustForwarded
        // The trust in services that are recorded holds for those that stubs lead to, too.
        var upstream = (try? recording.upstream.session().upstream) ?? UpstreamConfiguration()
        upstream.targets = targets
        configuration.forwarder =
            responses.noOutgoing
            ? nil
            : StubProxy(
                upstream,
                keeper: ForwardedRecordings(
                    recording.choices.recorder([]), largestBody: recording.choices.maxRecordedBody.bytes),
                preservesHost: preservesHost)
        configuration.log = options.logFormat ?? (logsByDefault ? .text : nil)
        configuration.standard = options.standard
        configuration.logsNoRequest = options.quiet
        configuration.logsRequests = options.logFormat != nil || Output.errorIsTerminal
        configuration.logsInColor = Output.errorIsColored
        configuration.logColumns = Output.errorColumns
        return configuration
    }

    /// Prints the findings, and ends the command if they forbid to serve.
    func judge(_ loaded: LoadedFixtures) throws {
        let directory = fixtures.directory
        // A directory that is recorded into may be empty.
        let findings = loaded.findings.filter { recording.requestedMode == nil || $0 != loaded.emptiness }
        Output.note(findings.map { $0.located(in: fixtures.folder) })
        guard options.standard.refuses(findings) else { return }
        let way = options.strict || loaded.leftOut.isEmpty ? "" : "; --lenient serves the others"
        Output.note(
            "error: these fixtures cannot be served; mockapi check \(directory) prints the same findings\(way)")
        throw Exit.unusableFixtures
    }
}

/// Servers of one fixture directory, with all that goes on beside them while they serve.
struct Serving {
    let servers: [MockServer]
    private let settings: ServerSettings
    private let proxies: Proxies?
    private let recording: ServedRecording?
    private let watcher: FixtureWatcher?

    /// Reads the fixtures and starts to serve them, or ends the command if that fails.
    ///
    /// - Parameters:
    ///   - count: how many servers of their own have the same fixtures.
    ///   - changes: called for changes from before the fixtures are read.
    ///   - begins: called when all are ready, before changes are served.
    ///   - configure: changes the configuration of each.
    init(
        _ settings: ServerSettings, port: Int, count: Int = 1, changes: FixtureChanges,
        watches: Bool, logsByDefault: Bool = true, begins: (Serving, LoadedFixtures) throws -> Void = { _, _ in },
        configure: (Int, inout MockServer.Configuration) -> Void = { _, _ in }
    ) throws {
        self.settings = settings
        let (fixtures, options) = (settings.fixtures, settings.options)
        try settings.recording.prepare(fixtures.directory)
        // Before the fixtures are read, so that no change is missed.
        watcher = watches ? Self.watch(fixtures.directory, changes) : nil
        let loaded = try fixtures.load()
        try settings.judge(loaded)
        recording = try settings.recording.start(
            loaded, isWireMockRoot: fixtures.isWireMockRoot, isQuiet: options.quiet)
        let serves = recording.map { $0.mode.serves } ?? true
        var servers: [MockServer] = []
        do throws(MockServerError) {
            for index in 0..<count {
                var configuration = settings.configuration(port: port, logsByDefault: logsByDefault)
                configuration.proxy = recording?.session.proxy(to: 0)
                configure(index, &configuration)
                // Sequences are of a server alone.
                let own = index == 0 ? loaded : LoadedFixtures(loaded.set)
                servers.append(try MockServer(serves ? own : .none, configuration, loops: options.loops))
            }
            self.servers = servers
            let configuration = settings.configuration(port: port, logsByDefault: logsByDefault)
            proxies = try recording?.begin(with: servers[0], configuration)
        } catch {
            Output.note("error: \(error)")
            throw Exit.impossible
        }
        try begins(self, loaded)
        // With `--record new`, requests that this run has recorded are asked for again, since the next response may differ.
        if serves, recording?.mode != .new {
            changes.reload(
                by: Reloader(
                    servers: proxies?.servers ?? servers, directory: fixtures, standard: options.standard,
                    isQuiet: options.quiet))
        }
    }

    /// The note on a proxy of the environment by which stubs, or a recording, reach other servers; nil if none does.
    ///
    /// - Parameter url: a further service that is asked.
    func proxyNote(_ loaded: LoadedFixtures, _ url: String? = nil) -> String? {
        let ofStubs = settings.responses.noOutgoing ? [] : loaded.outgoing + [url].compactMap(\.self)
        let urls = ofStubs + (recording?.session.origins.map(\.text) ?? [])
        return settings.recording.upstream.proxyNote(for: urls).map { "  " + $0 }
    }

    /// Stops all, and returns when the recording is written.
    ///
    /// - Parameters:
    ///   - signals: the signals of the process, if one has ended it.
    ///   - grace: how long responses under way may take; nil for as long as the options say.
    func stop(_ signals: StopSignals? = nil, grace: Duration? = nil) async {
        watcher?.stop()
        recording?.session.stops()
        let grace = grace ?? settings.limits.grace.duration
        await proxies?.stop(grace: grace)
        await withTaskGroup { group in
            for server in servers { group.addTask { await server.stop(grace: grace) } }
        }
        await recording?.end(signals)
    }

    private static func watch(_ directory: String, _ changes: FixtureChanges) -> FixtureWatcher? {
        FixtureWatcher(directory: directory) {
            Output.note("  the system does not report every change on this mount: the files are checked once a second")
        } failed: { reason in
            Output.note("error: not every change of the fixtures will be seen: \(reason)")
        } changed: {
            changes.noticed()
        }
    }
}
