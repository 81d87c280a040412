// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiProxy
import MockapiRecording

/// A recording beside fixtures that are served.
struct ServedRecording {
    let mode: RecordMode
    let session: RecordingSession
    private let recorder: Recorder?
    private let printer: RecordingPrinter
    private let directory: String
    /// Those of the proxies of `--also`.
    private let ports: [Int]
    private let isQuiet: Bool

    init(
        _ mode: RecordMode, _ origins: [UpstreamOrigin], ports: [Int], directory: String, options: SessionOptions,
        _ choices: RecordingChoices, isQuiet: Bool
    ) throws {
        self.mode = mode
        self.directory = directory
        self.ports = ports
        self.isQuiet = isQuiet
        recorder =
            mode.records ? try LiveServices.recorder(directory: directory, choices.recorder(origins)) : nil
        printer = RecordingPrinter(main: origins[0].text, style: isQuiet ? .quiet : .lines, isResult: false)
        session = RecordingSession(
            origins, options: options, recorder: recorder, redaction: choices.rules, report: printer)
    }

    /// Starts the proxies beside a server, which is that of the first service.
    func begin(with server: MockServer, _ configuration: MockServer.Configuration) throws(MockServerError) -> Proxies {
        var servers = [server]
        for (index, port) in ports.enumerated() {
            var configuration = configuration
            configuration.port = port
            configuration.proxy = session.proxy(to: index + 1)
            let loaded = try mode.serves ? LoadedFixtures(path: directory, wireMock: false) : .none
            servers.append(try MockServer(loaded, configuration))
        }
        let proxies = Proxies(servers, session)
        guard !isQuiet else { return proxies }
        for (server, origin) in zip(servers, session.origins) {
            let way =
                switch mode {
                case .unmatched: "passing requests that no fixture answers to \(origin), recording nothing"
                case .passthrough: "passing \(origin), recording nothing"
                default: "recording \(origin)"
                }
            Output.note("  \(way), proxy on \(server.address)")
        }
        return proxies
    }

    /// Returns when all that has passed is recorded.
    func end(_ signals: StopSignals?) async {
        await DrainingNote.drain(session, signals)
        for outcome in await recorder?.finish() ?? [] { printer.finished(outcome) }
        if recorder != nil { printer.summarize() }
    }
}
