// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Looks through the tags of a document before libxml2 does, which compares each attribute of an element with all others of it.
struct XMLTags {
    private let bytes: [UInt8]
    private var index = 0

    /// - Throws: if an element has more attributes than there may be.
    static func check(_ bytes: [UInt8]) throws(XMLError) {
        var tags = XMLTags(bytes: bytes)
        while let start = tags.nextTag() { try tags.pass(from: start) }
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Where the next tag begins that may have attributes.
    private mutating func nextTag() -> Int? {
        while let start = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
            index = start + 1
            switch start + 1 < bytes.count ? bytes[start + 1] : 0 {
            case UInt8(ascii: "?"): skip(behind: "?>")
            case UInt8(ascii: "!"):
                if bytes[start...].starts(with: "<!--".utf8) {
                    index += 3
                    skip(behind: "-->")
                } else if bytes[start...].starts(with: "<![CDATA[".utf8) {
                    skip(behind: "]]>")
                }
            case UInt8(ascii: "/"): break
            default: return start
            }
        }
        return nil
    }

    /// Passes over the text up to a mark, or over all the rest.
    private mutating func skip(behind mark: StaticString) {
        let count = mark.utf8CodeUnitCount
        while index + count <= bytes.count {
            if (0..<count).allSatisfy({ bytes[index + $0] == mark.utf8Start[$0] }) {
                index += count
                return
            }
            index += 1
        }
        index = bytes.count
    }

    /// Passes over a tag and counts its attributes.
    private mutating func pass(from start: Int) throws(XMLError) {
        var count = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                guard let end = bytes[(index + 1)...].firstIndex(of: bytes[index]) else {
                    index = bytes.count
                    return
                }
                index = end
                count += 1
                if count > XMLLimits.attributes { throw refusal(start) }
            // A tag that is not closed ends before the next one; libxml2 reports the mistake.
            case UInt8(ascii: ">"), UInt8(ascii: "<"): return
            default: break
            }
            index += 1
        }
    }

    private func refusal(_ start: Int) -> XMLError {
        let lines = bytes[..<start].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return XMLError(
            line: lines.count, column: (lines.last?.count ?? 0) + 1,
            message: "more than \(XMLLimits.attributes) attributes of one element")
    }
}
