// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import Testing

@testable import MockapiDrift

/// Tables and streams of events, written in all the ways in which their rules allow them, and read again.
@Suite(.supervised) struct RowsAndEventsTests {
    // MARK: Tables

    @Test func `a table has the columns and cells that were written, whatever it is written with`() {
        var random = SplitMix(seed: 41)
        let pieces = ["a", "b c", "7", ",", ";", "|", "\t", "\"", "\n", "\r\n", "é", "#", ""]
        for _ in 0..<400 {
            let delimiter = random.pick([",", ";", "\t", "|"])
            let lineEnd = random.pick(["\n", "\r\n"])
            let names = Array(["id", "name", "city", "id"].prefix(2 + random.below(3)))
            let rows = (0..<random.below(4)).map { _ in
                names.map { _ in (0..<random.below(4)).map { _ in random.pick(pieces) }.joined() }
            }
            func cell(_ text: String) -> String {
                let isPlain = !text.contains { "\",;|\t\n\r\r\n".contains($0) }
                if isPlain, random.chance(70) { return text }
                return "\"" + text.replacing("\"", with: "\"\"") + "\""
            }
            var text = random.chance(20) ? "\u{FEFF}" : ""
            if random.chance(20) { text += "# a | licence; of the table\n" }
            text += names.joined(separator: delimiter) + lineEnd
            if random.chance(20) { text += lineEnd }
            text += rows.map { $0.map(cell).joined(separator: delimiter) }.joined(separator: lineEnd)
            if random.chance(50) { text += lineEnd }
            let table = TableText(Array(text.utf8))
            let unique = names.count == 4 ? ["id", "name", "city", "id (2)"] : names
            #expect(table.columns == unique && table.width == names.count, "\(text)")
            #expect(table.longestRow == names.count && UnicodeScalar(table.delimiter) == delimiter.unicodeScalars.first)
            let cells = table.records.map { record in unique.map { record[$0]?.string } }
            #expect(cells == rows, "\(text)")
            for record in table.records {
                // A quote stands in front of a cell that has some.
                let first = record.object?.members.first?.value
                let place = Array(text.utf8)[(first?.offset ?? 0)...].drop { $0 == 0x22 }
                #expect(place.starts(with: (first?.string ?? "").utf8.prefix { $0 != 0x22 }), "\(text)")
            }
        }
    }

    @Test func `a first row is one of names if a word stands in it, and periods beside it`() {
        let cells = [
            "word", "two words", "", "1850", "1849", "2149", "2150", "02020", "2026-11", "2026-11-20", "12.5", "a@b.cd",
            "2020-111", "-2020", "2020-", "0850", "2020-1-1",
        ]
        let others = ["word", "", "2020", "1.5"]
        let words = Set((cells + others).filter { !$0.isEmpty && StringFormatTests.expected($0).isEmpty })
        let periods = Set(
            (cells + others).filter {
                $0.wholeMatch(of: /(?:18[5-9][0-9]|19[0-9]{2}|20[0-9]{2}|21[0-4][0-9])/) != nil
                    || StringFormatTests.expected($0).contains(.date)
            })
        func expect(_ row: [String]) {
            let isOne =
                row.contains(where: words.contains)
                && row.allSatisfy { words.contains($0) || periods.contains($0) || $0.isEmpty && row.count > 2 }
            let table = TableText(Array((row.joined(separator: ",") + "\nx,y,z\n").utf8))
            #expect((table.columns != nil) == isOne, "\(row)")
            #expect(table.records.count == (isOne ? 1 : 2))
            if !isOne { #expect(table.records.last?.object?.members.first?.name == "column 1") }
        }
        for one in cells {
            for other in cells {
                expect([one, other])
                for third in others { expect([one, other, third]) }
            }
        }
    }

    @Test func `columns that are gone, new or elsewhere are each reported once`() {
        let names = ["a", "b", "c"]
        var lists: [[String]] = names.map { [$0] }
        for one in names {
            for other in names where other != one {
                lists.append([one, other])
                for third in names where third != one && third != other { lists.append([one, other, third]) }
            }
        }
        func table(_ names: [String]) -> TableText { TableText(Array((names.joined(separator: ",") + "\n").utf8)) }
        for old in lists {
            for new in lists {
                let gone = old.filter { !new.contains($0) }
                var expected = gone.map { "breaking column-removed /*/\($0)" }
                expected += new.filter { !old.contains($0) }.map { "info column-added /*/\($0)" }
                if gone.isEmpty, Array(new.prefix(old.count)) != old { expected.append("warning columns-reordered ") }
                let found = table(old).differences(to: table(new), sample: 0)
                #expect(
                    found.map { "\($0.level.rawValue) \($0.id.rawValue) \($0.pointer)" } == expected, "\(old) \(new)")
            }
        }
        // Rows of values have no names.
        let (one, two, named) = (TableText(Array("1,2\n".utf8)), TableText(Array("1,2,3\n".utf8)), table(["a", "b"]))
        let single = TableText(Array("1\n".utf8))
        for (old, new, expected) in [
            (one, one, nil), (one, two, "info column-added"), (two, one, "breaking column-removed"),
            (one, named, "warning columns-reordered"), (named, one, "breaking column-removed"),
            (one, TableText(Array("1;2\n".utf8)), "breaking delimiter-changed"),
            (single, TableText(Array("1;2\n".utf8)), "info column-added"),
        ] as [(TableText, TableText, String?)] {
            let found = old.differences(to: new, sample: 0).map { "\($0.level.rawValue) \($0.id.rawValue)" }
            #expect(found == [expected].compactMap(\.self))
        }
    }

    /// The identifiers of what has changed between two bodies of a type.
    private static func found(_ old: String, _ new: String, type: String) -> [String] {
        let samples = [old, new].map { text in
            ResponseSample(status: 200, headers: [("Content-Type", type)], body: Array(text.utf8))
        }
        return ResponseComparison(recorded: [samples[0]]).compare([samples[1]]).findings.map(\.id.rawValue)
    }

    @Test func `a table without rows is reported only if rows were recorded, and a longer row only if none was`() {
        func found(_ old: String, _ new: String) -> [String] { Self.found(old, new, type: "text/csv") }
        #expect(found("a,b\n", "a,b\n") == [] && found("a,b\n", "a,b\n1,2\n") == [])
        #expect(found("a,b\n1,2\n", "a,b\n") == ["items-empty"])
        #expect(found("a,b\n1,2\n", "a,b\n1,2,3\n") == ["body-malformed"])
        #expect(found("a,b\n1,2,3\n", "a,b\n1,2,3\n") == [])
        #expect(found("a,b\n1,2\n", "a,b\n1\n") == ["property-removed"])
        #expect(found("a,b\n1,2\n", "a;b\n1;2\n") == ["delimiter-changed"])
    }

    // MARK: Events

    private struct Event: Equatable {
        let name: String
        let data: String
        let start: Int
    }

    /// HTML Living Standard §9.2.6, by lines that are split first; nil if no line is one of a stream.
    private static func events(_ text: String, isWhole: Bool) -> [Event]? {
        let normal = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        var (events, isStrange): ([Event], Bool) = ([], false)
        var (name, data): (String, [(text: String, start: Int)]) = ("", [])
        func dispatch() {
            guard let first = data.first else { return }
            let whole = data.map(\.text).joined(separator: "\n")
            events.append(Event(name: name.isEmpty ? "message" : name, data: whole, start: first.start))
        }
        var start = 0
        for (index, line) in normal.enumerated() {
            let line = String(String.UnicodeScalarView(line))
            let isLast = index == normal.count - 1
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let space = parts.count > 1 && parts[1].hasPrefix(" ") ? 1 : 0
            let value = parts.count > 1 ? String(parts[1].dropFirst(space)) : ""
            if line.isEmpty {
                if !isLast { dispatch() }
                if !isLast { (name, data) = ("", []) }
            } else {
                switch parts[0] {
                case "event": name = value
                case "data":
                    let place = parts.count > 1 ? start + 5 + space : start
                    data.append((value, place))
                case "id", "retry": break
                case "" where parts.count > 1: break
                default: isStrange = true
                }
            }
            start += line.utf8.count + 1
        }
        if !isWhole { dispatch() }
        return events.isEmpty && isStrange ? nil : events
    }

    @Test func `a stream has the events that its lines make`() {
        var random = SplitMix(seed: 43)
        let lines = [
            "data: {\"n\":1}", "data:x", "data", "data:  y", "event: tick", "event:", "event", "id: 7", "id",
            "retry: 5",
            ": comment", "", "", "", "what: x", "what", "data:[1,", "data:2]",
        ]
        for _ in 0..<1500 {
            var text = (0..<random.below(7)).map { _ in random.pick(lines) }.joined(separator: "\n")
            if random.chance(50) { text += "\n" }
            let hasMark = random.chance(10)
            for isWhole in [false, true] {
                let expected = Self.events(text, isWhole: isWhole)
                for lineEnd in ["\n", "\r", "\r\n"] {
                    let body = Array(((hasMark ? "\u{FEFF}" : "") + text.replacing("\n", with: lineEnd)).utf8)
                    let nodes = ComparableBody.documents(body, .events, isWhole: isWhole)
                    #expect(nodes?.count == expected?.count, "\(text.debugDescription)")
                    for (node, event) in zip(nodes ?? [], expected ?? []) {
                        #expect(node["event"]?.string == event.name, "\(text.debugDescription)")
                        let data = (try? JSONParser.parse(event.data)) ?? .string(event.data)
                        #expect(node["data"] == data, "\(text.debugDescription)")
                        if lineEnd != "\r\n" {
                            let start = event.start + (hasMark ? 3 : 0)
                            #expect(node.offset == start, "\(text.debugDescription)")
                            // White space in front of JSON is passed over.
                            let isAtStart = event.data.first?.isWhitespace == false
                            if isAtStart { #expect(node["data"]?.offset == start, "\(text.debugDescription)") }
                        }
                    }
                    let isEnded = Self.events(text, isWhole: true)?.count == Self.events(text, isWhole: false)?.count
                    #expect(ComparableBody.endsAsStream(body) == isEnded, "\(text.debugDescription)")
                }
            }
        }
    }

    @Test func `an event without its blank line counts if the recorded stream lacks it, too`() {
        func found(_ old: String, _ new: String) -> [String] { Self.found(old, new, type: "text/event-stream") }
        for end in ["", "\n"] {
            #expect(found("data: {\"a\":1}\(end)", "data: {\"a\":2}\(end)") == [])
            #expect(found("data: {\"a\":1}\n\n", "data: {\"a\":2}\(end)") == ["items-empty"])
        }
    }

    @Test func `lines of JSON have their places, and a line that is not JSON is refused`() throws {
        for mark in ["", "\u{FEFF}"] {
            for (separator, end) in [("\n", ""), ("\r\n", "\n"), ("\n\u{1E}", ""), ("\n \n", " ")] {
                let texts = [#"{"a":[1,{"b":2}]}"#, "7", "[[]]"]
                let body = Array((mark + texts.joined(separator: separator) + end).utf8)
                let nodes = try #require(ComparableBody.documents(body, .jsonLines))
                #expect(nodes.map { String(decoding: JSONWriter.compact($0), as: UTF8.self) } == texts)
                func text(at node: JSONNode?) -> Substring {
                    let rest = body[(node?.offset ?? 0)...]
                    return String(decoding: rest, as: UTF8.self).prefix(4)
                }
                let list = nodes.first?["a"]
                let found = [text(at: list), text(at: list?.array?.last?["b"]), text(at: nodes.last)]
                #expect(found == ["[1,{", "2}]}", "[[]]"])
                #expect(ComparableBody.documents(body + Array("\n{".utf8), .jsonLines) == nil)
            }
        }
    }
}
