// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiImageFormats
import MockapiTestSupport
import Testing

@Suite(.supervised) struct ImageInfoTests {
    private static let samples: [(String, ImageInfo)] = [
        ("2018/sunrise@2x.png", ImageInfo(format: .png, width: 500, height: 500)),
        ("2024/bands.jpg", ImageInfo(format: .jpeg, width: 640, height: 400)),
        ("2024/lissajous.png", ImageInfo(format: .png, width: 640, height: 400)),
        ("2024/pulse.gif", ImageInfo(format: .gif, width: 320, height: 200)),
        ("2024/tiles.svg", ImageInfo(format: .svg, width: 640, height: 400)),
        ("2025/circuit.svg", ImageInfo(format: .svg, width: 640, height: 400)),
        ("2025/facets.webp", ImageInfo(format: .webp, width: 800, height: 500)),
        ("2025/hexagons.png", ImageInfo(format: .png, width: 640, height: 400)),
        ("2025/ripple.jpg", ImageInfo(format: .jpeg, width: 640, height: 400)),
        ("2026/aurora.png", ImageInfo(format: .png, width: 1200, height: 750)),
        ("2026/dunes.jpg", ImageInfo(format: .jpeg, width: 1060, height: 680)),
        ("2026/layers.svg", ImageInfo(format: .svg, width: 640, height: 400)),
        ("2026/orbit.gif", ImageInfo(format: .gif, width: 320, height: 200)),
        ("2026/waves.webp", ImageInfo(format: .webp, width: 800, height: 500)),
    ]

    private static func data(_ name: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: Sample.fixtures).appendingPathComponent("uploads/\(name)"))
    }

    private static func error(_ data: Data) -> ImageInfoError? {
        do {
            _ = try ImageInfo(data)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: samples)
    func everySampleTellsItsFormatAndSize(_ name: String, _ expected: ImageInfo) throws {
        let data = try Self.data(name)
        #expect(try ImageInfo(data) == expected)
        // Bytes in the middle of others have other indices.
        #expect(try ImageInfo((Data([1, 2, 3]) + data)[3...]) == expected)
    }

    /// All lengths up to 2,000 bytes, where the heads are, and then each 997th.
    @Test(arguments: samples)
    func aPrefixOfASampleTellsTheSameOrThatItIsNoImageOrTooShort(_ name: String, _ expected: ImageInfo) throws {
        let data = try Self.data(name)
        let lengths = Array(0..<min(2_000, data.count)) + Array(stride(from: 2_000, to: data.count, by: 997))
        var failures: Set<ImageInfoError> = []
        for length in lengths {
            do {
                #expect(try ImageInfo(data.prefix(length)) == expected)
            } catch {
                failures.insert(error)
            }
        }
        #expect(failures == [.unknownFormat, .truncated(expected.format)])
    }

    /// Whatever one byte of a head is, the rest is read or refused.
    @Test(arguments: samples)
    func aChangedByteInAHeadDoesNoHarm(_ name: String, _ expected: ImageInfo) throws {
        var data = try Self.data(name).prefix(700)
        var answers = 0
        for index in data.indices.prefix(64) {
            let byte = data[index]
            for change: UInt8 in [0, 1, 0x3C, 0x7F, 0x80, 0xFF] {
                data[index] = change
                if (try? ImageInfo(data)) != nil || Self.error(data) != nil { answers += 1 }
            }
            data[index] = byte
        }
        #expect(answers == 64 * 6)
    }

    @Test(arguments: [
        ("", ImageInfoError.unknownFormat, "the bytes are not PNG, JPEG, GIF, WebP or SVG"),
        ("{\"errors\": []}", .unknownFormat, "the bytes are not PNG, JPEG, GIF, WebP or SVG"),
        ("<html><svg width='1' height='1'/></html>", .unknownFormat, "the bytes are not PNG, JPEG, GIF, WebP or SVG"),
        ("<svgx width='1' height='1'/>", .unknownFormat, "the bytes are not PNG, JPEG, GIF, WebP or SVG"),
        ("<svg width='1' height='", .truncated(.svg), "the SVG ends before its size"),
        (
            "<svg width='100%' height='100%'/>",
            .malformed(.svg, "it has neither width and height in absolute units nor a viewBox"),
            "the SVG is broken: it has neither width and height in absolute units nor a viewBox"
        ),
        (
            "<svg width='wide' height='1'/>", .malformed(.svg, "\"wide\" is not a length"),
            "the SVG is broken: \"wide\" is not a length"
        ),
        (
            "<svg viewBox='0 0 ten 10'/>", .malformed(.svg, "\"0 0 ten 10\" is not a viewBox"),
            "the SVG is broken: \"0 0 ten 10\" is not a viewBox"
        ),
        (
            "<svg width='0.1' height='5'/>", .malformed(.svg, "its width or its height is 0"),
            "the SVG is broken: its width or its height is 0"
        ),
        (
            "<svg width='1e300' height='5'/>", .malformed(.svg, "its width or its height is over 2³¹ - 1"),
            "the SVG is broken: its width or its height is over 2³¹ - 1"
        ),
        (
            "<svg width=5 height='5'/>", .malformed(.svg, "its root has an attribute without a quoted value"),
            "the SVG is broken: its root has an attribute without a quoted value"
        ),
    ])
    func whatIsNoImageIsToldApart(_ text: String, _ expected: ImageInfoError, _ message: String) {
        let error = Self.error(Data(text.utf8))
        #expect(error == expected)
        #expect(error?.description == message)
    }

    @Test(arguments: [
        ("<svg width='20' height='10'/>", 20, 10),
        (
            "\u{FEFF}<?xml version='1.0'?>\n<!-- <svg> -->\n<!DOCTYPE svg [<!ENTITY a '>'>]>\n<svg width=\"20px\" height=\"10PX\">",
            20, 10
        ),
        ("<s:svg xmlns:s='http://www.w3.org/2000/svg' width='1in' height='2.54cm'/>", 96, 96),
        ("<svg width='72pt' height='6pc'/>", 96, 96),
        ("<svg viewBox='0,0 33.4 10'/>", 33, 10),
        ("<svg width='100%' height='50%' viewBox='-5 -5 40 30'/>", 40, 30),
        ("<svg width='80' viewBox='0 0 40 30'/>", 80, 60),
        ("<svg height='60' viewBox='0 0 40 30'/>", 80, 60),
    ])
    func theSizeOfSVGIsInPixels(_ text: String, _ width: Int, _ height: Int) throws {
        #expect(try ImageInfo(Data(text.utf8)) == ImageInfo(format: .svg, width: width, height: height))
    }

    @Test func aRootBehindTheSearchedBytesIsNotFound() {
        let text = "<!--" + String(repeating: " ", count: 64 * 1024) + "--><svg width='1' height='1'/>"
        #expect(Self.error(Data(text.utf8)) == .unknownFormat)
    }

    @Test func theOtherKindsOfWebPAreRead() throws {
        let riff = Data("RIFF\0\0\0\0WEBP".utf8)
        let extended = riff + Data("VP8X".utf8) + Data([10, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0x3F, 0, 0x2B, 1, 0])
        #expect(try ImageInfo(extended) == ImageInfo(format: .webp, width: 16_384, height: 300))
        // 14 bits of width - 1, then 14 of height - 1.
        let lossless = riff + Data("VP8L".utf8) + Data([9, 0, 0, 0, 0x2F, 0x3F, 0xC1, 0x18, 0])
        #expect(try ImageInfo(lossless) == ImageInfo(format: .webp, width: 320, height: 100))
        #expect(
            Self.error(riff + Data("ICCP".utf8))
                == .malformed(.webp, "its first chunk is none of VP8, VP8L and VP8X"))
    }

    @Test func aJPEGWithFillBytesAndNoFrameIsReadAsFarAsItGoes() throws {
        let start: [UInt8] = [0xFF, 0xD8]
        let frame: [UInt8] = [0xFF, 0xFF, 0xFF, 0xC2, 0, 11, 8, 0, 2, 0, 3]
        #expect(try ImageInfo(Data(start + frame)) == ImageInfo(format: .jpeg, width: 3, height: 2))
        #expect(
            Self.error(Data(start + [0xFF, 0xDA, 0, 2]))
                == .malformed(.jpeg, "its pixels begin, or it ends, before a frame header"))
        #expect(
            Self.error(Data(start + [0xFF, 0xE0, 0, 1]))
                == .malformed(.jpeg, "a segment is shorter than its length field"))
        #expect(
            Self.error(Data(start + [0xFF, 0xE0, 0, 2, 7]))
                == .malformed(.jpeg, "a segment does not begin with a marker"))
        #expect(Self.error(Data(start + [0xFF, 0xE0, 0xFF, 0xFF])) == .truncated(.jpeg))
    }

    @Test func anInfoReadsAsPeopleWriteIt() {
        #expect(ImageInfo(format: .webp, width: 1, height: 2).description == "WebP 1 × 2")
        #expect(ImageInfo.Format.allCases.map(\.description) == ["PNG", "JPEG", "GIF", "WebP", "SVG"])
        #expect(ImageInfo.Format.svg.mediaType == "image/svg+xml")
    }
}
