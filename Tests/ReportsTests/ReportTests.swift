// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockapiReports

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// One report in every form.
@Suite(.supervised) struct ReportTests {
    private var report: Report {
        var report = Report("contract", of: "client", "curl & co", startedAt: 1_795_000_000)
        report.duration = 2.5
        report.exitCode = 1
        report.add(Report.Case("a.one", "one", .pass, expected: "GET", note: "could be better"))
        var failed = Report.Case("b.two", "two | pipes", .fail, expected: "PATCH", seen: "POST <1>\n\u{1}")
        failed.duration = 1.25
        failed.details = [("wire", "1. POST /two\n    Host: x")]
        failed.request = Report.Request("PATCH", "$MOCKAPI_URL/two")
        report.add(failed)
        report.add(Report.Case("b.known", "three", .fail, expected: "1", seen: "2", note: "a defect"))
        report.add(Report.Case("c", "four # five", .notApplicable, expected: "x", seen: "no HTTP/2"))
        report.add(Report.Case("d", "six", .error, seen: "unreachable"))
        return report
    }

    @Test func `text shows all there is to say of what is bad, and nothing that steers a terminal`() {
        #expect(
            report.text() == """
                curl & co: 1 pass, 2 fail, 1 error, 1 not applicable

                  pass  a.one    one
                          note:     could be better
                  FAIL  b.two    two | pipes
                          expected: PATCH
                          seen:     POST <1>
                                    \\u{1}
                          request:  PATCH $MOCKAPI_URL/two
                          wire:     1. POST /two
                                        Host: x
                          curl:     curl -sS -X PATCH "$MOCKAPI_URL/two"
                  FAIL  b.known  three
                          expected: 1
                          seen:     2
                          known:    a defect
                  n/a   c        four # five (no HTTP/2)
                  ERR   d        six
                          seen:     unreachable

                """)
    }

    @Test func `a terminal has colours, and what is good can be left out`() {
        let text = report.text(isColored: true, showsAll: false)
        #expect(text.contains("  \u{1B}[31mFAIL\u{1B}[0m  b.two    two | pipes\n"))
        #expect(text.contains("  \u{1B}[33mFAIL\u{1B}[0m  b.known  three\n"))
        #expect(!text.contains("four"))
    }

    @Test func `Markdown is a table that no line break and no bar breaks, with what is bad below`() {
        #expect(
            report.markdown() == """
                curl & co: 1 pass, 2 fail, 1 error, 1 not applicable

                | requirement | | expected | seen | verdict |
                |---|---|---|---|---|
                | `a.one` | one | GET | could be better | pass |
                | `b.two` | two \\| pipes | PATCH | POST &lt;1> \\\\u{1} | fail |
                | `b.known` | three | 1 | 2; a defect | fail |
                | `c` | four # five | x | no HTTP/2 | not applicable |
                | `d` | six |  | unreachable | error |

                ### `b.two` two \\| pipes

                ```text
                expected: PATCH
                seen: POST <1>
                    \\u{1}
                request: PATCH $MOCKAPI_URL/two
                wire: 1. POST /two
                        Host: x
                curl: curl -sS -X PATCH "$MOCKAPI_URL/two"
                ```

                ### `b.known` three

                ```text
                expected: 1
                seen: 2
                known: a defect
                ```

                ### `d` six

                ```text
                seen: unreachable
                ```

                """)
        #expect(report.markdown(hasDetails: false).hasSuffix("| error |\n"))
    }

    @Test func `TAP 14 has a plan, directives and blocks of YAML`() {
        #expect(
            report.tap == """
                TAP version 14
                1..5
                ok 1 - a.one: one
                  ---
                  note: "could be better"
                  duration_ms: 0
                  ...
                not ok 2 - b.two: two | pipes
                  ---
                  severity: "fail"
                  expected: "PATCH"
                  seen: "POST <1>\\n\\u0001"
                  request: "PATCH $MOCKAPI_URL/two"
                  wire: "1. POST /two\\n    Host: x"
                  curl: "curl -sS -X PATCH \\"$MOCKAPI_URL/two\\""
                  duration_ms: 1250
                  ...
                not ok 3 - b.known: three # TODO a defect
                  ---
                  severity: "fail"
                  expected: "1"
                  seen: "2"
                  known: "a defect"
                  duration_ms: 0
                  ...
                ok 4 - c: four \\# five # SKIP no HTTP/2
                not ok 5 - d: six
                  ---
                  severity: "error"
                  seen: "unreachable"
                  duration_ms: 0
                  ...

                """)
        #expect(
            Report("run", of: "fixtures", "F", startedAt: 0).tap.hasSuffix("1..0 # SKIP there was nothing to judge\n"))
    }

    @Test(.enabled(if: access("/usr/bin/prove", X_OK) == 0, "prove is not installed"))
    func `Perl's prove reads TAP as of the version that it knows`() async throws {
        var passing = Report("contract", of: "client", "curl", startedAt: 0)
        passing.add(Report.Case("a", "one", .pass, expected: "", note: "could be better"))
        passing.add(Report.Case("b", "two", .notApplicable, expected: "x", seen: "no HTTP/2"))
        let directory = try TemporaryDirectory(["bad.tap": report.tap, "good.tap": passing.tap])
        let prove = { (name: String) in
            try await Command(line: ["/usr/bin/prove", "-e", "sed 1s/14/13/", "\(directory.path)/\(name)"]).end()
        }
        let good = try await prove("good.tap")
        #expect(good.code == 0 && good.output.hasSuffix("Result: PASS\n"), "\(good.output)\(good.errors)")
        let bad = try await prove("bad.tap")
        #expect(bad.code == 1)
        #expect(bad.output.contains("  Failed tests:  2, 5\n"), "\(bad.output)")
        #expect(!bad.output.contains("Parse errors"))
    }

    @Test func `JUnit XML has what there is to say in the text of a failure, and what is known as skipped`() {
        #expect(
            report.junit.xml == """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites>
                  <testsuite name="contract of curl &amp; co" tests="5" failures="1" errors="1" skipped="2" time="1.250" \
                timestamp="2026-11-18T11:06:40" hostname="localhost" id="0" package="mockapi">
                    <properties></properties>
                    <testcase classname="contract.curl &amp; co" name="a.one: one" time="0.000"/>
                    <testcase classname="contract.curl &amp; co" name="b.two: two | pipes" time="1.250">
                      <failure message="POST &lt;1&gt;" type="contract">expected: PATCH&#10;seen: POST &lt;1&gt;&#10;\u{FFFD}&#10;\
                request: PATCH $MOCKAPI_URL/two&#10;wire: 1. POST /two&#10;    Host: x&#10;\
                curl: curl -sS -X PATCH &quot;$MOCKAPI_URL/two&quot;</failure>
                    </testcase>
                    <testcase classname="contract.curl &amp; co" name="b.known: three" time="0.000">
                      <skipped message="known: a defect&#10;expected: 1&#10;seen: 2&#10;known: a defect"/>
                    </testcase>
                    <testcase classname="contract.curl &amp; co" name="c: four # five" time="0.000">
                      <skipped message="no HTTP/2"/>
                    </testcase>
                    <testcase classname="contract.curl &amp; co" name="d: six" time="0.000">
                      <error message="unreachable" type="undecided">seen: unreachable</error>
                    </testcase>
                    <system-out>a.one: could be better&#10;</system-out>
                    <system-err></system-err>
                  </testsuite>
                </testsuites>

                """)
    }

    @Test func `a line of JSON is a verdict that says what it is of`() throws {
        let lines = String(decoding: report.jsonLines, as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 5)
        #expect(
            lines.last.map(String.init) == """
                {"schemaVersion":1,"command":"contract","client":"curl & co","id":"d","title":"six","verdict":"error",\
                "expected":"","seen":"unreachable","note":"","duration":0.000}
                """)
    }

    @Test func `a verdict may have a word and members of its own`() {
        var one = Report.Case("a.json timeout", "survives a time-out", .fail)
        one.word = "hung"
        one.members = [.init(name: "fault", value: .string("timeout")), .init(name: "file", value: .string("a.json"))]
        var report = Report("run", of: "fixtures", "F", startedAt: 0)
        report.add(one)
        #expect(
            String(decoding: report.jsonLines, as: UTF8.self).contains(
                #""fault":"timeout","file":"a.json","verdict":"hung","result":"fail""#))
        #expect(report.text().contains("  hung  a.json timeout  survives a time-out\n"))
        #expect(report.markdown().contains("| hung |\n"))
    }

    @Test func `what is bad and not known breaks a report`() {
        #expect(report.broken.map(\.id) == ["b.two", "d"])
        #expect(report.cases.filter(\.isKnown).map(\.id) == ["b.known"])
    }

    @Test func `no two verdicts of a report have one id`() {
        var report = Report("run", of: "fixtures", "F", startedAt: 0)
        for id in ["a", "a", "a #2", "a", "b"] { report.add(Report.Case(id, "", .pass)) }
        #expect(report.cases.map(\.id) == ["a", "a #2", "a #2 #2", "a #3", "b"])
    }

    @Test(arguments: [(0, "0.000"), (1.25, "1.250"), (0.000_412, "0.000412"), (-1, "0.000"), (.infinity, "0.000")])
    func `seconds have as many places as they need`(_ time: Double, _ text: String) {
        #expect(JUnitReport.seconds(time) == text)
    }

    @Test func `the report of a command that has begun passes nothing`() {
        let unfinished = report.unfinished
        #expect(unfinished.cases.map(\.id) == ["contract.ended"])
        #expect(unfinished.broken.count == 1)
        #expect(unfinished.junit.xml.contains("errors=\"1\""))
    }

    @Test func `the worst is annotated first, in as many annotations as GitHub shows`() {
        var report = Report("contract", of: "client", "c", startedAt: 0)
        for index in 0..<12 { report.add(Report.Case("p\(index)", "", .pass, note: "50% better")) }
        for index in 0..<12 { report.add(Report.Case("f\(index)", "t,1", .fail, seen: "a\nb")) }
        var worst = Report.Case("e", "it", .error, seen: "x")
        worst.place = ("a,b.json", 3, 7)
        report.add(worst)
        report.add(Report.Case("k", "", .fail, note: "known"))
        let lines = report.annotations(in: Workspace(directory: "/nowhere")).split(separator: "\n").map(String.init)
        #expect(
            lines.first == "::error file=a%2Cb.json,line=3,col=7,title=e%3A it::seen: x%0Aplace: a,b.json:3")
        #expect(lines.dropFirst().first == "::error title=f0%3A t%2C1::seen: a%0Ab")
        #expect(lines.count { $0.hasPrefix("::error") } == 10)
        #expect(lines.count { $0.hasPrefix("::warning") } == 1)
        #expect(lines.count { $0.hasPrefix("::notice") } == 10)
        #expect(lines.contains("::notice title=p0%3A ::50%25 better"))
        #expect(
            lines.last
                == "::notice title=mockapi contract::c: 12 pass, 13 fail, 1 error, 0 not applicable; GitHub shows 20 of 26, the step's summary has all"
        )
    }

    @Test(
        arguments: [
            ("GET", [], nil, #"curl -sS "$MOCKAPI_URL/a\$b""#),
            ("HEAD", [("Accept", "a'b")], nil, #"curl -sS --head -H 'Accept: a'\''b' "$MOCKAPI_URL/a\$b""#),
            (
                "POST", [("X", "")], "@a",
                #"curl -sS -X POST -H 'X;' -H Content-Type: --data-raw '@a' "$MOCKAPI_URL/a\$b""#
            ),
            (
                "PUT", [("content-type", "text/plain")], "\u{0}",
                #"printf %s AA== | base64 -d | curl -sS -X PUT -H 'content-type: text/plain' --data-binary @- "$MOCKAPI_URL/a\$b""#
            ),
        ] as [(String, [(String, String)], String?, String)])
    func `a line of curl is the request, and a shell takes it`(
        _ method: String, _ headers: [(String, String)], _ body: String?, _ line: String
    ) {
        var request = Report.Request(method, "$MOCKAPI_URL/a$b")
        request.headers = headers.map { (name: $0.0, value: $0.1) }
        request.body = body.map { Array($0.utf8) }
        #expect(request.curl == line)
    }
}
