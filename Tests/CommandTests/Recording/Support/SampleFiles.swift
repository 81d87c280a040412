// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiTestSupport
import MockapiWireSupport

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
            latin1("\u{FF}\u{D8}\u{FF}\u{E0}\0\u{10}JFIF\0\u{1}\u{1}\0\0\u{1}\0\u{1}\0\0\u{FF}\u{D9}")
        ),
        ("images/a.webp", decoded("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==")),
        (
            "images/a.avif",
            latin1("\0\0\0\u{1C}ftypavif\0\0\0\0avifmif1miaf\0\0\0\u{1}\u{2}\u{3}")
        ),
        ("images/a.svg", Array(#"<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>"#.utf8)),
        ("images/a.ico", [0, 0, 1, 0, 1, 0, 1, 1, 0, 0, 1, 0, 32, 0, 4, 0, 0, 0, 22, 0, 0, 0, 1, 2, 3, 255]),
        ("fonts/a.woff2", latin1("wOF2\0\u{1}\0\0\0\0\0 \0\u{1}" + String(repeating: "\u{7}", count: 22))),
        ("doc.pdf", latin1("%PDF-1.4\n%\u{E2}\u{E3}\u{CF}\u{D3}\n%%EOF\n")),
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
