// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

/// That Git changes no byte of what was recorded.
@Suite(.supervised) struct GitAttributesTests {
    private static let name = ".gitattributes"
    private static let table = Answer(
        fields: [UpstreamField("Content-Type", "text/csv")], body: Array("a,b\r\n1,2\r\n".utf8))

    @Test func `a recording has Git change no line ends, and leaves what is there`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.inSession { _ in }
        #expect(directory.bytes(Self.name).isEmpty)
        try await directory.record("GET", "/a", Self.table)
        #expect(
            directory.text(Self.name)
                == "# Recorded bodies are served byte for byte: Git changes no line ends here.\n* -text\n")
        try directory.write(Self.name, "*.csv eol=crlf\n")
        try await directory.record("GET", "/b", Self.table)
        #expect(directory.text(Self.name) == "*.csv eol=crlf\n")
    }

    @Test func `at the top of a repository other files are left alone`() async throws {
        let directory = try TemporaryDirectory()
        try directory.write(".git/HEAD", "ref: refs/heads/main\n")
        try await directory.record("GET", "/a", Self.table)
        #expect(directory.bytes(Self.name).isEmpty)
    }
}
