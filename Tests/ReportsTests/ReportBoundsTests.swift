// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import Testing

@testable import MockapiReports

/// Reports at the bounds of what readers of a form are shown, each one below and one beyond it.
@Suite(.supervised) struct ReportBoundsTests {
    private let workspace = Workspace(directory: "/nowhere")

    private func report(_ cases: [Report.Case]) -> Report {
        var report = Report("run", of: "fixtures", "F", startedAt: 0)
        for one in cases { report.add(one) }
        return report
    }

    @Test(arguments: [1, 23, 24, 25, 26]) func `a person is shown 24 lines of a detail`(count: Int) {
        var one = Report.Case("a", "", .fail)
        one.details = [("wire", (1...count).map { "line \($0)" }.joined(separator: "\n"))]
        let text = report([one]).text()
        for number in 1...count { #expect(text.contains(" line \(number)\n") == (number <= 24)) }
        let more = "(and \(count - 24) more lines, which the other reports have)"
        #expect(text.contains(more) == (count > 24))
    }

    @Test func `a text is cut between two characters, and marked only if something is left out`() {
        let text = "aé€😀\u{301}b"
        for limit in 0...text.utf8.count + 1 {
            let cut = text.cut(to: limit)
            guard limit < text.utf8.count else {
                #expect(cut == text)
                continue
            }
            let kept = cut.unicodeScalars.dropLast()
            #expect(cut.unicodeScalars.last == "…" && text.unicodeScalars.starts(with: kept))
            let size = String(String.UnicodeScalarView(kept)).utf8.count
            let next = text.unicodeScalars.dropFirst(kept.count).first.map { UTF8.width($0) } ?? 0
            #expect(size <= limit && size + next > limit, "\(limit): \(cut)")
        }
    }

    @Test func `a text of one line has no line breaks`() {
        #expect("a b".oneLine == "a b" && "a\nb\r\nc\u{2028}d".oneLine == "a b c d" && "\u{1}".oneLine == "\\u{1}")
    }

    @Test(arguments: [8, 9, 10, 11]) func `GitHub is shown ten notices, the last of which sums up`(count: Int) {
        let cases = (0..<count).map { Report.Case("a\($0)", "", .pass, note: "x") }
        let quiet = Report.Case("q", "", .pass)
        let lines = report(cases + [quiet]).annotations(in: workspace).split(separator: "\n")
        #expect(lines.count == min(count, 9) + 1)
        let left = count > 9 ? "; GitHub shows 9 of \(count), the step's summary has all" : ""
        let summary = "F: \(count + 1) pass, 0 fail, 0 not applicable"
        #expect(lines.last == "::notice title=mockapi run::\(summary)\(left)")
    }

    @Test func `a known failure is annotated once, behind those that are not known`() {
        let lines = report([
            .init("k", "", .error, seen: "s", note: "known"), .init("f", "", .fail, seen: "s"),
            .init("e", "", .error, seen: "s"), .init("n", "", .notApplicable, seen: "s", note: "x"),
        ]).annotations(in: workspace).split(separator: "\n").map { $0.prefix { $0 != " " } }
        #expect(lines == ["::error", "::error", "::warning", "::notice", "::notice"])
    }

    @Test(arguments: [
        (-1, -1, ""), (0, 5, ""), (1, 0, ",line=1,col=1"), (1, 1, ",line=1,col=1"), (2, 3, ",line=2,col=3"),
    ])
    func `an annotation has a place if its file has lines`(line: Int, column: Int, text: String) {
        let annotation = GitHubAnnotation(.notice, title: "t", "x", at: ("a", line, column))
        #expect(annotation.command(in: workspace) == "::notice file=a\(text),title=t::x")
        var one = Report.Case("a", "", .fail)
        one.place = ("a", line, column)
        #expect(one.told.map(\.text) == [line > 0 ? "a:\(line)" : "a"])
    }

    @Test func `a step's summary has its details up to the very size that GitHub takes`() {
        func summary(_ size: Int, of subject: String = "F") -> String {
            var report = Report("run", of: "fixtures", subject, startedAt: 0)
            // A flag is one character of eight bytes.
            let seen = String(repeating: "🇨🇭", count: size / 8) + String(repeating: "x", count: size % 8)
            report.add(.init("a", "", .fail, seen: seen))
            return report.stepSummary
        }
        // A text stands in the table, and in the details once more.
        let (rest, limit) = (summary(100).utf8.count - 200, 1024 * 1024)
        let subject = rest % 2 == 0 ? "F" : "FF"
        let size = (limit - rest) / 2
        let whole = summary(size, of: subject)
        #expect(whole.utf8.count == limit && whole.hasPrefix("## mockapi run\n\nF"))
        let short = summary(size + 1, of: subject)
        #expect(short.hasSuffix(" | fail |\n\n"))
        let longest = size + 1 + limit - short.utf8.count
        #expect(summary(longest, of: subject).utf8.count == limit)
        #expect(summary(longest + 1, of: subject).hasSuffix("\n\nThe table is longer than GitHub takes.\n"))
    }

    @Test func `content stands in a line of curl up to 2,000 bytes, and as text if a shell takes it`() {
        func line(_ body: [UInt8], command: String? = nil) -> String {
            var request = Report.Request("POST", "u")
            request.body = body
            request.bodyCommand = command
            return request.curl
        }
        for byte in UInt8.min ... .max {
            let isText = byte == 0x0A || 0x20..<0x7F ~= byte
            #expect(line([0x61, byte]).contains("--data-raw") == isText, "\(byte)")
        }
        #expect(line(Array("é".utf8)).contains("--data-raw"))
        for (count, isShort) in [(1_999, true), (2_000, true), (2_001, false)] {
            let (text, other) = (Array(repeating: UInt8(0x61), count: count), Array(repeating: UInt8(0), count: count))
            let long = " --data-binary @- u < CONTENT  # \(count) bytes that are too many for a line"
            #expect(line(text).contains("--data-raw") == isShort && line(text).hasSuffix(long) == !isShort)
            #expect(line(other).hasPrefix("printf %s AAAA") == isShort && line(other).hasSuffix(long) == !isShort)
            #expect(line(other, command: "make it").hasPrefix("make it | curl"))
        }
        for (count, text) in [(0, "0 bytes"), (1, "1 byte"), (2, "2 bytes")] {
            var request = Report.Request("POST", "u")
            request.body = Array(repeating: 0, count: count)
            #expect(request.text == "POST u\n(\(text) of content)")
        }
        var get = Report.Request("GET", "u")
        get.body = []
        #expect(get.curl.contains(" -X GET "))
    }

    @Test func `a fence is longer than any in the text`() {
        for count in 0...6 {
            let ticks = String(repeating: "`", count: count)
            let text = report([.init("a", "", .fail, seen: "x\(ticks)y`z")]).markdown()
            let fence = String(repeating: "`", count: max(3, count + 1))
            #expect(text.hasSuffix("\n\(fence)text\nseen: x\(ticks)y`z\n\(fence)\n"))
        }
    }

    @Test func `TAP has a block where there is more to say than the line does`() {
        var slow = Report.Case("s", "", .pass)
        slow.duration = 0.001
        var other = Report.Case("o", "", .pass, note: "n")
        other.word = "survived"
        let tap = report([.init("q", "", .pass), slow, other, .init("f", "", .fail)]).tap
        #expect(
            tap == """
                TAP version 14
                1..4
                ok 1 - q
                ok 2 - s
                  ---
                  duration_ms: 1
                  ...
                ok 3 - o
                  ---
                  verdict: "survived"
                  note: "n"
                  duration_ms: 0
                  ...
                not ok 4 - f
                  ---
                  severity: "fail"
                  duration_ms: 0
                  ...

                """)
    }

    @Test func `the same name of other classes is not a repetition in JUnit XML`() {
        let names = [("a", "x"), ("b", "x"), ("a", "x"), ("a", "x #2"), ("a", "x")]
        let cases = names.map { JUnitReport.Case(className: $0.0, name: $0.1, result: .pass) }
        let junit = JUnitReport(name: "", cases: cases, startedAt: 0)
        #expect(junit.cases.map(\.name) == ["x", "x", "x #2", "x #2 #2", "x #3"])
        #expect(junit.xml.contains(#"<testsuite name="mockapi" "#) && junit.xml.contains("<properties></properties>"))
    }
}
