// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiTestSupport
import MockapiWireSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What the journal knows of answers that clients gave up.
@Suite(.supervised) struct AbandonmentTests {
    private static let late: KeyValuePairs = [
        "late.stub.json": #"{"request": {"urlPath": "/late"}, "response": {"fixedDelayMilliseconds": 3600000}}"#,
        "quick.stub.json": #"{"request": {"urlPath": "/quick"}, "response": {"body": "ok"}}"#,
    ]

    @Test func aConnectionThatIsClosedDuringAnAnswerIsNoted() async throws {
        try await TestServer.serving(Self.late) { server in
            do {
                let client = try server.connect()
                _ = try client.request("GET", "/quick", [])
                try client.send("GET /late HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(try await until({ server.journal.entries.count }, is: 2))
            }
            #expect(try await until({ server.journal.entries.last?.abandonment }, is: .connectionClosed))
            #expect(server.journal.entries.first?.abandonment == nil)
        }
    }

    @Test func aStreamThatIsResetIsNotedWithItsCode() async throws {
        try await TestServer.serving(Self.late) { server in
            let client = try FrameClient(port: server.port)
            try client.send(.request(stream: 1, "/late"), .request(stream: 3, "/late"))
            #expect(try await until({ server.journal.entries.count }, is: 2))
            try client.send(.reset(stream: 3, code: 8))
            #expect(try await until({ server.journal.entries.last?.abandonment }, is: .streamReset(code: 8)))
            #expect(server.journal.entries.first?.abandonment == nil)
        }
    }

    @Test func aClientThatHasItsAnswerGivesNothingUp() async throws {
        try await TestServer.serving(Self.late) { server in
            do { _ = try server.connect().request("GET", "/quick", []) }
            _ = try server.connect().request("GET", "/quick", [])
            #expect(server.journal.entries.allSatisfy { $0.abandonment == nil })
        }
    }

    @Test func `clients that go away during a file do not end the process`() async {
        await #expect(processExitsWith: .success) {
            signal(SIGPIPE, SIG_DFL)
            let text = String(repeating: "x", count: 1024 * 1024)
            try await TestServer.serving(["a.txt": text]) { server async throws in
                let size = try await blocking {
                    for _ in 0..<40 {
                        let client = try WireClient(port: server.port, receiveBuffer: 4096)
                        try client.send("GET /a.txt HTTP/1.1\r\nHost: x\r\n\r\n")
                        _ = try client.read(1000)
                        client.close()
                    }
                    return try server.get("/a.txt").body.count
                }
                precondition(size == text.utf8.count)
            }
        }
    }
}
