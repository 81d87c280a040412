// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

// Images, by their frames.
extension FileFlaw {
    // MARK: PNG

    /// PNG: chunks with their lengths and sums up to the last, pixels that can be unpacked and are as many as the head says (PNG §5.3, §10).
    func png() -> String? {
        var index = 8
        var pixels: [UInt8] = []
        var wanted: Int?
        var isAtEnd = false
        while !isAtEnd {
            guard let length = number(index), let chunk = part(index + 4, 4), let data = part(index + 8, length),
                let sum = number(index + 8 + length)
            else { return "its last chunk is missing" }
            guard Checksum.crc32(chunk + data) == UInt32(truncatingIfNeeded: sum) else {
                return "the sum of its chunk \(Self.name(chunk)) is another"
            }
            if chunk.elementsEqual("IHDR".utf8) { wanted = Self.pixelBytes(Array(data)) }
            if chunk.elementsEqual("IDAT".utf8) { pixels += data }
            isAtEnd = chunk.elementsEqual("IEND".utf8)
            index += 12 + length
        }
        if pixels.isEmpty { return "it has no pixels" }
        let (length, flaw) = Self.length(of: pixels, coding: "deflate")
        if flaw != nil { return "its pixels cannot be unpacked" }
        if let wanted, wanted <= Self.contentLimit, length < wanted { return "pixels are missing" }
        return nil
    }

    /// The bytes of all rows, each with its filter in front; nil for an image in several passes, and for an image whose head says nothing.
    private static func pixelBytes(_ head: [UInt8]) -> Int? {
        guard head.count == 13, head[12] == 0 else { return nil }
        let samples = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][Int(head[9])] ?? 0
        let width = head[0..<4].reduce(0) { $0 << 8 | Int($1) }
        let height = head[4..<8].reduce(0) { $0 << 8 | Int($1) }
        let bits = Int(head[8]) * samples
        let (row, isTooWide) = width.multipliedReportingOverflow(by: bits)
        let (all, isTooLarge) = ((row + 7) / 8 + 1).multipliedReportingOverflow(by: height)
        return bits == 0 || isTooWide || isTooLarge ? nil : all
    }

    private static func name(_ bytes: ArraySlice<UInt8>) -> String {
        bytes.allSatisfy { ($0 | 0x20) &- 0x61 < 26 } ? String(decoding: bytes, as: UTF8.self) : "of no name"
    }

    // MARK: Others

    /// GIF89a §12 to §27: blocks up to the trailer, an image among them.
    func gif() -> String? {
        guard let flags = number(10, 1) else { return "its head is cut" }
        var index = 13 + Self.colours(flags)
        var hasImage = false
        while true {
            switch number(index, 1) {
            case 0x3B: return hasImage ? nil : "it has no image"
            case 0x2C:
                guard let flags = number(index + 9, 1), let bits = number(index + 9 + Self.colours(flags) + 1, 1) else {
                    return "its end is missing"
                }
                guard 1...11 ~= bits else { return "an image in it has no width of codes" }
                hasImage = true
                index += 11 + Self.colours(flags)
            case 0x21: index += 2
            case nil: return "its end is missing"
            default: return "a block in it is none"
            }
            skipBlocks(&index)
        }
    }

    /// Passes over blocks with their lengths in front, and the empty one that ends them (GIF89a §15).
    func skipBlocks(_ index: inout Int) {
        while let size = number(index, 1), size > 0 { index += size + 1 }
        index += 1
    }

    /// Bytes of the table of colours that flags announce.
    static func colours(_ flags: Int) -> Int { flags & 0x80 == 0 ? 0 : 3 << ((flags & 7) + 1) }

    /// ITU-T T.81 §B.1: segments with their lengths up to the scan, and the marker of the end behind it.
    func jpeg() -> String? {
        var index = 2
        var hasFrame = false
        while number(index, 1) == 0xFF, let marker = number(index + 1, 1) {
            guard let length = segmentLength(marker, at: index), part(index, length) != nil else {
                return "its end is missing"
            }
            if Self.isFrame(marker) { hasFrame = true }
            index += length
            guard marker == 0xDA else { continue }
            if !hasFrame { return "its size is missing" }
            while index + 1 < bytes.count {
                if bytes[index] == 0xFF, bytes[index + 1] == 0xD9 { return nil }
                index += 1
            }
            return "its end is missing"
        }
        return "a segment in it is none"
    }

    /// Whether a marker begins a frame, which has the size of the image.
    static func isFrame(_ marker: Int) -> Bool { 0xC0...0xCF ~= marker && ![0xC4, 0xC8, 0xCC].contains(marker) }

    /// The length of a segment with its marker; nil if it is cut.
    func segmentLength(_ marker: Int, at index: Int) -> Int? {
        // Filling, and markers without a segment (ITU-T T.81 §B.1.1).
        if marker == 0xFF { return 1 }
        if 0xD0...0xD7 ~= marker || marker == 0x01 { return 2 }
        return number(index + 2, 2).flatMap { $0 < 2 ? nil : $0 + 2 }
    }

    /// A BMP has its size in front.
    func bitmap() -> String? {
        guard let size = number(2, isBig: false), let start = number(10, isBig: false) else { return "its head is cut" }
        return size > bytes.count || start > bytes.count ? "its end is missing" : nil
    }

    /// An icon has images at the places that its head says.
    func icon() -> String? {
        guard let count = number(4, 2, isBig: false) else { return "its head is cut" }
        if count == 0 { return "it has no image" }
        for index in 0..<count {
            guard let size = number(14 + 16 * index, isBig: false), let start = number(18 + 16 * index, isBig: false),
                start + size <= bytes.count
            else { return "an image in it is cut" }
        }
        return nil
    }
}

/// The sums that files carry.
enum Checksum {
    /// CRC-32 (ISO 3309), as PNG and gzip have it.
    static func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in bytes { sum = table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ sum >> 8 }
        return ~sum
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1 }
    }

    /// The sum of the words of a font's table, the last filled up with zeros.
    static func words(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var sum: UInt32 = 0
        var (word, count) = (UInt32(0), 0)
        for byte in bytes {
            word = word << 8 | UInt32(byte)
            count += 1
            if count % 4 == 0 { (sum, word) = (sum &+ word, 0) }
        }
        return count % 4 == 0 ? sum : sum &+ word << UInt32(8 * (4 - count % 4))
    }
}
