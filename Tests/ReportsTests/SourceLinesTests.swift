// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockapiReports

@Suite(.supervised) struct SourceLinesTests {
    private func shown(
        _ content: String, line: Int = 1, column: Int, kind: Finding.Kind = .fixture, isColored: Bool = false,
        width: Int = 80
    ) throws -> [String] {
        let directory = try TemporaryDirectory(["a.json": content])
        var source = SourceLines()
        let place = Place(path: "\(directory.path)/a.json", line: line, column: column, pointer: "/a")
        let text = source.text(
            of: Finding(.error, "is wrong", at: place, kind: kind), isColored: isColored, width: width)
        return text.replacing(directory.path, with: "D").split(separator: "\n").map(String.init)
    }

    @Test func `a caret stands below the column of the source line`() throws {
        #expect(
            try shown("{\n\t\"a\": 1,}\n", line: 2, column: 8) == [
                "D/a.json:2:8: error: is wrong (/a)", "     \"a\": 1,}", "           ^",
            ])
    }

    @Test func `a column is counted in bytes, and the caret stands below the character`() throws {
        #expect(try shown("[\"é\" x]\r\n", column: 7).dropFirst() == ["    [\"é\" x]", "         ^"])
    }

    @Test func `of a long line the part around the caret is shown`() throws {
        let line = String(repeating: "a", count: 5_000) + "!" + String(repeating: "b", count: 5_000)
        let text = try shown(line, column: 5_001, width: 40)
        #expect(text.dropFirst().map(\.count) == [40, 29])
        #expect(text[1] == "    " + String(repeating: "a", count: 24) + "!" + String(repeating: "b", count: 11))
    }

    @Test func `what a terminal would take for more than a letter is not sent to it`() throws {
        #expect(try shown("\u{1B}[31m x", column: 7).dropFirst() == ["    \\u{1b}[31m x", "               ^"])
    }

    @Test func `the line of a secret is not shown`() throws {
        #expect(try shown("{\"token\": \"ghp_x\"}", column: 11, kind: .secret).count == 1)
    }

    @Test(arguments: [(3, 1), (1, 9), (1, 4), (1, 0), (0, 0), (0, 1)])
    func `a place that the file does not have has no line`(line: Int, column: Int) throws {
        #expect(try shown("{}\n", line: line, column: column).count == 1)
        #expect(try shown("{}\n", line: 1, column: 3).count == 3)
    }

    @Test func `colours are there if they are asked for`() throws {
        let text = try shown("{}", column: 1, isColored: true)
        #expect(
            text == ["D/a.json:1:1: \u{1B}[31merror:\u{1B}[0m is wrong (/a)", "    {}", "    \u{1B}[32m^\u{1B}[0m"])
    }
}
