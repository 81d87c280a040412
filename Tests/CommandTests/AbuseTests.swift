// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import mockapi_abuse

/// Ordinary clients beside those that abuse the server by all means at once; `Benchmarks/run abuse` measures the same.
@Suite(.supervised) struct AbuseTests {
    /// Milliseconds beyond which a request has not waited but been forgotten. 60 s.
    private static let forgotten = 60_000.0

    @Test func `while a server is abused by all means at once, ordinary requests are answered`() async throws {
        let directory = try TemporaryDirectory()
        for file in AbuseFixtures.files(isFull: false) { try directory.write(file.name, file.bytes) }
        let state = try TemporaryDirectory()
        let command = try Command(
            ["serve", directory.path, "--port", "0", "--quiet", "--watch"],
            environment: ["XDG_STATE_HOME": state.path, "HOME": state.path])
        let port = try await command.port()
        let path = directory.path
        let run = try await blocking { AbuseRun.once(port: port, directory: path) }
        #expect(run.tallies.count == Abuse.all.count)
        for (_, tally) in run.tallies { #expect(tally.unexpected == []) }
        for (kind, figures) in run.figures {
            #expect(figures.answered > 0 && figures.firstWrong == nil, "\(kind.rawValue)")
            #expect(figures.times.max() ?? 0 < Self.forgotten)
        }
        // Who has been let go of leaves nothing behind: what is open is what was before.
        try await blocking {
            for kind in OrdinaryClient.Kind.allCases {
                let client = OrdinaryClient(kind, port: port)
                client.ask()
                #expect(client.figures.wrong == 0)
            }
        }
        let process = ServerProcess(identifier: Int(command.process))
        try await until({ process.descriptors }, { $0 < 64 })
        command.send(15)
        #expect(try await command.exitCode() == 0)
    }
}
