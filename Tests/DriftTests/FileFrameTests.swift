// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiTestSupport
import Testing

@testable import MockapiDrift

/// The frames of files: one that is whole has no flaw, and one that is cut, or whose numbers are others, has one.
@Suite(.supervised) struct FileFrameTests {
    private static func frames(_ rounds: Int = 60) -> [FileFrame] {
        var random = SplitMix(seed: 17)
        return (0..<rounds).flatMap { _ in FileFrame.all(&random) }
    }

    @Test func `a file that is whole has no flaw, and the facts that were written`() {
        for frame in Self.frames(300) {
            let flaw = FileFlaw.of(frame.bytes, frame.kind)
            if let flaw { Issue.record("\(frame.kind): \(flaw) \(frame.bytes)") }
            let facts = ImageFacts(frame.bytes, frame.kind)
            let found = FileFrame.Facts(
                width: facts.width, height: facts.height, isAnimated: facts.isAnimated, hasAlpha: facts.hasAlpha)
            #expect(found == frame.facts, "\(frame.kind) \(frame.bytes.prefix(200))")
        }
    }

    @Test func `a file that is cut anywhere has a flaw, but between two parts of a list without an end`() {
        for frame in Self.frames(12) {
            for end in frame.bytes.indices.dropFirst() {
                let hasFlaw = FileFlaw.of(Array(frame.bytes[..<end]), frame.kind) != nil
                if hasFlaw == frame.ends.contains(end) {
                    Issue.record("\(frame.kind) \(hasFlaw) at \(end) of \(frame.bytes)")
                }
                // Facts are read of what is there, and of nothing else.
                _ = ImageFacts(Array(frame.bytes[..<end]), frame.kind)
            }
        }
    }

    @Test func `a length, a count or a sum that is one more or one less is a flaw`() {
        for frame in Self.frames(12) {
            for place in frame.exact {
                for step: UInt8 in [1, 255] {
                    var bytes = frame.bytes
                    bytes[place] &+= step
                    if FileFlaw.of(bytes, frame.kind) == nil {
                        Issue.record("\(frame.kind) \(step) at \(place) of \(frame.bytes)")
                    }
                }
            }
        }
    }

    private static func png(_ head: [UInt8], _ chunks: [(String, [UInt8])] = []) -> [UInt8] {
        let all = [("IHDR", head)] + chunks + [("IEND", [])]
        return Array(MutatedFiles.png.prefix(8)) + all.flatMap { MutatedFiles.chunk($0.0, $0.1) }
    }

    /// A PNG of one pixel with a stored block of zlib that has none.
    private static func png(_ end: String, pixels: String = "7801 01 0000FFFF 00000001") -> [UInt8] {
        png(bytes("00000001 00000001" + end), [("IDAT", bytes(pixels))])
    }

    /// Hexadecimal digits, with texts in quotes, and `*` behind a count of bytes.
    private static func bytes(_ text: String) -> [UInt8] {
        text.split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap { index, part -> [UInt8] in
            if index % 2 == 1 { return Array(part.utf8) }
            return part.split(separator: " ").flatMap { word -> [UInt8] in
                if word.hasSuffix("*") { return FileFrame.filler(Int(word.dropLast()) ?? 0) }
                let digits = Array(word)
                return stride(from: 0, to: digits.count, by: 2).map {
                    UInt8(String(digits[$0...($0 + 1)]), radix: 16) ?? 0
                }
            }
        }
    }

    private static let rows: [(Signature, String, String?)] = [
        (.gif, "'GIF89a' 01000100 000000 2C 00000000 01000100 00 00 00 3B", "an image in it has no width of codes"),
        (.gif, "'GIF89a' 01000100 000000 2C 00000000 01000100 00 01 00 3B", nil),
        (.gif, "'GIF89a' 01000100 000000 2C 00000000 01000100 00 0B 00 3B", nil),
        (.gif, "'GIF89a' 01000100 000000 2C 00000000 01000100 00 0C 00 3B", "an image in it has no width of codes"),
        (.gif, "'GIF89a' 01000100 000000 3B", "it has no image"),
        (.gif, "'GIF89a' 01000100 000000 3C", "a block in it is none"),
        (.jpeg, "FFD8 FFDA 0002 FFD9", "its size is missing"),
        (.jpeg, "FFD8 FFC4 0002 FFDA 0002 FFD9", "its size is missing"),
        (.jpeg, "FFD8 FFC0 0002 FFDA 0002 FFD9", nil),
        (.jpeg, "FFD8 FFC0 0001 FFDA 0002 FFD9", "its end is missing"),
        (.jpeg, "FFD8 00C0 0002 FFDA 0002 FFD9", "a segment in it is none"),
        (.webp, "'RIFF' 0C000000 'WEBPALPH' 00000000", "a part that it needs is missing"),
        (.wav, "'RIFF' 0C000000 'WAVEfmt ' 00000000", "a part that it needs is missing"),
        (.wav, "'RIFF' 0C000000 'WAVEdata' 00000000", "a part that it needs is missing"),
        (.wav, "'RIFF' 14000000 'WAVEfmt ' 00000000 'data' 00000000", nil),
        (.wav, "'RIFF' 14000000 'WAVEfmt ' 00000000 'data' 01000000", "a part is longer than the file"),
        (.mp4, "00000007 'ftyp' 8*", "a box is longer than the file"), (.mp4, "00000008 'ftyp'", nil),
        (.mp4, "00000000 'ftyp' 8*", nil), (.mp4, "00000001 'ftyp' 00000000 00000010", nil),
        (.mp4, "00000001 'ftyp' 00000001 00000010", "a box is longer than the file"),
        (.mp4, "00000001 'ftyp'", "a box is longer than the file"),
        (.bmp, "'BM' 0E000000 00000000 0E000000", nil), (.bmp, "'BM' 0F000000 00000000 0E000000", "its end is missing"),
        (.bmp, "'BM' 0E000000 00000000 0F000000", "its end is missing"),
        (.ico, "00000100 0000", "it has no image"), (.ico, "00000100 00", "its head is cut"),
        (.wasm, "00 'asm' 01000000 00 8080808000", nil),
        (.wasm, "00 'asm' 01000000 00 808080808000", "its last section is cut"),
        (.sqlite, "'SQLite format 3' 00 0100 10* 00000001 224*", "its pages have no size"),
        (.sqlite, "'SQLite format 3' 00 0001 10* 00000001 65504*", nil),
        (.sqlite, "'SQLite format 3' 00 0001 10* 00000001 65503*", "pages are missing"),
        (.zip, "'PK' 0506 00000000 00000000 00000000 FFFFFFFF 0000", nil),
        (.zip, "'PK' 0506 00000000 0000FFFF 00000000 00000000 0000", nil),
        (.zip, "'PK' 0506 00000000 00000000 00000000 01000000 0000", "its directory is elsewhere"),
        (.zip, "01 'PK' 0506 00000000 00000000 01000000 00000000 0000", "its directory has another length"),
        (.ttf, "00010000 0000 000000000000", "its list of tables is cut"),
    ]

    @Test func `a frame at its bound has the flaw that is expected`() {
        for (kind, text, flaw) in Self.rows { #expect(FileFlaw.of(Self.bytes(text), kind) == flaw, "\(kind) \(text)") }
    }

    @Test func `as many pixels are needed as the head of a PNG says, if it says it`() {
        let head = Self.bytes("00000001 00000001 08 00 00 00 00")
        #expect(FileFlaw.of(Self.png(head), .png) == "it has no pixels")
        for (end, flaw) in [
            ("08 00 00 00 00", "pixels are missing"), ("08 00 00 00 01", nil), ("08 01 00 00 00", nil),
            ("08 00 00 00", nil),
        ] as [(String, String?)] {
            #expect(FileFlaw.of(Self.png(end), .png) == flaw, "\(end)")
            #expect(FileFlaw.of(Self.png(end, pixels: "0102"), .png) == "its pixels cannot be unpacked")
        }
        #expect(
            FileFlaw.of(Self.png("08 00 00 00 00", pixels: "7801 01 0100FEFF 00 00010001"), .png)
                == "pixels are missing")
    }

    @Test(arguments: [63, 64]) func `an archive that needs a newer version than there is has a flaw`(version: UInt8) {
        var random = SplitMix(seed: 3)
        var frame = FileFrame.zip(&random)
        while frame.exact.isEmpty { frame = FileFrame.zip(&random) }
        for place in frame.bytes.indices.dropLast(6) where frame.bytes[place...].starts(with: [0x50, 0x4B, 1, 2]) {
            frame.bytes[place + 6] = version
        }
        #expect((FileFlaw.of(frame.bytes, .zip) == nil) == (version == 63))
    }

    @Test func `the sides of a PNG are from one pixel on, and below 2^31`() {
        for side in [0, 1, 2, (1 << 31) - 1, 1 << 31, (1 << 32) - 1] {
            let facts = ImageFacts(
                Self.png(FileFrame.join(FileFrame.big(side), Self.bytes("00000007 08 00 00 00 00"))), .png)
            #expect(facts.width == (1..<(1 << 31) ~= side ? side : nil) && facts.height == 7)
        }
        #expect(ImageFacts(Self.png("08 00 00 00"), .png).width == nil)
    }

    @Test func `an image that has lost one of its sides is malformed`() {
        func sample(_ sides: String) -> ResponseSample {
            let body = Self.png(
                Self.bytes(sides + " 08 00 00 00 00"), [("IDAT", Self.bytes("7801 01 0400FBFF 00000000 00040001"))])
            return ResponseSample(status: 200, headers: [("Content-Type", "image/png")], body: body)
        }
        let known = sample("00000001 00000002")
        for (sides, expected) in [
            ("00000001 00000002", []), ("00000002 00000001", ["image-dimensions-changed"]),
            ("00000000 00000002", ["body-malformed"]), ("00000001 00000000", ["body-malformed"]),
        ] {
            let found = ResponseComparison(recorded: [known]).compare([sample(sides)]).findings
            #expect(found.map(\.id.rawValue) == expected, "\(sides)")
        }
    }

    @Test func `a change of an image is as grave as what is lost by it`() {
        let all = [false, true].flatMap { one in [false, true].map { (one, $0) } }.flatMap { pair in
            [(2, 3), (2, 4), (3, 3)].map { size in
                var facts = ImageFacts([], .pdf)
                (facts.width, facts.height) = size
                (facts.isAnimated, facts.hasAlpha) = pair
                return facts
            }
        }
        for old in all {
            for new in all {
                var expected: [String] = []
                if old.width != new.width || old.height != new.height {
                    expected.append("info image-dimensions-changed \(old.width ?? 0)×\(old.height ?? 0)")
                }
                if old.isAnimated != new.isAnimated {
                    expected.append(
                        old.isAnimated
                            ? "warning image-animation-changed animated" : "info image-animation-changed still")
                }
                if old.hasAlpha != new.hasAlpha {
                    expected.append(
                        old.hasAlpha ? "warning image-alpha-changed transparent" : "info image-alpha-changed opaque")
                }
                let found = old.differences(to: new, sample: 0)
                #expect(found.map { "\($0.level.rawValue) \($0.id.rawValue) \($0.recorded ?? "")" } == expected)
                let words = new.differences(to: old, sample: 0).compactMap(\.recorded)
                #expect(found.compactMap(\.received) == words)
            }
        }
    }
}
