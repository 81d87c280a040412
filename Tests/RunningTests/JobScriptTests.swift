// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiWireSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What jobs of GitHub Actions and GitLab run.
@Suite(.supervised) struct JobScriptTests {
    private static func fixtures() throws -> TemporaryDirectory {
        try TemporaryDirectory(["f/a.json": #"{"id": "1"}"#, "f/b.json": "{}"])
    }

    /// A file of this repository.
    private static func path(_ name: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent(name).path
    }

    @Test func `the action's script passes options and a line of shell on`() async throws {
        let directory = try Self.fixtures()
        let command = try Command(
            line: ["/bin/bash", Self.path("packaging/run-command")],
            environment: [
                "MOCKAPI": try Command.executable("mockapi"), "FIXTURES": "\(directory.path)/f",
                "OPTIONS": "--coverage\n\(directory.path)/c d.json\n",
                "RUN": "curl -s $MOCKAPI_URL/a | tr -d ' '; exit 6",
            ])
        let end = try await command.end()
        #expect(end.code == 6, "\(end.errors)")
        #expect(end.output == #"{"id":"1"}"#)
        #expect(!directory.text("c d.json").isEmpty)
    }

    @Test func `the action's script runs an image where it is given one`() async throws {
        let directory = try Self.fixtures()
        try directory.write("docker", "#!/bin/sh\nprintf '%s\\n' \"$@\"\nexit 5\n")
        chmod("\(directory.path)/docker", 0o755)
        let command = try Command(
            line: [
                "/bin/sh", "-c", #"cd "$0" && exec /bin/bash "$1""#, directory.path,
                Self.path("packaging/run-command"),
            ],
            environment: [
                "DOCKER": "\(directory.path)/docker", "IMAGE": "client:1", "FIXTURES": "f", "OPTIONS": "-q",
                "RUN": "npm test", "GITHUB_STEP_SUMMARY": "/summary",
            ])
        let end = try await command.end()
        #expect(end.code == 5, "\(end.errors)")
        let words = end.output.split(separator: "\n").map(String.init)
        #expect(words.prefix(3) == ["run", "--rm", "--user"])
        #expect(words.contains("/summary:/summary") && words.contains("\(directory.path):\(directory.path)"))
        let behind = words.suffix(9)
        #expect(behind == ["client:1", "run", "f", "-q", "--", "bash", "-eo", "pipefail", "-c", "npm test"].suffix(9))
    }

    @Test func `the script of GitLab's job runs a line of shell and leaves its reports`() async throws {
        let directory = try Self.fixtures()
        let template = try String(
            contentsOf: URL(fileURLWithPath: Self.path("packaging/gitlab/mockapi.gitlab-ci.yml")), encoding: .utf8)
        let lines = template.split(separator: "\n")
        let start = try #require(lines.firstIndex(of: "  script:"))
        let script = lines[(start + 1)...].prefix { $0.hasPrefix("    - ") }.map { $0.dropFirst("    - ".count) }
        let folder = URL(fileURLWithPath: try Command.executable("mockapi")).deletingLastPathComponent().path
        let command = try Command(
            line: ["/bin/bash", "-ec", "cd '\(directory.path)'\n" + script.joined(separator: "\n")],
            environment: [
                "PATH": "\(folder):/usr/bin:/bin", "MOCKAPI_DIRECTORY": "f",
                "MOCKAPI_LINE": "curl -s $MOCKAPI_URL/a; curl -s $MOCKAPI_URL/none -o /dev/null",
            ])
        let end = try await command.end()
        #expect(end.code == 1, "\(end.errors)")
        #expect(end.output == #"{"id": "1"}"#)
        #expect(directory.text("mockapi.xml").contains(#"failures="1""#))
        #expect(directory.text("mockapi-coverage.json").contains(#""percent": 50"#))
    }
}
