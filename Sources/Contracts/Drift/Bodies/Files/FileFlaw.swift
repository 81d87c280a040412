// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiContentCodings
import MockapiFixtures

/// Why no decoder takes a file, as far as its frame shows: lengths, sums and ends that do not fit.
///
/// Pixels, glyphs and texts are data and not looked at; a file that is cut, or whose bytes do not match its sums, has a flaw.
struct FileFlaw {
    let bytes: [UInt8]

    /// The flaw of a file of a kind in words; nil for a whole file, and for a kind whose frame says nothing.
    static func of(_ bytes: [UInt8], _ signature: Signature) -> String? {
        let file = FileFlaw(bytes: bytes)
        switch signature {
        case .png: return file.png()
        case .gif: return file.gif()
        case .jpeg: return file.jpeg()
        case .webp, .wav: return file.riff()
        case .bmp: return file.bitmap()
        case .ico: return file.icon()
        case .pdf: return file.pdf()
        case .ttf, .otf: return file.font()
        case .woff, .woff2: return file.webFont()
        case .gzip: return file.coded("gzip")
        case .zstd: return file.coded("zstd")
        case .zip: return file.zip()
        case .wasm: return file.wasm()
        case .sqlite: return file.sqlite()
        case .avif, .heic, .mp4, .m4a, .mov: return file.boxes()
        case .jxl, .tiff, .ttc, .webm, .mkv, .mp3, .ogg, .flac: return nil
        }
    }

    // MARK: Reading

    /// A number of 1 to 4 bytes; nil if the file ends before.
    func number(_ start: Int, _ count: Int = 4, isBig: Bool = true) -> Int? {
        guard start >= 0, start <= bytes.count - count else { return nil }
        var value = 0
        for index in 0..<count { value = value << 8 | Int(bytes[isBig ? start + index : start + count - 1 - index]) }
        return value
    }

    /// A part of the file; nil if the file ends before.
    func part(_ start: Int, _ length: Int) -> ArraySlice<UInt8>? {
        guard start >= 0, length >= 0, start <= bytes.count, length <= bytes.count - start else { return nil }
        return bytes[start..<start + length]
    }

    func has(_ text: StaticString, at start: Int) -> Bool {
        part(start, text.utf8CodeUnitCount)?
            .elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)) ?? false
    }

    /// Where a text stands last within the last bytes of the file; nil if it does not.
    func last(_ text: StaticString, within limit: Int) -> Int? {
        let length = text.utf8CodeUnitCount
        var index = bytes.count - length
        let end = max(0, bytes.count - limit)
        while index >= end {
            if has(text, at: index) { return index }
            index -= 1
        }
        return nil
    }

    // MARK: Frames of lengths

    /// RIFF: the length of all in front, that of each part before it, an odd one filled up.
    private func riff() -> String? {
        guard let length = number(4, isBig: false), length + 8 <= bytes.count else { return "its end is missing" }
        var index = 12
        let needed: [StaticString] = has("WAVE", at: 8) ? ["fmt ", "data"] : ["VP8"]
        var missing = needed.count
        while index < length + 8 {
            missing -= needed.count { has($0, at: index) }
            guard let size = number(index + 4, isBig: false), index + 8 + size <= length + 8 else {
                return "a part is longer than the file"
            }
            index += 8 + size + size & 1
        }
        return missing > 0 ? "a part that it needs is missing" : nil
    }

    /// ISO/IEC 14496-12: boxes, each with its length in front; 0 goes to the end, 1 has the length in eight bytes behind.
    private func boxes() -> String? {
        var index = 0
        while index < bytes.count {
            guard var size = number(index), number(index + 4) != nil else { return "its last box is cut" }
            if size == 0 { return nil }
            if size == 1 {
                guard number(index + 8) == 0, let long = number(index + 12) else {
                    return "a box is longer than the file"
                }
                size = long
            }
            guard size >= 8, size <= bytes.count - index else { return "a box is longer than the file" }
            index += size
        }
        return nil
    }

    /// WebAssembly: sections, each a number and a length in groups of seven bits.
    private func wasm() -> String? {
        guard number(4, isBig: false) == 1 else { return "its version is unknown" }
        var index = 8
        while index < bytes.count {
            index += 1
            var (size, shift, isLast) = (0, 0, false)
            while !isLast {
                guard index < bytes.count, shift < 35 else { return "its last section is cut" }
                size |= Int(bytes[index] & 0x7F) << shift
                isLast = bytes[index] < 0x80
                shift += 7
                index += 1
            }
            guard size <= bytes.count - index else { return "its last section is cut" }
            index += size
        }
        return nil
    }

    /// SQLite: pages of one size, whose number stands in the head.
    private func sqlite() -> String? {
        guard let written = number(16, 2), let pages = number(28) else { return "its head is cut" }
        let size = written == 1 ? 65536 : written
        guard size >= 512, size & (size - 1) == 0 else { return "its pages have no size" }
        return bytes.count / size < pages ? "pages are missing" : nil
    }

    /// The newest version that an archive may need, ten times over (APPNOTE §4.4.3.2).
    private static let zipVersion = 63

    /// ZIP: the directory at the end, and the entries that it counts.
    private func zip() -> String? {
        guard let end = last("PK\u{5}\u{6}", within: 65_557), let size = number(end + 12, isBig: false),
            let start = number(end + 16, isBig: false), let count = number(end + 10, 2, isBig: false),
            let comment = number(end + 20, 2, isBig: false), part(end + 22, comment) != nil
        else { return "its directory is missing" }
        // Larger ones have their numbers elsewhere.
        if start == 0xFFFF_FFFF || count == 0xFFFF { return nil }
        guard start + size <= end else { return "its directory is elsewhere" }
        var index = end - size
        for _ in 0..<count {
            guard has("PK\u{1}\u{2}", at: index), number(index + 6, 1) ?? 0 <= Self.zipVersion,
                let name = number(index + 28, 2, isBig: false),
                let extra = number(index + 30, 2, isBig: false), let comment = number(index + 32, 2, isBig: false)
            else { return "an entry of its directory is none" }
            index += 46 + name + extra + comment
        }
        return index == end ? nil : "its directory has another length"
    }

    // MARK: Coded content

    /// Bytes of a coded file from which on it is not decoded. 64 MiB.
    private static let codedLimit = 64 * 1024 * 1024
    /// Bytes that are decoded of one. 256 MiB.
    static let contentLimit = 256 * 1024 * 1024

    private func coded(_ coding: String) -> String? {
        guard bytes.count <= Self.codedLimit else { return nil }
        return Self.length(of: bytes, coding: coding).flaw
    }

    /// How long the content of coded bytes is, as far as it is decoded, and why it cannot be.
    static func length(of bytes: [UInt8], coding: String, limit: Int = contentLimit) -> (length: Int, flaw: String?) {
        guard let decoder = StreamDecoder(codings: coding) else { return (0, nil) }
        var length = 0
        do throws(DecodingFailure) {
            decoder.push(bytes)
            while let more = try decoder.pull() {
                length += more.count
                if length > limit { return (length, nil) }
            }
            try decoder.finish()
        } catch {
            return (length, "its content cannot be decoded")
        }
        return (length, nil)
    }
}
