// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The Date line of a response (RFC 9110 §6.6.1), laid out once for all that are sent in its second.
package struct DateLine: Sendable {
    private static let name: StaticString = "Date: "

    /// The line with its CR LF, and the empty line that may follow it as the end of a head.
    package let bytes: [UInt8]

    package init(_ value: String) {
        bytes = Array("\(Self.name)\(value)\r\n\r\n".utf8)
    }

    /// - Parameter bytes: those of a line that was laid out before.
    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The line and the empty line behind it.
    var lineAndEnd: Range<Int> { 0..<bytes.count }

    /// The line without the empty line behind it.
    var line: Range<Int> { 0..<bytes.count - 2 }

    /// The place of the value in the bytes.
    var value: Range<Int> { Self.name.utf8CodeUnitCount..<bytes.count - 4 }
}
