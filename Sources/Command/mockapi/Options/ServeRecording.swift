// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import MockServer
import MockapiRecording
import MockapiSystemIO

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The options of `serve` for requests to live services, and for recording them.
struct ServeRecording: ParsableArguments {
    @Option(
        name: .customLong("record"),
        help: ArgumentHelp(
            """
            Use a live service. new: serve the fixtures, and pass on and record any other request. once: the same if there are no \
            fixtures, otherwise none. none: pass nothing on. all: pass on and record everything. passthrough: pass on everything \
            and record nothing. all and passthrough serve no fixtures.
            """, valueName: "mode"))
    var requestedMode: RecordMode?

    @Option(
        name: .customLong("upstream"), help: ArgumentHelp("The service of --record.", valueName: "url"))
    var url: String?

    @Option(
        help: ArgumentHelp(
            "Pass requests that no fixture answers on to this service, and record nothing; repeatable, each further one with a proxy of its own.",
            valueName: "url"))
    var proxyUnmatched: [String] = []

    @OptionGroup(visibility: .hidden) var upstream: UpstreamOptions

    @OptionGroup(visibility: .hidden) var choices: RecordingChoices

    /// The options of the services, with those of `--proxy-unmatched` after the first among the others.
    private var services: UpstreamOptions {
        var services = upstream
        services.also = proxyUnmatched.dropFirst() + upstream.also
        return services
    }

    mutating func validate() throws {
        if !proxyUnmatched.isEmpty {
            guard requestedMode == nil, url == nil else {
                throw ValidationError(
                    "--proxy-unmatched records nothing and does not go with --record and --upstream; "
                        + "--record new --upstream URL records missing responses")
            }
            _ = try services.origins(proxyUnmatched[0])
        } else if let url {
            _ = try upstream.origins(url)
            guard requestedMode != nil else {
                throw ValidationError("--upstream needs --record: write --record new to record missing responses")
            }
        } else if let requestedMode, requestedMode != .none {
            throw ValidationError("--record \(requestedMode.rawValue) needs --upstream, the URL of the service")
        }
    }

    /// Ends the command if a live service is to be asked: a repeated run has fixtures alone.
    func refuse(beside what: String) throws {
        guard requestedMode == nil, url == nil, proxyUnmatched.isEmpty else {
            throw ValidationError("--record, --upstream and --proxy-unmatched do not go with \(what)")
        }
    }

    /// Makes the directory that is recorded into if it is missing, or ends the command if nothing may be recorded.
    func prepare(_ directory: String) throws {
        guard let mode = requestedMode, mode.records else { return }
        if FileStatus(path: directory)?.kind == .file {
            Output.note("error: --record needs a directory, and \(directory) is a file")
            throw Exit.impossible
        }
        if Self.isContinuousIntegration {
            Output.note(
                "error: CI is set, and --record \(mode.rawValue) would change fixtures; record on your machine and commit "
                    + "them, or take --record none")
            throw Exit.impossible
        }
        do throws(RecordingError) {
            _ = try FixtureRoot.make(directory)
        } catch {
            Output.note("error: \(error)")
            throw Exit.impossible
        }
    }

    /// The recording beside serving; nil for none.
    func start(
        _ loaded: LoadedFixtures, isWireMockRoot: Bool, isQuiet: Bool
    ) throws -> ServedRecording? {
        guard let url = proxyUnmatched.first ?? url else { return nil }
        guard var mode = proxyUnmatched.isEmpty ? requestedMode : .unmatched else { return nil }
        if mode == .once { mode = loaded.counts.stubs + loaded.counts.files > 0 ? .none : .new }
        if mode == .none { return nil }
        if mode.records, isWireMockRoot {
            Output.note("error: recordings are not written in WireMock's form; take a directory without --wiremock")
            throw Exit.impossible
        }
        try LiveServices.check()
        let services = services
        let others = try services.others
        let origins = choices.hosted(try services.origins(url))
        return try ServedRecording(
            mode, origins, ports: others.map(\.port), directory: loaded.root,
            options: services.session(choices), choices, isQuiet: isQuiet)
    }

    private static var isContinuousIntegration: Bool {
        guard let value = getenv("CI") else { return false }
        return ["true", "1"].contains(String(cString: value).lowercased())
    }
}
