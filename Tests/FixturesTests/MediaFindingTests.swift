// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiTestSupport
import Testing

@Suite(.supervised) struct MediaFindingTests {
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0]
    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]
    private static let webp: [UInt8] = Array("RIFF\0\0\0\0WEBPVP8 ".utf8)
    private static let zip: [UInt8] = Array("PK\u{3}\u{4}".utf8)
    private static let avif: [UInt8] = Array("\0\0\0\u{14}ftypmif1\0\0\0\0avif".utf8)
    private static let gzip: [UInt8] = [0x1F, 0x8B, 0x08, 0]

    private static let contradictions: [(path: String, bytes: [UInt8], text: String)] = [
        ("a.png", jpeg, "the media type is image/png, but the bytes are JPEG"),
        ("a.jpg", png, "the media type is image/jpeg, but the bytes are PNG"),
        ("a.jpeg", webp, "the media type is image/jpeg, but the bytes are WebP"),
        ("a.gif", Array("GIF88a".utf8), "the media type is image/gif, but the bytes are not GIF"),
        ("a.webp", Array("GIF89a".utf8), "the media type is image/webp, but the bytes are GIF"),
        ("a.pdf", [1], "the media type is application/pdf, but the bytes are not PDF"),
        ("a.gz", Array("%PDF-".utf8), "the media type is application/gzip, but the bytes are PDF"),
        ("a.svg", Array("svg".utf8), "the media type is image/svg+xml, but the bytes are not XML"),
        ("a.svg", png, "the media type is image/svg+xml, but the bytes are PNG"),
        ("a.txt", png, "the media type is text/plain, but the bytes are PNG"),
        ("a.avif", png, "the media type is image/avif, but the bytes are PNG"),
        ("a.json", png, "the media type is application/json, but the bytes are PNG"),
        ("a.woff2", png, "the media type is font/woff2, but the bytes are PNG"),
        ("a.woff2", Array("wOFF\0\u{1}\0\0".utf8), "the media type is font/woff2, but the bytes are WOFF"),
        ("a.woff", Array("<html>".utf8), "the media type is font/woff, but the bytes are not WOFF"),
        (
            "a.ttf", gzip,
            #"the media type is font/ttf, but the bytes are gzip (store a body decoded, with "contentEncoding": "gzip")"#
        ),
        ("a.avif", Array("<html>".utf8), "the media type is image/avif, but the bytes are not AVIF"),
        ("a.png", avif, "the media type is image/png, but the bytes are AVIF"),
        ("a.mp4", Array("RIFF\0\0\0\0WAVE".utf8), "the media type is video/mp4, but the bytes are WAV"),
        ("a.zip", png, "the media type is application/zip, but the bytes are PNG"),
        ("a.wasm", Array("(module)".utf8), "the media type is application/wasm, but the bytes are not WebAssembly"),
        (
            "a.svgz", Array("<svg/>".utf8),
            "an .svgz is sent with Content-Encoding: gzip, but the bytes are not gzip; compress it or call it .svg"
        ),
        ("a.txt", Array("SQLite format 3\0".utf8), "the media type is text/plain, but the bytes are SQLite"),
        (
            "a.json", [0x28, 0xB5, 0x2F, 0xFD],
            #"the media type is application/json, but the bytes are zstd (store a body decoded, with "contentEncoding": "zstd")"#
        ),
        (
            "a.json", gzip,
            #"the media type is application/json, but the bytes are gzip (store a body decoded, with "contentEncoding": "gzip")"#
        ),
        (
            "a.json", Array("{\n  1}".utf8),
            "the media type is application/json, but the bytes are not JSON: expected a member's name in quotes, found '1'"
        ),
        (
            "a.jsonapi", Array("x".utf8),
            "the media type is application/vnd.api+json, but the bytes are not JSON: unexpected 'x' in the place of a value"
        ),
    ]

    @Test(arguments: contradictions)
    func `a plain file whose extension contradicts its bytes`(path: String, bytes: [UInt8], text: String) throws {
        let directory = try TemporaryDirectory()
        try directory.write(path, bytes)
        let position = text.contains("not JSON: ") ? bytes.count > 1 ? ":2:3" : ":1:1" : ""
        #expect(try directory.findings() == ["\(path)\(position): warning: \(text)"])
    }

    private static let harmless: [(path: String, bytes: [UInt8])] = [
        ("a.png", png), ("a.jpg", jpeg), ("a.webp", webp), ("a.gif", Array("GIF89a".utf8)), ("a.tgz", gzip),
        ("a.svg", Array("\u{FEFF}\n <svg/>".utf8)), ("a.bin", png), ("a", jpeg),
        ("a.txt", Array("text".utf8)), ("a.png", []), ("a.tar", png),
        // Names and words that begin as a signature does.
        ("b.txt", Array("BMW, OTTO and the ID3 tag".utf8)), ("c.txt", Array("OTTO".utf8)),
        ("d.txt", Array("ttcf".utf8)),
        ("e.txt", Array("wOFF and wOF2 are fonts".utf8)), ("f.txt", Array("OggS, fLaC".utf8)),
        ("g.csv", Array("PK,1".utf8)),
        ("h.txt", [0xFF, 0xFE, 0x61, 0]),
        // Formats that begin as their container does.
        ("a.psd", Array("II*\0".utf8)), ("a.docx", zip), ("a.epub", zip), ("a.jar", zip), ("a.heif", avif),
        ("a.otf", [0, 1, 0, 0, 0, 9]), ("a.ttf", Array("OTTO\0\u{9}".utf8)),
        ("a.m4a", Array("\0\0\0\u{C}ftypisom".utf8)),
        ("a.flac", Array("ID3\u{3}\0".utf8)), ("a.mov", Array("\0\0\0\u{8}moov".utf8)), ("a.ico", [1, 2, 3]),
        ("a.zip", zip),
        ("a.apng", png), ("a.zst", [0x50, 0x2A, 0x4D, 0x18]),
    ]

    @Test(arguments: harmless)
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
                "a.stub.json:5:61: warning: the body is not in br, as this line says, and clients cannot read it; write \"contentEncoding\": \"br\" in place of the line (/stubs/3/response/headers/1)",
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
                "a.json:1:80001: warning: the media type is application/json, but the bytes are not JSON: expected ',' or ']', found 'x'",
                "b.json: warning: the media type is application/json, but the bytes are not JSON",
            ])
    }
}
