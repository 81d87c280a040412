// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockServer

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The server of one test, from its beginning to the verdict on its requests.
package final class ServerScope: Sendable {
    /// How long responses under way may take that are to be recorded. 10 s.
    private static let recordingGrace = Duration.seconds(10)

    package let server: MockServer
    private let options: ScopeOptions
    private let live: LiveScope?
    /// The servers that the test starts itself.
    package let others = StartedServers()

    /// Starts the server of a test.
    ///
    /// - Throws: `MockServerError`, or `RecordingError` if nothing can be recorded.
    package convenience init(
        _ options: ScopeOptions, environment: [String: String] = ProcessInfo.processInfo.environment
    ) async throws {
        try await ServerPlaces.shared.enter()
        do {
            try await self.init(inPlace: ScopeEnvironment(environment).applied(to: options))
        } catch {
            ServerPlaces.shared.leave()
            throw error
        }
    }

    private init(inPlace options: ScopeOptions) async throws {
        self.options = options
        let kind = options.mode.kind
        let isMade = kind == .record || kind == .recordAll
        let path = try (kind == .live ? nil : options.fixtures).map {
            try FixturePlace.find($0, besideFile: options.filePath, isMade: isMade)
        }
        var live: LiveScope?
        if kind != .replay, let url = options.upstream {
            live = try await LiveScope(url, recordingInto: isMade ? path : nil)
        }
        self.live = live
        var configuration = options.configuration
        configuration.proxy = live?.proxy
        configuration.forwarder = ScopeForwarder.shared
        do {
            server = try await MockServer.start(
                fixtures: kind == .recordAll ? nil : path, stubs: kind == .live ? [] : options.stubs,
                configuration: configuration)
        } catch {
            _ = await live?.end()
            throw error
        }
        live?.listens(on: server.baseURL.port ?? 0)
    }

    /// Stops the servers, and returns the results of all expectations.
    package func end() async -> [VerificationResult] {
        defer { ServerPlaces.shared.leave() }
        if options.lateRequests > .zero {
            try? await Task.sleep(for: options.lateRequests)
        } else {
            await server.noteLate(within: options.lateLimit)
        }
        live?.stops()
        await server.stop(grace: live?.records == true ? Self.recordingGrace : .zero)
        let results = server.verification(
            allowsUnmatched: options.allowsUnmatched,
            verifying: live == nil ? options.verifying : .none, age: options.recordings,
            now: Date().timeIntervalSince1970)
        var more: [VerificationResult] = []
        for other in others.takeUnverified() {
            await other.noteLate(within: options.lateLimit)
            await other.stop()
            more += other.verification(allowsUnmatched: options.allowsUnmatched)
        }
        if let warnings = ToldWarnings.result(server.warnings) { more.append(warnings) }
        return explained(results) + more + (await live?.end() ?? [])
    }

    /// The words for a test whose server nobody has asked: mostly its client is another test's.
    private static let unasked = """
        A client that is made once for several tests asks the server of the first: make one in each test, with the URL of its server.
        """

    private var isUnasked: Bool {
        let evidence = server.evidence
        return evidence.entries.isEmpty && evidence.lost == 0
    }

    /// Explains unmet expectations if no request has come at all.
    private func explained(_ results: [VerificationResult]) -> [VerificationResult] {
        guard isUnasked else { return results }
        return results.map { result in
            guard let failure = result.failure, failure.kind == .expectation else { return result }
            return VerificationResult(name: result.name, failure: failure.adding(Self.unasked))
        }
    }

    /// The journal of the server, to be read by people.
    package var journalText: String {
        JournalText(server.journal.entries).text + (isUnasked ? Self.unasked + "\n" : "")
    }

    /// Stops the servers of a test that says of itself that it has not run, and verifies nothing.
    package func abandon() async {
        defer { ServerPlaces.shared.leave() }
        live?.stops()
        await server.stop()
        for other in others.takeUnverified() { await other.stop() }
        _ = await live?.end()
    }
}
