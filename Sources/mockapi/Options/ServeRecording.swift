// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import MockServer
import Recording

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The options of `serve` that say what is asked of live services, and recorded.
struct ServeRecording: ParsableArguments {
    @Option(
        name: .customLong("record"),
        help:
            "Ask live services for what no fixture answers: none, once, new, all or passthrough, as mockapi record has them."
    )
    var requestedMode: RecordMode?

    @Option(
        name: .customLong("upstream"), help: ArgumentHelp("The service that is asked with --record.", valueName: "url"))
    var url: String?

    @OptionGroup var upstream: UpstreamOptions

    @OptionGroup var choices: RecordingChoices

    mutating func validate() throws {
        if let url {
            _ = try upstream.origins(url)
            guard requestedMode != nil else {
                throw ValidationError("--upstream needs --record: write --record new to record what is missing")
            }
        } else if let requestedMode, requestedMode != .none {
            throw ValidationError("--record \(requestedMode.rawValue) needs --upstream, the URL of the service")
        }
    }

    /// Makes the directory that is recorded into where it is missing, or ends the command where nothing may be recorded.
    func prepare(_ directory: String) throws {
        guard let mode = requestedMode, mode.records else { return }
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

    /// What is to be recorded beside serving; nil for nothing.
    func start(_ loaded: LoadedFixtures, isWireMockRoot: Bool, isQuiet: Bool) throws -> ServedRecording? {
        guard var mode = requestedMode, let url else { return nil }
        if mode == .once { mode = loaded.counts.stubs + loaded.counts.files > 0 ? .none : .new }
        if mode == .none { return nil }
        if mode.records, isWireMockRoot {
            Output.note("error: recordings are not written in WireMock's form; take a directory without --wiremock")
            throw Exit.impossible
        }
        try LiveServices.check()
        let others = try upstream.others
        let origins = try upstream.origins(url)
        return try ServedRecording(
            mode, origins, ports: others.map(\.port), directory: loaded.root,
            options: upstream.session(choices), choices, isQuiet: isQuiet)
    }

    private static var isContinuousIntegration: Bool {
        guard let value = getenv("CI") else { return false }
        return ["true", "1"].contains(String(cString: value).lowercased())
    }
}
