// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// Files by whatever names people give them, and the URLs by which browsers ask for them.
@Suite(.supervised) struct FileNameTests {
    /// A name as browsers and other clients encode it: as little as they must, or all that may be.
    private static func encodings(_ name: String) -> [String] {
        let least = Set("!$&'()*+,-.:;=@_~[]{}|^`".utf8)
        return [least, Set("-._~".utf8)].map { kept in
            name.utf8.reduce(into: "/") { text, byte in
                let isPlain = kept.contains(byte) || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
                text += isPlain && byte < 0x80 ? String(UnicodeScalar(byte)) : "%" + Self.hexadecimal(byte)
            }
        }
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.utf8.count == 1 ? "0" + digits : digits
    }

    private static let names = [
        "#abc.txt", "a?b.txt", "a&b.txt", "a;b.txt", "a+b.txt", "a b.txt", "a'b.txt", "a[b].txt", "ü.txt", "日本.txt",
        "a\\b.txt", "a:b.txt", "a=b,c.txt", "~a.txt", "a\"b.txt", "a|b.txt", "a{b}.txt", "a^b.txt", "a`b.txt", "%.txt",
        "%A.txt", "%25A.txt", "100%25.txt", "a%2Fb.txt", "a..b.txt", "a....txt",
    ]

    @Test func `a file is served by its name, whatever stands in it, and by that of no other`() async throws {
        let directory = try TemporaryDirectory()
        for name in Self.names { try directory.write(name, name) }
        try await TestServer.serving(directory) { server throws in
            let client = try server.connect()
            for name in Self.names {
                for target in Self.encodings(name) {
                    let answer = try client.request("GET", target)
                    #expect(answer.status == 200 && answer.text == name, "\(target)")
                }
            }
        }
    }

    @Test(arguments: ["/foo%", "/%", "/%zz", "/a%2", "/%e9", "/%00", "/\\x", "//a.txt", "/./a.txt"])
    func `a target that is no file's is a miss, and no failure`(target: String) async throws {
        try await TestServer.serving(["a.txt": "a"]) { server throws in
            #expect([400, 404].contains(try server.get(target).status))
            #expect(try server.get("/a.txt").status == 200)
        }
    }

    @Test(arguments: [
        ("a.JPG", "image/jpeg"), ("B.HTML", "text/html; charset=utf-8"), ("C.Css", "text/css; charset=utf-8"),
        ("D.JSON", "application/json"), ("E.Js", "text/javascript; charset=utf-8"),
    ])
    func `an extension counts whatever its letters' case`(name: String, type: String) async throws {
        let directory = try TemporaryDirectory()
        let isImage = type.hasPrefix("image/")
        try directory.write(name, isImage ? [0xFF, 0xD8, 0xFF] : Array((name == "D.JSON" ? "{}" : "x").utf8))
        try await TestServer.serving(directory) { server throws in
            #expect(try server.get("/\(name)")["Content-Type"] == type)
        }
    }

    @Test(arguments: [
        ("Animal Collective", "/Animal%20Collective"), ("Merri #1", "/Merri%20%231"), ("100%", "/100%25"),
        ("a?b", "/a%3Fb"), ("é", "/%C3%A9"),
    ])
    func `a page's folder is led to by the URL that its client has, encoded once`(
        folder: String, target: String
    ) async throws {
        try await TestServer.serving(["\(folder)/index.html": "<p>in"]) { server throws in
            let answer = try server.get(target + "?q=%20")
            #expect(answer.status == 301 && answer["Location"] == target + "/?q=%20", "\(answer["Location"] ?? "none")")
            #expect(try server.get(target + "/?q=%20").text == "<p>in")
        }
    }

    @Test(arguments: [
        "//pages.example", "/%2Fpages.example", "/\\pages.example", "//pages.example/%2e%2e", "/.//pages.example",
    ])
    func `no target leads to another host`(target: String) async throws {
        try await TestServer.serving(["pages.example/index.html": "<p>in"]) { server throws in
            let answer = try server.get(target)
            #expect(answer["Location"] == nil && [400, 404].contains(answer.status), "\(answer.status)")
            #expect(try server.get("/pages.example")["Location"] == "/pages.example/")
        }
    }

    @Test func `what is compressed already goes out as it lies, under its own type`() async throws {
        let directory = try TemporaryDirectory(["h.txt": "hello\n"])
        let gzip: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        for name in ["h.txt.gz", "t.tar.gz", "d.tgz", "i.svgz"] { try directory.write(name, gzip) }
        try await TestServer.serving(directory) { server throws in
            for name in ["h.txt.gz", "t.tar.gz", "d.tgz"] {
                let answer = try server.get("/\(name)", "Accept-Encoding: gzip, br")
                #expect(answer["Content-Encoding"] == nil && answer["Content-Type"] == "application/gzip", "\(name)")
                #expect(answer.body == gzip)
            }
            #expect(try server.get("/h.txt", "Accept-Encoding: gzip, br").text == "hello\n")
            let image = try server.get("/i.svgz")
            #expect(image["Content-Encoding"] == "gzip" && image["Content-Type"] == "image/svg+xml")
            #expect(image.body == gzip)
        }
    }
}
