// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import MockServer
import MockapiHTTPServer
import MockapiSystemIO

/// `mockapi serve`: replays a fixture directory.
struct Serve: AsyncParsableCommand, ServingCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve fixtures over HTTP.",
        discussion: """
              mockapi Fixtures                         serve a directory on port 8080
              mockapi serve Fixtures -p 3000 --cors    let pages of other origins read it
              mockapi serve Fixtures --record new --upstream https://api.example.com

            One line on standard output gives the address: listening on http://127.0.0.1:8080. The same port speaks HTTP/1.1 and \
            HTTP/2, with TLS and without. Everything else goes to standard error. SIGINT and SIGTERM end the server, after responses under way. \
            At SIGHUP it reads the fixtures again, and sequences begin again.

            Each option can be given in the environment, too: --log-format json as MOCKAPI_LOG_FORMAT=json, --watch as MOCKAPI_WATCH=1. The \
            command line takes precedence. --help-all shows the rarer options, too: limits, client certificates, recording.
            """)

    @OptionGroup(title: "Fixtures") var fixtures: FixtureDirectory

    @Option(
        name: [.customShort("p"), .long], parsing: .unconditional,
        help: "The port, from 0 to 65535; 0 picks a free one.")
    var port = 8080

    @Flag(name: .customLong("open"), help: "Open the page that lists the stubs and files.")
    var opensPage = false

    @OptionGroup(title: "Server") var options: ServerOptions

    @OptionGroup(title: "Responses") var responses: ResponseOptions

    @OptionGroup(title: "Server", visibility: .hidden) var admin: AdminNames

    @Flag(
        help: ArgumentHelp(
            """
            Let the admin API write to a WireMock root: body files (files), stubs that were added or recorded (mappings/save, "persistent": true, \
            recordings), and the files of stubs that are removed.
            """, visibility: .hidden))
    var writable = false

    @OptionGroup(title: "TLS and HTTP/2") var protocols: ServeProtocols

    @OptionGroup(title: "Limits", visibility: .hidden) var limits: ServeLimits

    @OptionGroup(title: "Recording") var recording: ServeRecording

    func validate() throws {
        guard (0...65535).contains(port) else { throw ValidationError("--port must be between 0 and 65535") }
    }

    /// The service that gets the requests without a stub, as WireMock's `--proxy-all` has it.
    struct PassedOn {
        let url: String
        /// Whether it is written to the directory at the end.
        let isRecorded: Bool
        /// The names of header lines that recorded stubs ask for.
        let headers: [String]
    }

    func run() async throws { try await run(nil) }

    /// - Parameter wireMock: those options of WireMock's command that `mockapi serve` has not; nil for itself.
    func run(_ passed: PassedOn?, _ wireMock: WireMockOptions? = nil) async throws {
        // Before anything else: an early signal must end the server as well as a late one.
        let signals = StopSignals()
        Output.queue()
        DescriptorLimit.raise()
        ProcessMemory.giveBackWhenFreed()
        let changes = FixtureChanges()
        let hangUp = HangUpSignal(reload: { changes.noticed(begins: true) }, end: signals.stop)
        var settings = server
        settings.preservesHost = wireMock?.preservesHost ?? false
        settings.targets = wireMock?.targets
        let serving = try Serving(
            settings, port: port, changes: changes, watches: options.watch ?? Output.errorIsTerminal,
            begins: { serving, loaded in
                if let passed { try begin(passed, serving.servers[0]) }
                announce(serving, loaded, passed)
                if opensPage { PageOpener.open(serving.servers[0].address + (loaded.soleFile?.path ?? "")) }
                if wireMock?.isBrowserProxy == true, serving.servers[0].reachNote != nil, !options.quiet {
                    Output.note(
                        "  it is an open proxy for every client that reaches it; --bind-address 127.0.0.1 keeps it to this machine"
                    )
                }
                for port in serving.servers[0].furtherPorts where !options.quiet {
                    Output.note("  port \(port) speaks HTTPS, and HTTP as well")
                }
            }
        ) { _, configuration in
            configuration.furtherPorts = [wireMock?.httpsPort].compactMap(\.self)
            configuration.journalEntries = wireMock?.journalEntries
            configuration.tls?.keyStore = wireMock?.keyStore
            configuration.tls?.trustStore = wireMock?.trustStore
            configuration.adminAccess = wireMock?.adminAccess ?? AdminAccess()
            configuration.isBrowserProxy = wireMock?.isBrowserProxy ?? false
            configuration.passesProxied = wireMock?.passesProxied ?? true
            configuration.writesFixtures = writable || passed?.isRecorded ?? false
            configuration.whenShutDown = signals.stop
        }
        await signals.first()
        withExtendedLifetime(hangUp) {}
        await serving.stop(signals)
        if let passed, passed.isRecorded { try await record(passed, serving.servers[0]) }
    }

    private func begin(_ passed: PassedOn, _ server: MockServer) throws {
        do throws(MockServerError) {
            try server.passOn(to: passed.url)
            let way = passed.isRecorded ? "recording it at the end" : "recording nothing"
            if !options.quiet { Output.note("  passing requests that no stub answers to \(passed.url), \(way)") }
        } catch {
            Output.note("error: --proxy-all: \(error)")
            throw ExitCode.validationFailure
        }
    }

    private func record(_ passed: PassedOn, _ server: MockServer) async throws {
        do throws(MockServerError) {
            let count = try await server.recordPassedOn(matching: passed.headers)
            if !options.quiet { Output.note("  \(Counts.count(count, "stub")) recorded into \(fixtures.directory)") }
        } catch {
            Output.note("error: nothing was recorded: \(error)")
            throw Exit.impossible
        }
    }

    /// Prints the server's address, and notes on it.
    private func announce(_ serving: Serving, _ loaded: LoadedFixtures, _ passed: PassedOn?) {
        let server = serving.servers[0]
        Output.result("listening on \(server.address)")
        guard !options.quiet else { return }
        Output.note("  \(loaded.counts), \(Counts.count(loaded.findings.count, "finding"))")
        if let file = loaded.soleFile { Output.note("  \(server.address)\(file.path), \(file.mediaType)") }
        if let note = fixtures.leftOutNote(loaded) { Output.note(note) }
        if let note = server.reachNote { Output.note(note) }
        if !responses.noOutgoing, let note = loaded.outgoingNote("--no-outgoing") { Output.note(note) }
        if let note = serving.proxyNote(loaded, passed?.url) { Output.note(note) }
        if !responses.cors, responses.corsOrigin.isEmpty, let note = loaded.originNote(.options) { Output.note(note) }
    }
}
