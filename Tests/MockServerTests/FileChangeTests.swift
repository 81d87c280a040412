// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiTestSupport
import MockapiWireSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Files whose dates are odd, and files that change under a server that has loaded them.
@Suite(.supervised) struct FileChangeTests {
    private static func setDate(_ path: String, _ second: Int, nanosecond: Int = 0) {
        let time = timespec(tv_sec: second, tv_nsec: nanosecond)
        #expect(utimensat(AT_FDCWD, path, [time, time], 0) == 0)
    }

    private static func large(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 100_000) }

    @Test(arguments: [13_569_465_600, 9_223_372_036, 9_223_372_037, -1, -9_223_372_037, .max, .min])
    func `a file of any date is served, with one that is not in the future`(second: Int) async throws {
        let directory = try TemporaryDirectory(["small.txt": "small"])
        try directory.write("large.bin", Self.large(7))
        Self.setDate(directory.path + "/small.txt", second, nanosecond: 999_999_999)
        Self.setDate(directory.path + "/large.bin", second, nanosecond: 999_999_999)
        try await TestServer.serving(directory) { server throws in
            #expect(try server.get("/small.txt").text == "small")
            let answer = try server.get("/large.bin")
            #expect(answer.body == Self.large(7))
            let date = try #require(answer["Last-Modified"])
            #expect(date.count == 29)
            #expect(try server.get("/large.bin", "If-Modified-Since: \(date)").status == 304)
        }
    }

    @Test func `a file that is too large to be true is a finding`() async throws {
        // Few file systems can hold such a file; memory can, since it is one hole.
        var template = Array("/dev/shm/mockapi-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return }
        let directory = String(decoding: template.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        let path = directory + "/sparse.bin"
        defer {
            unlink(path)
            rmdir(directory)
        }
        close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
        guard truncate(path, off_t.max) == 0 else { return }
        await #expect {
            try await MockServer.start(fixtures: directory)
        } throws: {
            "\($0)" == "sparse.bin: error: the file cannot be read: File too large"
        }
    }

    @Test(arguments: ["mkfifo", "/dev/zero"])
    func `a pipe or a device in the place of a body is a changed file`(kind: String) async throws {
        let directory = try TemporaryDirectory(["a.txt": "a"])
        try directory.write("large.bin", Self.large(7))
        try await TestServer.serving(directory) { server throws in
            directory.remove("large.bin")
            if kind == "mkfifo" {
                #expect(mkfifo(directory.path + "/large.bin", 0o600) == 0)
            } else {
                try directory.link("large.bin", to: kind)
            }
            for _ in 0..<4 {
                let answer = try server.get("/large.bin")
                #expect(answer.status == 503)
                #expect(
                    answer.text
                        == "large.bin has changed since it was loaded, and cannot be read again: it is not a file\n"
                )
                #expect(answer["Retry-After"] == "1")
            }
            #expect(try server.get("/a.txt").text == "a")
        }
    }

    @Test func `a large file that is touched is what it was, and one that changes in place is sent as it is then`()
        async throws
    {
        let directory = try TemporaryDirectory()
        try directory.write("large.bin", Self.large(7))
        try await TestServer.serving(directory) { server throws in
            let client = try server.connect()
            let first = try client.request("GET", "/large.bin")
            #expect(first.body == Self.large(7))
            let tag = try #require(first["ETag"])
            Self.setDate(directory.path + "/large.bin", 1_000_000_000)
            #expect(try client.request("GET", "/large.bin", ["If-None-Match: \(tag)"]).status == 304)
            let touched = try client.request("GET", "/large.bin")
            #expect(touched.body == Self.large(7))
            #expect(touched["ETag"] == tag)
            #expect(touched["Last-Modified"] == "Sun, 09 Sep 2001 01:46:40 GMT")
            #expect(try client.request("GET", "/large.bin", ["Range: bytes=0-9"]).status == 206)

            let other = [UInt8](repeating: 8, count: 99_999)
            try directory.write("large.bin", other)
            // What a browser has is asked for by its tag alone.
            let changed = try client.request("GET", "/large.bin", ["If-None-Match: \(tag)"])
            #expect(changed.status == 200)
            #expect(changed.body == other)
            #expect(changed["ETag"] != tag)
            #expect(try client.request("HEAD", "/large.bin")["Content-Length"] == "99999")
            try directory.write("large.bin", "small")
            #expect(try client.request("HEAD", "/large.bin")["Content-Length"] == "5")
            #expect(try client.request("GET", "/large.bin").text == "small")
            try directory.write("large.bin", "")
            #expect(try client.request("GET", "/large.bin").body.isEmpty)
            try directory.write("large.bin", other)
            #expect(try client.request("GET", "/large.bin").body == other)
        }
    }

    @Test func `the large body of a stub is sent as it is now, coded and rewritten too`() async throws {
        let directory = try TemporaryDirectory([
            "a.stub.json": #"""
            {"stubs": [
              {"request": {"urlPath": "/plain"}, "response": {"bodyFile": "b.txt", "headers": ["ETag: \"mine\""]}},
              {"request": {"urlPath": "/coded"}, "response": {"bodyFile": "b.txt", "contentEncoding": "gzip"}},
              {"request": {"urlPath": "/rewritten"}, "response": {"bodyFile": "b.txt", "rewriteOrigins": ["https://a.example"]}}]}
            """#
        ])
        try directory.write("b.txt", Self.large(0x61))
        try await TestServer.serving(directory) { server throws in
            for path in ["/plain", "/coded", "/rewritten"] { #expect(try server.get(path).body == Self.large(0x61)) }
            try directory.write("b.txt", Self.large(0x62) + Array("https://a.example/".utf8))
            #expect(try server.get("/plain").body.count == 100_018)
            #expect(try server.get("/plain")["ETag"] == "\"mine\"")
            #expect(try server.get("/coded").body.prefix(100_000).elementsEqual(Self.large(0x62)))
            let rewritten = try server.get("/rewritten").text.drop { $0 == "b" }
            #expect(rewritten.hasPrefix("http://") && rewritten.hasSuffix("/") && !rewritten.contains("a.example"))
        }
    }

    @Test func `a file whose name another has taken is changed too, once it is no more open`() async throws {
        let directory = try TemporaryDirectory()
        try directory.write("large.bin", Self.large(7))
        try await TestServer.serving(directory) { server throws in
            let client = try server.connect()
            #expect(try client.request("GET", "/large.bin").body == Self.large(7))
            try directory.write("other.bin", Self.large(8))
            #expect(rename(directory.path + "/other.bin", directory.path + "/large.bin") == 0)
            // The open file is what was loaded.
            #expect(try client.request("GET", "/large.bin").body == Self.large(7))
        }
    }
}
