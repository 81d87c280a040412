// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
package import MockapiUpstream

/// Header lines as people write them.
package enum FieldLine {
    /// - Parameter line: `Name: value`.
    package static func parse(_ line: String) throws(RecordingError) -> UpstreamField {
        guard let colon = line.firstIndex(ascii: ":") else {
            throw RecordingError("a header line without a colon; write Name: value")
        }
        return try field(String(line[..<colon]), String(line.suffix(behind: colon).trimmingBlanks))
    }

    /// The value is not shown: it may be a secret.
    static func field(_ name: String, _ value: String) throws(RecordingError) -> UpstreamField {
        guard !name.isEmpty, name.utf8.allSatisfy(isToken) else {
            throw RecordingError("\"\(name)\" is not a name of a header line (RFC 9110 §5.1)")
        }
        guard !value.utf8.contains(where: { $0 == 0 || $0 == 10 || $0 == 13 }) else {
            throw RecordingError("the value of \(name) has a line end or NUL (RFC 9110 §5.5); leave it out")
        }
        return UpstreamField(name, value)
    }

    static func isToken(_ byte: UInt8) -> Bool { ASCII.isToken(byte) }
}
