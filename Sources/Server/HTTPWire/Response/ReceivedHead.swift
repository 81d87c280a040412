// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiHTTPSyntax

/// The head of a response that came from elsewhere, as bytes and ranges into them: a value need not be UTF-8, and passes as it is.
package struct ReceivedHead: Sendable {
    /// The bytes that every range points into.
    package var bytes: [UInt8] = []
    package var version = HTTPVersion.http11
    package var status = 0
    /// Empty if there is none.
    package var reason = ByteRange.empty
    /// The field lines in the order they came, repeats included, values without white space around them.
    package var fields: [RequestHead.Field] = []

    package init() {}

    /// Whether the bytes of a range are those of a lower-case ASCII literal, without regard to case.
    @inline(__always)
    package func equals(_ range: ByteRange, _ lowercased: StaticString) -> Bool {
        guard range.count == lowercased.utf8CodeUnitCount else { return false }
        return bytes.withUnsafeBufferPointer { $0.equals(range, lowercased) }
    }

    /// The text of a range; bytes that are not UTF-8 become U+FFFD.
    package func string(_ range: ByteRange) -> String {
        String(decoding: bytes[range.range], as: UTF8.self)
    }

    /// The values of all lines with a name, given in lower case, joined as one list (RFC 9110 §5.3); empty if there is none.
    package func joined(_ lowercasedName: StaticString) -> String {
        var text = ""
        for field in fields where equals(field.name, lowercasedName) {
            if !text.isEmpty { text += ", " }
            text += string(field.value)
        }
        return text
    }

    /// The value of the first line with a name, given in lower case.
    package func first(_ lowercasedName: StaticString) -> ByteRange? {
        for field in fields where equals(field.name, lowercasedName) { return field.value }
        return nil
    }

    mutating func reset() {
        bytes.removeAll(keepingCapacity: true)
        fields.removeAll(keepingCapacity: true)
        status = 0
        reason = .empty
        version = .http11
    }

    /// Adds a line, as that of a response that came by another protocol.
    package mutating func append(name: some Collection<UInt8>, value: some Collection<UInt8>) {
        let start = bytes.count
        bytes.append(contentsOf: name)
        let middle = bytes.count
        bytes.append(contentsOf: value)
        fields.append(
            RequestHead.Field(name: ByteRange(start, middle), value: ByteRange(middle, bytes.count)))
    }

    /// Sets the reason phrase.
    package mutating func setReason(_ text: some Collection<UInt8>) {
        let start = bytes.count
        bytes.append(contentsOf: text)
        reason = ByteRange(start, bytes.count)
    }
}
