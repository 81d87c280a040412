// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The head of a request as bytes and ranges into them.
///
/// One value serves every request of a connection in turn: `reset()` keeps the memory, so that a request costs no
/// allocation. Text is made only when someone asks for it (`string(_:)`). HTTP/1.1 and HTTP/2 fill the same value, so
/// that nothing behind the wire knows which of them a request came by.
public struct RequestHead: Sendable {
    /// A field line: where its name and its value stand in `bytes`, the value without white space around it.
    public struct Field: Sendable, BitwiseCopyable {
        public var name: ByteRange
        public var value: ByteRange

        @inlinable
        public init(name: ByteRange, value: ByteRange) {
            self.name = name
            self.value = value
        }
    }

    /// The bytes that every range points into.
    public var bytes: [UInt8] = []
    public var method = ByteRange.empty
    /// The request target as it was sent (RFC 9112 §3.2; `:path` in HTTP/2).
    public var target = ByteRange.empty
    /// The path of the target, still percent-encoded; `*` for the asterisk form.
    public var path = ByteRange.empty
    /// The part of the target behind its first `?`; nil if there is none.
    public var query: ByteRange?
    /// Host and port: of an absolute-form target, else of `:authority` or Host. Empty in an HTTP/1.0 request without.
    public var authority = ByteRange.empty
    public var version = HTTPVersion.http11
    /// Whether the request came over TLS.
    public var isSecure = false
    /// The field lines in the order they came, repeats included, names as they were written.
    public var fields: [Field] = []
    /// The values that are not UTF-8, by where their text stands: few requests have one.
    private var sentValues: [(text: ByteRange, sent: ByteRange)] = []

    public init() {
        bytes.reserveCapacity(1024)
        fields.reserveCapacity(32)
    }

    /// Empties the head and keeps its memory.
    public mutating func reset() {
        bytes.removeAll(keepingCapacity: true)
        resetRanges()
    }

    /// Empties the head but for its bytes, which `replaceBytes` is to replace.
    public mutating func resetRanges() {
        fields.removeAll(keepingCapacity: true)
        method = .empty
        target = .empty
        path = .empty
        query = nil
        authority = .empty
        version = .http11
        isSecure = false
        if !sentValues.isEmpty { sentValues.removeAll() }
    }

    /// Gives the head other bytes, in the memory of those before.
    public mutating func replaceBytes(with other: UnsafeBufferPointer<UInt8>) {
        if bytes.count > other.count { bytes.removeLast(bytes.count - other.count) }
        let shared = bytes.count
        bytes.withUnsafeMutableBufferPointer { own in
            if let start = own.baseAddress, let source = other.baseAddress { start.update(from: source, count: shared) }
        }
        if other.count > shared { bytes.append(contentsOf: UnsafeBufferPointer(rebasing: other[shared...])) }
    }

    /// The scheme of a target that is a whole URL, as a proxy is asked (RFC 9112 §3.2.2); nil for other targets.
    public var targetScheme: ByteRange? {
        guard target.count > 0, path.start != target.start, let colon = bytes[target.range].firstIndex(of: ASCII.colon)
        else { return nil }
        return ByteRange(Int(target.start), colon)
    }

    /// Divides the target into path and query.
    ///
    /// - Parameter question: the place of its first `?`; nil if it has none.
    @inlinable
    public mutating func splitTarget(at question: Int?) {
        path = ByteRange(Int(target.start), question ?? Int(target.end))
        query = question.map { ByteRange($0 + 1, Int(target.end)) }
    }

    /// Whether no byte is beyond ASCII; eight are looked at together.
    public var isASCII: Bool {
        bytes.withUnsafeBytes { bytes in
            var all: UInt64 = 0
            var index = 0
            while index + 8 <= bytes.count {
                all |= bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                index += 8
            }
            for byte in bytes[index...] { all |= UInt64(byte) }
            return all & 0x8080_8080_8080_8080 == 0
        }
    }

    /// Reads the values of fields that are not UTF-8 as ISO 8859-1 (RFC 9110 §5.5): they stand in UTF-8 from then on, for all that compares, shows
    /// or keeps them.
    public mutating func readLatin1() {
        for index in fields.indices {
            let sent = fields[index].value
            let value = Array(bytes[sent.range])
            guard value.contains(where: { $0 >= 0x80 }), case (let text, true) = Latin1.read(value) else { continue }
            let start = bytes.count
            bytes.append(contentsOf: text.utf8)
            fields[index].value = ByteRange(start, bytes.count)
            sentValues.append((text: fields[index].value, sent: sent))
        }
    }

    /// The bytes of a field's value as the client has sent them.
    public func sentValue(of field: Field) -> ArraySlice<UInt8> {
        let sent = sentValues.first { $0.text == field.value }?.sent
        return bytes[(sent ?? field.value).range]
    }

    /// The text of a range; bytes that are not UTF-8 become U+FFFD.
    public func string(_ range: ByteRange) -> String {
        String(decoding: bytes[range.range], as: UTF8.self)
    }

    /// Whether the bytes of a range are just those of an ASCII literal.
    @inlinable
    public func equals(_ range: ByteRange, _ literal: StaticString) -> Bool {
        guard range.count == literal.utf8CodeUnitCount else { return false }
        return bytes.withUnsafeBufferPointer { bytes in
            let start = Int(range.start)
            for index in 0..<range.count where bytes[start + index] != literal.utf8Start[index] { return false }
            return true
        }
    }

    /// Whether the bytes of a range are just these.
    @inlinable
    public func equals(_ range: ByteRange, _ text: [UInt8]) -> Bool {
        guard range.count == text.count else { return false }
        return bytes.withUnsafeBufferPointer { bytes in
            text.withUnsafeBufferPointer { text in
                let slice = UnsafeBufferPointer(rebasing: bytes[range.range])
                guard let left = slice.baseAddress, let right = text.baseAddress else { return text.isEmpty }
                return ByteWords.areEqual(left, right, text.count)
            }
        }
    }

    /// Whether the bytes of a range are those of a lower-case ASCII literal, without regard to case.
    @inlinable
    public func equalsIgnoringCase(_ range: ByteRange, _ lowercased: StaticString) -> Bool {
        guard range.count == lowercased.utf8CodeUnitCount else { return false }
        return bytes.withUnsafeBufferPointer { bytes in
            let start = Int(range.start)
            for index in 0..<range.count
            where ASCII.lowercased(bytes[start + index]) != lowercased.utf8Start[index] { return false }
            return true
        }
    }

    /// Whether a comma-separated list has a member, given in lower case.
    public func hasMember(_ lowercased: StaticString, in list: ByteRange) -> Bool {
        var start = Int(list.start)
        while start < Int(list.end) {
            var end = start
            while end < Int(list.end), bytes[end] != ASCII.comma { end += 1 }
            var first = start
            var last = end
            while first < last, bytes[first] == ASCII.space || bytes[first] == ASCII.tab { first += 1 }
            while last > first, bytes[last - 1] == ASCII.space || bytes[last - 1] == ASCII.tab { last -= 1 }
            if equalsIgnoringCase(ByteRange(first, last), lowercased) { return true }
            start = end + 1
        }
        return false
    }

    /// The value of the field with a name, given in lower case; nil if there is none, or more than one.
    public func onlyValue(_ lowercasedName: StaticString) -> ByteRange? {
        let matching = fields.filter { equalsIgnoringCase($0.name, lowercasedName) }
        return matching.count == 1 ? matching[0].value : nil
    }

    /// The value of the first field with a name, given in lower case.
    @inlinable
    public func firstValue(_ lowercasedName: StaticString) -> ByteRange? {
        for field in fields where equalsIgnoringCase(field.name, lowercasedName) { return field.value }
        return nil
    }
}
