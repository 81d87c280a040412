// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiHTTPSyntax
import MockapiRecording

/// The proxies of a recording, one for each of its upstreams.
struct Proxies {
    let servers: [MockServer]

    /// - Parameters:
    ///   - fixtures: the directory whose fixtures go first; nil if there is none.
    ///   - ports: one for each upstream; 0 for a free one.
    ///   - passes: whether requests that match no fixture go to the upstreams.
    init(
        _ session: RecordingSession, fixtures: String?, ports: [Int], passes: Bool,
        configuration: MockServer.Configuration
    ) async throws(MockServerError) {
        var servers: [MockServer] = []
        for (index, port) in ports.enumerated() {
            var configuration = configuration
            configuration.port = port
            if passes { configuration.proxy = session.proxy(to: index) }
            do throws(MockServerError) {
                servers.append(try await MockServer.start(fixtures: fixtures, configuration: configuration))
            } catch {
                for server in servers { await server.stop() }
                throw error
            }
        }
        self.init(servers, session)
    }

    /// - Parameter servers: in the order of the upstreams.
    init(_ servers: [MockServer], _ session: RecordingSession) {
        self.servers = servers
        session.listens(on: servers.map(\.port))
    }

    /// The variables that a command finds the proxies by: MOCKAPI_URL, and MOCKAPI_URL_2 and so on for those of
    /// `--also`.
    var environment: [String: String] {
        var variables: [String: String] = [:]
        for (index, server) in servers.enumerated() {
            variables[index == 0 ? "MOCKAPI_URL" : "MOCKAPI_URL_\(index + 1)"] = server.address
        }
        return variables
    }

    /// The requests that matched no fixture, each once.
    func misses(of session: RecordingSession) -> [RecordingOutcome] {
        var misses: [RecordingOutcome] = []
        for (index, server) in servers.enumerated() {
            var seen: Set<[String]> = []
            for entry in server.journal.unmatched {
                guard seen.insert([entry.method, entry.target]).inserted else { continue }
                misses.append(session.missing(DirectRequest(entry.method, entry.target), from: index))
            }
        }
        return misses
    }

    func stop(grace: Duration) async {
        await withTaskGroup { group in
            for server in servers { group.addTask { await server.stop(grace: grace) } }
        }
    }
}

extension MockServer {
    /// The port it listens on.
    var port: Int { address.split(ascii: ":").last.flatMap { Int($0) } ?? 0 }
}
