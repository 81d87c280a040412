// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPSyntax

/// The ids of stubs: UUIDs (RFC 9562) in lower case.
enum StubID {
    /// A UUID in lower case; nil for any other text.
    static func canonical(_ text: String) -> String? {
        let lowered = text.lowercased()
        guard lowered.utf8.count == 36 else { return nil }
        for (position, byte) in lowered.utf8.enumerated() {
            switch position {
            case 8, 13, 18, 23:
                guard byte == UInt8(ascii: "-") else { return nil }
            default:
                guard byte &- UInt8(ascii: "0") < 10 || byte &- UInt8(ascii: "a") < 6 else { return nil }
            }
        }
        return lowered
    }

    /// A UUID of version 8 (RFC 9562 §5.8), made from the file's path and the stub's place in it: the same at every load.
    static func derived(from path: String, ordinal: Int) -> String {
        let name = Array("\(path)#\(ordinal)".utf8)
        let first = ContentHash.of(name, seed: 0xBB67_AE85_84CA_A73B)
        let second = ContentHash.of(name, seed: 0x3C6E_F372_FE94_F82B)
        let high = (first & 0xFFFF_FFFF_FFFF_0FFF | 0x8000).hexadecimal.utf8
        let low = (second & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000).hexadecimal.utf8
        var text: [UInt8] = []
        text.reserveCapacity(36)
        text += high.prefix(8)
        text.append(UInt8(ascii: "-"))
        text += high.dropFirst(8).prefix(4)
        text.append(UInt8(ascii: "-"))
        text += high.dropFirst(12)
        text.append(UInt8(ascii: "-"))
        text += low.prefix(4)
        text.append(UInt8(ascii: "-"))
        text += low.dropFirst(4)
        return String(decoding: text, as: UTF8.self)
    }
}
