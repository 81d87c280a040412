// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Fixtures
import Testing

@Suite struct MediaFindingTests {
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0]
    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]
    private static let webp: [UInt8] = Array("RIFF\0\0\0\0WEBPVP8 ".utf8)
    private static let gzip: [UInt8] = [0x1F, 0x8B, 0x08, 0]

    @Test(arguments: [
        ("a.png", jpeg, "the media type is image/png, but the bytes are JPEG"),
        ("a.jpg", png, "the media type is image/jpeg, but the bytes are PNG"),
        ("a.jpeg", webp, "the media type is image/jpeg, but the bytes are WebP"),
        ("a.gif", Array("GIF88a".utf8), "the media type is image/gif, but the bytes are no GIF"),
        ("a.webp", Array("GIF89a".utf8), "the media type is image/webp, but the bytes are GIF"),
        ("a.pdf", [1], "the media type is application/pdf, but the bytes are no PDF"),
        ("a.gz", Array("%PDF-".utf8), "the media type is application/gzip, but the bytes are PDF"),
        ("a.svg", Array("svg".utf8), "the media type is image/svg+xml, but the bytes are no XML"),
        ("a.svg", png, "the media type is image/svg+xml, but the bytes are PNG"),
        ("a.txt", png, "the media type is text/plain, but the bytes are PNG"),
        ("a.avif", png, "the media type is image/avif, but the bytes are PNG"),
        ("a.json", png, "the media type is application/json, but the bytes are PNG"),
        (
            "a.json", gzip,
            #"the media type is application/json, but the bytes are gzip (store a body decoded, with "contentEncoding": "gzip")"#
        ),
        (
            "a.json", Array("{\n  1}".utf8),
            "the media type is application/json, but the bytes are no JSON: expected a member's name in quotes, found '1', at 2:3"
        ),
        (
            "a.jsonapi", Array("x".utf8),
            "the media type is application/vnd.api+json, but the bytes are no JSON: unexpected 'x' where a value should stand, at 1:1"
        ),
    ])
    func `a plain file whose extension contradicts its bytes`(path: String, bytes: [UInt8], text: String) throws {
        let directory = try TemporaryDirectory()
        try directory.write(path, bytes)
        #expect(try directory.findings() == ["\(path): warning: \(text)"])
    }

    @Test(arguments: [
        ("a.png", png), ("a.jpg", jpeg), ("a.webp", webp), ("a.gif", Array("GIF89a".utf8)), ("a.tgz", gzip),
        ("a.svg", Array("\u{FEFF}\n <svg/>".utf8)), ("a.json", Array("\u{FEFF} [1]".utf8)), ("a.bin", png), ("a", jpeg),
        ("a.txt", Array("text".utf8)), ("a.png", []), ("a.zip", png),
    ])
    func `what fits or is unknown is no finding`(path: String, bytes: [UInt8]) throws {
        let directory = try TemporaryDirectory()
        try directory.write(path, bytes)
        #expect(try directory.findings() == [])
    }

    @Test func `a stub's Content-Type line is compared with the body, wherever it comes from`() throws {
        let directory = try TemporaryDirectory([
            "a.stub.json": #"""
            {"stubs": [
            {"response": {"headers": ["content-type: Image/PNG; q=1"], "bodyFile": "a.jpg"}},
            {"response": {"headers": ["Content-Type: image/jpeg"], "bodyFile": "a.jpg"}},
            {"response": {"headers": ["Content-Type: text/html"], "bodyFile": "a.jpg"}},
            {"response": {"headers": ["Content-Type: application/json", "Content-Encoding: br"], "bodyFile": "a.jpg"}},
            {"response": {"bodyFile": "b.png"}}
            ]}
            """#
        ])
        try directory.write("a.jpg", Self.jpeg)
        try directory.write("b.png", Self.jpeg)
        #expect(
            try directory.findings() == [
                "a.stub.json:2:27: warning: the media type is image/png, but the bytes are JPEG (/stubs/0/response/headers/0)",
                "a.stub.json:4:27: warning: the media type is text/html, but the bytes are JPEG (/stubs/2/response/headers/0)",
                "a.stub.json:6:27: warning: the media type is image/png, but the bytes are JPEG (/stubs/4/response/bodyFile)",
            ])
    }

    @Test func `a body on disk is looked at too`() throws {
        let directory = try TemporaryDirectory()
        let text = "[" + Array(repeating: "1", count: 40_000).joined(separator: ",") + "x]"
        try directory.write("a.json", Array(text.utf8))
        try directory.write("b.json", [UInt8](repeating: UInt8(ascii: "x"), count: 1_100_000))
        #expect(
            try directory.findings() == [
                "a.json: warning: the media type is application/json, but the bytes are no JSON: expected ',' or ']', found 'x', at 1:80001",
                "b.json: warning: the media type is application/json, but the bytes are no JSON",
            ])
    }
}
