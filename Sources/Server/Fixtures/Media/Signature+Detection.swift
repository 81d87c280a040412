// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

extension Signature {
    /// The kind of file that begins so; nil if the bytes show none.
    ///
    /// A few letters alone are not a signature if a text could begin with them: the fields behind them are looked at too.
    package static func of(_ head: [UInt8]) -> Signature? {
        if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
        if head.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
        if head.starts(with: "GIF87a".utf8) || head.starts(with: "GIF89a".utf8) { return .gif }
        if head.starts(with: "%PDF-".utf8) { return .pdf }
        if head.starts(with: [0x1F, 0x8B, 0x08]) { return .gzip }
        if head.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) { return .zstd }
        if head.starts(with: "PK\u{3}\u{4}".utf8) || head.starts(with: "PK\u{5}\u{6}".utf8) { return .zip }
        if head.starts(with: "\0asm".utf8) { return .wasm }
        if head.starts(with: "SQLite format 3\0".utf8) { return .sqlite }
        return image(head) ?? font(head) ?? media(head)
    }

    private static func image(_ head: [UInt8]) -> Signature? {
        if riff(head) == "WEBP" { return .webp }
        if head.starts(with: "II*\0".utf8) || head.starts(with: "MM\0*".utf8) { return .tiff }
        // ISO/IEC 18181-2: the codestream alone, or in boxes.
        if head.starts(with: [0xFF, 0x0A]) || head.starts(with: "\0\0\0\u{C}JXL \r\n".utf8) { return .jxl }
        // A BMP names the size of its second header, one of these.
        if head.starts(with: "BM".utf8), head.count >= 18, [12, 16, 40, 52, 56, 64, 108, 124].contains(head[14]),
            head[15...17] == [0, 0, 0]
        {
            return .bmp
        }
        // Icons, how many, and a byte of the first that is always 0.
        if head.starts(with: [0, 0, 1, 0]), head.count >= 10, head[4] > 0, head[5] == 0, head[9] == 0 { return .ico }
        return nil
    }

    private static func font(_ head: [UInt8]) -> Signature? {
        // Lengths stand behind the letters, and no font is of 16 MiB of tables.
        if head.starts(with: "wOFF".utf8), head.dropFirst(4).prefix(12).contains(0) { return .woff }
        if head.starts(with: "wOF2".utf8), head.dropFirst(4).prefix(12).contains(0) { return .woff2 }
        if head.starts(with: "OTTO\0".utf8) { return .otf }
        if head.starts(with: "ttcf\0".utf8) { return .ttc }
        // Version 1.0 and fewer than 256 tables.
        if head.starts(with: [0, 1, 0, 0, 0]) { return .ttf }
        return nil
    }

    private static func media(_ head: [UInt8]) -> Signature? {
        if riff(head) == "WAVE" { return .wav }
        if head.starts(with: "OggS\0".utf8) { return .ogg }
        if head.starts(with: "fLaC\0".utf8) || head.starts(with: Array("fLaC".utf8) + [0x80]) { return .flac }
        if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return matroska(head) }
        if head.starts(with: "ID3".utf8), head.count > 4, (2...4).contains(head[3]), head[4] < 0xFF { return .mp3 }
        if isLayer3(head) { return .mp3 }
        return isoMedia(head)
    }

    /// The letters behind RIFF and its length.
    private static func riff(_ head: [UInt8]) -> String? {
        guard head.starts(with: "RIFF".utf8), head.count >= 12 else { return nil }
        return String(decoding: head[8..<12], as: UTF8.self)
    }

    /// A frame of MPEG audio, layer III: its bit rate and sampling rate are ones that exist.
    private static func isLayer3(_ head: [UInt8]) -> Bool {
        guard head.count >= 4, head[0] == 0xFF, head[1] & 0xE6 == 0xE2, head[1] & 0x18 != 0x08 else { return false }
        return head[2] >> 4 != 15 && head[2] >> 4 != 0 && head[2] & 0x0C != 0x0C
    }

    /// EBML names its document type within its first bytes.
    private static func matroska(_ head: [UInt8]) -> Signature? {
        let start = head.prefix(64)
        if start.firstRange(of: Array("webm".utf8)) != nil { return .webm }
        return start.firstRange(of: Array("matroska".utf8)) != nil ? .mkv : nil
    }

    /// ISO/IEC 14496-12: a box of brands comes first, the main one in front.
    private static func isoMedia(_ head: [UInt8]) -> Signature? {
        guard head.count >= 12, head[4..<8].elementsEqual("ftyp".utf8), head[0] == 0, head[1] == 0 else { return nil }
        let size = min(Int(head[2]) << 8 + Int(head[3]), head.count)
        let brands = [8] + stride(from: 16, to: max(size - 3, 16), by: 4)
        let names = brands.map { String(decoding: head[$0..<$0 + 4], as: UTF8.self) }
        if names.contains("avif") || names.contains("avis") { return .avif }
        switch names[0] {
        case "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1": return .heic
        case "qt  ": return .mov
        case "M4A ", "M4B ": return .m4a
        case let name where ["iso", "mp4", "avc", "M4V", "3gp", "dash", "MSNV"].contains { name.hasPrefix($0) }:
            return .mp4
        default: return nil
        }
    }
}
