// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Messages of Protocol Buffers as far as their form is known without a schema: the fields by their numbers, and how each is written.
///
/// A field with a length may be a text, bytes or a message. It is a message if it reads as one and not as a text for people.
struct WireMessage {
    /// How a value is written (Encoding, "Message Structure").
    enum Kind: String {
        case varint
        case fixed64
        case length
        case group
        case fixed32
    }

    struct Field {
        var kinds: Set<Kind> = []
        /// How many values there are.
        var count = 0
        /// In how many messages.
        var messages = 0
        /// Whether each of the lengths is UTF-8.
        var isUTF8 = true
        /// Bytes of all lengths.
        var length = 0
        /// Whether one of them is a text that people read, which a message seldom is.
        var hasText = false
        /// The messages within all values; nil if one of them does not read as one.
        var message: WireMessage? = WireMessage()
        fileprivate var last = 0
    }

    private(set) var fields: [Int: Field] = [:]
    /// How many messages were read.
    private(set) var count = 0

    /// Messages within each other that are looked into. 32.
    private static let depthLimit = 32

    /// Takes a message; false if the bytes are not one.
    mutating func add(_ bytes: [UInt8], depth: Int = 0) -> Bool {
        var reader = Reader(bytes: bytes)
        var values: [(number: Int, kind: Kind, content: [UInt8])] = []
        while !reader.isAtEnd {
            guard let value = reader.value() else { return false }
            values.append(value)
        }
        guard reader.open.isEmpty else { return false }
        count += 1
        for value in values { add(value, depth) }
        return true
    }

    private mutating func add(_ value: (number: Int, kind: Kind, content: [UInt8]), _ depth: Int) {
        var field = fields.removeValue(forKey: value.number) ?? Field()
        field.kinds.insert(value.kind)
        field.count += 1
        if field.last != count { field.messages += 1 }
        field.last = count
        if value.kind == .length {
            field.length += value.content.count
            if String(validating: value.content, as: UTF8.self) == nil { field.isUTF8 = false }
            let isMessage = depth < Self.depthLimit && field.message?.add(value.content, depth: depth + 1) ?? false
            if !isMessage { field.message = nil }
            field.hasText = field.hasText || Self.isText(value.content)
        }
        fields[value.number] = field
    }

    /// Whether bytes are a text of letters and signs: a message has numbers in it.
    private static func isText(_ bytes: [UInt8]) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
            && String(validating: bytes, as: UTF8.self) != nil
    }

    private struct Reader {
        let bytes: [UInt8]
        var index = 0
        /// The groups that have begun and not ended.
        var open: [Int] = []

        var isAtEnd: Bool { index >= bytes.count }

        mutating func value() -> (number: Int, kind: Kind, content: [UInt8])? {
            guard let tag = varint(), tag >> 3 > 0, tag >> 3 < 1 << 29 else { return nil }
            let number = Int(tag >> 3)
            switch tag & 7 {
            case 0: return varint().map { _ in (number, .varint, []) }
            case 1: return take(8).map { _ in (number, .fixed64, []) }
            case 2:
                guard let length = varint(), length <= UInt64(bytes.count) else { return nil }
                return take(Int(length)).map { (number, .length, Array($0)) }
            // Groups are long out of use; their fields stand between two tags.
            case 3:
                open.append(number)
                return (number, .group, [])
            case 4: return open.popLast() == number ? (number, .group, []) : nil
            case 5: return take(4).map { _ in (number, .fixed32, []) }
            default: return nil
            }
        }

        private mutating func varint() -> UInt64? {
            var value: UInt64 = 0
            var shift: UInt64 = 0
            while index < bytes.count, shift < 64 {
                let byte = bytes[index]
                index += 1
                value |= UInt64(byte & 0x7F) << shift
                if byte < 0x80 { return value }
                shift += 7
            }
            return nil
        }

        private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard count <= bytes.count - index else { return nil }
            index += count
            return bytes[index - count..<index]
        }
    }
}

extension WireMessage {
    /// From this many bytes on, a value that reads as a message is taken for one. 8.
    private static let certainLength = 8

    /// The differences to a live message. A field that is not there has its default value, as a reader takes it.
    func differences(to other: WireMessage, at pointer: String = "", sample: Int) -> [DriftFinding] {
        func finding(_ level: DriftLevel, _ id: DriftID, _ place: String, _ old: String?, _ new: String?)
            -> DriftFinding
        {
            DriftFinding(level, id, at: place, recorded: old, received: new, sample: sample, site: .body(offset: 0))
        }
        var findings: [DriftFinding] = []
        for (number, field) in fields.sorted(by: { $0.key < $1.key }) {
            let place = "\(pointer)/\(number)"
            let words = field.words
            guard let live = other.fields[number] else {
                if other.count > 0 { findings.append(finding(.info, .propertyRemoved, place, words, nil)) }
                continue
            }
            if live.messages < other.count, field.messages >= count {
                findings.append(finding(.info, .propertyRemoved, place, words, nil))
            }
            guard live.kinds.isSubset(of: field.kinds) else {
                findings.append(finding(.breaking, .typeChanged, place, words, live.words))
                continue
            }
            if let message = field.message, field.isMessage {
                guard let now = live.message else {
                    let isCertain = field.length >= Self.certainLength
                    findings.append(
                        finding(isCertain ? .breaking : .warning, .typeChanged, place, "a message", "a text or bytes"))
                    continue
                }
                findings += message.differences(to: now, at: place, sample: sample)
            } else if field.message == nil, !field.hasText, live.isMessage {
                findings.append(finding(.info, .typeLearned, place, words, "a message"))
            } else if field.isUTF8, !live.isUTF8, live.message == nil || field.message == nil {
                findings.append(finding(.breaking, .typeChanged, place, "a text", "bytes that are not UTF-8"))
            }
        }
        for (number, field) in other.fields.sorted(by: { $0.key < $1.key }) where fields[number] == nil {
            findings.append(finding(.info, .propertyAdded, "\(pointer)/\(number)", nil, field.words))
        }
        return findings
    }
}

extension WireMessage.Field {
    fileprivate var isMessage: Bool { kinds == [.length] && message != nil && !hasText && length > 0 }

    fileprivate var words: String {
        if kinds == [.length] { return isMessage ? "a message" : isUTF8 ? "a text" : "bytes" }
        return kinds.map(\.rawValue).sorted().joined(separator: " or ")
    }
}
