// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import TestSupport
import Testing

@testable import Contract

/// Verdicts as text, Markdown, JSON and JUnit XML.
@Suite(.supervised) struct ReportTests {
    private var table: VerdictTable {
        var failed = Verdict("b.two", "two | pipes", .fail, expected: "PATCH", seen: "POST <1>\n\u{1}")
        failed.note = "a defect"
        failed.duration = 1.25
        return VerdictTable(
            client: "curl & co",
            verdicts: [
                Verdict("a.one", "one", .pass, expected: "GET"), failed,
                Verdict("c", "three", .notApplicable, expected: "x", seen: "no HTTP/2"),
            ])
    }

    @Test func textShowsWhatWasExpectedAndSeen() {
        #expect(
            table.text == """
                curl & co: 1 pass, 1 fail, 1 not applicable

                  pass  a.one  one
                  FAIL  b.two  two | pipes
                          expected: PATCH
                          seen:     POST <1>
                \u{1}
                          known:    a defect
                  n/a   c      three (no HTTP/2)

                """)
    }

    @Test func markdownIsATable() {
        #expect(
            table.markdown == """
                curl & co: 1 pass, 1 fail, 1 not applicable

                | requirement | | expected | seen | verdict |
                |---|---|---|---|---|
                | `a.one` | one | GET |  | pass |
                | `b.two` | two \\| pipes | PATCH | POST <1> \u{1}; a defect | fail |
                | `c` | three | x | no HTTP/2 | not applicable |

                """)
    }

    @Test func jsonHasASummary() {
        let text = String(decoding: table.json, as: UTF8.self)
        #expect(text.contains(#""summary": {"#))
        #expect(text.contains(#""verdict": "notApplicable""#))
        #expect(text.contains(#""seen": "POST <1>\n\u0001""#))
    }

    @Test func junitHasWhatThereIsToSayInTheTextOfAFailure() {
        #expect(
            table.junit(startedAt: 1_795_000_000).xml == """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites>
                  <testsuite name="contract of curl &amp; co" tests="3" failures="1" errors="0" skipped="1" time="1.250" \
                timestamp="2026-11-18T11:06:40" hostname="localhost">
                    <testcase classname="contract.curl &amp; co" name="a.one: one" time="0.000"/>
                    <testcase classname="contract.curl &amp; co" name="b.two: two | pipes" time="1.250">
                      <failure message="two | pipes" type="contract">expected: PATCH&#10;seen: POST &lt;1&gt;&#10;\u{FFFD}&#10;\
                known: a defect</failure>
                    </testcase>
                    <testcase classname="contract.curl &amp; co" name="c: three" time="0.000">
                      <skipped message="no HTTP/2"/>
                    </testcase>
                  </testsuite>
                </testsuites>

                """)
    }
}
