// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiMetering

/// Looks through the tags of a document before libxml2 does, which compares each attribute of an element with all others of it.
struct XMLTags {
    private var scan: XMLScan

    /// - Throws: if an element has more attributes than there may be.
    static func check(_ bytes: [UInt8], _ meter: Meter?) throws(XMLError) {
        var tags = XMLTags(scan: XMLScan(bytes, meter))
        while let start = try tags.nextTag() { try tags.pass(from: start) }
    }

    /// Where the next tag begins that may have attributes.
    private mutating func nextTag() throws(XMLError) -> Int? {
        while try scan.seek({ $0 == UInt8(ascii: "<") }) != nil {
            let start = scan.index
            if scan.stands("<?") {
                try scan.skip(1, behind: "?>")
            } else if scan.stands("<!--") {
                try scan.skip(4, behind: "-->")
            } else if scan.stands("<![CDATA[") {
                try scan.skip(1, behind: "]]>")
            } else {
                scan.advance()
                if !scan.stands("!"), !scan.stands("/") { return start }
            }
        }
        return nil
    }

    /// Passes over a tag and counts its attributes.
    private mutating func pass(from start: Int) throws(XMLError) {
        var count = 0
        // A tag that is not closed ends before the next one; libxml2 reports the mistake.
        while let mark = try scan.seek(Self.isMark), mark == UInt8(ascii: "\"") || mark == UInt8(ascii: "'") {
            scan.advance()
            guard try scan.seek({ $0 == mark }) != nil else { return }
            scan.advance()
            count += 1
            if count > XMLLimits.attributes {
                throw scan.refusal(at: start, "more than \(XMLLimits.attributes) attributes of one element")
            }
        }
    }

    private static func isMark(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "<"), UInt8(ascii: ">"): true
        default: false
        }
    }
}
