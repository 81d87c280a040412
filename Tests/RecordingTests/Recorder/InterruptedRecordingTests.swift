// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Fixtures
import Recording
import TestSupport
import Testing
import Upstream
import WireSupport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What a recording that was killed leaves behind.
@Suite(.supervised) struct InterruptedRecordingTests {
    @Test func `renames that were begun are carried out, and temporary files removed`() async throws {
        let directory = try TemporaryDirectory([
            ".mockapi-part-1-1": "{}", ".mockapi-part-1-2": "rest", "old.json": "x", "sub/keep.json": "{}",
            "done.json": "{}",
            ".mockapi-commit":
                #"{"renames": [[".mockapi-part-0-0", "done.json"], [".mockapi-part-1-1", "sub/new.json"]], "removals": ["old.json"]}"#,
        ])
        let session = try Session(directory)
        #expect(session.recorder.findings.isEmpty)
        #expect(directory.snapshot().keys.sorted() == ["done.json", "sub/keep.json", "sub/new.json"])
        #expect(directory.text("sub/new.json") == "{}")
    }

    /// Lists as a checkout may hold them, that no recording wrote, and what is told of each.
    private static let foreign = [
        (
            #"{"renames": [[".mockapi-part-1-1", "../stolen.json"]], "removals": []}"#,
            "../stolen.json is no path of a fixture"
        ),
        (#"{"renames": [], "removals": ["../outer.json"]}"#, "../outer.json is no path of a fixture"),
        (#"{"renames": [], "removals": ["/etc/none"]}"#, "/etc/none is no path of a fixture"),
        (
            #"{"renames": [[".mockapi-part-1-1", ".git/hooks/x"]], "removals": []}"#,
            ".git/hooks/x is no path of a fixture"
        ),
        (#"{"renames": [[".mockapi-part-1-1", "a\u0000b"]], "removals": []}"#, "a\\u{0}b is no path of a fixture"),
        (#"{"renames": [["keep.json", "new.json"]], "removals": []}"#, "it renames what no recording has written"),
        (
            #"{"renames": [[".mockapi-part-/../keep.json", "new.json"]], "removals": []}"#,
            "it renames what no recording has written"
        ),
        (
            #"{"renames": [[".mockapi-part-0-0", "new.json"], [".mockapi-part-1-1", "other.json"]], "removals": ["keep.json"]}"#,
            ".mockapi-part-0-0 is missing, and so is new.json"
        ),
        (
            #"{"renames": [[".mockapi-part-0-0", "sub/new.json"]], "removals": ["keep.json"]}"#,
            ".mockapi-part-0-0 is missing"
        ),
        (
            #"{"renames": [[".mockapi-part-link", "new.json"]], "removals": ["keep.json"]}"#,
            ".mockapi-part-link is missing, and so is new.json"
        ),
        (#"{"renames": [[".mockapi-part-1-1", "assets/key"]], "removals": []}"#, link),
        (#"{"renames": [], "removals": ["keep.json", "assets/deep/key"]}"#, link),
        (#"["keep.json"]"#, "it is no list of renames"), ("{", "it is no list of renames"),
    ]

    private static let link =
        "assets is a symbolic link, and nothing is written by way of one; put a folder in its place, or record into the "
        + "directory it leads to"

    @Test(arguments: foreign)
    func `a list that no recording of the directory wrote is not carried out, and that is told`(
        list: String, reason: String
    ) throws {
        let directory = try TemporaryDirectory([
            "home/key": "key", "home/deep/key": "key", "outer.json": "x", "inner/keep.json": "1",
            "inner/.mockapi-part-1-1": "{}", "inner/.mockapi-commit": list,
        ])
        try directory.link("inner/assets", to: "../home")
        try directory.link("inner/.mockapi-part-link", to: "keep.json")
        var before = directory.snapshot()
        let recorder = try Recorder(directory: "\(directory.path)/inner", options: RecorderOptions())
        #expect(
            recorder.findings.map(\.description) == [
                ".mockapi-commit: warning: not carried out, and removed: \(reason)"
            ])
        for name in [".mockapi-commit", ".mockapi-part-1-1", ".mockapi-part-link"] { before["inner/\(name)"] = nil }
        #expect(directory.snapshot() == before)
    }

    @Test func `a list that is no file is not waited for`() throws {
        let directory = try TemporaryDirectory()
        #expect(mkfifo("\(directory.path)/.mockapi-commit", 0o644) == 0)
        let recorder = try Recorder(directory: directory.path, options: RecorderOptions())
        #expect(recorder.findings.count == 1)
        #expect(directory.snapshot().isEmpty)
    }

    @Test func `nothing is recorded by way of a symbolic link`() async throws {
        let directory = try TemporaryDirectory(["out/note": "x"])
        directory.makeFolder("in")
        try directory.link("in/assets", to: "../out")
        var options = RecorderOptions()
        options.origins = ["https://api.example.com"]
        let recorder = try Recorder(directory: "\(directory.path)/in", options: options)
        let exchange = try Answer.json("{}").exchange(
            "GET", "/assets/x", fields: [], body: [], origin: "https://api.example.com", directory: recorder.directory)
        let outcome = await recorder.record(exchange)
        #expect(outcome.kind == .refused)
        #expect(outcome.notes == [Self.link])
        #expect(directory.snapshot().keys.sorted() == ["in/assets", "out/note"])
    }

    @Test func `a directory that is a symbolic link is told`() throws {
        let directory = try TemporaryDirectory()
        directory.makeFolder("real")
        try directory.link("Fixtures", to: "real")
        let path = "\(directory.path)/Fixtures"
        let recorder = try Recorder(directory: path + "/", options: RecorderOptions())
        #expect(
            recorder.findings.map(\.description) == [
                "\(path): warning: a symbolic link; what is recorded goes to \(directory.path)/real"
            ])
    }

    @Test func `a hidden file that a stub names is neither replaced nor removed`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.record("GET", "/a", .json("1"))
        try directory.write(".hidden.json", "1")
        try directory.write(
            "a.stub.json", directory.text("a.stub.json").replacing("\"a.json\"", with: "\".hidden.json\""))
        directory.remove("a.json")
        #expect(try await directory.record("GET", "/a", .json("2")).kind == .changed)
        #expect(directory.text(".hidden.json") == "1")
        #expect(directory.text("a.json") == "2")
    }

    @Test func `folders of files that were to be renamed are made anew`() async throws {
        let directory = try TemporaryDirectory([
            ".mockapi-part-1-1": "{}",
            ".mockapi-commit": #"{"renames": [[".mockapi-part-1-1", "sub/deep/new.json"]], "removals": []}"#,
        ])
        let session = try Session(directory)
        withExtendedLifetime(session) {}
        #expect(directory.snapshot() == ["sub/deep/new.json": Array("{}".utf8)])
    }

    @Test func `a rename that fails leaves the stub and its body as they were, and no list behind`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.record("GET", "/a", .json("1"))
        let before = directory.snapshot()
        let session = try Session(directory)
        // The new body cannot take a folder's place.
        directory.makeFolder("a.html/x")
        let page = Answer(fields: [UpstreamField("Content-Type", "text/html")], body: Array("<p>".utf8))
        #expect(try await session.record("GET", "/a", page).kind == .refused)
        _ = await session.recorder.finish()
        directory.remove("a.html")
        #expect(directory.snapshot() == before)
        let again = try Session(directory)
        withExtendedLifetime(again) {}
        #expect(directory.snapshot() == before)
    }
}
