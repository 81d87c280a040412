// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiFixtures
import MockapiTestSupport
import Testing

@Suite(.supervised) struct PlainFilesTests {
    private func paths(_ files: KeyValuePairs<String, String>) throws -> [String: [String]] {
        let set = try TemporaryDirectory(files).load()
        return Dictionary(uniqueKeysWithValues: set.files.map { ($0.path, $0.requestPaths) })
    }

    @Test func `a file answers its own path, a JSON file the bare one too`() throws {
        #expect(
            try paths(["api/contents.json": "{}", "logo.txt": ""]) == [
                "api/contents.json": ["/api/contents.json", "/api/contents"], "logo.txt": ["/logo.txt"],
            ])
    }

    @Test func `an index answers for its folder`() throws {
        #expect(
            try paths(["a/index.json": "{}", "b/index.html": "<p>", "index.json": "{}"]) == [
                "a/index.json": ["/a/index.json", "/a/index", "/a/", "/a"],
                "b/index.html": ["/b/index.html", "/b/", "/b"],
                "index.json": ["/index.json", "/index", "/"],
            ])
    }

    @Test func `an own path goes before a name without its extension, and that before an index`() throws {
        #expect(
            try paths(["a": "x", "a.json": "{}", "b.json": "{}", "b/index.json": "{}", "b/index.html": "<p>"]) == [
                "a": ["/a"], "a.json": ["/a.json"], "b.json": ["/b.json", "/b"],
                "b/index.json": ["/b/index.json", "/b/index", "/b/"], "b/index.html": ["/b/index.html"],
            ])
    }

    @Test(arguments: [
        ("a.json", "application/json"), ("a.JSON", "application/json"), ("a.html", "text/html; charset=utf-8"),
        ("a.css", "text/css; charset=utf-8"), ("a.js", "text/javascript; charset=utf-8"), ("a.avif", "image/avif"),
        ("a.heic", "image/heic"), ("a.ico", "image/vnd.microsoft.icon"), ("a.woff2", "font/woff2"),
        ("a.mp4", "video/mp4"), ("a.mp3", "audio/mpeg"), ("a.wasm", "application/wasm"),
        ("a.txt", "text/plain; charset=utf-8"), ("a.md", "text/markdown; charset=utf-8"),
        ("a.csv", "text/csv; charset=utf-8"), ("a.zip", "application/zip"), ("a.bin", "application/octet-stream"),
        ("a", "application/octet-stream"), ("a.b/c", "application/octet-stream"), ("a.tar.gz", "application/gzip"),
    ])
    func `the media type goes by the extension`(path: String, type: String) throws {
        let set = try TemporaryDirectory([path: ""]).load()
        #expect(set.files.map(\.mediaType) == [type])
        #expect(set.findings == [])
    }

    @Test func `a body over 32 KiB stays on disk`() throws {
        let directory = try TemporaryDirectory()
        try directory.write("small.bin", [UInt8](repeating: 7, count: 32_768))
        try directory.write("large.bin", [UInt8](repeating: 7, count: 32_769))
        let set = try directory.load()
        guard case .file(let file) = set.files[0].body, case .bytes(let bytes) = set.files[1].body else {
            Issue.record("\(set.files)")
            return
        }
        #expect(file.path == "\(directory.path)/large.bin" && file.size == 32_769 && file.inode != 0)
        #expect(file.modified / 1_000_000_000 == set.files[0].lastModified)
        #expect(bytes.count == 32_768)
        #expect(set.files[0].entityTag != set.files[1].entityTag)
    }

    @Test func `the entity tag is of the content alone`() throws {
        let set = try TemporaryDirectory(["a.txt": "one", "b.txt": "one", "c.txt": "onf", "d.txt": "", "e.txt": "\0"])
            .load()
        let tags = set.files.map(\.entityTag)
        #expect(tags[0] == tags[1])
        #expect(Set(tags).count == 4)
    }

    @Test func `the tag of a file that is too large to read it for a request is made at load, of its bytes`() throws {
        let directory = try TemporaryDirectory()
        let limit = 4 * 1024 * 1024
        for (name, count) in [("a.bin", limit), ("b.bin", limit), ("c.bin", limit + 1), ("d.bin", limit + 1)] {
            try directory.write(name, [UInt8](repeating: 7, count: count))
        }
        let files = try directory.load().files
        // Those at the limit are read when they are asked for, and have a tag all the same where they are gone.
        for name in ["b.bin", "d.bin"] { try FileManager.default.removeItem(atPath: "\(directory.path)/\(name)") }
        let tags = files.map(\.entityTag)
        #expect(tags[2] == tags[3])
        #expect(Set(tags).count == 3)
        #expect(tags.allSatisfy { $0.wholeMatch(of: /"[0-9a-f]{16}"/) != nil })
    }

    @Test func `the tag of a file on disk is that of the same bytes in any pieces`() throws {
        let directory = try TemporaryDirectory()
        var bytes = (0..<600_001).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try directory.write("a.bin", bytes)
        try directory.write("b.bin", bytes)
        bytes[599_999] ^= 1
        try directory.write("c.bin", bytes)
        let tags = try directory.load().files.map(\.entityTag)
        #expect(tags[0] == tags[1] && tags[1] != tags[2])
    }
}
