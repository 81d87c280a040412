// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Secrets in tables: of CSV (RFC 4180), of values with tabs or semicolons between, of Markdown; and in lines of words.
extension DocumentScanner {
    /// How the cells of a table are told apart.
    private struct Table {
        var separator: UInt8
        /// Whether cells are quoted as in CSV, and not padded as in Markdown.
        var isQuoted: Bool
    }

    /// Looks through a table for the columns with secret names, and for rows of a name and a value.
    ///
    /// - Parameter isNamed: whether the media type says that the text is a table.
    mutating func table(isNamed: Bool) {
        let start = bytes.end(of: .space, from: 0, limit: 64)
        let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
        guard start < end, end - start <= 8192, end < bytes.count else { return markdown() }
        for separator in [UInt8(ascii: ","), 0x09, UInt8(ascii: ";"), UInt8(ascii: "|")] {
            guard bytes[start..<end].contains(separator), bytes[start] != separator else { continue }
            let table = Table(separator: separator, isQuoted: true)
            let (header, next) = row(table, from: start)
            // A single cell has the separator in its quotes, which no name has.
            guard header.allSatisfy({ $0.count <= 64 && isName($0) }) else { continue }
            let (first, _) = row(table, from: next)
            guard first.count == header.count || isNamed && first.count > 1 else { continue }
            return rows(table, header, from: next)
        }
        markdown()
    }

    /// Looks for tables in a text: a row, and under it one of dashes.
    private mutating func markdown() {
        guard bytes.contains(UInt8(ascii: "|")) else { return }
        let table = Table(separator: UInt8(ascii: "|"), isQuoted: false)
        var index = 0
        var before = 0..<0
        while index < bytes.count {
            let end = bytes[index...].firstIndex(of: 0x0A) ?? bytes.count
            let line = index..<end
            let isRule =
                line.count >= 3 && bytes[line].contains(UInt8(ascii: "-"))
                && bytes[line].allSatisfy { "|-+: \t\r=".utf8.contains($0) }
            if isRule, !before.isEmpty, bytes[before].contains(UInt8(ascii: "|")) {
                let (header, _) = row(table, from: before.lowerBound)
                index = rowsEnd(from: end + 1)
                rows(table, header, from: end + 1, limit: index)
                before = 0..<0
                continue
            }
            before = line
            index = end + 1
        }
    }

    /// The end of the lines with a bar.
    private func rowsEnd(from start: Int) -> Int {
        var index = start
        while index < bytes.count {
            let end = bytes[index...].firstIndex(of: 0x0A) ?? bytes.count
            guard bytes[index..<end].contains(UInt8(ascii: "|")) else { return index }
            index = end + 1
        }
        return bytes.count
    }

    private func isName(_ cell: Range<Int>) -> Bool {
        bytes[cell].allSatisfy { $0 >= 0x80 || ByteClass.name.contains($0) || " /()#%".utf8.contains($0) }
            && !bytes[cell].allSatisfy(ByteClass.digits.contains)
    }

    private mutating func rows(_ table: Table, _ header: [Range<Int>], from start: Int, limit: Int = .max) {
        let limit = min(limit, bytes.count)
        let rules = header.map { SecretNames.rule(for: bytes.slice($0), use: .member) }
        let names = header.map { String(decoding: bytes[$0], as: UTF8.self).lowercased() }
        let key = names.firstIndex { Self.keys.contains($0) }
        let value = names.firstIndex { Self.values.contains($0) }
        guard rules.contains(where: { $0 != nil }) || key != nil && value != nil else { return }
        var index = start
        while index < limit {
            let (cells, next) = row(table, from: index)
            for (number, cell) in cells.enumerated() where !cell.isEmpty {
                if number < rules.count, let rule = rules[number] {
                    add(cell, rule, named: header[number])
                } else if number == value, let key, key < cells.count,
                    let rule = SecretNames.rule(for: bytes.slice(cells[key]), use: .member)
                {
                    add(cell, rule, named: cells[key])
                }
            }
            index = next
        }
    }

    private static let keys: Set<String> = [
        "name", "key", "variable", "setting", "field", "property", "parameter", "option", "env", "secret",
    ]
    private static let values: Set<String> = ["value", "content", "wert", "valeur", "valor"]

    private mutating func add(_ cell: Range<Int>, _ rule: ValueRule, named name: Range<Int>) {
        guard Belief.place.holds(bytes.slice(cell), rule, strictness) else { return }
        let name = String(decoding: bytes[name], as: UTF8.self)
        hits.append(
            SecretHit(
                range: cell, value: Array(bytes[cell]), kind: SecretKind.shape(of: bytes.slice(cell)) ?? .named(name),
                place: "\(base).\(name)"))
    }

    /// The cells of a row, and where the next begins.
    private func row(_ table: Table, from start: Int) -> (cells: [Range<Int>], next: Int) {
        var cells: [Range<Int>] = []
        var index = start
        if !table.isQuoted {
            index = bytes.end(of: Self.blank, from: index)
            if index < bytes.count, bytes[index] == table.separator { index += 1 }
        }
        while index <= bytes.count {
            if table.isQuoted, index < bytes.count, bytes[index] == UInt8(ascii: "\"") {
                var end = index + 1
                while end < bytes.count, bytes[end] != UInt8(ascii: "\"") || bytes.has([0x22, 0x22], at: end) {
                    end += bytes[end] == UInt8(ascii: "\"") ? 2 : 1
                }
                cells.append(index + 1..<min(end, bytes.count))
                index = min(end + 1, bytes.count)
                while index < bytes.count, bytes[index] != table.separator, bytes[index] != 0x0A { index += 1 }
            } else {
                var end = index
                while end < bytes.count, bytes[end] != table.separator, bytes[end] != 0x0A { end += 1 }
                cells.append(trimmed(index..<end))
                index = end
            }
            if index >= bytes.count || bytes[index] == 0x0A { return (cells, index + 1) }
            index += 1
        }
        return (cells, index)
    }

    private static let blank = ByteClass(" \t")

    /// Without white space, and the signs of code and of stress in Markdown.
    private func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, " \t\r".utf8.contains(bytes[start]) { start += 1 }
        while end > start, " \t\r".utf8.contains(bytes[end - 1]) { end -= 1 }
        while end - start > 1, "`*'".utf8.contains(bytes[start]), bytes[end - 1] == bytes[start] {
            start += 1
            end -= 1
        }
        return start..<end
    }

    // MARK: Lines of words

    /// Looks at lines of words such as `machine example.com login ann password x` and `requirepass x`; in texts of at most 64 KiB.
    mutating func directives() {
        guard bytes.count <= 65_536, !bytes.contains(UInt8(ascii: "<")) else { return }
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
            directive(start..<end)
            start = end + 1
        }
    }

    private mutating func directive(_ line: Range<Int>) {
        guard line.count <= 512 else { return }
        let parts: [Slice<Bytes>] = bytes[line].split(whereSeparator: { $0 <= 0x20 })
        guard parts.count >= 2, parts.count <= 12 else { return }
        let words = parts.map { $0.startIndex..<$0.endIndex }
        let isSetting = Self.settings.contains(String(decoding: parts[0], as: UTF8.self).lowercased())
        let isLogin = words.contains {
            bytes.slice($0).elementsEqual("login".utf8) || bytes.slice($0).elementsEqual("machine".utf8)
        }
        for (number, word) in words.dropLast().enumerated()
        where isLogin || number == 0 && words.count == 2 || isSetting && number == 1 && words.count == 3 {
            let name = bytes.slice(word)
            guard name.allSatisfy(ByteClass.name.contains), let rule = SecretNames.rule(for: name, use: .member) else {
                continue
            }
            var value = words[number + 1]
            if value.count > 2, "\"'".utf8.contains(bytes[value.lowerBound]) {
                value = value.lowerBound + 1..<value.upperBound - 1
            }
            if Belief.quotes.holds(bytes.slice(value), rule, strictness)
                || isLogin && Belief.place.holds(bytes.slice(value), rule, strictness)
            {
                add(value, rule, named: word)
            }
        }
    }

    /// Words in front of a name and its value.
    private static let settings: Set<String> = [
        "env", "arg", "set", "setenv", "export", "proxy_set_header", "fastcgi_param", "requestheader", "option",
        "config",
    ]

    // MARK: Tables of HTML

    /// Looks through tables of HTML for the columns with secret heads.
    mutating func pageTables() {
        var rules: [Int: (ValueRule, Range<Int>)] = [:]
        var column = 0
        var index = 0
        while let open = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
            index = open + 1
            guard index + 2 < bytes.count, bytes[index].lowercased == UInt8(ascii: "t") else { continue }
            switch bytes[index + 1].lowercased {
            case UInt8(ascii: "a") where bytes.hasInAnyCase("table", at: index): rules = [:]
            case UInt8(ascii: "r"): column = 0
            case UInt8(ascii: "h"), UInt8(ascii: "d"):
                guard " >\t\n".utf8.contains(bytes[index + 2]) else { continue }
                let cell = cell(from: index)
                if bytes[index + 1].lowercased == UInt8(ascii: "h") {
                    if cell.count <= 48, let rule = SecretNames.rule(for: bytes.slice(cell), use: .member) {
                        rules[column] = (rule, cell)
                    }
                } else if !cell.isEmpty, let (rule, name) = rules[column] {
                    add(cell, rule, named: name)
                }
                column += 1
            default: continue
            }
        }
    }

    /// The text of a cell, in an element of its own or not.
    private func cell(from start: Int) -> Range<Int> {
        var index = start
        for _ in 0..<2 {
            let limit = min(bytes.count, index + 256)
            guard let close = bytes[index..<limit].firstIndex(of: UInt8(ascii: ">")) else { break }
            index = bytes.end(of: .space, from: close + 1, limit: close + 64)
            guard index + 1 < bytes.count, bytes[index] == UInt8(ascii: "<"), bytes[index + 1] != UInt8(ascii: "/")
            else {
                let end = bytes[index..<min(bytes.count, index + 1024)].firstIndex(of: UInt8(ascii: "<")) ?? index
                return trimmed(index..<end)
            }
        }
        return index..<index
    }
}
