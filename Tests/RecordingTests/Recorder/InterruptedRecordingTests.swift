// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiRecording
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What a recording that was killed leaves behind.
@Suite(.supervised) struct InterruptedRecordingTests {
    private static let folder = ".mockapi-recording"

    @Test func `what was begun is carried out, and what was not is removed`() async throws {
        let directory = try TemporaryDirectory([
            "\(Self.folder)/.gitignore": "*\n", "\(Self.folder)/part-1-1": "{}", "\(Self.folder)/part-1-2": "rest",
            "\(Self.folder)/part-1-3": "[2]", "old.json": "x", "sub/keep.json": "{}", "sub/other.json": "[1]",
        ])
        let list = UnfinishedRecording.text(
            moves: [("part-0-0", "done.json"), ("part-1-1", "sub/new.json"), ("part-1-3", "sub/other.json")],
            removals: ["old.json", "gone.json"], in: directory.path)
        try directory.write("\(Self.folder)/commit", list)
        try directory.write("done.json", "{}")
        let session = try Session(directory)
        #expect(session.recorder.findings.isEmpty)
        #expect(directory.snapshot().keys.sorted() == ["done.json", "sub/keep.json", "sub/new.json", "sub/other.json"])
        #expect(directory.text("sub/new.json") == "{}")
        #expect(directory.text("sub/other.json") == "[2]")
    }

    @Test func `what somebody has edited since is not overwritten`() async throws {
        let directory = try TemporaryDirectory(["a.json": "[1]", "\(Self.folder)/part-1-1": "[2]"])
        let list = UnfinishedRecording.text(moves: [("part-1-1", "a.json")], removals: [], in: directory.path)
        try directory.write("\(Self.folder)/commit", list)
        #expect(try FixtureLoader.load(root: directory.path).files.map(\.body.count) == [3])
        try directory.write("a.json", "[1, 1]")
        #expect(try FixtureLoader.load(root: directory.path).files.map(\.body.count) == [6])
        let session = try Session(directory)
        #expect(
            session.recorder.findings.map(\.description) == [
                "\(Self.folder)/commit: warning: not carried out, and removed: a.json has changed since"
            ])
        #expect(directory.snapshot() == ["a.json": Array("[1, 1]".utf8)])
    }

    @Test func `what was begun is read as if it were finished, and nothing is written for that`() async throws {
        let directory = try TemporaryDirectory([
            "a.stub.json": #"{"request": {"urlPath": "/a"}, "response": {"bodyFile": "a.json"}}"#, "a.json": "[1]",
            "b.txt": "old", "c/d.txt": "stays", "\(Self.folder)/part-1-1": "[22]", "\(Self.folder)/part-1-2": "new",
            "\(Self.folder)/part-1-4": String(repeating: "x", count: 40_000),
            "\(Self.folder)/part-1-3":
                #"{"request": {"urlPath": "/a"}, "response": {"status": 201, "bodyFile": "a.json"}}"#,
        ])
        let list = UnfinishedRecording.text(
            moves: [
                ("part-1-3", "a.stub.json"), ("part-1-1", "a.json"), ("part-1-2", "c/b.txt"), ("part-1-4", "e.txt"),
            ],
            removals: ["b.txt"], in: directory.path)
        try directory.write("\(Self.folder)/commit", list)
        let before = directory.snapshot()
        let set = try FixtureLoader.load(root: directory.path)
        #expect(set.findings.isEmpty)
        #expect(set.stubs.first?.responses.first?.status == 201)
        #expect(set.stubs.first?.responses.first?.body.count == 4)
        #expect(set.files.map(\.path) == ["c/b.txt", "c/d.txt", "e.txt"])
        #expect(set.files.map(\.body.count) == [3, 5, 40_000])
        #expect(directory.snapshot() == before)
        // A large body is opened when it is sent, wherever it is by then.
        guard case .file(let body)? = set.files.last?.body else {
            Issue.record("it is held in memory")
            return
        }
        #expect(body.laterPath == "\(directory.path)/e.txt")
    }

    /// Lists as a checkout may hold them, that no recording wrote, and what is told of each.
    private static let foreign = [
        (
            #"{"moves": [["part-1-1", "../stolen.json", null]], "removals": []}"#,
            "../stolen.json is not a path of a fixture"
        ),
        (#"{"moves": [], "removals": [["../outer.json", null]]}"#, "../outer.json is not a path of a fixture"),
        (#"{"moves": [], "removals": [["/etc/none", null]]}"#, "/etc/none is not a path of a fixture"),
        (
            #"{"moves": [["part-1-1", ".git/hooks/x", null]], "removals": []}"#,
            ".git/hooks/x is not a path of a fixture"
        ),
        (#"{"moves": [["part-1-1", "a\u0000b", null]], "removals": []}"#, "a\\u{0}b is not a path of a fixture"),
        (
            #"{"moves": [["keep.json", "new.json", null]], "removals": []}"#,
            "it moves a file that no recording "
                + "has written"
        ),
        (
            #"{"moves": [["part-/../../keep.json", "new.json", null]], "removals": []}"#,
            "it moves a file that no recording has written"
        ),
        (
            #"{"moves": [["part-0-0", "new.json", null], ["part-1-1", "other.json", null]], "removals": []}"#,
            "part-0-0 is missing, and so is new.json"
        ),
        (
            #"{"moves": [["part-link", "new.json", null]], "removals": []}"#,
            "part-link is missing, and so is new.json"
        ),
        (
            #"{"moves": [["part-1-1", "keep.json", "1-0000000000000000"]], "removals": []}"#,
            "keep.json has changed since"
        ),
        (#"{"moves": [], "removals": [["keep.json", null]]}"#, "keep.json has changed since"),
        (#"{"moves": [["part-1-1", "assets/key", null]], "removals": []}"#, linkInList),
        (#"{"moves": [], "removals": [["assets/deep/key", null]]}"#, linkInList),
        (#"["keep.json"]"#, "it is not a list of a recording"), ("{", "it is not a list of a recording"),
    ]

    private static let linkInList = "assets is a symbolic link, and nothing is written by way of one"
    private static let link =
        linkInList + "; put a folder in its place, or record into the directory it leads to"

    @Test(arguments: foreign)
    func `a list that no recording of the directory wrote is not carried out, and that is told`(
        list: String, reason: String
    ) throws {
        let directory = try TemporaryDirectory([
            "home/key": "key", "home/deep/key": "key", "outer.json": "x", "inner/keep.json": "1",
        ])
        try directory.link("inner/assets", to: "../home")
        let before = directory.snapshot()
        try directory.write("inner/\(Self.folder)/part-1-1", "{}")
        try directory.write("inner/\(Self.folder)/commit", list)
        try directory.link("inner/\(Self.folder)/part-link", to: "../keep.json")
        #expect(try FixtureLoader.load(root: "\(directory.path)/inner").files.map(\.path) == ["keep.json"])
        let recorder = try Recorder(directory: "\(directory.path)/inner", options: RecorderOptions())
        #expect(
            recorder.findings.map(\.description) == [
                "\(Self.folder)/commit: warning: not carried out, and removed: \(reason)"
            ])
        #expect(directory.snapshot() == before)
    }

    @Test func `a list that is not a file is not waited for`() throws {
        let directory = try TemporaryDirectory(["\(Self.folder)/x": ""])
        #expect(mkfifo("\(directory.path)/\(Self.folder)/commit", 0o644) == 0)
        let recorder = try Recorder(directory: directory.path, options: RecorderOptions())
        #expect(recorder.findings.count == 1)
        #expect(directory.snapshot().isEmpty)
    }

    @Test func `a link in the place of the recording's own folder is removed, and what it leads to stays`() async throws
    {
        let directory = try TemporaryDirectory(["out/part-1-1": "x", "out/commit": "{}"])
        directory.makeFolder("in")
        try directory.link("in/\(Self.folder)", to: "../out")
        let recorder = try Recorder(directory: "\(directory.path)/in", options: RecorderOptions())
        #expect(recorder.findings.isEmpty)
        #expect(directory.snapshot().keys.sorted() == ["out/commit", "out/part-1-1"])
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
                "\(path): warning: a symbolic link; recordings go to \(directory.path)/real"
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

    @Test func `folders of files that were to be renamed are made again`() async throws {
        let directory = try TemporaryDirectory([
            "\(Self.folder)/part-1-1": "{}",
            "\(Self.folder)/commit": #"{"moves": [["part-1-1", "sub/deep/new.json", null]], "removals": []}"#,
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
