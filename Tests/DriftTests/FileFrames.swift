// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiContentCodings
import MockapiFixtures
import MockapiTestSupport

@testable import MockapiDrift

/// A file that is whole, written by the rules of its format, with what a reader finds in it.
struct FileFrame: Sendable {
    let kind: Signature
    var bytes: [UInt8]
    var facts = Facts()
    /// Where a file may end, too: behind a part of a list without an end.
    var ends: Set<Int> = []
    /// The bytes of numbers that have to be what they are, or the file is another.
    var exact: [Int] = []

    struct Facts: Equatable, Sendable {
        var width: Int?
        var height: Int?
        var isAnimated = false
        var hasAlpha = false
    }

    static func big(_ value: Int, _ count: Int = 4) -> [UInt8] {
        (0..<count).reversed().map { UInt8(value >> (8 * $0) & 0xFF) }
    }

    static func little(_ value: Int, _ count: Int = 4) -> [UInt8] { big(value, count).reversed() }

    /// One behind the other; a chain of `+` takes the compiler too long.
    static func join(_ parts: [UInt8]...) -> [UInt8] { Array(parts.joined()) }

    static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    static func filler(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 % 5 + 1) } }

    /// Files of each kind that has a frame, of random parts.
    static func all(_ random: inout SplitMix) -> [FileFrame] {
        [
            gif(&random), jpeg(&random), png(&random), webp(&random), wav(&random), bitmap(&random), icon(&random),
            webFont(&random), zip(&random), wasm(&random), sqlite(&random), boxes(&random), font(&random),
            coded(.gzip, &random), coded(.zstd, &random),
        ]
    }

    // MARK: Images

    static func gif(_ random: inout SplitMix) -> FileFrame {
        let (width, height, frames) = (random.below(0x1_0000), random.below(0x1_0000), 1 + random.below(3))
        func table(_ size: Int?) -> [UInt8] { size.map { filler(3 << ($0 + 1)) } ?? [] }
        func flags(_ size: Int?) -> UInt8 { size.map { 0x80 | UInt8($0) } ?? 7 }
        func blocks(_ random: inout SplitMix) -> [UInt8] {
            (0..<random.below(3)).flatMap { _ in
                let size = random.pick([1, 2, 255])
                return [UInt8(size)] + filler(size)
            } + [0]
        }
        let global = random.pick([nil, 0, 2])
        var bytes = join(text("GIF89a"), little(width, 2), little(height, 2), [flags(global), 0, 0], table(global))
        var hasAlpha = false
        for frame in 0..<frames {
            if random.chance(50) {
                let flag = UInt8(random.below(4))
                // Of a third frame on nobody looks.
                if frame < 2, flag & 1 == 1 { hasAlpha = true }
                bytes += [0x21, 0xF9, 4, flag, 0, 0, 0, 0]
            }
            if random.chance(30) { bytes += [0x21, 0xFE] + blocks(&random) }
            let local = random.pick([nil, 0, 1])
            bytes += join([0x2C, 0, 0, 0, 0, 2, 0, 2, 0, flags(local)], table(local))
            bytes += [UInt8(1 + random.below(11))] + blocks(&random)
        }
        bytes.append(0x3B)
        return FileFrame(
            kind: .gif, bytes: bytes,
            facts: .init(width: width, height: height, isAnimated: frames > 1, hasAlpha: hasAlpha))
    }

    static func jpeg(_ random: inout SplitMix) -> FileFrame {
        let (width, height) = (random.below(0x1_0000), random.below(0x1_0000))
        func segment(_ marker: UInt8, _ data: [UInt8]) -> [UInt8] {
            join([0xFF, marker], big(data.count + 2, 2), data)
        }
        func fill(_ random: inout SplitMix) -> [UInt8] {
            random.pick([[], [0xFF], [0xFF, 0xD0], [0xFF, 0xD7], [0xFF, 1]])
        }
        var bytes: [UInt8] = [0xFF, 0xD8] + segment(0xE0, filler(random.below(20)))
        for marker in [0xC4, 0xC8, 0xCC, 0xDB] as [UInt8] where random.chance(50) {
            bytes += fill(&random) + segment(marker, filler(random.below(9)))
        }
        let frame = random.pick([0xC0, 0xC1, 0xC2, 0xC3, 0xC5, 0xC7, 0xC9, 0xCB, 0xCD, 0xCF] as [UInt8])
        bytes += fill(&random) + segment(frame, join([8], big(height, 2), big(width, 2), [1, 1, 0x11, 0]))
        bytes +=
            join(fill(&random), segment(0xDA, [1, 1, 0, 0, 63, 0]), [0xFF, 0], filler(random.below(9)), [0xFF, 0xD9])
        return FileFrame(kind: .jpeg, bytes: bytes, facts: .init(width: width, height: height))
    }

    static func png(_ random: inout SplitMix) -> FileFrame {
        let (width, height) = (1 + random.below(9), 1 + random.below(9))
        let (type, samples) = random.pick([(0, 1), (2, 3), (3, 1), (4, 2), (6, 4)])
        let depth = random.pick(type == 0 ? [1, 2, 4, 8, 16] : type == 3 ? [1, 2, 4, 8] : [8, 16])
        let size = ((width * depth * samples + 7) / 8 + 1) * height
        var (low, high) = (1, 0)
        for byte in filler(size) {
            low = (low + Int(byte)) % 65521
            high = (high + low) % 65521
        }
        let stored = join([0x78, 1, 1], little(size, 2), little(~size, 2), filler(size), big(high << 16 | low))
        let (isAnimated, hasKey) = (random.chance(30), random.chance(30))
        let middle = random.below(stored.count + 1)
        let head: [UInt8] = join(big(width), big(height), [UInt8(depth), UInt8(type), 0, 0, 0])
        let bytes = join(
            Array(MutatedFiles.png.prefix(8)), MutatedFiles.chunk("IHDR", head),
            isAnimated ? MutatedFiles.chunk("acTL", filler(8)) : [],
            hasKey ? MutatedFiles.chunk("tRNS", filler(2)) : [],
            MutatedFiles.chunk("IDAT", Array(stored[..<middle])), MutatedFiles.chunk("IDAT", Array(stored[middle...])),
            MutatedFiles.chunk("IEND", []))
        let hasAlpha = hasKey || type == 4 || type == 6
        return FileFrame(
            kind: .png, bytes: bytes,
            facts: .init(width: width, height: height, isAnimated: isAnimated, hasAlpha: hasAlpha),
            exact: Array(12..<bytes.count))
    }

    private static func riff(_ name: String, _ parts: [[UInt8]]) -> [UInt8] {
        let content = Array(name.utf8) + parts.joined()
        return text("RIFF") + little(content.count) + content
    }

    private static func part(_ name: String, _ data: [UInt8]) -> [UInt8] {
        join(Array(name.utf8), little(data.count), data, Array(repeating: 0, count: data.count % 2))
    }

    static func webp(_ random: inout SplitMix) -> FileFrame {
        let (width, height) = (1 + random.below(0x4000), 1 + random.below(0x4000))
        var facts = Facts(width: width, height: height)
        let parts: [[UInt8]]
        switch random.below(3) {
        case 0:
            (facts.isAnimated, facts.hasAlpha) = (random.chance(50), random.chance(50))
            let flags = UInt8((facts.isAnimated ? 2 : 0) | (facts.hasAlpha ? 16 : 0) | random.pick([0, 4, 8, 32]))
            parts = [
                part("VP8X", join([flags, 0, 0, 0], little(width - 1, 3), little(height - 1, 3))),
                part("ALPH", filler(3)), part("VP8 ", filler(8)),
            ]
        case 1:
            facts.hasAlpha = random.chance(50)
            let bits = width - 1 | (height - 1) << 14 | (facts.hasAlpha ? 1 << 28 : 0)
            parts = [part("VP8L", join([0x2F], little(bits), filler(random.pick([5, 8]))))]
        default:
            facts.width = width % 0x4000
            facts.height = height % 0x4000
            let sides = join(little(width % 0x4000 | 0x4000, 2), little(height % 0x4000 | 0x8000, 2))
            parts = [part("VP8 ", join([0, 0, 0, 0x9D, 1, 0x2A], sides, filler(random.below(4))))]
        }
        return FileFrame(kind: .webp, bytes: riff("WEBP", parts), facts: facts)
    }

    static func wav(_ random: inout SplitMix) -> FileFrame {
        let parts = [part("fmt ", filler(16)), part("data", filler(2 * random.below(9)))]
        return FileFrame(
            kind: .wav, bytes: riff("WAVE", random.chance(50) ? [part("LIST", filler(5))] + parts : parts),
            exact: [4, 5])
    }

    static func bitmap(_ random: inout SplitMix) -> FileFrame {
        let (width, height, size) = (random.below(1 << 31), random.below(1 << 31), 54 + random.below(20))
        let bytes =
            join(text("BM"), little(size), little(0), little(54), little(40), little(width), little(height))
        return FileFrame(
            kind: .bmp, bytes: bytes + filler(size - bytes.count), facts: .init(width: width, height: height))
    }

    static func icon(_ random: inout SplitMix) -> FileFrame {
        let sizes = (0...random.below(3)).map { _ in 1 + random.below(30) }
        var (bytes, start): ([UInt8], Int) = ([0, 0, 1, 0] + little(sizes.count, 2), 6 + 16 * sizes.count)
        for size in sizes {
            bytes += filler(8) + little(size) + little(start)
            start += size
        }
        return FileFrame(kind: .ico, bytes: bytes + filler(start - bytes.count))
    }

    // MARK: Others

    static func webFont(_ random: inout SplitMix) -> FileFrame {
        let size = 12 + random.below(40)
        let kind = random.pick([Signature.woff, .woff2])
        return FileFrame(
            kind: kind,
            bytes: join(Array((kind == .woff ? "wOFF" : "wOF2").utf8), big(1 << 16), big(size), filler(size - 12)),
            exact: Array(8..<12))
    }

    static func zip(_ random: inout SplitMix) -> FileFrame {
        var (bytes, directory): ([UInt8], [UInt8]) = ([], [])
        let count = random.below(4)
        for _ in 0..<count {
            let (name, extra, comment) = (1 + random.below(9), random.below(9), random.below(9))
            directory += text("PK\u{1}\u{2}") + [20, 0, random.pick([10, 20, 63]), 0] + filler(20)
            directory += join(little(name, 2), little(extra, 2), little(comment, 2), filler(12))
            directory += filler(name + extra + comment)
            bytes += text("PK\u{3}\u{4}") + filler(26 + random.below(20))
        }
        let (start, comment) = (bytes.count, random.below(9))
        bytes += directory
        let end = bytes.count
        bytes += join(text("PK\u{5}\u{6}"), [0, 0, 0, 0], little(count, 2), little(count, 2))
        bytes += join(little(directory.count), little(start), little(comment, 2), filler(comment))
        return FileFrame(kind: .zip, bytes: bytes, exact: count > 0 ? [end + 12, end + 10] : [])
    }

    static func wasm(_ random: inout SplitMix) -> FileFrame {
        var bytes = text("\0asm") + little(1)
        var ends: Set<Int> = [8]
        for _ in 0..<random.below(4) {
            let size = random.pick([0, 1, 127, 128, 300])
            var groups = (0..<5).map { UInt8(size >> (7 * $0) & 0x7F) }
            // A number may be longer than it has to be.
            groups.removeLast(random.below(size < 128 ? 5 : 4))
            for index in groups.indices.dropLast() { groups[index] |= 0x80 }
            bytes += [UInt8(random.below(12))] + groups + filler(size)
            ends.insert(bytes.count)
        }
        return FileFrame(kind: .wasm, bytes: bytes, ends: ends, exact: [4, 7])
    }

    static func sqlite(_ random: inout SplitMix) -> FileFrame {
        let (size, pages) = (random.pick([512, 1024]), 1 + random.below(3))
        let bytes = join(text("SQLite format 3\0"), big(size, 2), filler(10), big(pages))
        return FileFrame(kind: .sqlite, bytes: bytes + filler(size * pages - bytes.count), exact: [16, 17])
    }

    static func boxes(_ random: inout SplitMix) -> FileFrame {
        var bytes = big(16) + text("ftypisom") + big(0)
        var ends: Set<Int> = [16]
        for _ in 0..<random.below(4) {
            let size = random.below(20)
            let isLong = random.chance(30)
            bytes += join(big(isLong ? 1 : size + 8), text("free"), (isLong ? big(size + 16, 8) : []), filler(size))
            ends.insert(bytes.count)
        }
        return FileFrame(kind: .mp4, bytes: bytes, ends: ends)
    }

    static func font(_ random: inout SplitMix) -> FileFrame {
        let names = ["cmap", "head", "name"].prefix(1 + random.below(3))
        var (head, data): ([UInt8], [UInt8]) = ([0, 1, 0, 0] + big(names.count, 2) + filler(6), [])
        for name in names {
            // The sum of all in the table `head` counts as nothing.
            let content = filler(random.pick(name == "head" ? [12, 54] : [1, 2, 3, 4, 9]))
            var summed = content
            if name == "head" { summed.replaceSubrange(8..<12, with: [0, 0, 0, 0]) }
            head += join(Array(name.utf8), big(MutatedFiles.words(summed)), big(12 + 16 * names.count + data.count))
            head += big(content.count)
            data += content
        }
        return FileFrame(kind: .ttf, bytes: head + data, exact: Array(16..<20))
    }

    static func coded(_ kind: Signature, _ random: inout SplitMix) -> FileFrame {
        let content = filler(random.below(300))
        return FileFrame(kind: kind, bytes: (try? ContentCoding(rawValue: "\(kind)")?.encode(content)) ?? [])
    }
}
