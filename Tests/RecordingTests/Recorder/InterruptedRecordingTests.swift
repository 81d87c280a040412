// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Recording
import TestSupport
import Testing
import Upstream
import WireSupport

/// What a recording that was killed leaves behind.
@Suite(.supervised) struct InterruptedRecordingTests {
    @Test func `renames that were begun are carried out, and temporary files removed`() async throws {
        let directory = try TemporaryDirectory([
            ".mockapi-part-1-1": "{}", ".mockapi-part-1-2": "rest", "old.json": "x", "sub/keep.json": "{}",
            ".mockapi-commit":
                #"{"renames": [[".mockapi-part-0-0", "gone.json"], [".mockapi-part-1-1", "sub/new.json"]], "removals": ["old.json"]}"#,
        ])
        let session = try Session(directory)
        withExtendedLifetime(session) {}
        #expect(
            directory.snapshot() == ["sub/keep.json": Array("{}".utf8), "sub/new.json": Array("{}".utf8)])
    }

    @Test func `a list that names a place outside of the directory is not followed`() async throws {
        let directory = try TemporaryDirectory([
            "inner/.mockapi-part-1-1": "{}", "outer.json": "x",
            "inner/.mockapi-commit":
                #"{"renames": [[".mockapi-part-1-1", "../stolen.json"]], "removals": ["../outer.json"]}"#,
        ])
        var options = RecorderOptions()
        options.origins = []
        _ = try Recorder(directory: "\(directory.path)/inner", options: options)
        #expect(directory.snapshot() == ["outer.json": Array("x".utf8)])
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
