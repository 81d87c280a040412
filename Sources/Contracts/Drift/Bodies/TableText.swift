// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiJSONText

/// A text of rows (RFC 4180, or with another delimiter).
struct TableText {
    let delimiter: UInt8
    /// The names of the columns; nil if the first row is one of values.
    let columns: [String]?
    let width: Int
    /// The cells of the longest row.
    let longestRow: Int
    private let rows: [[JSONNode]]

    init(_ body: [UInt8]) {
        let start = ComparableBody.hasByteOrderMark(body) ? 3 : 0
        let lines = body[start...].split(separator: 0x0A, maxSplits: Self.commentLimit)
        // Text in front of the table, such as a licence, is passed over.
        let first = lines.first { $0.first != UInt8(ascii: "#") } ?? lines.first ?? []
        let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09, UInt8(ascii: "|")]
        delimiter =
            candidates.max { left, right in
                first.count { $0 == left } < first.count { $0 == right }
            } ?? UInt8(ascii: ",")
        let all = Self.rows(body, from: first.isEmpty ? start : first.startIndex, delimiter)
        let names = all.first?.compactMap(\.string) ?? []
        columns = Self.areNames(names) ? Self.unique(names) : nil
        width = names.count
        longestRow = all.lazy.map(\.count).max() ?? 0
        rows = columns == nil ? all : Array(all.dropFirst())
    }

    /// Lines in front of a table that may be comments. 64.
    private static let commentLimit = 64

    /// Whether a row holds names: at least one cell is a plain word, and the others are words, years or dates.
    private static func areNames(_ names: [String]) -> Bool {
        var hasWord = false
        for name in names {
            let formats = StringFormats.of(name)
            if formats.isEmpty, !name.isEmpty {
                hasWord = true
            } else if !name.isEmpty, !isPeriod(name) {
                return false
            } else if name.isEmpty, names.count < 3 {
                return false
            }
        }
        return hasWord
    }

    /// Whether a name is a year from 1850 to 2149, or a date; a month such as `2026-11` is a word.
    private static func isPeriod(_ name: String) -> Bool {
        if StringFormats.of(name).contains(.date) { return true }
        return name.utf8.count == 4 && Int(name).map { 1850..<2150 ~= $0 } ?? false
    }

    /// Names all different: a second `n` is `n (2)`.
    private static func unique(_ names: [String]) -> [String] {
        var counts = ByName<Int>()
        return names.map { name in
            counts[name, default: 0] += 1
            let count = counts[name] ?? 1
            return count == 1 ? name : "\(name) (\(count))"
        }
    }

    /// The rows as objects by the names of the columns, or by their numbers if they have none.
    var records: [JSONNode] {
        let names = columns ?? (0..<width).map { "column \($0 + 1)" }
        return rows.map { row in
            JSONNode(
                .object(JSONObject(zip(names, row).map { JSONObject.Member(name: $0, value: $1) })),
                offset: row.first?.offset ?? 0)
        }
    }

    private static func rows(_ body: [UInt8], from start: Int, _ delimiter: UInt8) -> [[JSONNode]] {
        var rows: [[JSONNode]] = []
        var row: [JSONNode] = []
        var field: [UInt8] = []
        var fieldStart = start
        var isQuoted = false
        var index = start
        func endField() {
            row.append(JSONNode(.string(String(decoding: field, as: UTF8.self)), offset: fieldStart))
            field = []
        }
        while index < body.count {
            let byte = body[index]
            if isQuoted {
                if byte != UInt8(ascii: "\"") {
                    field.append(byte)
                } else if index + 1 < body.count, body[index + 1] == byte {
                    field.append(byte)
                    index += 1
                } else {
                    isQuoted = false
                }
            } else if byte == UInt8(ascii: "\""), field.isEmpty {
                isQuoted = true
            } else if byte == delimiter {
                endField()
                fieldStart = index + 1
            } else if byte == 0x0A || byte == 0x0D {
                endField()
                fieldStart = index + 1
                if row.count > 1 || row.first?.string != "" { rows.append(row) }
                row = []
            } else {
                field.append(byte)
            }
            index += 1
        }
        if !field.isEmpty || !row.isEmpty {
            endField()
            rows.append(row)
        }
        return rows
    }
}

extension TableText {
    /// The differences in the columns, not in their values.
    func differences(to other: TableText, sample: Int) -> [DriftFinding] {
        func finding(_ level: DriftLevel, _ id: DriftID, _ pointer: String, _ old: String?, _ new: String?)
            -> DriftFinding
        {
            DriftFinding(level, id, at: pointer, recorded: old, received: new, sample: sample, site: .body(offset: 0))
        }
        if delimiter != other.delimiter, width > 1 {
            let signs = [delimiter, other.delimiter].map { $0 == 0x09 ? "tab" : String(UnicodeScalar($0)) }
            return [finding(.breaking, .delimiterChanged, "", signs[0], signs[1])]
        }
        guard let columns, let others = other.columns else {
            if other.width < width {
                return [finding(.breaking, .columnRemoved, "", "\(width) columns", "\(other.width)")]
            }
            if other.width > width { return [finding(.info, .columnAdded, "", "\(width) columns", "\(other.width)")] }
            if columns == nil, let other = other.columns {
                return [finding(.warning, .columnsReordered, "", "no names", other.joined(separator: ","))]
            }
            return columns == nil
                ? [] : [finding(.breaking, .columnRemoved, "", columns?.joined(separator: ","), "no names")]
        }
        let gone = columns.filter { !others.hasExactly($0) }
        var findings = gone.map {
            finding(.breaking, .columnRemoved, JSONPointer.appending($0, to: "/*"), $0, others.otherForm(of: $0))
        }
        findings += others.filter { !columns.hasExactly($0) }.map {
            finding(.info, .columnAdded, JSONPointer.appending($0, to: "/*"), nil, $0)
        }
        if gone.isEmpty, !others.prefix(columns.count).areExactly(columns) {
            findings.append(
                finding(
                    .warning, .columnsReordered, "", columns.joined(separator: ","), others.joined(separator: ",")))
        }
        return findings
    }
}
