// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiContentCodings
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

@Suite(.supervised) struct FixtureLoaderTests {
    @Test func `the example of the format loads without a finding`() throws {
        let directory = try TemporaryDirectory([
            "api/contents.stub.json": #"""
            {
              "name": "articles, first page",
              "request": {
                "method": "GET",
                "urlPath": "/api/contents",
                "queryParameters": { "filter[content_types][]": { "equalTo": "article" } },
                "otherQueryParameters": "refuse",
                "headers": { "Content-Type": { "equalTo": "application/vnd.api+json; charset=utf-8" } }
              },
              "response": {
                "status": 200,
                "headers": [
                  "Content-Type: application/vnd.api+json; charset=utf-8",
                  "ETag: W/\"5f2b\"",
                  "Set-Cookie: a=1",
                  "Set-Cookie: b=2",
                  "Content-Length: 12",
                  "Date: now"
                ],
                "bodyFile": "contents.json",
                "contentEncoding": "gzip"
              },
              "recorded": { "from": "https://api.example.com", "at": "2026-11-20T10:00:00Z", "protocol": "h2" }
            }
            """#,
            "api/contents.json": #"{"data":[]}"#,
            "uploads/logo.txt": "hello",
        ])
        let set = try directory.load()
        #expect(set.findings == [])
        #expect(set.root == directory.path)
        #expect(set.dialect == .mockapi)
        let stub = try #require(set.stubs.first)
        #expect(set.stubs.count == 1)
        #expect(stub.name == "articles, first page")
        #expect(stub.place == Place(path: "api/contents.stub.json", line: 1, column: 1))
        #expect(stub.priority == 5)
        #expect(stub.request.method == "GET")
        #expect(stub.request.allowsOtherQueryParameters == false)
        #expect(stub.request.queryParameters.map(\.name) == ["filter[content_types][]"])
        #expect(stub.request.headers.map(\.name) == ["content-type"])
        let response = stub.responses[0]
        #expect(
            response.headers == [
                HeaderLine("Content-Type", "application/vnd.api+json; charset=utf-8"), HeaderLine("ETag", "W/\"5f2b\""),
                HeaderLine("Set-Cookie", "a=1"), HeaderLine("Set-Cookie", "b=2"),
            ])
        #expect(response.contentEncoding == .gzip)
        #expect(response.body.count == 11)
        #expect(set.files.map(\.path) == ["uploads/logo.txt"])
        #expect(set.files.map(\.requestPaths) == [["/uploads/logo.txt"]])
    }

    @Test func `a directory that is not there is an error of its own`() throws {
        let directory = try TemporaryDirectory(["file": "x"])
        #expect(throws: FixtureError(path: "\(directory.path)/no", reason: .missing)) {
            try FixtureLoader.load(root: "\(directory.path)/no")
        }
        #expect(throws: FixtureError(path: "\(directory.path)/file/x", reason: .notADirectory)) {
            try FixtureLoader.load(root: "\(directory.path)/file/x")
        }
        #expect(FixtureError(path: "a", reason: .missing).description == "the fixture directory a does not exist")
        #expect(
            FixtureError(path: "a", reason: .notADirectory).description
                == "a is neither a directory nor a file")
        #expect(
            FixtureError(path: "a", reason: .unreadable("Permission denied")).description
                == "the fixture directory a cannot be read: Permission denied")
    }

    @Test func `an empty directory is an empty set`() throws {
        let set = try TemporaryDirectory().load()
        #expect(set.stubs.isEmpty && set.files.isEmpty && set.findings.isEmpty)
    }

    @Test func `paths come in byte order, stubs of one file in its order`() throws {
        let stub = #"{"response":{}}"#
        let directory = try TemporaryDirectory([
            "b/x.stub.json": stub, "b-c.stub.json": stub,
            "a.stub.json": #"{"stubs":[{"name":"1","response":{}},{"name":"2","response":{}}]}"#,
            "B.txt": "", "b/a": "", "b.txt": "", "ü": "", "z": "",
        ])
        let set = try directory.load()
        #expect(set.stubs.map(\.place.path) == ["a.stub.json", "a.stub.json", "b-c.stub.json", "b/x.stub.json"])
        #expect(set.stubs.prefix(2).map(\.name) == ["1", "2"])
        #expect(set.stubs.prefix(2).map(\.place.pointer) == ["/stubs/0", "/stubs/1"])
        #expect(set.files.map(\.path) == ["B.txt", "b.txt", "b/a", "z", "ü"])
        #expect(
            set.findings.map(\.description) == [
                #"b.txt: warning: differs from "B.txt" only in case; some file systems take the two for one"#
            ])
    }

    @Test func `names with a dot in front and a README at the root are left out`() throws {
        let directory = try TemporaryDirectory([
            ".hidden": "x", ".git/config": "x", "a/.x.stub.json": "{", "README.md": "x", "README": "x",
            "a/README.md": "x",
        ])
        let set = try directory.load()
        #expect(set.files.map(\.path) == ["a/README.md"])
        #expect(set.findings == [])
    }

    @Test func `a hidden file may be a body`() throws {
        let directory = try TemporaryDirectory([
            "a/x.stub.json": #"{"response":{"bodyFile":"../README.md"}}"#, "README.md": "# hello",
            "a/y.stub.json": #"{"request":{"urlPath":"/y"},"response":{"bodyFile":".b/c.txt"}}"#, "a/.b/c.txt": "c",
        ])
        let set = try directory.load()
        #expect(set.findings == [])
        #expect(set.stubs.map(\.responses[0].body.count) == [7, 1])
        #expect(set.stubs[0].responses[0].headers == [HeaderLine("Content-Type", "text/markdown; charset=utf-8")])
    }

    @Test func `a small directory that links make a very large one is a finding`() throws {
        let directory = try TemporaryDirectory([:])
        for one in 1...8 {
            try directory.write("\(one)/file.txt", [])
            for other in 1...8 where other != one { try directory.link("\(one)/to\(other)", to: "../\(other)") }
        }
        let status = try #require(FileStatus(path: directory.path))
        let walk = DirectoryWalk(root: directory.path, status: status, limit: 10)
        #expect(walk.files.count <= 10)
        #expect(
            walk.findings.last?.description == ".: error: more than 10 files and directories; the rest is left out")
        #expect(DirectoryWalk.entryLimit == 1_000_000 && DirectoryWalk.linkedLimit == 100_000)
    }

    @Test func `a directory that links within linked directories lead to is listed once by them`() throws {
        let directory = try TemporaryDirectory(["n20/file.txt": "f"])
        // Each of two links to the next: as many ways to the last as there are numbers of twenty bits.
        for number in 0..<20 {
            try directory.write("n\(number)/file.txt", [])
            for name in ["0", "1"] { try directory.link("n\(number)/\(name)", to: "../n\(number + 1)") }
        }
        let status = try #require(FileStatus(path: directory.path))
        let walk = DirectoryWalk(root: directory.path, status: status)
        #expect(walk.files.count < 200)
        #expect(
            walk.files.contains { $0.path == "n0/0/file.txt" } && walk.files.contains { $0.path == "n0/1/file.txt" })
        #expect(
            walk.findings.contains {
                $0.description.hasSuffix(
                    ": warning: the symbolic link lies behind another link, and leads to a directory that a link has led to before; it is not followed"
                )
            })
    }

    @Test func `links are followed inside the directory and not round`() throws {
        let directory = try TemporaryDirectory(["a/one.txt": "1", "b/two.txt": "2"])
        let other = try TemporaryDirectory(["secret": "s"])
        try directory.link("a/again", to: "../b")
        try directory.link("b/back", to: "../a")
        try directory.link("a/self", to: ".")
        try directory.link("a/up", to: "..")
        try directory.link("a/three.txt", to: "../b/two.txt")
        try directory.link("a/gone", to: "nowhere")
        try directory.link("a/loop", to: "loop")
        try directory.link("a/out", to: "\(other.path)/secret")
        try directory.link("a/outside", to: other.path)
        let set = try directory.load()
        #expect(
            set.files.map(\.path) == [
                "a/again/two.txt", "a/one.txt", "a/three.txt", "b/back/one.txt", "b/back/three.txt", "b/two.txt",
            ])
        let back = "warning: the symbolic link leads back to a directory that holds it and is not followed"
        let out = "warning: the symbolic link leads out of the fixture directory and is not followed"
        let gone = "warning: the symbolic link leads nowhere: No such file or directory"
        let loop = "warning: the symbolic link leads nowhere: Too many levels of symbolic links"
        #expect(
            set.findings.map(\.description) == [
                "a/again/back: \(back)", "a/gone: \(gone)", "a/loop: \(loop)", "a/out: \(out)", "a/outside: \(out)",
                "a/self: \(back)", "a/up: \(back)",
                "b/back/again: \(back)", "b/back/gone: \(gone)", "b/back/loop: \(loop)", "b/back/out: \(out)",
                "b/back/outside: \(out)", "b/back/self: \(back)", "b/back/up: \(back)",
            ])
    }

    @Test func `a pipe is left out and holds nothing up`() throws {
        let directory = try TemporaryDirectory()
        mkfifo("\(directory.path)/pipe.stub.json", 0o644)
        #expect(try directory.findings() == ["pipe.stub.json: warning: neither a file nor a directory; it is left out"])
    }

    @Test func `a name that is not UTF-8 is a finding`() throws {
        let directory = try TemporaryDirectory()
        let name: [CChar] = Array("\(directory.path)/a".utf8CString.dropLast()) + [CChar(bitPattern: 0xFF), 0]
        let descriptor = open(name, O_WRONLY | O_CREAT, 0o644)
        try #require(descriptor >= 0)
        close(descriptor)
        #expect(try directory.findings() == ["a\u{FFFD}: error: the name is not UTF-8; rename the file"])
        unlink(name)
    }

    @Test func `what cannot be read is a finding`() throws {
        let directory = try TemporaryDirectory(["a.stub.json": "{}", "b.txt": "", "c/d": ""])
        for name in ["a.stub.json", "b.txt", "c"] { chmod("\(directory.path)/\(name)", 0) }
        if geteuid() == 0 { return }
        #expect(
            try directory.findings() == [
                "a.stub.json: error: the file cannot be read: Permission denied",
                "b.txt: error: the file cannot be read: Permission denied",
                "c: error: the directory cannot be read: Permission denied",
            ])
    }

    @Test func `names with spaces, umlauts and percent signs are served as they are`() throws {
        let directory = try TemporaryDirectory([
            "mit leer zeichen/über %20.txt": "x", "a?b#c.json": "1", "e\u{301}.txt": "nfd", "é.txt": "nfc",
        ])
        let set = try directory.load()
        #expect(
            set.files.map(\.requestPaths) == [
                ["/a?b#c.json", "/a?b#c"], ["/e\u{301}.txt"], ["/mit leer zeichen/über %20.txt"], ["/é.txt"],
            ])
    }

    @Test func `two loads are the same`() throws {
        let directory = try TemporaryDirectory([
            "a.stub.json": #"{"stubs":[{"response":{}},{"request":{"url":"/"},"response":{}}]}"#, "b.json": "{}",
        ])
        let (first, second) = (try directory.load(), try directory.load())
        #expect(first.stubs.map(\.id) == second.stubs.map(\.id))
        #expect(Set(first.stubs.map(\.id)).count == 2)
        #expect(first.files.map(\.entityTag) == second.files.map(\.entityTag))
        #expect(first.files[0].entityTag.wholeMatch(of: /"[0-9a-f]{16}"/) != nil)
        #expect(
            first.stubs[0].id.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/)
                != nil)
    }

    @Test func `an id may be there once`() throws {
        let id = "8C5DB8B0-2DB4-4AD7-A99F-38C9B00DA3F7"
        let directory = try TemporaryDirectory([
            "a.stub.json": #"{"id": "\#(id)", "response": {}}"#,
            "b.stub.json": #"{"response": {}, "id": "\#(id.lowercased())"}"#,
        ])
        let set = try directory.load()
        #expect(set.stubs.map(\.id) == [id.lowercased()])
        #expect(
            set.findings.map(\.description) == [
                "b.stub.json:1:24: error: the id \(id.lowercased()) is taken by a.stub.json:1:8 (/id)"
            ])
    }

    @Test func `names that are left out count as others do, each time that a link leads to them`() throws {
        let directory = try TemporaryDirectory(["a/file.txt": "f"])
        for number in 0..<40 { try directory.link("a/gone\(number)", to: "nowhere") }
        for number in 0..<40 { try directory.link("to\(number)", to: "a") }
        let status = try #require(FileStatus(path: directory.path))
        let walk = DirectoryWalk(root: directory.path, status: status, limit: 200)
        #expect(walk.findings.count < 400)
        #expect(
            walk.findings.last?.description == ".: error: more than 200 files and directories; the rest is left out")
    }

    @Test func `files that links lead to again are bounded by their bytes`() throws {
        let directory = try TemporaryDirectory(["a.json": "", "b.txt": ""])
        #expect(truncate("\(directory.path)/a.json", 200 * 1024 * 1024) == 0)
        #expect(truncate("\(directory.path)/b.txt", 200 * 1024 * 1024) == 0)
        for number in 0..<50 { try directory.link("text\(number)", to: "b.txt") }
        for number in 0..<2 { try directory.link("z\(number).json", to: "a.json") }
        let status = try #require(FileStatus(path: directory.path))
        #expect(DirectoryWalk(root: directory.path, status: status).findings == [])
        try directory.link("z2.json", to: "a.json")
        let walk = DirectoryWalk(root: directory.path, status: status)
        #expect(walk.files.last?.path == "z1.json")
        #expect(
            walk.findings.map(\.description) == [
                ".: error: symbolic links lead again to files of more than 256 MiB that they have led to before; the rest is left out"
            ])
        #expect(FixtureLoader.distinctFiles(in: directory.path) == ["a.json", "b.txt"])
    }
}
