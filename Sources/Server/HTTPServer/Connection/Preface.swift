// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPWire

/// Distinguishes HTTP/2 from HTTP/1.1 by the client's first bytes (RFC 9113 §3.3).
enum Preface {
    enum Verdict {
        case needsMore
        case http1
        case http2
    }

    /// - Parameter isAllowed: false if HTTP/2 is switched off, or not agreed on; the preface is then a request that HTTP/1.1 refuses.
    static func judge(_ bytes: UnsafeBufferPointer<UInt8>, isAllowed: Bool) -> Verdict {
        let preface = HTTP2Session.preface
        guard isAllowed else { return .http1 }
        for index in 0..<min(bytes.count, preface.utf8CodeUnitCount)
        where bytes[index] != preface.utf8Start[index] { return .http1 }
        return bytes.count < preface.utf8CodeUnitCount ? .needsMore : .http2
    }
}
