// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiTestSupport
import Testing

@Suite(.supervised) struct FileExtensionTests {
    /// The beginnings of files, by their usual extension.
    private static let beginnings: [(name: String, head: [UInt8])] = [
        ("png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]), ("jpg", [0xFF, 0xD8, 0xFF, 0xE0]),
        ("gif", Array("GIF89a".utf8)), ("webp", Array("RIFF\0\0\0\0WEBPVP8 ".utf8)),
        ("avif", iso("avif")), ("avif", iso("avis", "msf1")), ("avif", iso("mif1", "miaf", "avif")),
        ("heic", iso("heic", "mif1")),
        ("jxl", [0xFF, 0x0A, 0x7F]), ("jxl", [0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]),
        ("bmp", Array("BM".utf8) + [66, 0, 0, 0, 0, 0, 0, 0, 62, 0, 0, 0, 40, 0, 0, 0]),
        ("tiff", Array("II*\0".utf8)), ("tiff", Array("MM\0*".utf8)), ("ico", [0, 0, 1, 0, 1, 0, 16, 16, 0, 0, 1, 0]),
        ("woff", Array("wOFF\0\u{1}\0\0\0\0".utf8)), ("woff2", Array("wOF2\0\u{1}\0\0\0\0".utf8)),
        ("ttf", [0, 1, 0, 0, 0, 12]), ("otf", Array("OTTO\0\u{C}".utf8)), ("ttc", Array("ttcf\0\u{1}\0\0".utf8)),
        ("mp4", iso("isom", "mp41")), ("mp4", iso("mp42")), ("m4a", iso("M4A ")), ("mov", iso("qt  ")),
        ("webm", [0x1A, 0x45, 0xDF, 0xA3, 0x9F, 0x42, 0x82, 0x84] + Array("webm".utf8)),
        ("mkv", [0x1A, 0x45, 0xDF, 0xA3, 0xA3, 0x42, 0x82, 0x88] + Array("matroska".utf8)),
        ("mp3", Array("ID3\u{4}\0\0".utf8)), ("mp3", [0xFF, 0xFB, 0x90, 0x00]), ("ogg", Array("OggS\0\u{2}".utf8)),
        ("flac", Array("fLaC\0\0\0\u{22}".utf8)), ("wav", Array("RIFF\0\0\0\0WAVEfmt ".utf8)),
        ("pdf", Array("%PDF-1.7".utf8)), ("gz", [0x1F, 0x8B, 8, 0]), ("zst", [0x28, 0xB5, 0x2F, 0xFD, 0]),
        ("zip", Array("PK\u{3}\u{4}".utf8)), ("zip", Array("PK\u{5}\u{6}".utf8)),
        ("wasm", Array("\0asm\u{1}\0\0\0".utf8)),
        ("sqlite", Array("SQLite format 3\0".utf8)),
    ]

    private static func iso(_ brands: String...) -> [UInt8] {
        let rest = [brands[0], "\0\0\0\0"] + brands.dropFirst()
        return [0, 0, 0, UInt8(8 + rest.count * 4)] + Array(("ftyp" + rest.joined()).utf8)
    }

    @Test(arguments: beginnings)
    func `a beginning that stops short tells another name or none`(name: String, head: [UInt8]) {
        for count in 0..<head.count {
            let cut = self.name("", Array(head.prefix(count)))
            #expect([name, "bin", "txt", "jxl", "mp4", "heic"].contains(cut), "\(count) bytes: \(cut)")
        }
    }

    private func name(_ type: String, _ head: [UInt8]) -> String {
        MediaType.fileExtension(mediaType: type, head: head)
    }

    @Test(arguments: beginnings)
    func `bytes decide where the type says nothing or something else`(name: String, head: [UInt8]) {
        for type in [
            "", "application/octet-stream", "binary/octet-stream", "text/html; charset=utf-8", "application/json",
            "x/y",
        ] {
            #expect(self.name(type, head) == name, "\(type)")
        }
        #expect(self.name(name == "png" ? "image/jpeg" : "image/png", head) == name)
        #expect(!MediaType.isText(mediaType: "text/plain", head: head))
    }

    @Test(arguments: [
        ("application/json", "json"), ("application/json; charset=utf-8", "json"), ("Application/VND.API+JSON", "json"),
        ("application/problem+json", "json"), ("application/geo+json", "json"), ("text/json", "json"),
        ("application/xml", "xml"),
        ("text/xml", "xml"), ("application/rss+xml", "xml"), ("image/svg+xml", "svg"), ("text/html", "html"),
        ("application/xhtml+xml", "xhtml"), ("text/plain", "txt"), ("text/css", "css"), ("text/csv", "csv"),
        ("text/javascript", "js"), ("application/javascript", "js"), ("text/event-stream", "sse"),
        ("application/x-ndjson", "ndjson"),
        ("application/yaml", "yaml"), ("application/toml", "toml"), ("text/markdown", "md"),
        ("application/graphql", "graphql"),
        ("application/x-www-form-urlencoded", "txt"), ("application/cbor", "cbor"), ("application/x-protobuf", "pb"),
        ("image/jpeg", "jpg"), ("image/png", "png"), ("image/avif", "avif"), ("image/heif", "heif"),
        ("image/x-icon", "ico"),
        ("font/woff2", "woff2"), ("application/font-woff", "woff"), ("font/otf", "otf"), ("font/ttf", "ttf"),
        ("font/collection", "ttc"), ("audio/mpeg", "mp3"), ("audio/mp4", "m4a"), ("video/mp4", "mp4"),
        ("video/webm", "webm"),
        ("video/x-matroska", "mkv"), ("application/pdf", "pdf"), ("application/zip", "zip"), ("application/gzip", "gz"),
        ("application/epub+zip", "epub"), ("application/x.own+zip", "zip"), ("application/wasm", "wasm"),
        ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"),
        ("application/octet-stream", "bin"), ("", "bin"), ("x/y", "bin"), ("image/png; ", "png"),
    ])
    func `a type with one usual extension gives it`(type: String, name: String) {
        #expect(self.name(type, []) == name)
    }

    @Test(arguments: [
        ("{\"a\": 1}", "json"), ("\u{FEFF} [1]", "json"), ("42", "json"), ("{\"a\": 1", "txt"), ("[note]", "txt"),
        ("plain", "txt"),
        ("<?xml version=\"1.0\"?><a/>", "xml"), ("<?xml version=\"1.0\"?>\n<!DOCTYPE svg>", "svg"),
        (" <svg xmlns=\"x\"/>", "svg"),
        ("<!DOCTYPE html><html>", "html"), ("\n<HTML>", "html"), ("<!-- x --><html>", "html"), ("<a/>", "txt"),
        ("ünïcode", "txt"),
    ])
    func `text without a type is told by its beginning`(text: String, name: String) {
        for type in ["", "application/octet-stream", "x/y"] {
            #expect(self.name(type, Array(text.utf8)) == name)
            #expect(MediaType.isText(mediaType: type, head: Array(text.utf8)))
        }
    }

    @Test func `the beginning of a long text is enough, wherever it is cut`() {
        let json = Array(
            #"{"a": [1.5e3, true, null, "ü \" \u00fc é", {"b": "cde"}], "x": \#(Array(repeating: 7, count: 400)), "z": "ü\n"}"#
                .utf8)
        for count in 512..<json.count { #expect(name("", Array(json.prefix(count))) == "json", "\(count)") }
        let text = Array(String(repeating: "ü€", count: 300).utf8)
        for count in 512..<600 { #expect(name("", Array(text.prefix(count))) == "txt", "\(count)") }
        #expect(name("", Array(("[note] " + String(repeating: "a", count: 600)).utf8)) == "txt")
    }

    @Test(arguments: [
        ("image/png", "<html>not found", "html"), ("application/pdf", "{\"error\": 1}", "json"),
        ("application/json", " <html>", "html"),
        ("application/vnd.api+json", "<?xml version=\"1.0\"?><a/>", "xml"), ("text/html", "{\"a\": 1}", "html"),
        ("text/plain", "{}", "txt"),
        ("application/json", "no json", "json"), ("video/mp4", "anything", "mp4"),
    ])
    func `a type that the bytes contradict does not name the file`(type: String, text: String, name: String) {
        #expect(self.name(type, Array(text.utf8)) == name)
    }

    @Test(
        arguments: [
            ("text/plain", [0xE4, 0x20], true), ("", [0xE4, 0x20], false), ("text/plain", [0xFF, 0xFE, 0x61, 0], true),
            ("text/plain", [0x61, 0], false), ("application/json", [], true), ("", [], false), ("image/png", [], false),
            ("image/png", Array("<html>".utf8), true), ("application/x-protobuf", [8, 1, 0x12], false),
            ("", [0x1B, 0x5B, 0x6D], true),
            ("application/javascript", [0xE4], true), ("application/problem+json", [0xE4], true),
            ("image/svg+xml", [], true),
        ] as [(String, [UInt8], Bool)])
    func `text is what is UTF-8 without control characters, or of a type of text`(
        type: String, head: [UInt8], isText: Bool
    ) {
        #expect(MediaType.isText(mediaType: type, head: head) == isText)
    }

    @Test func `a name that is given leads back to the type that gave it`() throws {
        let directory = try TemporaryDirectory()
        let types = [
            "image/webp", "image/avif", "font/woff2", "application/pdf", "audio/mpeg", "video/mp4", "text/css",
            "application/cbor",
        ]
        for (index, type) in types.enumerated() { try directory.write("\(index).\(name(type, []))", []) }
        let loaded = try directory.load().files.sorted { $0.path < $1.path }.map {
            $0.mediaType.prefix { $0 != ";" }
        }
        #expect(loaded.map(String.init) == types)
    }
}
