// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport

/// A value as a text of YAML may say it.
indirect enum YAMLValue {
    /// Written without quotes, and the JSON that it stands for.
    case plain(String, json: String)
    case text(String)
    case list([YAMLValue])
    case map([(name: String, value: YAMLValue)])

    var json: String {
        switch self {
        case .plain(_, let json): json
        case .text(let text): Self.quoted(text)
        case .list(let items): "[" + items.map(\.json).joined(separator: ",") + "]"
        case .map(let members):
            "{" + members.map { Self.quoted($0.name) + ":" + $0.value.json }.joined(separator: ",") + "}"
        }
    }

    static func quoted(_ text: String) -> String {
        let parts = text.unicodeScalars.map { scalar in
            if scalar == "\"" || scalar == "\\" { return "\\\(scalar)" }
            if scalar.value >= 0x20 { return String(scalar) }
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        return "\"" + parts.joined() + "\""
    }
}

/// Values at random, and texts of YAML that say them in one of the many ways that there are.
struct YAMLWriter {
    var random: SplitMix
    private var anchors: [(name: String, value: YAMLValue)] = []

    init(seed: UInt64) { random = SplitMix(seed: seed) }

    // MARK: Values

    private static let plains = [
        ("~", "null"), ("null", "null"), ("Null", "null"), ("NULL", "null"), ("true", "true"), ("True", "true"),
        ("TRUE", "true"),
        ("false", "false"), ("False", "false"), ("FALSE", "false"), ("0", "0"), ("-0", "-0"), ("7", "7"), ("+7", "7"),
        ("-12", "-12"),
        ("007", "7"), ("-007", "-7"), ("000", "0"), (".5", "0.5"), ("-.5", "-0.5"), ("1.", "1"), ("1.50", "1.50"),
        ("0x1F", "31"),
        ("0o17", "15"), ("1e3", "1e3"), ("1E3", "1e3"), ("1e+3", "1e+3"), ("-2.5E-1", "-2.5e-1"), ("1.e1", "1e1"),
        ("00.5", "0.5"),
        ("0xFFFFFFFFFFFFFFFF", "18446744073709551615"),
    ]
    private static let words = [
        "a", "bc", "def", "x:y", "a#b", "http://h/p?q=1", "-x", "?x", ":x", "0x", "0o9", "1_0", "1.2.3", "1e", "e1",
        ".e1", "+", "2026-11-20",
        "it's", "say \"x\"", "no", "nulls", "é😀", "a\\b", "[x]", "{x}", "a,b", "&a", "*a", "!t", "%x", "@x", "`x`", "|",
        ">", "#x", "x ", " x",
        "x:", "", "a [b] {c}, d", "f]", "\t", "\u{7}", "\u{85}", "- x", "---", "true", "5", "x #y", "x: y",
    ]

    mutating func value(_ depth: Int = 0) -> YAMLValue {
        switch random.below(depth > 3 ? 6 : 12) {
        case 0, 1:
            let (plain, json) = random.pick(Self.plains)
            return .plain(plain, json: json)
        case 2...5: return .text(text())
        case 6...8:
            let items = (0..<random.below(4)).map { _ in value(depth + 1) }
            return .list(random.chance(20) ? items + items : items)
        default:
            var names: [String] = []
            while names.count < random.below(4) + 1 {
                let name = text()
                if !names.contains(name), name != "<<" { names.append(name) }
            }
            return .map(names.map { ($0, value(depth + 1)) })
        }
    }

    private mutating func text() -> String {
        var text = random.pick(Self.words)
        while random.chance(40) {
            text += random.pick([" ", " ", "\n", "\n\n", "\n  ", "  ", "\n\n\n"]) + random.pick(Self.words)
        }
        if random.chance(10) { text += random.pick(["\n", "\n\n", " ", "\n\n\n"]) }
        return text
    }

    // MARK: Documents

    mutating func document(_ value: YAMLValue) -> String {
        anchors = []
        var text = random.pick(["", "", "\u{FEFF}"])
        let hasMarker = random.chance(30)
        text += hasMarker ? random.pick(["---", "%YAML 1.2\n---", "# c\n\n---"]) : random.pick(["", "# c\n", "\n"])
        text += behind(value, -1, isValue: false, isAtStart: !hasMarker)
        let mayGoOn = !text.contains("|") && !text.contains(">")
        text += random.pick(["", "", "...\nrest: [", "---\nrest"] + (mayGoOn ? ["# end", "\n\n"] : []))
        if text.hasSuffix("\n"), mayGoOn, random.chance(20) { text.removeLast() }
        if random.chance(20) { text = text.replacing("\n", with: "\r\n") }
        return text
    }

    private func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }

    private mutating func lineEnd() -> String {
        random.pick(["\n", "\n", "\n", " \n", " # c\n", "\n\n", "\n# c\n", "\t\n", "\n     # c\n"])
    }

    /// What stands behind `-`, `key:` or at the beginning of the document, to the line's end.
    private mutating func behind(_ value: YAMLValue, _ parent: Int, isValue: Bool, isAtStart: Bool = false) -> String {
        var head = isAtStart ? "" : random.pick([" ", "  ", isValue ? " " : "  "])
        var known: String?
        if !isAtStart, random.chance(8), let anchor = anchors.first(where: { $0.value.json == value.json }) {
            return head + "*" + anchor.name + lineEnd()
        }
        if !isAtStart, random.chance(12) {
            known = "n\(anchors.count)"
            head += "&n\(anchors.count)" + random.pick([" ", "  "])
        }
        defer { if let known { anchors.append((known, value)) } }
        let column = parent + 1 + random.below(3)
        switch value {
        case .list(let items) where !items.isEmpty && random.chance(60):
            let column = isValue && random.chance(40) ? max(parent, 0) : column
            let lines = items.map { spaces(column) + "-" + behind($0, column, isValue: false) }
            return opened(lines.joined(), parent, column, head, isValue || known != nil, isAtStart)
        case .map(let members) where !members.isEmpty && random.chance(70):
            let lines = members.map { member($0.name, $0.value, column) }
            return opened(lines.joined(), parent, column, head, isValue || known != nil, isAtStart)
        case .text(let text):
            if random.chance(50), let block = blockText(text, parent) { return head + block }
            let scalar = scalar(text, column: column, inFlow: false)
            let isBelow = !isAtStart && random.chance(15)
            return (isBelow ? head + "\n" + spaces(column) : head) + scalar + lineEnd()
        case .plain(let plain, _):
            if plain == "~", known == nil, !isAtStart, random.chance(30) { return lineEnd() }
            return head + plain + lineEnd()
        default: return head + flow(value, column) + lineEnd()
        }
    }

    /// A list or map of lines: on the next one, or, where nothing speaks against it, on the same.
    private mutating func opened(
        _ lines: String, _ parent: Int, _ column: Int, _ head: String, _ mustBreak: Bool, _ isAtStart: Bool
    ) -> String {
        if isAtStart { return lines }
        if !mustBreak, parent >= 0, column > parent + 1, random.chance(50) {
            return String(lines.dropFirst(parent + 1))
        }
        return head + random.pick(["\n", " # c\n", "\n\n"]) + lines
    }

    private mutating func member(_ name: String, _ value: YAMLValue, _ column: Int) -> String {
        let begin = spaces(column)
        guard !name.contains("\n"), random.chance(85) else {
            let isMissing = if case .plain("~", _) = value { random.chance(50) } else { false }
            let key =
                blockText(name, column).map { " " + $0 } ?? " " + scalar(name, column: column + 1, inFlow: false) + "\n"
            return begin + "?" + key
                + (isMissing ? "" : begin + ":" + behind(value, column, isValue: random.chance(50)))
        }
        let gap = random.pick(["", "", " "])
        return begin + key(name) + gap + ":" + behind(value, column, isValue: true)
    }

    private mutating func key(_ name: String) -> String {
        if random.chance(60), Self.isPlain(name, inFlow: false), !name.contains("\n") { return name }
        return random.chance(50) && Self.isPrintable(name)
            ? "'" + name.replacing("'", with: "''") + "'" : doubleQuoted(name, nil)
    }

    // MARK: Flows

    private mutating func gap(_ column: Int) -> String {
        random.pick(["", "", " ", "\n" + spaces(column), " # c\n\n" + spaces(column + 1)])
    }

    private mutating func flow(_ value: YAMLValue, _ column: Int) -> String {
        switch value {
        case .plain(let plain, _): return plain
        case .text(let text): return scalar(text, column: column, inFlow: true)
        case .list(let items):
            var text = "["
            for (index, item) in items.enumerated() {
                text += gap(column)
                if case .map(let members) = item, members.count == 1, random.chance(40) {
                    text += flowMember(members[0].name, members[0].value, column)
                } else {
                    text += flow(item, column)
                }
                text += gap(column) + (index + 1 < items.count || random.chance(20) ? "," : "")
            }
            return text + gap(column) + "]"
        case .map(let members):
            var text = "{"
            for (index, member) in members.enumerated() {
                text += gap(column) + (random.chance(10) ? "? " : "") + flowMember(member.name, member.value, column)
                text += gap(column) + (index + 1 < members.count || random.chance(20) ? "," : "")
            }
            return text + gap(column) + "}"
        }
    }

    private mutating func flowMember(_ name: String, _ value: YAMLValue, _ column: Int) -> String {
        let isQuoted = !Self.isPlain(name, inFlow: true) || name.contains("\n") || random.chance(30)
        let colon = isQuoted ? random.pick([":", ": ", " : "]) : ": "
        if case .plain("~", _) = value, random.chance(30) {
            return (isQuoted ? doubleQuoted(name, nil) : name) + ":" + " "
        }
        return (isQuoted ? doubleQuoted(name, nil) : name) + colon + flow(value, column)
    }

    // MARK: Texts

    private mutating func scalar(_ text: String, column: Int, inFlow: Bool) -> String {
        let indentation = spaces(column) + random.pick(["", " "])
        switch random.below(3) {
        case 0 where Self.isPlain(text, inFlow: inFlow): return folded(text, indentation, inFlow ? 0 : 40)
        case 1 where Self.isPrintable(text): return "'" + folded(text.replacing("'", with: "''"), indentation, 30) + "'"
        default: return doubleQuoted(text, random.chance(50) ? indentation : nil)
        }
    }

    /// A text over lines: a break for some spaces, and one more for those that are there.
    private mutating func folded(_ text: String, _ indentation: String, _ percent: Int) -> String {
        var result = ""
        var breaks = 0
        let characters = Array(text)
        for (index, character) in characters.enumerated() {
            if character == "\n" {
                breaks += 1
                continue
            }
            if breaks > 0 { result += String(repeating: "\n", count: breaks + 1) + indentation }
            breaks = 0
            let isBetween =
                index > 0 && index + 1 < characters.count && !" \n".contains(characters[index - 1])
                && !"# \n-:".contains(characters[index + 1])
            if character == " ", isBetween, random.chance(percent) {
                result += random.pick(["\n", " \n"]) + indentation
            } else {
                result.append(character)
            }
        }
        return breaks > 0 ? result + String(repeating: "\n", count: breaks + 1) + indentation : result
    }

    private static let short: [Unicode.Scalar: String] = [
        "\0": "0", "\u{7}": "a", "\u{8}": "b", "\t": "t", "\n": "n", "\u{B}": "v", "\u{C}": "f", "\r": "r",
        "\u{1B}": "e", "\"": "\"",
        "\\": "\\", "/": "/", "\u{85}": "N", "\u{A0}": "_", "\u{2028}": "L", "\u{2029}": "P", " ": " ",
    ]

    private mutating func doubleQuoted(_ text: String, _ indentation: String?) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            let mustEscape = scalar == "\"" || scalar == "\\" || scalar.value < 0x20
            if mustEscape || random.chance(5) {
                let digits = String(scalar.value, radix: 16, uppercase: random.chance(50))
                let forms = [("x", 2), ("u", 4), ("U", 8)].filter { $0.1 >= digits.count }.map {
                    "\\" + $0.0 + String(repeating: "0", count: $0.1 - digits.count) + digits
                }
                let pair = String(scalar).utf16.map { "\\u" + String($0, radix: 16) }.joined()
                let all = (Self.short[scalar].map { ["\\" + $0] } ?? []) + forms + (scalar.value > 0xFFFF ? [pair] : [])
                result += random.pick(all)
            } else {
                result.unicodeScalars.append(scalar)
            }
            if let indentation, random.chance(5) {
                result += "\\\n" + indentation + (scalar == "x" ? "\\\n" + indentation : "")
            }
        }
        // A space behind a continued line would be passed over, and so would one before it.
        return (indentation.map { result.replacing("\n" + $0 + " ", with: "\n" + $0 + "\\ ") } ?? result) + "\""
    }

    /// Whether a text may stand without quotes, in one line or more.
    static func isPlain(_ text: String, inFlow: Bool) -> Bool {
        let safe = "abcdefxyhtps0123456789:/?=é😀'\\.-+#_ \n" + (inFlow ? "" : ",[]{}&*")
        guard let first = text.first, text.last != " ", text.last != "\n", "abcdefxyhtpsé😀".contains(first) else {
            return false
        }
        if inFlow, text.contains("\n") { return false }
        let isBroken = [": ", ":\n", " #", "\n#", "\n ", " \n", "\n-", "\n:", "\n?"].contains { text.contains($0) }
        return !isBroken && !text.hasSuffix(":") && text.allSatisfy { safe.contains($0) }
            && !["true", "e1"].contains(text)
    }

    /// Whether it may stand between single quotes: no signs that have to be escaped, and no spaces that folding takes.
    static func isPrintable(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x85 || $0 == "\n" }
            && ![" \n", "\n "].contains { text.contains($0) }
    }

    /// A text behind `|` or `>`; nil for one that cannot be written so.
    private mutating func blockText(_ text: String, _ parent: Int) -> String? {
        if text.isEmpty { return random.pick(["|", ">", "|-", ">+"]) + "\n" }
        let body = text.hasSuffix("\n") ? String(text.dropLast()) : text
        let isClean = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x85 || $0 == "\n" }
        let lines = body.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard isClean, lines.allSatisfy({ !$0.isEmpty && !$0.allSatisfy { $0 == " " } || $0.isEmpty }), lines[0] != ""
        else { return nil }
        var trailing = 0
        for line in lines.reversed() { if line.isEmpty { trailing += 1 } else { break } }
        let kept = lines.dropLast(trailing)
        let chomping = !text.hasSuffix("\n") ? "-" : trailing > 0 ? "+" : random.pick(["", "", "+"])
        let width = 1 + random.below(4)
        let needsWidth = kept[0].hasPrefix(" ") || random.chance(15)
        let column = needsWidth ? max(parent, 0) + width : parent + width
        if column == 0, kept.contains(where: { $0 == "---" || $0.hasPrefix("#") }) { return nil }
        let isFolded = random.chance(50)
        var result =
            (isFolded ? ">" : "|")
            + (random.chance(50)
                ? chomping + (needsWidth ? "\(width)" : "") : (needsWidth ? "\(width)" : "") + chomping)
        result += random.pick(["\n", " # c\n", " \n"])
        var before: String?
        var empty = 0
        for line in kept {
            if line.isEmpty {
                empty += 1
                continue
            }
            let isPlain = isFolded && before.map { !$0.hasPrefix(" ") && !line.hasPrefix(" ") } ?? false
            result += (0..<empty + (isPlain ? 1 : 0)).map { _ in
                random.pick(["\n", "\n", spaces(max(column - 1, 0)) + "\n"])
            }.joined()
            result += spaces(column) + (isFolded ? broken(line, column) : line) + "\n"
            before = line
            empty = 0
        }
        return result + String(repeating: "\n", count: chomping == "+" ? trailing : 0)
    }

    private mutating func broken(_ line: String, _ column: Int) -> String {
        guard column > 0, !line.hasPrefix(" "), random.chance(50), let gap = line.firstRange(of: " "),
            gap.upperBound < line.endIndex, line[gap.upperBound] != " "
        else { return line }
        return line.replacingCharacters(in: gap, with: "\n" + spaces(column))
    }
}

extension String {
    fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
        self[..<range.lowerBound] + text + self[range.upperBound...]
    }
}
