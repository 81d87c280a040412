// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import Testing

@testable import MockapiFixtures

/// The kinds of files by their first bytes, and texts by theirs.
@Suite(.supervised) struct SignatureTests {
    /// The shortest heads, with the places of bytes that may be any.
    private static let heads: [(kind: Signature, head: [UInt8], any: Set<Int>)] = [
        (.png, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], []), (.jpeg, [0xFF, 0xD8, 0xFF], []),
        (.gif, Array("GIF87a".utf8), []), (.gif, Array("GIF89a".utf8), []), (.pdf, Array("%PDF-".utf8), []),
        (.gzip, [0x1F, 0x8B, 8], []), (.zstd, [0x28, 0xB5, 0x2F, 0xFD], []), (.zip, Array("PK\u{3}\u{4}".utf8), []),
        (.zip, Array("PK\u{5}\u{6}".utf8), []), (.wasm, Array("\0asm".utf8), []),
        (.sqlite, Array("SQLite format 3\0".utf8), []), (.webp, Array("RIFF1234WEBP".utf8), [4, 5, 6, 7]),
        (.wav, Array("RIFF1234WAVE".utf8), [4, 5, 6, 7]), (.tiff, Array("II*\0".utf8), []),
        (.tiff, Array("MM\0*".utf8), []), (.jxl, [0xFF, 0x0A], []), (.jxl, Array("\0\0\0\u{C}JXL \r\n".utf8), []),
        (.bmp, Array("BM".utf8) + [UInt8](repeating: 9, count: 12) + [40, 0, 0, 0], Set(2...13)),
        (.ico, [0, 0, 1, 0, 1, 0, 7, 7, 7, 0], [4, 6, 7, 8]), (.woff, Array("wOFF\0".utf8), []),
        (.woff2, Array("wOF2\0".utf8), []), (.otf, Array("OTTO\0".utf8), []), (.ttc, Array("ttcf\0".utf8), []),
        (.ttf, [0, 1, 0, 0, 0], []), (.ogg, Array("OggS\0".utf8), []), (.flac, Array("fLaC\0".utf8), []),
        (.flac, Array("fLaC".utf8) + [0x80], []), (.mp3, Array("ID3".utf8) + [4, 0], [4]),
        (.webm, [0x1A, 0x45, 0xDF, 0xA3] + Array("1webm".utf8), [4]),
        (.mkv, [0x1A, 0x45, 0xDF, 0xA3] + Array("matroska".utf8), []),
        (.avif, [0, 0, 0, 12] + Array("ftypavif".utf8), [2, 3]),
        (.heic, [0, 0, 0, 12] + Array("ftypheic".utf8), [2, 3]),
        (.mov, [0, 0, 0, 12] + Array("ftypqt  ".utf8), [2, 3]),
        (.m4a, [0, 0, 0, 12] + Array("ftypM4A ".utf8), [2, 3]),
        (.mp4, [0, 0, 0, 12] + Array("ftypisom".utf8), [2, 3, 11]),
    ]

    @Test func `a signature is whole, and each of its bytes counts`() {
        for (kind, head, any) in Self.heads {
            #expect(Signature.of(head) == kind && Signature.of(head + [1, 2, 3]) == kind, "\(kind)")
            for count in head.indices where !any.contains(count) {
                #expect(Signature.of(Array(head[..<count])) != kind, "\(kind), \(count) bytes")
            }
            for place in head.indices {
                var other = head
                other[place] ^= 0x55
                #expect((Signature.of(other) == kind) == any.contains(place), "\(kind) with another byte at \(place)")
            }
        }
        #expect(Signature.of([]) == nil && Signature.of(Array("a text".utf8)) == nil)
        #expect(Signature.of([0, 0, 1, 0, 0, 0, 7, 7, 7, 0]) == nil)
        for version in UInt8(0)...9 {
            #expect((Signature.of(Array("ID3".utf8) + [version, 0]) == .mp3) == (2...4).contains(version))
        }
        #expect(Signature.of(Array("ID3".utf8) + [3, 0xFF]) == nil)
        for size in UInt8(0)...200 {
            let head = Array("BM".utf8) + [UInt8](repeating: 9, count: 12) + [size, 0, 0, 0]
            #expect((Signature.of(head) == .bmp) == [12, 16, 40, 52, 56, 64, 108, 124].contains(size))
        }
    }

    @Test func `a frame of layer III has a bit rate and a sampling rate that exist`() {
        for first in UInt8.min ... .max {
            for second in UInt8.min ... .max {
                let isSync = first >> 5 == 7
                let (version, layer) = (first >> 3 & 3, first >> 1 & 3)
                let (bits, sampling) = (second >> 4, second >> 2 & 3)
                let isFrame = isSync && version != 1 && layer == 1 && bits != 0 && bits != 15 && sampling != 3
                let found = Signature.of([0xFF, first, second, 0]) == .mp3
                if found != isFrame { Issue.record("\(first) \(second)") }
            }
        }
        #expect(Signature.of([0xFF, 0xFB, 0x90]) == nil && Signature.of([0xFE, 0xFB, 0x90, 0]) == nil)
    }

    @Test func `the brands of a container are read as far as its box goes`() {
        func box(_ size: Int, _ brands: [String]) -> [UInt8] {
            [0, 0, UInt8(size >> 8), UInt8(size & 0xFF)] + Array(("ftyp" + brands.joined()).utf8)
        }
        let brands = ["mif1", "0000", "heic", "avif"]
        #expect(Signature.of(box(24, brands)) == .avif && Signature.of(box(20, brands)) == .heic)
        #expect(Signature.of(box(23, brands)) == .heic && Signature.of(box(9999, brands)) == .avif)
        #expect(Signature.of(box(24, ["mif1", "0000", "avis"])) == .avif)
        #expect(Signature.of(Array(box(24, brands).dropLast())) == .heic)
        for (brand, kind) in [
            ("heix", .heic), ("msf1", .heic), ("M4B ", .m4a), ("mp42", .mp4), ("avc1", .mp4), ("M4V ", .mp4),
            ("3gp5", .mp4),
            ("dash", .mp4), ("MSNV", .mp4), ("what", nil),
        ] as [(String, Signature?)] { #expect(Signature.of(box(12, [brand])) == kind, "\(brand)") }
    }

    // MARK: Texts

    @Test func `a text has no control characters but those of white space, backspace and escape`() {
        for byte in UInt8.min..<0x80 {
            let isText = byte >= 0x20 || [0x08, 0x09, 0x0A, 0x0C, 0x0D, 0x1B].contains(byte)
            #expect(TextStart.isText([0x61, byte]) == isText, "\(byte)")
        }
        #expect(!TextStart.isText([]) && !TextStart.isText([0xE9]) && TextStart.isText(Array("é".utf8)))
        // A character that is cut is the end of a longer text, or broken.
        for sign in ["é", "日", "😀"] {
            for cut in 1..<sign.utf8.count {
                for whole in [TextStart.wholeBelow - 1, TextStart.wholeBelow] {
                    let bytes = [UInt8](repeating: 0x61, count: whole - cut) + sign.utf8.prefix(cut)
                    #expect(TextStart.isText(bytes) == (whole == TextStart.wholeBelow), "\(sign) \(cut) \(whole)")
                }
            }
        }
        let broken = [UInt8](repeating: 0x61, count: TextStart.wholeBelow) + [0xE9, 0x61, 0x61, 0x61]
        #expect(!TextStart.isText(broken))
    }

    @Test func `a text has the extension that its beginning shows`() {
        let page = "<!-- a --><p>"
        for (text, expected) in [
            ("{}", "json"), (" [1]\n", "json"), ("{", "txt"), ("x", "txt"), ("\u{FEFF} <html>", "html"), ("1", "json"),
            ("<!DOCTYPE HTML><p>", "html"), ("<html>", "html"), ("<svg>", "svg"), ("<!doctype svg PUBLIC>", "svg"),
            ("<?xml?><svg/>", "svg"), ("<!-- --><svg/>", "svg"), ("<?xml?><!DOCTYPE svg>", "svg"),
            ("<?xml?><html/>", "html"),
            ("<!-- --><!doctype html>", "html"), ("<?xml?><a/>", "xml"), (page, "txt"), ("<a/>", "txt"), ("", "txt"),
        ] { #expect(TextStart.fileExtension(Array(text.utf8)) == expected, "\(text)") }
        let long = Array(("[\"" + String(repeating: "a", count: 600)).utf8)
        for count in [511, 512, 513] {
            #expect(TextStart.fileExtension(Array(long.prefix(count))) == (count < 512 ? "txt" : "json"))
            #expect(TextStart.isJSONDocument(Array(long.prefix(count))) == (count >= 512))
        }
        let wrong = Array(("[x" + String(repeating: " ", count: 600)).utf8)
        #expect(TextStart.fileExtension(wrong) == "txt")
        let text = Array(("\"" + String(repeating: "a", count: 600)).utf8)
        #expect(TextStart.fileExtension(text) == "txt" && !TextStart.isJSONDocument(Array("1".utf8)))
        #expect(TextStart.isJSONDocument(Array(" {}".utf8)) && TextStart.isJSONDocument(Array("[]".utf8)))
        for end in ["tru", "12", "{", "[1,"] {
            let cut = Array(("[" + String(repeating: "1,", count: 300) + end).utf8)
            #expect(TextStart.isJSONDocument(cut), "\(end)")
        }
    }

    // MARK: Words

    /// The fewest edits, by trying each.
    private static func distance(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Int {
        guard let a = left.last, let b = right.last else { return max(left.count, right.count) }
        var least = min(distance(left.dropLast(), right) + 1, distance(left, right.dropLast()) + 1)
        least = min(least, distance(left.dropLast(), right.dropLast()) + (a == b ? 0 : 1))
        if left.count > 1, right.count > 1, left.dropLast().last == b, right.dropLast().last == a {
            least = min(least, distance(left.dropLast(2), right.dropLast(2)) + 1)
        }
        return least
    }

    @Test func `the distance of two words is the fewest edits`() {
        var random = SplitMix(seed: 16)
        for _ in 0..<600 {
            let words = (0..<2).map { _ in (0..<random.below(6)).map { _ in UInt8(97 + random.below(3)) } }
            #expect(Nearest.distance(words[0], words[1]) == Self.distance(words[0][...], words[1][...]), "\(words)")
        }
    }

    @Test(arguments: [
        ("urlpth", ["urlPath", "url"], "urlPath", true), ("bod", ["body", "bodyFileName"], "body", true),
        ("bo", ["body", "xx"], "body", true), ("head", ["headers", "heat"], "heat", true),
        ("stat", ["statusMessage", "status"], "status", true), ("zzzzzz", ["body", "a"], "body", false),
        ("abcdefghijkl", ["abcdefgh"], "abcdefgh", true), ("abcdefghijklm", ["abcdefgh"], "abcdefgh", false),
        ("abc", ["xyc"], "xyc", true), ("abc", ["xyz"], "xyz", false),
    ])
    func `the nearest word is the one with the fewest edits, or a longer one`(
        word: String, candidates: [String], nearest: String, isNear: Bool
    ) {
        let found = Nearest.word(to: word, among: candidates)
        #expect(found?.word == nearest && found?.isNear == isNear)
        #expect(Nearest.word(to: word, among: [String]()) == nil)
    }
}
