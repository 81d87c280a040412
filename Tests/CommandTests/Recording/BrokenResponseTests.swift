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

extension RecordingEndToEnd {
    /// Answers that do not come whole, beside one that does.
    @Suite(.supervised) struct BrokenResponseTests {
        // What stands in front of these is libcurl's.
        private static let lost = "; the connection was lost; send the request again"
        private static let closed = "; the server closed without a response; look at its log"
        private static let unspoken = "; check that the server speaks this version of HTTP"
        private static let broken = "; the server broke the response off; look at its log, or send the request again"
        private static let stalled =
            "  no byte was received or sent for 0.7 seconds; allow more time without a byte (--timeout)"

        /// A fault of the service, and the end of what is told of it over HTTP/1.1 and over HTTP/2.
        struct Fault: Sendable, CustomTestStringConvertible {
            var response: String
            var text: String
            var textOfHTTP2: String

            init(_ response: String, _ text: String, http2: String) {
                self.response = response
                self.text = text
                textOfHTTP2 = http2
            }

            var testDescription: String { response }
        }

        static let faults = [
            Fault(#""fault": "EMPTY_RESPONSE""#, closed, http2: broken),
            Fault(#""fault": "CONNECTION_RESET_BY_PEER""#, lost, http2: broken),
            Fault(#""fault": "MALFORMED_RESPONSE_CHUNK""#, lost, http2: broken),
            Fault(#""fault": "RANDOM_DATA_THEN_CLOSE""#, unspoken, http2: closed),
            Fault(#""fault": "TRUNCATE_BODY", "afterBytes": 4"#, lost, http2: broken),
            Fault(#""fault": "WRONG_CONTENT_LENGTH""#, lost, http2: broken),
            Fault(#""fault": "RST_STREAM", "afterBytes": 4, "errorCode": "CANCEL""#, lost, http2: broken),
            Fault(#""fault": "REFUSED_STREAM""#, closed, http2: lost),
            Fault(#""fault": "STALL", "afterBytes": 4"#, stalled, http2: stalled),
            Fault(#""fault": "STALL""#, stalled, http2: stalled),
        ]

        private static func service(_ response: String) throws -> (Command, TemporaryDirectory) {
            let fixtures = try TemporaryDirectory([
                "good.json": "[1]",
                "broken.stub.json":
                    #"{"request": {"urlPath": "/broken"}, "response": {"headers": ["Content-Type: image/png"], "body": "0123456789", \#(response)}}"#,
            ])
            return (try Command(["serve", fixtures.path, "--port", "0", "--quiet"]), fixtures)
        }

        @Test(arguments: faults, ["--http1.1", "--http2"])
        func `a broken response is told, and not recorded`(fault: Fault, version: String) async throws {
            let (service, fixtures) = try Self.service(fault.response)
            let base = "http://127.0.0.1:\(try await service.port())"
            let into = try TemporaryDirectory()
            let end = try await Command.run(
                "record", base, "--into", into.path, version, "--timeout", "700ms", "--get", "/broken", "--get",
                "/good.json")
            #expect(end.code == 1)
            let text = version == "--http2" ? fault.textOfHTTP2 : fault.text
            let line = end.output.split(separator: "\n").first { $0.hasPrefix("  ! ") } ?? ""
            #expect(line.hasPrefix("  ! GET /broken  ") && line.hasSuffix(text), "\(end)")
            #expect(RecordSummary(end.output) == RecordSummary(new: 1, failed: 1), "\(end)")
            #expect(into.snapshot().keys.sorted() == ["good.json", "good.json.stub.json"])
            let check = try await Command.run("check", into.path)
            #expect(check.code == 0 && check.output.isEmpty, "\(check)")
            withExtendedLifetime(fixtures) {}
        }

        @Test(arguments: faults)
        func `the client of a proxy sees that a response is broken`(fault: Fault) async throws {
            let (service, fixtures) = try Self.service(fault.response)
            let base = "http://127.0.0.1:\(try await service.port())"
            let into = try TemporaryDirectory()
            let command = try Command(["record", base, "--into", into.path, "--port", "0", "--timeout", "700ms"])
            let proxy = "http://127.0.0.1:\(try await command.port())"
            let seen = try await Curl.fetch(proxy, [Ask("/broken"), Ask("/good.json")])
            #expect(seen[0].code != 0 || [502, 504].contains(seen[0].status), "\(seen[0].summary)")
            #expect(seen[1].code == 0 && seen[1].body == Array("[1]".utf8))
            command.send(SIGTERM)
            let end = try await command.end()
            #expect(end.code == 1, "\(end)")
            #expect(RecordSummary(end.output) == RecordSummary(new: 1, failed: 1), "\(end)")
            #expect(into.snapshot().keys.sorted() == ["good.json", "good.json.stub.json"])
            withExtendedLifetime(fixtures) {}
        }

        @Test(arguments: ["--http1.1", "--http2"])
        func `content that is not what its coding says is stored as it came, and told`(version: String) async throws {
            let (service, fixtures) = try Self.service(#""fault": "BAD_GZIP""#)
            let base = "http://127.0.0.1:\(try await service.port())"
            let into = try TemporaryDirectory()
            let end = try await Command.run("record", base, "--into", into.path, version, "--get", "/broken")
            #expect(end.code == 0, "\(end)")
            #expect(RecordSummary(end.output) == RecordSummary(new: 1), "\(end)")
            #expect(end.output.contains("the content is stored as it came: "), "\(end)")
            let original = try await Curl.fetch(base, [Ask("/broken", ["Accept-Encoding: gzip"])])
            let replay = try Command(["serve", into.path, "--port", "0", "--quiet"])
            let seen = try await Curl.fetch(
                "http://127.0.0.1:\(try await replay.port())", [Ask("/broken", ["Accept-Encoding: gzip"])])
            #expect(seen[0].body == original[0].body && !seen[0].body.isEmpty)
            #expect(seen[0].all("Content-Encoding") == ["gzip"])
            withExtendedLifetime(fixtures) {}
        }
    }
}
