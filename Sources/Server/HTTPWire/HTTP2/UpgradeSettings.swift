// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// The settings of a client that asks for an upgrade.
enum UpgradeSettings {
    /// Those of a client that asks to go on in HTTP/2 (RFC 7540 §3.2), which may break the protocol; nil if it does not ask, or may not.
    static func read(from head: borrowing RequestHead) -> [UInt8]? {
        guard head.version == .http11, let upgrade = head.firstValue("upgrade"), head.hasMember("h2c", in: upgrade),
            let connection = head.firstValue("connection"), head.hasMember("upgrade", in: connection),
            head.hasMember("http2-settings", in: connection), let settings = head.onlyValue("http2-settings")
        else { return nil }
        return head.bytes[settings.range].withUnsafeBufferPointer { Base64.decode($0, .token) }
    }

    /// Whether the payload of a SETTINGS frame holds only values that may be (RFC 9113 §6.5.2): a connection cannot begin with others.
    static func areValid(_ payload: [UInt8]) -> Bool {
        guard payload.count % 6 == 0 else { return false }
        return stride(from: 0, to: payload.count, by: 6).allSatisfy { start in
            let name = payload[start..<start + 2].reduce(0) { $0 << 8 | UInt32($1) }
            let value = payload[start + 2..<start + 6].reduce(0) { $0 << 8 | UInt32($1) }
            return switch name {
            // ENABLE_PUSH, and the booleans of RFC 8441 and RFC 9218.
            case 2, 8, 9: value <= 1
            // INITIAL_WINDOW_SIZE
            case 4: value <= 0x7FFF_FFFF
            // MAX_FRAME_SIZE
            case 5: (0x4000...0xFF_FFFF).contains(value)
            default: true
            }
        }
    }
}
