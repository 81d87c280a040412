// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The first bytes of media that stand in Base64 in texts.
enum MediaStart {
    private static let starts: [[UInt8]] = [
        [0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8, 0xFF], Array("GIF8".utf8), Array("RIFF".utf8), Array("%PDF".utf8),
        Array("OggS".utf8), Array("ID3".utf8), Array("fLaC".utf8), Array("wOFF".utf8), Array("wOF2".utf8),
        [0x1F, 0x8B, 0x08], Array("PK\u{3}\u{4}".utf8), [0x1A, 0x45, 0xDF, 0xA3], [0xFF, 0xFB],
        [0x00, 0x01, 0x00, 0x00],
        Array("BM".utf8), [0x00, 0x00, 0x01, 0x00], [0x00, 0x61, 0x73, 0x6D], [0x28, 0xB5, 0x2F, 0xFD],
    ]

    static func isKnown(_ bytes: [UInt8]) -> Bool {
        // MP4, AVIF and HEIC have the length of their first box in front.
        starts.contains { bytes.starts(with: $0) } || bytes.dropFirst(4).starts(with: "ftyp".utf8)
    }
}
