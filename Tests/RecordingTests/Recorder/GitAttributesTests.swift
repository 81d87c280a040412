// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiRecording
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

/// Recorded bytes in a repository.
@Suite(.supervised) struct GitAttributesTests {
    private static let attributes = "# Recorded bytes stay as they are: git changes no line ends.\n* -text\n"

    private static func answer(_ type: String, _ text: String) -> Answer {
        Answer(fields: [UpstreamField("Content-Type", type)], body: Array(text.utf8))
    }

    @Test func `line ends of bodies survive a commit and a clone`() async throws {
        let work = try TemporaryDirectory(["r/.gitattributes": "* text=auto\n", "r/F/readme.txt": "x"])
        let directory = "\(work.path)/r/F"
        func git(_ line: String) async throws {
            let options = "-c user.name=a -c user.email=a@b -c init.defaultBranch=main -c commit.gpgsign=false"
            let command = try Command(line: ["/bin/sh", "-c", "cd \"$0\" && exec git \(options) \(line)", work.path])
            #expect(try await command.exitCode() == 0, "git \(line): \(command.errors)")
        }
        try await git("init -q r")
        let recorder = try Recorder(directory: directory, options: RecorderOptions(), now: { "2026-11-20T10:00:00Z" })
        let bodies = [
            ("/cal", "text/calendar", "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n"), ("/t", "text/csv", "a,b\r\n1,2\r\n"),
            ("/m", "multipart/mixed; boundary=x", "--x\r\n\r\none\r\n--x--\r\n"),
            ("/e", "text/event-stream", "data: 1\r\n\r\n"),
        ]
        var files: [(String, String)] = []
        for (target, type, text) in bodies {
            let exchange = try Self.answer(type, text).exchange(
                "GET", target, fields: [], body: [], origin: "https://api.example.com", directory: directory)
            let outcome = await recorder.record(exchange)
            for file in outcome.files where !file.hasSuffix(".stub.json") { files.append((file, text)) }
        }
        _ = await recorder.finish()
        #expect(work.text("r/F/.gitattributes") == Self.attributes)
        try await git("-C r add -A")
        try await git("-C r commit -q -m a")
        try await git("clone -q r clone")
        #expect(files.count == bodies.count)
        for (file, text) in files { #expect(work.bytes("clone/F/\(file)") == Array(text.utf8), "\(file)") }
    }

    @Test func `outside of a work tree, and where nothing is recorded, no file is written`() async throws {
        let plain = try TemporaryDirectory()
        try await plain.record("GET", "/a", .json("1"))
        #expect(plain.text(".gitattributes").isEmpty)
        let idle = try TemporaryDirectory([".git/HEAD": ""])
        try await idle.inSession { _ in }
        #expect(idle.text(".gitattributes").isEmpty)
    }

    @Test func `at the top of a repository other files are left alone`() async throws {
        let top = try TemporaryDirectory([".git/HEAD": "ref: refs/heads/main\n"])
        try await top.record("GET", "/a", .json("1"))
        #expect(top.text(".gitattributes").isEmpty)
    }

    @Test(arguments: [
        ("*.png binary\n", true), ("*.json text\n* -text\n", true), ("\t*\t-text", true), ("*.json text\n", false),
        ("# * -text\n", false), ("", false), ("* text=auto\n", false),
    ])
    func `attributes that are there stay as they are, and are told where they keep no bytes`(
        _ text: String, _ keepsBytes: Bool
    ) async throws {
        let directory = try TemporaryDirectory([".git/HEAD": "", ".gitattributes": text])
        let findings = try await directory.inSession { session in
            try await session.record("GET", "/a", .json("1"))
            return session.recorder.findings.map(\.description)
        }
        #expect(directory.text(".gitattributes") == text)
        #expect(
            findings
                == (keepsBytes
                    ? []
                    : [
                        ".gitattributes: warning: git may change line ends of recorded bodies: add the line * -text"
                    ]))
    }
}
