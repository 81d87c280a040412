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
                #expect(answer.status == 500)
                #expect(answer.text.contains("/large.bin has changed since the fixtures were loaded: start again, "))
            }
            #expect(try server.get("/a.txt").text == "a")
        }
    }

    @Test func `a file that is open and changes in place is not sent with its old tag or length`() async throws {
        let directory = try TemporaryDirectory()
        try directory.write("large.bin", Self.large(7))
        try await TestServer.serving(directory) { server throws in
            let client = try server.connect()
            #expect(try client.request("GET", "/large.bin").body == Self.large(7))
            // The same bytes with another date: as a change of the content looks.
            Self.setDate(directory.path + "/large.bin", 1_000_000_000)
            #expect(try client.request("GET", "/large.bin").status == 500)
            #expect(try client.request("GET", "/large.bin", ["Range: bytes=0-9"]).status == 500)
            try server.reload()
            #expect(try client.request("GET", "/large.bin").body == Self.large(7))
            try directory.write("large.bin", [UInt8](repeating: 8, count: 99_999))
            #expect(try client.request("GET", "/large.bin").status == 500)
            try server.reload()
            #expect(try client.request("GET", "/large.bin").body == [UInt8](repeating: 8, count: 99_999))
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
