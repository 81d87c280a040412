// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

extension UpstreamHead {
    /// Why the head of a final response may not be passed on; nil if it may.
    ///
    /// A proxy responds with 502 in its place: passed on, it would show two readers two ends of the content (RFC 9112 §6.3, §11.1), or say things no
    /// message may (RFC 9110 §5.5, §15.2; RFC 9113 §8.2.1).
    package var flaw: String? {
        if status < 200 {
            return "the response has the status \(status), which is not a final one and nobody asked for"
        }
        if status > 999 { return "the response has the status \(status), which is none" }
        if let byte = Self.control(in: reasonBytes) {
            return "the reason of the response has \(FieldText.name(ofControl: byte)) in it"
        }
        var lengths: Set<String> = []
        var codings: [String] = []
        for field in fields {
            if let flaw = field.flaw { return flaw }
            switch field.name.lowercased() {
            case "transfer-encoding":
                codings += field.value.split(ascii: ",").map { FieldText.trimmed($0).lowercased() }
            case "content-length":
                for value in field.value.split(ascii: ",", omittingEmptySubsequences: false) {
                    let digits = FieldText.trimmed(value)
                    guard !digits.isEmpty, digits.utf8.allSatisfy(ASCII.isDigit) else {
                        return "the response has a Content-Length that is not a number"
                    }
                    let number = digits.drop { $0 == "0" }
                    guard number.utf8.count <= Self.mostDigits else {
                        return "the response has a Content-Length that is larger than any content"
                    }
                    lengths.insert(String(number))
                }
            default: break
            }
        }
        if lengths.count > 1 {
            return "the response has two Content-Lengths that differ, so its end is not known"
        }
        if !codings.isEmpty, !lengths.isEmpty {
            return "the response has Content-Length beside Transfer-Encoding, so its end is not known"
        }
        // The content would go on in a coding that nothing names (RFC 9112 §7). Chunks that are named twice are there once (§6.1).
        guard codings.allSatisfy({ $0 == "chunked" }) || codings == ["identity"] else {
            return "the response has the transfer coding \(codings.joined(separator: ", ").prefix(60)), "
                + "and none but chunked can be undone"
        }
        return nil
    }

    /// Digits of a length that an Int holds, whatever they are.
    private static let mostDigits = 18

    fileprivate static func control(in bytes: [UInt8]) -> UInt8? {
        bytes.first { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }
    }
}

extension UpstreamField {
    /// Why a line of a response may not be passed on; nil if it may.
    package var flaw: String? {
        guard FieldText.isToken(name) else { return "the response has a field whose name is not a field name" }
        if let byte = UpstreamHead.control(in: bytes) {
            return "the response has \(FieldText.name(ofControl: byte)) in the value of its field \(name)"
        }
        return nil
    }
}
