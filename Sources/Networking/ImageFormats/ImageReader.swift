// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

/// Reads the size out of the head of a binary format.
struct ImageReader {
    typealias Size = (width: Int, height: Int)

    private let bytes: Data
    private let format: ImageInfo.Format

    init(_ data: Data, _ format: ImageInfo.Format) {
        bytes = data
        self.format = format
    }

    /// - Throws: `truncated` if there is no such byte.
    private func byte(_ index: Int) throws(ImageInfoError) -> Int {
        guard index < bytes.count else { throw .truncated(format) }
        return Int(bytes[bytes.startIndex + index])
    }

    private func bigEndian(_ index: Int, _ count: Int) throws(ImageInfoError) -> Int {
        var value = 0
        for offset in 0..<count { value = value << 8 | (try byte(index + offset)) }
        return value
    }

    private func littleEndian(_ index: Int, _ count: Int) throws(ImageInfoError) -> Int {
        var value = 0
        for offset in (0..<count).reversed() { value = value << 8 | (try byte(index + offset)) }
        return value
    }

    private func text(_ index: Int) throws(ImageInfoError) -> Int {
        try bigEndian(index, 4)
    }

    /// The IHDR chunk comes first (PNG, third edition, §5.6 and §11.2.1).
    func pngSize() throws(ImageInfoError) -> Size {
        guard try bigEndian(8, 4) == 13, try text(12) == fourCharacters("IHDR") else {
            throw .malformed(format, "its first chunk is not an IHDR")
        }
        let size = (width: try bigEndian(16, 4), height: try bigEndian(20, 4))
        guard max(size.width, size.height) <= Int(Int32.max) else {
            throw .malformed(format, "its width or its height is over 2³¹ - 1")
        }
        return size
    }

    /// The logical screen (GIF89a §18).
    func gifSize() throws(ImageInfoError) -> Size {
        (try littleEndian(6, 2), try littleEndian(8, 2))
    }

    /// The first frame header among the segments (ITU-T T.81 §B.1.1 and §B.2.2).
    func jpegSize() throws(ImageInfoError) -> Size {
        var index = 2
        while true {
            guard try byte(index) == 0xFF else { throw .malformed(format, "a segment does not begin with a marker") }
            // Any number of fill bytes may stand before a marker.
            while try byte(index) == 0xFF { index += 1 }
            let marker = try byte(index)
            index += 1
            switch marker {
            case 0x01, 0xD0...0xD7: continue
            case 0xC4, 0xC8, 0xCC: break
            case 0xC0...0xCF: return (try bigEndian(index + 5, 2), try bigEndian(index + 3, 2))
            case 0x00, 0xD8, 0xD9, 0xDA: throw .malformed(format, "its pixels begin, or it ends, before a frame header")
            default: break
            }
            let length = try bigEndian(index, 2)
            guard length >= 2 else { throw .malformed(format, "a segment is shorter than its length field") }
            index += length
        }
    }

    /// The first chunk is one of three (RFC 9649 §2.5 to §2.7).
    func webpSize() throws(ImageInfoError) -> Size {
        switch try text(12) {
        case fourCharacters("VP8X"): return (try littleEndian(24, 3) + 1, try littleEndian(27, 3) + 1)
        case fourCharacters("VP8L"):
            guard try byte(20) == 0x2F else { throw .malformed(format, "its lossless data has no signature") }
            let bits = try littleEndian(21, 4)
            return (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
        case fourCharacters("VP8 "):
            // A key frame with its start code (RFC 6386 §9.1).
            guard try byte(20) & 1 == 0, try bigEndian(23, 3) == 0x9D012A else {
                throw .malformed(format, "its lossy data is not a key frame")
            }
            return (try littleEndian(26, 2) & 0x3FFF, try littleEndian(28, 2) & 0x3FFF)
        default: throw .malformed(format, "its first chunk is none of VP8, VP8L and VP8X")
        }
    }

    private func fourCharacters(_ name: StaticString) -> Int {
        name.withUTF8Buffer { $0.reduce(0) { $0 << 8 | Int($1) } }
    }
}
