// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiSystemIO
import MockapiTestSupport
import Testing

@testable import MockapiFixtures

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Files that are gone again when they are read, as those are that an editor writes before it renames them.
@Suite(.supervised) struct VanishedFileTests {
    @Test func `a file that was listed and is gone is left out without a word`() throws {
        let directory = try TemporaryDirectory([
            "a.txt": "a", "a.txt.tmp": "a", "b.stub.json": #"{"response": {"status": 204}}"#, "b.tmp.stub.json": "{",
        ])
        let status = try #require(FileStatus(path: directory.path))
        let walk = DirectoryWalk(root: directory.path, status: status)
        for name in ["a.txt.tmp", "b.tmp.stub.json"] { #expect(unlink("\(directory.path)/\(name)") == 0) }
        var load = FixtureLoad(
            FixtureLoader.Source(path: directory.path, status: status), walk: walk, wireMock: false)
        let set = load.fixtureSet()
        #expect(set.files.map(\.path) == ["a.txt"])
        #expect(set.stubs.count == 1)
        #expect(set.findings == [])
    }

    @Test func `a body that a stub names and that is gone is told`() throws {
        let directory = try TemporaryDirectory([
            "a.txt": "a", "b.stub.json": #"{"response": {"bodyFile": "a.txt"}}"#,
        ])
        let status = try #require(FileStatus(path: directory.path))
        let walk = DirectoryWalk(root: directory.path, status: status)
        #expect(unlink(directory.path + "/a.txt") == 0)
        var load = FixtureLoad(
            FixtureLoader.Source(path: directory.path, status: status), walk: walk, wireMock: false)
        #expect(
            load.fixtureSet().findings.map(\.text)
                == ["the body file \"a.txt\" cannot be read: No such file or directory"])
    }
}
