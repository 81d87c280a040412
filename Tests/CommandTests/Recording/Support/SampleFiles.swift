// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import WireSupport

/// Small files of each kind, good enough to be told by their bytes.
enum SampleFiles {
    static let all: [(name: String, bytes: [UInt8])] = [
        ("api/contents.json", Array(json.utf8)),
        ("text/utf8.txt", Array("Grüße — ☃ 👩‍👩‍👧\r\nand a second line, long enough to be coded\n".utf8)),
        (
            "images/a.png",
            decoded(
                "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
        ),
        ("images/a.gif", decoded("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")),
        (
            "images/a.jpg",
            [0xFF, 0xD8, 0xFF, 0xE0, 0, 0x10] + Array("JFIF".utf8) + [0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 0xFF, 0xD9]
        ),
        ("images/a.webp", decoded("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==")),
        (
            "images/a.avif",
            [0, 0, 0, 0x1C] + Array("ftypavif".utf8) + [0, 0, 0, 0] + Array("avifmif1miaf".utf8) + [0, 0, 0, 1, 2, 3]
        ),
        ("images/a.svg", Array(#"<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>"#.utf8)),
        ("images/a.ico", [0, 0, 1, 0, 1, 0, 1, 1, 0, 0, 1, 0, 32, 0, 4, 0, 0, 0, 22, 0, 0, 0, 1, 2, 3, 255]),
        ("fonts/a.woff2", Array("wOF2".utf8) + [0, 1, 0, 0, 0, 0, 0, 32, 0, 1] + Array(repeating: 7, count: 22)),
        ("doc.pdf", Array("%PDF-1.4\n%".utf8) + [0xE2, 0xE3, 0xCF, 0xD3] + Array("\n%%EOF\n".utf8)),
        ("empty.txt", []),
        ("big.bin", noise(5 * 1024 * 1024)),
    ]

    static let json =
        #"{"data": [{"id": "1", "title": "Ünïcode ☃", "n": 1.50, "big": 9007199254740993}],  "next": null}"#

    /// Bytes without a pattern, the same each time.
    static func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var state = seed
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 33)
        }
    }

    static func write(to directory: TemporaryDirectory, under folder: String) throws {
        for file in all { try directory.write("\(folder)/\(file.name)", file.bytes) }
    }

    private static func decoded(_ text: String) -> [UInt8] {
        Data(base64Encoded: text).map { Array($0) } ?? []
    }
}
