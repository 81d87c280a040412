// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The error codes of HTTP/2 by their names (RFC 9113 §7).
package enum HTTP2ErrorCode {
    package static let names = [
        "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED",
        "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM",
        "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
    ]

    package static let protocolError: UInt32 = 1
    package static let internalError: UInt32 = 2
    package static let refusedStream: UInt32 = 7
    package static let cancel: UInt32 = 8

    /// The code of a name; nil if the name is unknown.
    package static func number(of name: String) -> UInt32? { names.firstIndex(of: name).map { UInt32($0) } }
}
