// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension RecordingEndToEnd {
    /// An app's session against an API of its own, both in Python: recorded once, and replayed as often as one likes.
    @Suite(.supervised)
    struct SessionTests {
        static let python = "/usr/bin/python3"
        private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Session").path

        private let directory: TemporaryDirectory

        init() throws {
            directory = try TemporaryDirectory()
        }

        /// Runs the app against a server, and returns what it saw.
        private func session(_ name: String, at base: String) async throws -> String {
            let client = try Command(
                line: [Self.python, Self.folder + "/client.py", "\(directory.path)/\(name).txt"],
                environment: ["MOCKAPI_URL": base])
            #expect(try await client.exitCode() == 0, "\(name): \(client.errors)")
            return directory.text("\(name).txt")
        }

        @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: Self.python)))
        func `a session that was recorded is replayed twice, and after a reset again`() async throws {
            let service = try Command(line: [Self.python, Self.folder + "/api.py"])
            try await until({ service.output }, { $0.hasSuffix("\n") })
            let port = service.output.dropLast()
            let fixtures = directory.path + "/Fixtures"
            let recording = try Command([
                "record", "http://127.0.0.1:\(port)", "--into", fixtures, "--", Self.python,
                Self.folder + "/client.py", "\(directory.path)/live.txt",
            ])
            #expect(try await recording.exitCode() == 0, "\(recording.errors)")
            let live = directory.text("live.txt")
            #expect(live.split(separator: "\n").count == 35)

            let check = try await Command.run("check", fixtures)
            #expect(check.code == 0, "\(check.output)")
            for (file, bytes) in directory.snapshot() where file.hasPrefix("Fixtures/") {
                let text = String(decoding: bytes, as: UTF8.self)
                for secret in ["tok_", "Kq7vT2mX", "Zx9pL4sB"] { #expect(!text.contains(secret), "\(file)") }
            }

            let server = try Command(["serve", fixtures, "--port", "0"])
            let replay = try await server.port()
            let base = "http://127.0.0.1:\(replay)"
            for run in ["first", "second", "third"] {
                #expect(try await session(run, at: base) == live)
                let unmatched = try WireClient(port: replay).request("GET", "/__admin/requests/unmatched").text
                #expect(try JSONParser.parse(unmatched)["requests"]?.array?.count == 0, "\(unmatched)")
                #expect(try WireClient(port: replay).request("POST", "/__admin/reset").status == 200)
            }
        }

        /// Runs the app's page in a browser, and returns what it shows.
        ///
        /// - Parameter prefix: the command that has the browser as its own, and tells it where the server is.
        private func page(_ name: String, at base: String, by prefix: [String]? = nil) async throws -> String {
            let file = "\(directory.path)/\(name).html"
            let profile = "\(directory.path)/profile-\(name)"
            let script = "exec \"$@\" \"$MOCKAPI_URL/app#right-Kq7vT2mX\" > \(file)"
            let browser = ["/bin/sh", "-c", script, "sh"] + Chromium.line("", profile: profile).dropLast()
            let command =
                try prefix.map { try Command($0 + browser, environment: ["HOME": directory.path]) }
                ?? Command(line: browser, environment: ["MOCKAPI_URL": base, "HOME": directory.path])
            #expect(try await command.exitCode() == 0, "\(name): \(command.errors)")
            let text = directory.text("\(name).html")
            return text.firstRange(of: "<body>").map { String(text[$0.upperBound...]) } ?? text
        }

        @Test(.enabled(if: Chromium.isThere, Chromium.isMissing))
        func `a page's session that was recorded is replayed twice, and after a reset again`() async throws {
            let service = try Command(line: [Self.python, Self.folder + "/api.py"])
            try await until({ service.output }, { $0.hasSuffix("\n") })
            let fixtures = directory.path + "/Fixtures"
            let live = try await page(
                "live", at: "",
                by: ["record", "http://127.0.0.1:\(service.output.dropLast())", "--into", fixtures, "--"])
            #expect(
                live.hasPrefix(
                    """
                    [wrong 401; login 201; stranger 401; me 200; editor; page 200; 10; page 200; 10; page 200; 5; \
                    search 200; 7; article 200; Article 1; missing 404; comment 201; 1; comment 201; 2; comments 200; \
                    first+second; upload 201; graphql 200; Hello Ann; graphql 200; Hello Bea; latest 200; Article 1; \
                    feed 200; 43; image 1]
                    """), "\(live.prefix(2000))")
            for (file, bytes) in directory.snapshot() where file.hasPrefix("Fixtures/") {
                let text = String(decoding: bytes, as: UTF8.self)
                for secret in ["tok_", "Kq7vT2mX"] { #expect(!text.contains(secret), "\(file)") }
            }
            let server = try Command(["serve", fixtures, "--port", "0"])
            let replay = try await server.port()
            for run in ["first", "second", "third"] {
                let seen = try await page(run, at: "http://127.0.0.1:\(replay)")
                #expect(seen == live)
                let unmatched = try WireClient(port: replay).request("GET", "/__admin/requests/unmatched").text
                #expect(try JSONParser.parse(unmatched)["requests"]?.array?.count == 0, "\(unmatched)")
                if run == "second" {
                    #expect(try WireClient(port: replay).request("POST", "/__admin/reset").status == 200)
                }
            }
        }
    }
}
