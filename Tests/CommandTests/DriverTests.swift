// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiWireSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Drivers in further languages, each where its language is installed, and what is known to fail in their clients.
///
/// A version of a client that fails less is as good: what is known is the most that may fail.
@Suite(.supervised) struct DriverTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Drivers").path

    /// Whether a program is there to be run.
    private static func has(_ program: String) -> Bool {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"
        return path.split(separator: ":").contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
    }

    /// What clients do that take a broken framing or coding for a whole one.
    private static let ofBodies: Set = [
        "fault.truncated", "fault.length", "fault.head", "fault.gzip.cut", "fault.gzip.end", "fault.chunk.end",
        "fault.chunk.plus", "fault.chunk.prefix", "fault.chunk.digits", "fault.chunk.last", "fault.chunk.overflow",
    ]
    /// What clients do that read a length by what their language takes for a number.
    private static let ofLengths: Set = [
        "fault.length.plus", "fault.length.minus", "fault.length.digits", "fault.length.two", "fault.length.list",
        "fault.length.overflow",
    ]
    private static let ways = ["", ".port", ".plain", ".hops"]
    /// What clients do that keep the lines for one origin.
    private static let ofOrigins = Set(
        ways.flatMap { way in lines.map { $0 + way } })
    private static let lines = [
        "redirect.credentials", "redirect.credentials.letters", "redirect.credentials.user", "redirect.cookie",
    ]
    private static let ofProxies = ways.map { "redirect.credentials.proxy" + $0 }

    private func expect(
        _ command: [String], _ driver: String, arguments: [String] = [], passes: Int, known: Set<String> = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let directory = try TemporaryDirectory()
        let line = ["contract", "--client", "it", "--tap", "\(directory.path)/v.tap", "--"]
        let end = try await Command(
            line + command + ["\(Self.folder)/\(driver)"] + arguments,
            environment: ["GOCACHE": "\(directory.path)/go", "TMPDIR": directory.path]
        ).end()
        let lines = directory.text("v.tap").split(separator: "\n")
        let failed = lines.filter { $0.hasPrefix("not ok ") }.compactMap { line in
            line.split(separator: " ").dropFirst(4).first.map { String($0.prefix { $0 != ":" }) }
        }
        #expect(
            Set(failed).subtracting(known) == [], "\(end.output)\(end.errors)", sourceLocation: sourceLocation)
        let passed = lines.count { $0.hasPrefix("ok ") && !$0.contains(" # SKIP ") }
        #expect(passed >= passes, "\(end.output)\(end.errors)", sourceLocation: sourceLocation)
        #expect(end.code == (failed.isEmpty ? 0 : 1), sourceLocation: sourceLocation)
    }

    @Test(.enabled(if: has("node"), "node is not installed"))
    func `Node's fetch keeps the contract but for a 100 that nobody asked for`() async throws {
        try await expect(
            ["node"], "fetch_driver.mjs", passes: 50,
            known: ["answer.continue", "answer.field.blanks", "fault.chunk.end", "fault.gzip.cut", "fault.gzip.end"])
    }

    @Test(.enabled(if: has("node"), "node is not installed"))
    func `Node's http2 tells neither garbage nor sends a refused request again`() async throws {
        try await expect(["node"], "http2_driver.mjs", passes: 45, known: ["fault.garbage", "h2.goaway", "h2.refused"])
    }

    @Test(.enabled(if: has("go"), "go is not installed"))
    func `Go's net/http gives credentials back at the second hop, and sends a blank in a path`() async throws {
        let hops = Self.lines.map { $0 + ".hops" }
        try await expect(
            ["go", "run"], "go_driver.go", passes: 50, known: Set(hops + Self.ofProxies + ["redirect.blank"]))
    }

    @Test(.enabled(if: has("javac"), "no JDK is installed"))
    func `Java's HttpClient gives the last of a circle of redirections`() async throws {
        try await expect(
            ["java", "-XX:TieredStopAtLevel=1"], "HttpClientDriver.java", passes: 45,
            known: Set([
                "answer.trailers", "redirect.circle", "redirect.query", "redirect.utf8", "answer.both", "body.pieces",
                "connection.close", "connection.http10",
            ])
            .union(Self.ofLengths).union(Self.ofOrigins).union(Self.ofOlderJava))
    }

    /// What Java 17.0.15 does; 17.0.21 does not.
    private static let ofOlderJava: Set = [
        "redirect.credentials.307", "redirect.cookie.307", "fault.chunk.end", "fault.chunk.prefix",
        "fault.chunk.digits",
        "fault.chunk.size",
    ]

    @Test(.enabled(if: has("ruby"), "ruby is not installed"))
    func `Ruby's Net HTTP takes half of a body for a whole one`() async throws {
        try await expect(
            ["ruby"], "ruby_driver.rb", passes: 40,
            known: Self.ofBodies.union(Self.ofLengths).union(["coding.gzip.members"]))
    }

    @Test(.enabled(if: has("php"), "php is not installed"))
    func `PHP's streams take half of a body for a whole one`() async throws {
        let known: Set = [
            "redirect.circle", "redirect.beside", "redirect.above", "redirect.query", "fault.truncated", "fault.length",
            "fault.chunk", "connection.reuse", "fault.chunk.size", "answer.interims", "answer.longer", "redirect.utf8",
            "redirect.blank", "redirect.several", "redirect.file", "redirect.data", "redirect.scheme",
        ]
        try await expect(
            ["php"], "php_driver.php", passes: 40, known: known.union(Self.ofBodies).union(Self.ofLengths))
    }

    @Test(
        .enabled(
            if: has("perl") && FileManager.default.fileExists(atPath: "/usr/share/perl5/LWP/UserAgent.pm"),
            "libwww-perl is not installed"))
    func `Perl's LWP takes half of a body for a whole one, and garbage for HTTP 0.9`() async throws {
        try await expect(
            ["perl"], "lwp_driver.pl", passes: 45,
            known: Set([
                "answer.interim", "answer.interims", "fault.garbage", "status.304.length", "status.304.chunked",
                "redirect.data", "coding.chain", "coding.gzip.members", "redirect.credentials.307", "cookie.expired",
                "cookie.path.segment", "cookie.path.relative", "cookie.path.last", "cookie.max-age.over",
                "cookie.max-age.negative", "cookie.max-age.first", "cookie.deleted", "cookie.deleted.path",
                "cookie.quoted", "cookie.semicolon",
            ]).union(Self.ofBodies).union(Self.ofLengths).union(Self.ofOrigins).union(Self.ofProxies))
    }

    @Test func `the page of clients has every driver`() throws {
        let root = URL(fileURLWithPath: Self.folder).deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appendingPathComponent("docs/contract/clients.md"), encoding: .utf8)
        for name in try FileManager.default.contentsOfDirectory(atPath: Self.folder) where name.contains(".") {
            #expect(page.contains("Tests/Drivers/\(name)"), "run docs/contract/table")
            let lines = try String(contentsOfFile: "\(Self.folder)/\(name)", encoding: .utf8).split(
                separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.count <= 60, "a driver is short enough to start one's own from: \(name)")
        }
    }
}
