// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import NetworkingKit
import Presentables

/// The text of simple HTML: headings and paragraphs; images as their descriptions.
///
/// Scripts and styles are left out, as are comments and other parts that are not text. Nothing is refused: anything but markup is text.
enum HTMLText {
    private static let blocks: Set = [
        "address", "article", "blockquote", "br", "dd", "div", "dl", "dt", "figcaption", "figure", "h1", "h2", "h3",
        "h4", "h5", "h6",
        "hr", "li", "ol", "p", "pre", "section", "table", "td", "th", "tr", "ul",
    ]
    private static let hidden: Set = ["script", "style", "head", "template"]
    private static let entities: [Substring: String] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "hellip": "…", "ndash": "–",
        "mdash": "—",
        "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”",
    ]

    static func paragraphs(_ html: String) -> [Line] {
        var lines: [Line] = []
        var text = ""
        var isHeading = false
        var rest = Substring(html)
        func endParagraph() {
            let words = text.split(whereSeparator: \.isWhitespace)
            if !words.isEmpty {
                let paragraph = words.joined(separator: " ")
                lines.append(isHeading ? Line(paragraph, .accent, .headline) : Line(paragraph))
            }
            text = ""
            isHeading = false
        }
        while let character = rest.first {
            switch character {
            case "<" where rest.hasPrefix("<!--"): rest = behind("-->", in: rest)
            case "<" where !rest.contains(">"):
                text += decoded(rest)
                rest = ""
            case "<":
                guard let tag = tag(&rest) else {
                    text.append("<")
                    rest = rest.dropFirst()
                    continue
                }
                if hidden.contains(tag.name) {
                    rest = behind("</\(tag.name)", in: rest)
                    rest = behind(">", in: rest)
                } else if tag.name == "img", let alternative = tag.alternative, !alternative.isEmpty {
                    text += " [\(decoded(alternative))] "
                } else if blocks.contains(tag.name) {
                    endParagraph()
                    isHeading = !tag.isEnd && tag.name.count == 2 && tag.name.hasPrefix("h") && tag.name != "hr"
                }
            default:
                let part = rest.prefix { $0 != "<" }
                text += decoded(part)
                rest = rest[part.endIndex...]
            }
        }
        endParagraph()
        return lines
    }

    /// Reads a tag that begins here; nil if there is none.
    private static func tag(_ rest: inout Substring) -> (name: String, isEnd: Bool, alternative: Substring?)? {
        var inside = rest.dropFirst()
        let isEnd = inside.first == "/"
        if isEnd { inside = inside.dropFirst() }
        guard let first = inside.first, first.isLetter || first == "!" || first == "?",
            let end = inside.firstIndex(of: ">")
        else { return nil }
        let content = inside[..<end]
        let name = content.prefix { !$0.isWhitespace && $0 != "/" }.lowercased()
        rest = inside[inside.index(after: end)...]
        return (name, isEnd, attribute(" alt=", in: content))
    }

    private static func attribute(_ name: String, in content: Substring) -> Substring? {
        guard let start = content.firstRange(of: name)?.upperBound, let quote = content[start...].first,
            quote == "\"" || quote == "'"
        else { return nil }
        return content[start...].dropFirst().prefix { $0 != quote }
    }

    private static func behind(_ text: String, in rest: Substring) -> Substring {
        rest.firstRange(of: text).map { rest[$0.upperBound...] } ?? ""
    }

    /// The text with its character references resolved; an unknown reference stays as it is.
    static func decoded(_ text: Substring) -> String {
        var result = ""
        var rest = text
        while let ampersand = rest.firstIndex(of: "&") {
            result += rest[..<ampersand]
            let name = rest[rest.index(after: ampersand)...].prefix(10).prefix { $0 != ";" && $0 != "&" }
            guard name.endIndex < rest.endIndex, rest[name.endIndex] == ";", let value = character(name) else {
                result.append("&")
                rest = rest[rest.index(after: ampersand)...]
                continue
            }
            result += value
            rest = rest[rest.index(after: name.endIndex)...]
        }
        return result + rest
    }

    private static func character(_ name: Substring) -> String? {
        guard name.hasPrefix("#") else { return entities[name] }
        let digits = name.dropFirst()
        let isHexadecimal = digits.first == "x" || digits.first == "X"
        let number = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return number.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
    }
}
