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
        let file = FileFlaw(bytes: bytes)
        switch signature {
        case .png: readPNG(file)
        case .gif: readGIF(file)
        case .jpeg: readJPEG(file)
        case .webp: readWebP(file)
        case .bmp:
            width = file.number(18, isBig: false)
            height = file.number(22, isBig: false)
        default: break
        }
    }

    private mutating func readPNG(_ file: FileFlaw) {
        // The header comes first, and is of 13 bytes (PNG §11.2.1).
        guard file.number(8) == 13, file.has("IHDR", at: 12), file.part(8, 25) != nil else { return }
        /// A side, which no image has without a pixel, nor with 2^31.
        func side(_ start: Int) -> Int? { file.number(start).flatMap { 1..<1 << 31 ~= $0 ? $0 : nil } }
        width = side(16)
        height = side(20)
        hasAlpha = [4, 6].contains(file.number(25, 1))
        var index = 8
        while let length = file.number(index), let name = file.part(index + 4, 4), !name.elementsEqual("IDAT".utf8) {
            if name.elementsEqual("acTL".utf8) { isAnimated = true }
            if name.elementsEqual("tRNS".utf8) { hasAlpha = true }
            index += 12 + length
        }
    }

    private mutating func readGIF(_ file: FileFlaw) {
        width = file.number(6, 2, isBig: false)
        height = file.number(8, 2, isBig: false)
        guard let flags = file.number(10, 1) else { return }
        var index = 13 + FileFlaw.colours(flags)
        var hasFrame = false
        while !isAnimated, let block = file.number(index, 1) {
            switch block {
            case 0x21:
                if file.number(index + 1, 1) == 0xF9, let flags = file.number(index + 3, 1), flags & 1 == 1 {
                    hasAlpha = true
                }
                index += 2
            case 0x2C:
                guard let flags = file.number(index + 9, 1) else { return }
                isAnimated = hasFrame
                hasFrame = true
                index += 11 + FileFlaw.colours(flags)
            default: return
            }
            file.skipBlocks(&index)
        }
    }

    private mutating func readJPEG(_ file: FileFlaw) {
        var index = 2
        while file.number(index, 1) == 0xFF, let marker = file.number(index + 1, 1) {
            if FileFlaw.isFrame(marker) {
                height = file.number(index + 5, 2)
                width = file.number(index + 7, 2)
                return
            }
            guard let length = file.segmentLength(marker, at: index) else { return }
            index += length
        }
    }

    private mutating func readWebP(_ file: FileFlaw) {
        switch file.part(12, 4).map({ String(decoding: $0, as: UTF8.self) }) {
        case "VP8X":
            let flags = file.number(20, 1) ?? 0
            isAnimated = flags & 2 != 0
            hasAlpha = flags & 16 != 0
            width = file.number(24, 3, isBig: false).map { $0 + 1 }
            height = file.number(27, 3, isBig: false).map { $0 + 1 }
        case "VP8L":
            guard let bits = file.number(21, isBig: false) else { return }
            width = bits & 0x3FFF + 1
            height = bits >> 14 & 0x3FFF + 1
            hasAlpha = bits >> 28 & 1 == 1
        case "VP8 ":
            width = file.number(26, 2, isBig: false).map { $0 & 0x3FFF }
            height = file.number(28, 2, isBig: false).map { $0 & 0x3FFF }
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
