// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiJSONText
import MockapiMetering

extension Renderer {
    /// Helpers that make a text of a text.
    mutating func text(_ invocation: Invocation) throws(TemplateFailure) -> TemplateValue {
        let subject = invocation.subject(or: context).single
        switch invocation.helper {
        case .defaultIfEmpty:
            if isTrue(invocation.subject(or: context)) { return subject }
            let instead = invocation.argument(1) ?? .string("")
            return dialect == .wireMock ? instead : .string(instead.text)
        case .join: return .string(try joined(invocation))
        case .yesno: return .string(try yesno(invocation, subject))
        case .trim: return .string(Self.trimmed(try blockText(of: invocation) ?? subject.text))
        case .base64:
            let text = try blockText(of: invocation) ?? subject.text
            return base64(invocation, text)
        case .urlEncode:
            let text = try blockText(of: invocation) ?? subject.text
            return .string(Self.urlCoded(text, invocation.isSet("decode")))
        case .regexExtract: return try regexExtract(invocation, subject)
        default: break
        }
        // As in Handlebars.java: nothing becomes the second argument, but for the text to cut.
        guard subject.isTrue else { return .string(invocation.helper == .cut ? "" : invocation.text(1) ?? "") }
        return .string(try text(of: subject.text, invocation))
    }

    private mutating func text(of text: String, _ invocation: Invocation) throws(TemplateFailure) -> String {
        switch invocation.helper {
        case .capitalize: return Self.capitalized(text, isFull: invocation.isSet("fully"))
        case .capitalizeFirst: return text.prefix(1).uppercased() + text.dropFirst()
        case .center, .ljust, .rjust: return try padded(text, invocation)
        case .cut: return try replaced(text, invocation.text(1) ?? " ", "", invocation)
        case .replace:
            guard let target = invocation.text(1), let replacement = invocation.arguments.dropFirst(2).first else {
                throw failure("replace: expected the text to replace, and its replacement")
            }
            return try replaced(text, target, replacement.text, invocation)
        case .substring: return try substring(text, invocation)
        case .lower: return text.lowercased()
        case .upper: return text.uppercased()
        case .slugify: return Self.slug(text)
        case .stringFormat:
            let arguments = Array(invocation.arguments.dropFirst())
            var format = TextFormat(text, arguments, limit: Template.Limits.output) { [meter] in meter.pay($0) }
            guard let made = format.text() else {
                // Throws if the work has run out.
                try spend()
                throw failure("stringFormat: \(format.mistake)")
            }
            return made
        case .stripTags: return Self.withoutTags(text)
        case .wordWrap:
            guard let width = invocation.argument(1)?.integer else { throw failure("wordWrap: expected a width") }
            return Self.wrapped(text, max(1, width))
        case .abbreviate:
            guard let width = invocation.argument(1)?.integer else { throw failure("abbreviate: expected a width") }
            guard text.count > width else { return text }
            guard width >= 4 else { throw failure("abbreviate: the least width is 4") }
            return text.prefix(width - 3) + "..."
        default: return text
        }
    }

    private mutating func joined(_ invocation: Invocation) throws(TemplateFailure) -> String {
        guard let first = invocation.argument(0), first.isTrue else { return "" }
        guard invocation.arguments.count > 1, let separator = invocation.arguments.last?.text else {
            throw failure("join: expected a separator as the last argument")
        }
        let values = first.elements ?? Array(invocation.arguments.dropLast())
        let text = try joined(values, separator)
        return (invocation.option("prefix")?.text ?? "") + text + (invocation.option("suffix")?.text ?? "")
    }

    mutating func joined(_ values: [TemplateValue], _ separator: String) throws(TemplateFailure) -> String {
        var bytes: [UInt8] = []
        try spend(values.count)
        for (index, value) in values.enumerated() {
            if index > 0 { bytes += separator.utf8 }
            bytes += value.text.utf8
            guard bytes.count <= Template.Limits.output else { throw failure("the template makes more than 16 MiB") }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func yesno(_ invocation: Invocation, _ subject: TemplateValue) throws(TemplateFailure) -> String {
        guard case .json(let node) = invocation.arguments.first ?? .null, !node.isNull else {
            return invocation.option("maybe")?.text ?? "maybe"
        }
        guard let value = node.bool else {
            throw failure("yesno: expected true or false, found \(Self.shown(subject))")
        }
        return invocation.option(value ? "yes" : "no")?.text ?? (value ? "yes" : "no")
    }

    private mutating func padded(_ text: String, _ invocation: Invocation) throws(TemplateFailure) -> String {
        let name = invocation.helper.rawValue
        guard let size = (invocation.option("size") ?? invocation.argument(1))?.integer else {
            throw failure("\(name): expected \"size=\" with a number")
        }
        let pad = invocation.option("pad")?.text ?? " "
        let missing = size - min(size, text.count)
        guard missing > 0, !pad.isEmpty else { return text }
        let unit = Array(pad.utf8)
        let width = pad.count
        // A character may have many bytes, and a pad is read even if it is longer than the gap.
        let (bytes, overflows) = (missing / width + 2).multipliedReportingOverflow(by: unit.count)
        try spend(bytes: overflows ? .max : bytes)
        func padding(_ count: Int) -> String {
            let whole = count / width
            var bytes = unit.count == 1 ? [UInt8](repeating: unit[0], count: whole) : []
            if unit.count > 1 { for _ in 0..<whole { bytes += unit } }
            return String(decoding: bytes, as: UTF8.self) + pad.prefix(count % width)
        }
        switch invocation.helper {
        case .ljust: return text + padding(missing)
        case .rjust: return padding(missing) + text
        default: return padding(missing / 2) + text + padding(missing - missing / 2)
        }
    }

    private mutating func replaced(
        _ text: String, _ target: String, _ replacement: String, _ invocation: Invocation
    ) throws(TemplateFailure) -> String {
        guard !target.isEmpty else {
            // As in Java: nothing stands at the beginning, and behind each character.
            guard !replacement.isEmpty else { return text }
            let (places, overflows) = replacement.utf8.count.multipliedReportingOverflow(by: text.utf8.count + 1)
            try spend(bytes: overflows ? .max : places)
            return text.unicodeScalars.reduce(into: replacement) { $0 += "\($1)\(replacement)" }
        }
        let (bytes, new) = (Array(text.utf8), Array(replacement.utf8))
        try spend(bytes: bytes.count)
        let search = ByteSearch(target)
        var output: [UInt8] = []
        var start = 0
        while let place = search.first(in: bytes, from: start) {
            output += bytes[start..<place]
            output += new
            start = place + search.count
            guard output.count <= Template.Limits.output else { throw failure("the template makes more than 16 MiB") }
        }
        output += bytes[start...]
        return String(decoding: output, as: UTF8.self)
    }

    private func substring(_ text: String, _ invocation: Invocation) throws(TemplateFailure) -> String {
        let count = text.count
        guard let start = invocation.argument(1)?.integer else { throw failure("substring: expected a start") }
        let end = invocation.argument(2)?.integer ?? count
        guard start >= 0, start <= end, end <= count else {
            throw failure("substring: \(start) to \(end) is not within the \(count) characters")
        }
        return String(text.dropFirst(start).prefix(end - start))
    }

    static func trimmed(_ text: String) -> String {
        let bytes = text.utf8
        guard let first = bytes.firstIndex(where: { $0 > 0x20 }), let last = bytes.lastIndex(where: { $0 > 0x20 })
        else { return "" }
        return String(text[first...last])
    }

    private static func capitalized(_ text: String, isFull: Bool) -> String {
        var output = ""
        var isStart = true
        for character in text {
            output += isStart ? character.uppercased() : isFull ? character.lowercased() : String(character)
            isStart = character == " "
        }
        return output
    }

    /// Letters in lower case, and `-` for white space; all else is left out, as Handlebars.java does it.
    private static func slug(_ text: String) -> String {
        if let ascii = asciiSlug(text) { return ascii }
        var output = ""
        for character in trimmed(text) {
            if character.isLetter { output += character.lowercased() }
            if character.isWhitespace { output += "-" }
        }
        return output
    }

    /// The same of a text in ASCII, with one byte a character, but for CR LF; nil for any other.
    private static func asciiSlug(_ text: String) -> String? {
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        var output: [UInt8] = []
        var last: UInt8 = 0
        for byte in trimmed(text).utf8 {
            defer { last = byte }
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): output.append(byte | 0x20)
            case UInt8(ascii: "a")...UInt8(ascii: "z"): output.append(byte)
            case 0x0A where last == 0x0D: break
            case 0x09...0x0D, 0x20: output.append(UInt8(ascii: "-"))
            default: break
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func withoutTags(_ text: String) -> String {
        var output: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
            guard let close = rest[open...].firstIndex(of: UInt8(ascii: ">")) else { break }
            output += rest[..<open]
            rest = rest[(close + 1)...]
        }
        return String(decoding: output + rest, as: UTF8.self)
    }

    /// Lines of at most so many characters, broken at spaces; a longer word has a line of its own.
    private static func wrapped(_ text: String, _ width: Int) -> String {
        var lines: [String] = []
        var line = ""
        var length = 0
        for word in text.split(ascii: " ", omittingEmptySubsequences: false) {
            let count = word.count
            if !lines.isEmpty || length > 0 || !line.isEmpty, length + 1 + count > width {
                lines.append(line)
                line = String(word)
                length = count
            } else if line.isEmpty {
                line = String(word)
                length = count
            } else {
                line += " " + word
                length += 1 + count
            }
        }
        lines.append(line)
        return lines.joined(separator: "\n")
    }

    private func base64(_ invocation: Invocation, _ text: String) -> TemplateValue {
        guard invocation.isSet("decode") else {
            let pads = invocation.option("padding").map { $0.isTrue && $0.text != "false" } ?? true
            return .string(Base64.text(of: Array(text.utf8), pads: pads))
        }
        guard let bytes = Base64.decode(text, .lenient) else {
            return error("\(Self.shown(.string(text))) is not Base64")
        }
        return .string(String(decoding: bytes, as: UTF8.self))
    }

    /// Forms' own coding (WHATWG URL §5.2), which Java's encoder has: a space is `+`.
    private static func urlCoded(_ text: String, _ decodes: Bool) -> String {
        decodes ? QueryText.decoded(text.utf8) : PercentCoding.form(text)
    }

    private mutating func regexExtract(
        _ invocation: Invocation, _ subject: TemplateValue
    ) throws(TemplateFailure) -> TemplateValue {
        guard let text = invocation.text(1) else { return error("The regular expression cannot be empty") }
        let pattern: TemplatePattern
        do throws(TemplateFailure) {
            pattern = try TemplatePattern(text, isWhole: false, self)
        } catch {
            return self.error("Invalid regex string \(text)")
        }
        let name = invocation.text(2)
        let matches = try pattern.matches(in: subject.text, all: name != nil, &self)
        guard let name else {
            if let match = matches.first?.first { return .string(match) }
            return invocation.option("default") ?? error("Nothing matched \(text)")
        }
        let groups = matches.flatMap { $0.dropFirst() }
        guard !groups.isEmpty else { return invocation.option("default") ?? error("Nothing matched \(text)") }
        assign(.several(groups), to: name)
        return .null
    }
}
