// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
package import MockapiHTTPWire
package import MockapiUpstream

extension ReceivedHead {
    /// Why the head of a final response may not be passed on; nil if it may.
    ///
    /// A proxy responds with 502 in its place: passed on, it would show two readers two ends of the content (RFC 9112 §6.3, §11.1), or say things no
    /// message may (RFC 9110 §5.5, §15.2; RFC 9113 §8.2.1).
    package var flaw: String? {
        if status < 200 {
            return "the response has the status \(status), which is not a final one and nobody asked for"
        }
        if status > 999 { return "the response has the status \(status), which is none" }
        return bytes.withUnsafeBufferPointer { bytes in
            if let byte = LineFlaw.control(in: UnsafeBufferPointer(rebasing: bytes[reason.range])) {
                return "the reason of the response has \(FieldText.name(ofControl: byte)) in it"
            }
            for field in fields {
                let flaw = LineFlaw.text(
                    UnsafeBufferPointer(rebasing: bytes[field.name.range]),
                    UnsafeBufferPointer(rebasing: bytes[field.value.range]))
                if let flaw { return flaw }
            }
            return framingFlaw(bytes)
        }
    }

    /// Why two readers may see two ends of the content.
    private func framingFlaw(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        var length: Int?
        var haveOthers = false
        var codings: [String] = []
        for field in fields {
            switch field.name.count {
            case 17 where equals(field.name, "transfer-encoding"):
                codings += string(field.value).split(ascii: ",").map { FieldText.trimmed($0).lowercased() }
            case 14 where equals(field.name, "content-length"):
                var rest: Slice<UnsafeBufferPointer<UInt8>>? = bytes[field.value.range]
                while let list = rest {
                    let comma = list.firstIndex(of: ASCII.comma)
                    rest = comma.map { list[($0 + 1)...] }
                    let digits = list[..<(comma ?? list.endIndex)].trimmed
                    guard !digits.isEmpty, digits.allSatisfy(ASCII.isDigit) else {
                        return "the response has a Content-Length that is not a number"
                    }
                    guard let next = Self.length(digits) else {
                        return "the response has a Content-Length that is larger than any content"
                    }
                    haveOthers = haveOthers || length.map { $0 != next } ?? false
                    length = next
                }
            default: break
            }
        }
        if haveOthers { return "the response has two Content-Lengths that differ, so its end is not known" }
        if codings.isEmpty { return nil }
        if length != nil {
            return "the response has Content-Length beside Transfer-Encoding, so its end is not known"
        }
        // The content would go on in a coding that nothing names (RFC 9112 §7). Chunks that are named twice are there once (§6.1).
        guard codings.allSatisfy({ $0 == "chunked" }) || codings == ["identity"] else {
            return "the response has the transfer coding \(codings.joined(separator: ", ").prefix(60)), "
                + "and none but chunked can be undone"
        }
        return nil
    }

    /// The number that a length's text is; nil for another text, and for more digits than an Int holds, whatever they are.
    static func length(_ text: some BidirectionalCollection<UInt8>) -> Int? {
        let text = text.trimmed
        guard !text.isEmpty, text.allSatisfy(ASCII.isDigit) else { return nil }
        let digits = text.drop { $0 == UInt8(ascii: "0") }
        return digits.count <= mostDigits ? digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } : nil
    }

    private static let mostDigits = 18
}

extension UpstreamField {
    /// Why a line of a response may not be passed on; nil if it may.
    package var flaw: String? {
        Array(name.utf8).withUnsafeBufferPointer { name in bytes.withUnsafeBufferPointer { LineFlaw.text(name, $0) } }
    }
}

private enum LineFlaw {
    static func text(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) -> String? {
        guard !name.isEmpty, name.allSatisfy(ASCII.isToken) else {
            return "the response has a field whose name is not a field name"
        }
        if let byte = control(in: value) {
            let name = String(decoding: name, as: UTF8.self)
            return "the response has \(FieldText.name(ofControl: byte)) in the value of its field \(name)"
        }
        return nil
    }

    static func control(in bytes: UnsafeBufferPointer<UInt8>) -> UInt8? {
        ByteWords.firstUnprintable(in: bytes, bytes.indices, where: FieldText.isControl)
    }
}
