// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiTestSupport
import MockapiWireSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// `--cors`, and what is said where it is not given.
@Suite(.supervised) struct ServeCORSTests {
    private let files: KeyValuePairs = [
        "a.stub.json":
            #"{"request": {"urlPath": "/a"}, "response": {"headers": {"Access-Control-Allow-Origin": "http://localhost:3000"}}}"#,
        "b.stub.json":
            #"{"request": {"urlPath": "/b"}, "response": {"headers": {"Access-Control-Allow-Origin": "*"}}}"#,
    ]
    private let note =
        "  1 stub has an Access-Control-Allow-Origin, so that only pages of http://localhost:3000 can read the response; "
        + "with --cors those of every origin can\n"

    @Test func `responses that were recorded for one page are told by check and at the start, and adapted on request`()
        async throws
    {
        let directory = try TemporaryDirectory(files)
        let check = try await Command.run("check", directory.path)
        #expect(check.code == 0 && check.errors == "2 stubs, 0 files, 0 findings\n" + note)
        for isOn in [false, true] {
            let command = try Command(["serve", directory.path, "--port", "0"] + (isOn ? ["--cors"] : []))
            let port = try await command.port()
            let answer = try WireClient(port: port).request("GET", "/a", ["Origin: http://localhost:5173"])
            #expect(answer["Access-Control-Allow-Origin"] == "http://localhost:\(isOn ? 5173 : 3000)")
            command.send(SIGTERM)
            #expect(try await command.exitCode() == 0)
            #expect(command.errors == "  2 stubs, 0 files, 0 findings\n" + (isOn ? "" : note))
        }
    }

    @Test func `a page that cannot read its response is named once, and without the log or with --cors never`()
        async throws
    {
        let directory = try TemporaryDirectory(["a.txt": "a"])
        let line = "warning: pages of http://localhost:5173 cannot read this response (CORS); --cors lets them\n"
        for (options, count) in [(["--log-format", "text"], 1), (["--log-format", "text", "--cors"], 0), ([], 0)] {
            let command = try Command(["serve", directory.path, "--port", "0", "--loops", "2"] + options)
            let port = try await command.port()
            for _ in 0..<3 {
                let client = try WireClient(port: port)
                #expect(try client.request("GET", "/a.txt", ["Origin: http://localhost:5173"]).status == 200)
                #expect(try client.request("GET", "/a.txt", ["Origin: http://localhost"]).status == 200)
            }
            command.send(SIGTERM)
            #expect(try await command.exitCode() == 0)
            #expect(command.errors.components(separatedBy: line).count - 1 == count, "\(command.errors)")
            #expect(!command.errors.contains("http://localhost cannot"))
        }
    }

    @Test func `a preflight that nothing answers is told with the way out`() async throws {
        let directory = try TemporaryDirectory(["a.txt": "a"])
        let command = try Command(["serve", directory.path, "--port", "0"])
        let port = try await command.port()
        for target in ["/a.txt", "/none"] {
            _ = try WireClient(port: port).request(
                "OPTIONS", target, ["Origin: http://localhost:5173", "Access-Control-Request-Method: PUT"])
        }
        command.send(SIGTERM)
        #expect(try await command.exitCode() == 0)
        let hint =
            "   a preflight of a page of http://localhost:5173, whose request will not follow; --cors answers preflights   "
        let lines = command.errors.split(separator: "\n").dropFirst()
        #expect(lines.count == 2 && lines.allSatisfy { $0.contains(hint) }, "\(command.errors)")
    }
}
