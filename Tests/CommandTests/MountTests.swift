// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiWireSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Fixtures on mounts, as containers and virtual machines have them: some tell of no change, and in some no file can be replaced.
@Suite(.supervised) struct MountTests {
    private static let note =
        "  the system does not report every change on this mount: the files are checked once a second\n"

    @Test(.enabled("there is no bindfs, or no FUSE: apt-get install bindfs") { await canMountFUSE() })
    func `a change on a mount that tells of none is served within seconds, be it the directory or a folder of it`()
        async throws
    {
        for mount in ["m", "m/sub"] {
            let directory = try TemporaryDirectory([
                "host/a.json": "1", "host/big.bin": String(repeating: "x", count: 40_000),
            ])
            directory.makeFolder(mount)
            let bindfs = try Command(
                line: ["/usr/bin/bindfs", "-f", "\(directory.path)/host", "\(directory.path)/\(mount)"])
            // On every path, before the directory is removed with all that is in it.
            defer { Self.unmount("\(directory.path)/\(mount)", of: bindfs) }
            try await until({ directory.text("\(mount)/a.json") }, is: "1")
            let command = try Command(["serve", "\(directory.path)/m", "--port", "0", "--watch"])
            let client = try WireClient(port: try await command.port())
            let path = mount == "m" ? "/" : "/sub/"
            try directory.write("host/a.json", "2")
            #expect(try await until({ try client.request("GET", path + "a.json").text }, is: "2"))
            try directory.write("host/big.bin", String(repeating: "y", count: 50_000))
            #expect(try await until({ try client.request("GET", path + "big.bin").body.count }, is: 50_000))
            #expect(command.errors.contains(Self.note), "\(command.errors)")
            command.send(SIGTERM)
            #expect(try await command.exitCode() == 0)
        }
    }

    /// Ends a mount, though somebody may still have a file of it open, and the program that serves it.
    private static func unmount(_ path: String, of program: Command? = nil) {
        (try? Command(line: ["/usr/bin/fusermount", "-u", "-z", path]))?.waitForEnd()
        program?.send(SIGTERM)
        program?.waitForEnd()
    }

    @Test(.enabled("no mount can be made in a name space of its own") { await canBind() })
    func `a file that is mounted by itself is watched, and written where it stands`() async throws {
        let directory = try TemporaryDirectory([
            "host.json": #"[{"id": 1}]"#, "d/i.json": "[]",
            "d/i.stub.json": #"{"resource": {"collection": "/i", "from": "i.json", "writeBack": true}}"#,
        ])
        let script =
            "mount --bind '\(directory.path)/host.json' '\(directory.path)/d/i.json' && exec \"$0\" serve \"$1\" --port 0 --watch"
        let command = try Command(
            line: [
                "/usr/bin/unshare", "-Urm", "/bin/sh", "-c", script, try Command.executable("mockapi"),
                "\(directory.path)/d",
            ])
        let client = try WireClient(port: try await command.port())
        let json = ["Content-Type: application/json"]
        for number in 2...3 {
            #expect(try client.request("POST", "/i", json, body: "{}").status == 201)
            try await until({ directory.text("host.json") }, { $0.contains("\"id\": \(number)") })
        }
        try directory.write("host.json", #"[{"id": 9}]"#)
        #expect(try await until({ try client.request("GET", "/i").text }, is: #"[{"id":9}]"#))
        #expect(command.errors.contains(Self.note), "\(command.errors)")
        command.send(SIGTERM)
        #expect(try await command.exitCode() == 0)
    }

    private static func canBind() async -> Bool {
        let script = "mount --bind /bin/sh /bin/true"
        let trial = try? await Command(line: ["/usr/bin/unshare", "-Urm", "/bin/sh", "-c", script]).end()
        return trial?.code == 0
    }

    private static func canMountFUSE() async -> Bool {
        guard access("/usr/bin/bindfs", X_OK) == 0, access("/usr/bin/fusermount", X_OK) == 0,
            let directory = try? TemporaryDirectory(["host/a": "a", "m/none": ""])
        else { return false }
        defer { unmount("\(directory.path)/m") }
        let trial = try? await Command(
            line: ["/usr/bin/bindfs", "-o", "nonempty", "\(directory.path)/host", "\(directory.path)/m"]
        ).end()
        return trial?.code == 0
    }
}
