// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiJSONText
import MockapiSystemIO

/// Compares a media type with the bytes.
enum MediaCheck {
    /// 1 MiB: larger JSON texts are looked at by their first byte only, so that a load stays quick.
    static let jsonLimit = 1024 * 1024

    struct Contradiction: CustomStringConvertible {
        var text: String
        /// Where the bytes are at fault, counted from 1; nil for all of them.
        var position: (line: Int, column: Int)?

        /// With the place.
        var description: String { position.map { "\(text), at \($0.line):\($0.column)" } ?? text }
    }

    /// How a media type contradicts the bytes; nil if it does not, or if the type is unknown.
    static func contradiction(of type: String, to content: Content) -> Contradiction? {
        let essence = MediaType.essence(of: type)
        if MediaType.isJSON(essence), Signature.expected(for: essence).isEmpty, content.body.count > 0 {
            let found = Signature.of(content.head)
            guard var fault = jsonFault(content, found: found) else { return nil }
            fault.text = "the media type is \(essence), but the bytes are \(fault.text)"
            return fault
        }
        return difference(of: essence, from: content).map { Contradiction(text: $0) }
    }

    private static func difference(of essence: String, from content: Content) -> String? {
        if content.body.count == 0 { return nil }
        let found = Signature.of(content.head)
        let expected = Signature.expected(for: essence)
        if let usual = expected.first {
            if let found {
                return expected.contains(found) ? nil : "the media type is \(essence), but the bytes are \(found.name)"
            }
            return usual.isCertain ? "the media type is \(essence), but the bytes are not \(usual.shortName)" : nil
        }
        if MediaType.isXML(essence) {
            let start = content.head.starts(with: [0xEF, 0xBB, 0xBF]) ? content.head.dropFirst(3) : content.head[...]
            // UTF-16 has its own marks, which add nothing.
            if start.starts(with: [0xFE, 0xFF]) || start.starts(with: [0xFF, 0xFE]) { return nil }
            let first = start.first { $0 > 0x20 }
            if first == UInt8(ascii: "<") { return nil }
            return "the media type is \(essence), but the bytes are \(found?.name ?? "not XML")"
        }
        guard let found else { return nil }
        if essence.hasPrefix("text/") || essence.hasPrefix("font/") || essence.hasPrefix("image/") && !found.isContainer
        {
            return "the media type is \(essence), but the bytes are \(found.name)"
        }
        return nil
    }

    private static func jsonFault(_ content: Content, found: Signature?) -> Contradiction? {
        if let found { return Contradiction(text: found.name) }
        var text = content.head
        if case .file(let file) = content.body {
            guard file.size <= jsonLimit, let read = try? FileReader.read(file.path, limit: file.size) else {
                let first = text.first { $0 > 0x20 && $0 != 0xEF && $0 != 0xBB && $0 != 0xBF }
                let mayBe = first.map { "{[\"-0123456789tfn".utf8.contains($0) } ?? true
                return mayBe ? nil : Contradiction(text: "not JSON")
            }
            text = read.bytes
        }
        do {
            try JSONParser.check(text)
            return nil
        } catch {
            return Contradiction(
                text: "not JSON: \(error.message)", position: LineMap(text).position(of: error.offset))
        }
    }
}
