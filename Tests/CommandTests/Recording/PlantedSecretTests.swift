// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiSecretsSupport
import MockapiTestSupport
import MockapiWireSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension RecordingEndToEnd {
    /// Secrets that a service and its client exchange, and what a recording leaves of them.
    @Suite(.supervised) struct PlantedSecretTests {
        /// Each place in a recording of its own, so that none is found because it was met elsewhere.
        @Test(arguments: PlantedExchanges.Place.allCases, RoundTrip.Way.allCases.dropLast())
        func `no secret is in a file or a line, and its client meets its stub`(
            place: PlantedExchanges.Place, way: RoundTrip.Way
        ) async throws {
            let exchanges = PlantedExchanges(place)
            let upstream = try TemporaryDirectory()
            try upstream.write("all.stub.json", exchanges.upstream)
            let service = try Command(["serve", upstream.path, "--port", "0", "--quiet"])
            let port = try await service.port()
            let base = "http://127.0.0.1:\(port)"
            for seen in try await Curl.fetch(base, exchanges.asks) { #expect(seen.status == 200) }
            let into = try TemporaryDirectory()
            let password = Planted.random(20, seed: 77)
            let end = try await Self.record("http://ann:\(password)@127.0.0.1:\(port)", exchanges, way, into)
            #expect(end.code == 0, "\(end)")
            #expect(RecordSummary(end.output)?.failed == 0)
            #expect(end.output.contains("redacted: "))
            var haystacks = into.snapshot().map { ($0.key, Array($0.key.utf8) + [10] + $0.value) }
            haystacks += [("standard output", Array(end.output.utf8)), ("standard error", Array(end.errors.utf8))]
            for secret in exchanges.secrets + [password] {
                for (form, needle) in SecretForms.all(of: secret) {
                    for (name, bytes) in haystacks {
                        let isFound = SecretForms.contains(bytes, needle)
                        #expect(
                            !isFound,
                            "\(secret) \(form) is in \(name): \(String(decoding: bytes.prefix(2000), as: UTF8.self))")
                    }
                }
            }
            let check = try await Command.run("check", into.path)
            #expect(check.code == 0 && check.output.isEmpty, "\(check)")
            let replay = try Command(["serve", into.path, "--port", "0", "--quiet"])
            let answers = try await Curl.fetch("http://127.0.0.1:\(try await replay.port())", exchanges.asks)
            for (index, answer) in answers.enumerated() {
                #expect(answer.status == 200 && answer.all("X-Case") == ["\(index)"], "\(exchanges.asks[index].label)")
            }
        }

        private static func record(
            _ url: String, _ exchanges: PlantedExchanges, _ way: RoundTrip.Way, _ into: TemporaryDirectory
        ) async throws -> Command.End {
            if way == .direct {
                let requests = try RequestsDocument(exchanges.asks)
                return try await Command.run("record", url, "--into", into.path, "--requests", requests.path)
            }
            let command = try Command(["record", url, "--into", into.path, "--port", "0"])
            let proxy = "http://127.0.0.1:\(try await command.port())"
            for (index, seen) in try await Curl.fetch(proxy, exchanges.asks).enumerated() {
                #expect(seen.all("X-Case") == ["\(index)"])
            }
            command.send(SIGTERM)
            return try await command.end()
        }

        @Test func `what fails tells no secret of the URL, the lines or the request`() async throws {
            let upstream = try TemporaryDirectory([
                "all.stub.json":
                    #"{"request": {"urlPath": "/cut"}, "response": {"body": "0123456789", "fault": "TRUNCATE_BODY", "afterBytes": 4}}"#
            ])
            let service = try Command(["serve", upstream.path, "--port", "0", "--quiet"])
            let port = try await service.port()
            let secret = Planted.random(24, seed: 5)
            let target = "/cut?access_token=\(secret)"
            let file = try TemporaryDirectory([
                "requests.json": #"[{"path": "\#(target)", "headers": ["Authorization: Bearer \#(secret)"]}]"#
            ])
            for authority in ["127.0.0.1:1", "127.0.0.1:\(port)"] {
                for scheme in ["http", "https"] {
                    let into = try TemporaryDirectory()
                    let end = try await Command.run(
                        "record", "\(scheme)://ann:\(secret)@\(authority)", "--into", into.path, "--requests",
                        file.path + "/requests.json", "--get", target, "--header", "X-Session: \(secret)")
                    #expect(end.code == 1, "\(end)")
                    #expect(RecordSummary(end.output) == RecordSummary(new: 0, failed: 2), "\(end)")
                    #expect(end.output.contains("  ! GET /cut?access_token=redacted.header.X-Session  "), "\(end)")
                    #expect(into.snapshot().isEmpty)
                    for (form, needle) in SecretForms.all(of: secret) {
                        #expect(!SecretForms.contains(Array((end.output + end.errors).utf8), needle), "\(form): \(end)")
                    }
                }
            }
        }
    }
}
