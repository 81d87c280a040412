// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiSystemIO

/// How the characters of a text are written: its bytes, and its own declaration.
enum TextCoding {
    /// 1 MiB: of a larger text the beginning alone is looked at, so that a load stays quick.
    static let wholeLimit = 1024 * 1024
    /// Bytes in which a text declares its coding: HTML has it among the first 1,024, XML in its first line. 1 KiB.
    private static let declarationLimit = 1024

    /// Whether a text is in UTF-8, as far as it is looked at.
    static func isUTF8(_ content: Content) -> Bool {
        let head = content.head
        guard case .file(let file) = content.body else { return String(validating: head, as: UTF8.self) != nil }
        if file.size <= wholeLimit, let read = try? FileReader.read(file.path, limit: file.size) {
            return String(validating: read.bytes, as: UTF8.self) != nil
        }
        // The last character may be cut in two.
        return (0...3).contains { String(validating: head.dropLast($0), as: UTF8.self) != nil }
    }

    /// How a text contradicts its own declaration, or its media type; nil for a text that is as it says, or says nothing.
    static func contradiction(of type: String, in content: Content) -> String? {
        let essence = MediaType.essence(of: type)
        if MediaType.isJSON(essence), content.head.starts(with: [0xEF, 0xBB, 0xBF]) {
            return "this JSON begins with a byte order mark, which many clients refuse (RFC 8259 §8.1): save it "
                + "as UTF-8 without one"
        }
        let isPage = essence == "text/html"
        guard isPage || MediaType.isXML(essence), content.body.count > 0 else { return nil }
        let start = String(decoding: content.head.prefix(declarationLimit), as: UTF8.self).lowercased()
        guard let declared = isPage ? pageDeclaration(start) : xmlDeclaration(start) else { return nil }
        let saysUTF8 = ["utf-8", "utf8", "us-ascii", "ascii"].contains(declared)
        let isUTF8 = isUTF8(content)
        if saysUTF8 {
            return isUTF8 ? nil : "the text says that it is in \(declared), but its bytes are not: save it as UTF-8"
        }
        // ASCII alone is the same in nearly every coding.
        guard isUTF8, content.head.contains(where: { $0 >= 0x80 }) else { return nil }
        return
            "the text says that it is in \(declared), but its bytes are UTF-8, and it is served as UTF-8: change the declaration"
    }

    /// `<?xml version="1.0" encoding="…"?>`.
    private static func xmlDeclaration(_ start: String) -> String? {
        guard start.utf8.starts(with: "<?xml".utf8), let end = start.firstRange(of: "?>") else { return nil }
        return value(of: "encoding", in: start[..<end.lowerBound])
    }

    /// `<meta charset="…">`, or the one with `http-equiv`, whose content has a charset.
    private static func pageDeclaration(_ start: String) -> String? {
        var rest = start[...]
        while let tag = rest.firstRange(of: "<meta") {
            let behind = rest[tag.upperBound...]
            let end = behind.firstIndex(of: ">") ?? behind.endIndex
            if let value = value(of: "charset", in: behind[..<end]) { return value }
            rest = behind[end...]
        }
        return nil
    }

    private static func value(of name: String, in text: Substring) -> String? {
        guard let found = text.firstRange(of: name) else { return nil }
        let value = text[found.upperBound...].drop { $0 == " " || $0 == "=" || $0 == "\"" || $0 == "'" }
            .prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "-_:.".contains($0)) }
        return value.isEmpty ? nil : String(value)
    }
}
