// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import MockServer
import MockapiHTTPServer
import MockapiProxy
import MockapiRecording
import MockapiRunning
import MockapiSystemIO

/// `mockapi record`: responses of live services to fixtures.
struct Record: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Record live responses into fixtures.",
        usage: "mockapi record <url> [<options>] [-- <command> ...]",
        discussion: """
            A proxy in front of each service records the responses that pass. With a command behind -- it runs until the command ends; the command \
            finds the proxies in MOCKAPI_URL, and in MOCKAPI_URL_2 and so on for those of --also. --get and --requests send requests \
            without a proxy.

              mockapi record https://api.example.com --into Fixtures/
              mockapi record https://api.example.com --get /api/contents
              mockapi record https://a.example.com --also https://b.example.com -- ./run-app

            Each option can be given in the environment, too: --into Fixtures as MOCKAPI_INTO=Fixtures, --insecure as MOCKAPI_INSECURE=1. The \
            command line takes precedence.

            Prints a line for each response, on standard error if there is a command, since standard output is the command's: + new, ~ changed, \
            = unchanged, - left out, ! refused or failed. If the command fails, the directory is put back as it was. With --mode none a request that no fixture answers counts as failed. Exit codes: 0 everything was recorded, 1 \
            something was refused or failed, 3 the fixtures cannot be served, 4 it could not be done; otherwise that of the command.
            """)

    @Argument(help: ArgumentHelp("The service: its scheme, host and port.", valueName: "url"))
    var url: String

    @Option(help: ArgumentHelp("The directory for the fixtures.", valueName: "directory"), completion: .directory)
    var into = "Fixtures"

    @Option(help: "Which requests go to the service and are recorded: none, once, new, all or passthrough.")
    var mode = RecordMode.all

    @Option(
        parsing: .unconditional,
        help: "The proxy's port; 0 picks a free one (default: 8080, with a command a free one).")
    var port: Int?

    @Option(help: "The name or address that the proxies listen on.")
    var host = "127.0.0.1"

    @OptionGroup var admin: AdminNames

    @Option(
        help: "Bytes of a request's content; more is answered 413, and reported (default: 16MiB).",
        transform: ByteSize.parse)
    var maxBody = ByteSize(16 * 1024 * 1024)

    @Flag(
        help:
            "Let pages of every origin use the proxies, with credentials: answer preflights, and send CORS lines with every response."
    )
    var cors = false

    @Option(
        help: ArgumentHelp("Let only pages of this origin use them, as with --cors; repeatable.", valueName: "origin"))
    var corsOrigin: [String] = []

    @Option(
        help:
            "When the recording is kept: passed, if the command exits with 0, or always (default: passed). Otherwise it is moved to .mockapi-attempt in the directory."
    )
    var keep: KeepChoice?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Request these paths, or URLs of one of the services; repeatable.", valueName: "path"))
    var get: [String] = []

    @Option(help: ArgumentHelp("Send the requests of a JSON file.", valueName: "file"), completion: .file())
    var requests: String?

    @Flag(name: .shortAndLong, help: "Report only responses that were not recorded.")
    var quiet = false

    @OptionGroup(title: "Services") var upstream: UpstreamOptions

    @OptionGroup(title: "Fixtures") var choices: RecordingChoices

    @Argument(
        parsing: .postTerminator, help: ArgumentHelp("The command and its arguments, behind --.", valueName: "command"))
    var command: [String] = []

    func validate() throws {
        _ = try UpstreamOptions.origin(url)
        guard port.map({ (0...65535).contains($0) }) ?? true else {
            throw ValidationError("--port must be between 0 and 65535")
        }
        guard maxBody.bytes <= ByteSize.most else { throw ValidationError("--max-body must be at most 1TiB") }
        if let path = get.first(where: { !$0.hasPrefix("/") && !$0.contains("://") }) {
            throw ValidationError(
                "--get \(path) must begin with /, or be a URL of one of the services: write --get /\(path)")
        }
        if command.isEmpty, CommandLine.arguments.last == "--" {
            throw ValidationError("say which command to run behind --, or leave -- out")
        }
        if keep != nil, command.isEmpty {
            throw ValidationError("--keep is for recordings with a command: give it behind --, or leave --keep out")
        }
        try PageOrigins.check(corsOrigin)
        if asksDirectly, mode == .passthrough {
            throw ValidationError("--mode passthrough records nothing: leave --get and --requests out, or take another")
        }
        let origins = try upstream.origins(url)
        if let twice = origins.first(where: { one in origins.filter { $0.text == one.text }.count > 1 }) {
            throw ValidationError("\(twice) is given twice")
        }
    }

    private var asksDirectly: Bool { !get.isEmpty || requests != nil }
    /// A proxy has no clients if all requests are direct.
    private var needsProxies: Bool { !asksDirectly || !command.isEmpty }

    func run() async throws {
        let signals = StopSignals()
        Output.queue()
        DescriptorLimit.raise()
        ProcessMemory.giveBackWhenFreed()
        try LiveServices.check()
        let others = try upstream.others
        let origins = choices.hosted(try upstream.origins(url))
        let mode = effectiveMode
        var recorderOptions = choices.recorder(origins)
        recorderOptions.mayBeUndone = !command.isEmpty && keep != .always
        let recorder = mode.records ? try LiveServices.recorder(directory: into, recorderOptions) : nil
        let printer = RecordingPrinter(main: origins[0].text, style: style, isResult: command.isEmpty)
        let session = RecordingSession(
            origins, options: try upstream.session(choices), recorder: recorder,
            redaction: choices.rules, report: printer)
        let direct = try directRequests(session)
        let proxies = needsProxies ? try await start(session, mode, ports: others.map(\.port)) : nil
        announce(session, mode, proxies)
        let asker = DirectAsker(
            session: session, lookupDirectory: mode.serves ? into : nil, isAsking: mode != .none, printer: printer)
        let code: Int32
        do {
            code = try await work(asker, direct, proxies, signals)
        } catch {
            _ = await recorder?.finish()
            throw error
        }
        session.stops()
        await proxies?.stop(grace: .seconds(5))
        await DrainingNote.drain(session, signals)
        let isUndone = recorderOptions.mayBeUndone && code != 0
        if !isUndone { for outcome in await recorder?.finish() ?? [] { printer.finished(outcome) } }
        let misses = mode == .none && !command.isEmpty ? proxies?.misses(of: session) ?? [] : []
        for miss in misses { printer.finished(miss) }
        if recorder != nil || asksDirectly || !misses.isEmpty { printer.summarize() }
        if isUndone { await undo(recorder) }
        if code != 0 { throw ExitCode(code) }
        if printer.tally.hasFailures { throw Exit.findings }
    }

    /// Makes the direct requests, and lets the proxies work until they are not needed any more.
    ///
    /// - Returns: the exit code of the command.
    private func work(
        _ asker: DirectAsker, _ requests: [DirectRequest], _ proxies: Proxies?, _ signals: StopSignals
    ) async throws -> Int32 {
        let asking = Task { try await asker.ask(requests) }
        let stopping = Task { [signals] in
            await signals.first()
            asking.cancel()
        }
        defer { stopping.cancel() }
        try await asking.value
        guard let proxies, !asking.isCancelled else { return 0 }
        if command.isEmpty {
            await stopping.value
            return 0
        }
        return try await run(proxies, stopping)
    }

    private func run(_ proxies: Proxies, _ stopping: Task<Void, Never>) async throws -> Int32 {
        let child: ChildProcess
        do throws(ChildProcess.Failure) {
            child = try ChildProcess(command, environment: proxies.environment)
        } catch {
            Output.note("error: \(command[0]) cannot be run: \(error.text)")
            await proxies.stop(grace: .zero)
            throw Exit.impossible
        }
        Task {
            await stopping.value
            child.terminate()
        }
        let code = await child.wait()
        if code != 0 { Output.note("error: \(command[0]) ended with \(code)") }
        return code
    }

    /// Restores the directory, since the command has failed.
    private func undo(_ recorder: Recorder?) async {
        do throws(RecordingError) {
            guard let (folder, files) = try await recorder?.undo(), files > 0 else { return }
            let directory = into.hasSuffix("/") ? into : into + "/"
            Output.note(
                "\(directory) is as it was, since the command failed: the recording, \(files) "
                    + "\(files == 1 ? "file" : "files"), lies in \(directory)\(folder)/; --keep always keeps it")
        } catch {
            Output.note("error: the recording could not be undone: \(error)")
        }
    }

    private var style: RecordingPrinter.Style {
        if quiet { return .quiet }
        return Output.resultIsTerminal && command.isEmpty ? .live : .lines
    }

    /// `once` is one of two others, by the contents of the directory.
    private var effectiveMode: RecordMode {
        guard mode == .once else { return mode }
        guard let counts = try? LoadedFixtures(path: into, wireMock: false).counts else { return .new }
        return counts.stubs + counts.files > 0 ? .none : .new
    }

    private func directRequests(_ session: RecordingSession) throws -> [DirectRequest] {
        do throws(RecordingError) {
            var all = get.map { DirectRequest("GET", $0) }
            if let requests { all += try RequestsFile.read(requests) }
            for request in all { try session.check(request) }
            return all
        } catch {
            let text = error.description
            Output.note(text.contains(": error: ") ? text : "error: \(text)")
            throw Exit.impossible
        }
    }

    private func start(_ session: RecordingSession, _ mode: RecordMode, ports: [Int]) async throws -> Proxies {
        var configuration = MockServer.Configuration()
        configuration.names = .options
        configuration.host = host
        // Requests on their way to a service hold data that no web page may read from the admin API.
        if mode != .none { configuration.journalLimit = 0 }
        configuration.adminHosts = admin.hosts
        configuration.allowsCORS = cors
        configuration.corsOrigins = corsOrigin
        configuration.maxBody = maxBody.bytes
        configuration.log = quiet ? nil : .text
        configuration.logsRequests = false
        configuration.logsInColor = Output.errorIsColored
        configuration.logColumns = Output.errorColumns
        let ports = [port ?? (command.isEmpty ? 8080 : 0)] + ports
        do throws(MockServerError) {
            return try await Proxies(
                session, fixtures: mode.serves ? into : nil, ports: ports, passes: mode != .none,
                configuration: configuration)
        } catch {
            Output.note("error: \(error)")
            if case .fixturesUnusable = error.reason { throw Exit.unusableFixtures }
            throw Exit.impossible
        }
    }

    /// The first lines: the ports and their services.
    private func announce(_ session: RecordingSession, _ mode: RecordMode, _ proxies: Proxies?) {
        if quiet && proxies == nil { return }
        let directory = into.hasSuffix("/") ? into : into + "/"
        for (index, origin) in session.origins.enumerated() {
            let subject =
                switch mode {
                case .none: "serving \(directory) for \(origin), recording nothing"
                case .passthrough: "passing \(origin), recording nothing"
                default: "recording \(origin) → \(directory)"
                }
            let line = subject + (proxies.map { ", proxy on \($0.servers[index].address)" } ?? "")
            // With a command, standard output is the command's.
            if command.isEmpty { Output.result(line) } else { Output.note(line) }
        }
        if !quiet, let note = proxies?.servers.first?.reachNote { Output.note(note) }
        if !quiet, let note = upstream.proxyNote(for: session.origins.map(\.text)) { Output.note(note) }
    }
}
