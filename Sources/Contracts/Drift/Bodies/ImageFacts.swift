// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures

/// The facts that an image has in its first bytes and between its parts; nothing is decoded.
struct ImageFacts: Equatable {
    var width: Int?
    var height: Int?
    var isAnimated = false
    var hasAlpha = false

    init(_ bytes: [UInt8], _ signature: Signature) {
        switch signature {
        case .png: readPNG(bytes)
        case .gif: readGIF(bytes)
        case .jpeg: readJPEG(bytes)
        case .webp: readWebP(bytes)
        case .bmp:
            width = Self.number(bytes, 18, 4, isBig: false)
            height = Self.number(bytes, 22, 4, isBig: false)
        default: break
        }
    }

    private static func number(_ bytes: [UInt8], _ start: Int, _ count: Int, isBig: Bool) -> Int? {
        guard start >= 0, start + count <= bytes.count else { return nil }
        let part = bytes[start..<start + count]
        return (isBig ? Array(part) : part.reversed()).reduce(0) { $0 << 8 | Int($1) }
    }

    /// A side, which no image has without a pixel, nor with 2^31.
    private static func size(_ bytes: [UInt8], _ start: Int) -> Int? {
        number(bytes, start, 4, isBig: true).flatMap { 1..<1 << 31 ~= $0 ? $0 : nil }
    }

    private mutating func readPNG(_ bytes: [UInt8]) {
        // The header comes first, and is of 13 bytes (PNG §11.2.1).
        guard Self.number(bytes, 8, 4, isBig: true) == 13, bytes.count > 32, bytes[12..<16] == [0x49, 0x48, 0x44, 0x52]
        else { return }
        width = Self.size(bytes, 16)
        height = Self.size(bytes, 20)
        hasAlpha = bytes.count > 25 && (bytes[25] == 4 || bytes[25] == 6)
        var index = 8
        while let length = Self.number(bytes, index, 4, isBig: true), index + 8 <= bytes.count {
            let name = String(decoding: bytes[index + 4..<index + 8], as: UTF8.self)
            if name == "acTL" { isAnimated = true }
            if name == "tRNS" { hasAlpha = true }
            if name == "IDAT" { return }
            index += 12 + length
        }
    }

    private mutating func readGIF(_ bytes: [UInt8]) {
        width = Self.number(bytes, 6, 2, isBig: false)
        height = Self.number(bytes, 8, 2, isBig: false)
        guard bytes.count > 13 else { return }
        var index = 13 + (bytes[10] & 0x80 == 0 ? 0 : 3 << (Int(bytes[10] & 7) + 1))
        var frames = 0
        func skipBlocks() {
            while index < bytes.count, bytes[index] != 0 { index += Int(bytes[index]) + 1 }
            index += 1
        }
        while index + 1 < bytes.count, frames < 2 {
            switch bytes[index] {
            case 0x21:
                if bytes[index + 1] == 0xF9, index + 3 < bytes.count, bytes[index + 3] & 1 == 1 { hasAlpha = true }
                index += 2
                skipBlocks()
            case 0x2C:
                frames += 1
                guard index + 9 < bytes.count else { break }
                let flags = bytes[index + 9]
                index += 10 + (flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)) + 1
                skipBlocks()
            default: index = bytes.count
            }
        }
        isAnimated = frames > 1
    }

    private mutating func readJPEG(_ bytes: [UInt8]) {
        var index = 2
        while index + 9 < bytes.count, bytes[index] == 0xFF {
            let marker = bytes[index + 1]
            if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
                height = Self.number(bytes, index + 5, 2, isBig: true)
                width = Self.number(bytes, index + 7, 2, isBig: true)
                return
            }
            guard let length = Self.number(bytes, index + 2, 2, isBig: true), length >= 2 else { return }
            index += 2 + length
        }
    }

    private mutating func readWebP(_ bytes: [UInt8]) {
        guard bytes.count > 29 else { return }
        switch String(decoding: bytes[12..<16], as: UTF8.self) {
        case "VP8X":
            isAnimated = bytes[20] & 2 != 0
            hasAlpha = bytes[20] & 16 != 0
            width = Self.number(bytes, 24, 3, isBig: false).map { $0 + 1 }
            height = Self.number(bytes, 27, 3, isBig: false).map { $0 + 1 }
        case "VP8L":
            guard let bits = Self.number(bytes, 21, 4, isBig: false) else { return }
            width = bits & 0x3FFF + 1
            height = bits >> 14 & 0x3FFF + 1
            hasAlpha = bits >> 28 & 1 == 1
        case "VP8 ":
            width = Self.number(bytes, 26, 2, isBig: false).map { $0 & 0x3FFF }
            height = Self.number(bytes, 28, 2, isBig: false).map { $0 & 0x3FFF }
        default: break
        }
    }

    /// The differences to another image of the same format.
    func differences(to other: ImageFacts, sample: Int) -> [DriftFinding] {
        func finding(_ level: DriftLevel, _ id: DriftID, _ old: String, _ new: String) -> DriftFinding {
            DriftFinding(level, id, at: "", recorded: old, received: new, sample: sample, site: .body(offset: 0))
        }
        var findings: [DriftFinding] = []
        if let width, let height, let newWidth = other.width, let newHeight = other.height,
            (width, height) != (newWidth, newHeight)
        {
            findings.append(
                finding(.info, .imageDimensionsChanged, "\(width)×\(height)", "\(newWidth)×\(newHeight)"))
        }
        if isAnimated != other.isAnimated {
            findings.append(
                finding(
                    isAnimated ? .warning : .info, .imageAnimationChanged, isAnimated ? "animated" : "still",
                    other.isAnimated ? "animated" : "still"))
        }
        if hasAlpha != other.hasAlpha {
            findings.append(
                finding(
                    hasAlpha ? .warning : .info, .imageAlphaChanged, hasAlpha ? "transparent" : "opaque",
                    other.hasAlpha ? "transparent" : "opaque"))
        }
        return findings
    }
}
