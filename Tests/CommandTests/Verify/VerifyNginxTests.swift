// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiWireSupport
import Testing

/// `mockapi verify` against nginx, which is not ours.
@Suite(.supervised) struct VerifyNginxTests {
    @Test func `what was recorded of nginx is honoured by it, and what moves is told`() async throws {
        let directory = try TemporaryDirectory([
            "www/a.json": #"{"id": 1, "items": [{"n": 1}, {"n": 2}], "text": "long enough for a coding"}"#,
            "www/page.txt": "a text that is long enough for gzip",
        ])
        let nginx = try await ForeignServer.nginx(
            directory, "location /old { return 301 /a.json; } location /shut { return 403; }")
        let fixtures = try TemporaryDirectory()
        let recorded = try await Command.run(
            "record", nginx.base, "--into", fixtures.path, "--get", "/a.json", "--get", "/page.txt", "--get", "/old",
            "--get", "/shut", "--get", "/none")
        #expect(recorded.code == 0, "\(recorded)")
        let arguments = ["verify", fixtures.path, "--against"]
        let same = try await Command.run(arguments + [nginx.base])
        #expect(same.code == 0, "\(same)")
        #expect(same.output == "  5 honoured: 3 fields, 4 texts, 5 header sets\n", "\(same)")
        // A redirect of nginx names its own scheme and port.
        let secure = try await Command.run(
            arguments + [nginx.secureBase, "--cacert", nginx.authority, "--http2", "--samples", "2"])
        #expect(secure.code == 0, "\(secure)")
        #expect(secure.output.hasPrefix("  5 honoured") || secure.output.contains("· 1 compatible"), "\(secure)")
        try directory.write("www/a.json", #"{"id": "1", "items": [{"n": 1.5}], "text": "long enough for a coding"}"#)
        let other = try await Command.run(arguments + [nginx.base, "--only", "/a.json"])
        #expect(other.code == 1, "\(other)")
        #expect(other.output.contains("/id   "), "\(other)")
        #expect(other.output.contains("integer became number (1 → 1.5)"), "\(other)")
    }
}
