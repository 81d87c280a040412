// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Secrets in statements of SQL.
extension TextScanner {
    /// Looks at a word that may begin a statement, or stand in front of a password: `INSERT INTO t (password) VALUES ('x')`,
    /// `IDENTIFIED BY 'x'`, `PASSWORD 'x'`.
    mutating func statement(at index: Int) {
        if text.hasInAnyCase("insert into ", at: index) || text.hasInAnyCase("insert ignore into ", at: index)
            || text.hasInAnyCase("replace into ", at: index)
        {
            if index >= statementEnd { insert(at: index) }
            return
        }
        var start: Int
        if text.hasInAnyCase("identified by ", at: index) {
            start = index + 13
            if text.hasInAnyCase(" password ", at: start) { start += 9 }
        } else if text.hasInAnyCase("password", at: index) {
            start = index + 8
        } else {
            return
        }
        let gap = text.end(of: Self.opening, from: start, limit: start + 4)
        guard gap > start, gap < text.count, text[gap] == UInt8(ascii: "'"), let (value, _) = literal(at: gap),
            Belief.place.holds(text.slice(value), .any, strictness)
        else { return }
        add(value, .named("password"), name: "password")
    }

    private static let opening = ByteClass(" (")

    /// Whether a name stands in a statement, by the word that its line begins with.
    func isInStatement(_ name: Range<Int>) -> Bool {
        var start = name.lowerBound
        while start > 0, name.lowerBound - start < 1024, text[start - 1] != 0x0A, text[start - 1] != UInt8(ascii: ";") {
            start -= 1
        }
        start = text.end(of: Self.front, from: start, limit: start + 32)
        return Self.statements.contains { text.hasInAnyCase($0, at: start) }
    }

    private static let front = ByteClass(" \t\r\n\"`")
    private static let statements: [StaticString] = [
        "update ", "select ", "insert ", "delete ", "set ", "alter ", "create ", "where ", "and ", "grant ", "or ",
        "merge ",
    ]

    /// The values of the columns with secret names, in all rows of a statement.
    private mutating func insert(at index: Int) {
        statementEnd = index + 1
        guard let open = text[index..<min(text.count, index + 256)].firstIndex(of: UInt8(ascii: "(")),
            let (columns, end) = columns(from: open + 1)
        else { return }
        statementEnd = end
        guard columns.contains(where: { $0 != nil }) else { return }
        var start = text.end(of: .space, from: end, limit: end + 64)
        guard text.hasInAnyCase("values", at: start) else { return }
        start = text.end(of: .space, from: start + 6, limit: start + 70)
        // The text that was read as a row is not read again, whether it was one or not.
        while start < text.count, text[start] == UInt8(ascii: "(") {
            let (end, isRow) = row(from: start + 1, columns)
            statementEnd = max(statementEnd, end)
            guard isRow else { return }
            start = text.end(of: Self.between, from: end, limit: end + 64)
        }
    }

    private static let between = ByteClass(" \t\r\n,")

    private typealias Column = (name: Range<Int>, rule: ValueRule)

    private func columns(from start: Int) -> (columns: [Column?], end: Int)? {
        var columns: [Column?] = []
        var index = start
        while index < text.count, columns.count < 256 {
            let first = text.end(of: Self.quotes, from: index, limit: index + 32)
            let end = text.end(of: .name, from: first, limit: first + 128)
            let close = text.end(of: Self.quotes, from: end, limit: end + 32)
            guard end > first, close < text.count else { return nil }
            columns.append(SecretNames.rule(for: text.slice(first..<end), use: .member).map { (first..<end, $0) })
            if text[close] == UInt8(ascii: ")") { return (columns, close + 1) }
            guard text[close] == UInt8(ascii: ",") else { return nil }
            index = close + 1
        }
        return nil
    }

    private static let quotes = ByteClass(" \t\r\n\"`[]")

    /// - Returns: how far it was read, and whether it is one.
    private mutating func row(from start: Int, _ columns: [Column?]) -> (end: Int, isRow: Bool) {
        var index = start
        var number = 0
        while index < text.count, number < 256 {
            index = text.end(of: .space, from: index, limit: index + 64)
            if index + 1 < text.count, "NEnebB".utf8.contains(text[index]), text[index + 1] == UInt8(ascii: "'") {
                index += 1
            }
            if let (value, end) = literal(at: index) {
                if columns.indices.contains(number), let column = columns[number],
                    Belief.place.holds(text.slice(value), column.rule, strictness)
                {
                    add(value, named: column.name)
                }
                index = end
            }
            var depth = 0
            while index < text.count, depth > 0 || !",)".utf8.contains(text[index]) {
                if text[index] == UInt8(ascii: "(") { depth += 1 }
                if text[index] == UInt8(ascii: ")") { depth -= 1 }
                if text[index] == UInt8(ascii: "'") {
                    guard let (_, end) = literal(at: index) else { return (index, false) }
                    index = end
                } else {
                    index += 1
                }
            }
            guard index < text.count else { break }
            if text[index] == UInt8(ascii: ")") { return (index + 1, true) }
            index += 1
            number += 1
        }
        return (index, false)
    }

    /// A text in single quotes of 8 KiB at most, in which a quote is written twice or behind a backslash.
    private func literal(at start: Int) -> (value: Range<Int>, end: Int)? {
        guard start < text.count, text[start] == UInt8(ascii: "'") else { return nil }
        var index = start + 1
        let limit = min(text.count, start + 8192)
        while index < limit {
            if text[index] == UInt8(ascii: "\\") {
                index += 2
            } else if text[index] == UInt8(ascii: "'") {
                guard index + 1 < text.count, text[index + 1] == UInt8(ascii: "'") else {
                    return (start + 1..<index, index + 1)
                }
                index += 2
            } else {
                index += 1
            }
        }
        return nil
    }
}
