// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiWireSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// `mockapi verify` that is stopped before it has asked for everything.
@Suite(.supervised) struct VerifyStoppingTests {
    @Test func `a signal ends the requests, and what was found until then is reported`() async throws {
        let fixtures = try TemporaryDirectory([
            "a.json": #"{"id": 1}"#, "b.json": #"{"id": 1}"#, "c.json": #"{"id": 1}"#,
        ])
        let held = #"{"request": {"urlPath": "/b"}, "hold": "b", "response": {"jsonBody": {"id": 1}}}"#
        let service = try await LiveService(["a.json": #"{"id": "x"}"#, "b.stub.json": held, "c.json": #"{"id": 1}"#])
        let port = try await service.command.port()
        let verify = try Command(["verify", fixtures.path, "--against", service.url, "--concurrency", "1"])
        let holds = { try WireClient(port: port).request("GET", "/__admin/holds").text }
        #expect(try await until(holds) { $0.contains(#""waiting": 1"#) })
        verify.send(SIGINT)
        #expect(try await verify.exitCode() == 4)
        #expect(verify.output.contains("  ✗ a.json:1 "))
        #expect(verify.output.contains("b.json"))
        #expect(verify.output.hasSuffix("1 broken · 2 not checked\n"), "\(verify.output)")
    }

    @Test func `of many that were not asked for, ten are named`() async throws {
        let fixtures = try TemporaryDirectory(["a.json": "{}"])
        for number in 1...30 { try fixtures.write("b\(number).json", "{}") }
        let held = #"{"request": {"urlPath": "/a"}, "hold": "a", "response": {"jsonBody": {}}}"#
        let service = try await LiveService(["a.stub.json": held])
        let port = try await service.command.port()
        let verify = try Command(["verify", fixtures.path, "--against", service.url, "--concurrency", "1"])
        let holds = { try WireClient(port: port).request("GET", "/__admin/holds").text }
        #expect(try await until(holds) { $0.contains(#""waiting": 1"#) })
        verify.send(SIGINT)
        #expect(try await verify.exitCode() == 4)
        let lines = verify.output.split(separator: "\n").filter { $0.contains("the command was stopped before") }
        #expect(lines.count <= 11, "\(verify.output)")
        #expect(lines.last?.hasPrefix("  ? and ") == true, "\(verify.output)")
    }

    @Test func `a signal ends what is verified again and again, in the middle of it too`() async throws {
        let fixtures = try TemporaryDirectory(["b.json": #"{"id": 1}"#, "c.json": #"{"id": 1}"#])
        let held = #"{"request": {"urlPath": "/b"}, "hold": "b", "response": {"jsonBody": {"id": 1}}}"#
        let service = try await LiveService(["b.stub.json": held, "c.json": #"{"id": 1}"#])
        let port = try await service.command.port()
        let verify = try Command(
            ["verify", fixtures.path, "--against", service.url, "--concurrency", "1", "--every", "1h"])
        let holds = { try WireClient(port: port).request("GET", "/__admin/holds").text }
        #expect(try await until(holds) { $0.contains(#""waiting": 1"#) })
        verify.send(SIGTERM)
        #expect(try await verify.exitCode() == 0)
        #expect(try await service.targets().contains("/c") == false)
    }
}
