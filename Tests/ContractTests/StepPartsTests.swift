// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiReports
import MockapiTestSupport
import Testing

@testable import MockapiContract

/// Reports of drivers as they are read, and what a verdict says of a step.
@Suite(.supervised) struct StepPartsTests {
    /// Reports in short: step, index, status or error, fields, content, parts.
    private static func read(_ text: String) throws(StepReport.Refusal) -> [String] {
        try StepReport.read(Array(text.utf8), steps: ["a", "b"]).reports.map { report in
            switch report.content {
            case .skipped(let why): return "\(report.step) skipped \(why)"
            case .outcome(let outcome):
                let fields = outcome.headers.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
                return [
                    report.step, outcome.index.map { "#\($0)" } ?? "", outcome.summary, outcome.detail, fields,
                    String(decoding: outcome.body, as: UTF8.self), outcome.used.sorted().joined(separator: "+"),
                ].joined(separator: "|")
            }
        }
    }

    @Test(arguments: [
        (#"{"step": "a", "status": 200}"#, "a||200, 0 bytes||||"),
        (#"{"step": "a", "status": "204", "index": 0, "body": "x"}"#, "a|#0|204, 1 byte|||x|"),
        (
            #"{"step": "a", "status": 200, "bodyBase64": "eHk=", "used": ["query", "user"]}"#,
            "a||200, 2 bytes|||xy|query+user"
        ),
        (
            #"{"step": "a", "status": 200, "headers": {"A": "1", "B": [2, "3"], "C": null, "D": []}}"#,
            "a||200, 0 bytes||A=1&B=2&B=3||"
        ),
        (#"{"step": "a", "status": 200, "headers": [["A", 1.50], ["A", "2"]]}"#, "a||200, 0 bytes||A=1.50&A=2||"),
        (#"{"step": "a", "status": 200, "headers": null, "error": null, "skipped": null}"#, "a||200, 0 bytes||||"),
        (#"{"step": "b", "error": "timeout", "detail": " a\n b ", "status": 200}"#, "b||timeout (a b)|a b|||"),
        (#"{"step": "b", "error": "other"}"#, "b||other||||"),
        (#"{"step": "b", "skipped": "not\nmine", "status": 200}"#, "b skipped not mine"),
    ])
    func `a report is read in each form that languages write`(text: String, expected: String) throws {
        #expect(try Self.read(text) == [expected])
        #expect(try Self.read("[\(text), \(text)]") == [expected, expected])
    }

    @Test(arguments: [
        #"{"step": "a", "error": "hang"}"#, #"{"step": "a", "status": 200, "index": -1}"#,
        #"{"step": "a", "status": 200, "index": 1.5}"#, #"{"step": "a", "status": 200, "used": "query"}"#,
        #"{"step": "a", "status": 200, "used": ["query", 1]}"#, #"{"step": "a", "status": 200, "used": ["other"]}"#,
        #"{"step": "a", "status": 200, "headers": [["A", "1", "2"]]}"#,
        #"{"step": "a", "status": 200, "headers": [["A", null]]}"#,
        #"{"step": "a", "status": 200, "headers": {"A": ["1", null]}}"#,
        #"{"step": "a", "status": 200, "headers": "A: 1"}"#, #"{"step": "a", "status": 200, "body": 1}"#,
        #"{"step": "a", "status": 200, "bodyBase64": 1}"#, #"{"step": "c", "status": 200}"#,
        #"{"step": "a", "skipped": true}"#, #"{"step": "a", "status": true}"#, #"{"has": ["cookies", 1]}"#,
        #"{"has": "cookies"}"#, #"{"has": ["cookies"], "step": "a", "status": 200}"#, #"{"step": 1, "status": 200}"#,
    ])
    func `a malformed report is refused`(text: String) {
        #expect(throws: StepReport.Refusal.self) { try Self.read(text) }
        #expect(throws: StepReport.Refusal.self) { try Self.read(#"[{"step": "a", "status": 200}, \#(text)]"#) }
    }

    @Test func `abilities are those of all the reports`() throws {
        let text = #"[{"has": ["cookies"]}, {"step": "a", "status": 200}, {"has": []}, {"has": ["cache", "cookies"]}]"#
        let read = try StepReport.read(Array(text.utf8), steps: ["a"])
        #expect(read.abilities == [.cookies, .cache] && read.reports.count == 1)
        #expect(read.reports[0].uses("query") == false)
        #expect(Requirement.Ability.allCases.map(\.words) == ["cookies", "a cache"])
    }

    @Test func `a client's own words are kept up to their limit`() throws {
        for count in [499, 500, 501] {
            let words = String(repeating: "é", count: count)
            let kept = count > 500 ? String(words.prefix(500)) + "…" : words
            #expect(try Self.read(#"{"step": "a", "skipped": "\#(words)"}"#) == ["a skipped \(kept)"])
        }
    }

    @Test func `a response has a status, and one that is not reported is a success`() {
        for status in [nil, 199, 200, 204, 299, 300, 404] {
            for wanted in [199, 200, 204, 299, 300, 404] {
                let outcome = StepOutcome(status: status)
                let isSuccess = wanted >= 200 && wanted < 300
                #expect(outcome.hasStatus(wanted) == (status.map { $0 == wanted } ?? isSuccess))
                var failed = outcome
                failed.failure = .other
                #expect(!failed.hasStatus(wanted))
            }
        }
        let outcome = StepOutcome(status: 1, headers: [("A", "1"), ("b", "2"), ("a", "3")])
        #expect(outcome.header("a") == "1" && outcome.values("A") == "1, 3" && outcome.header("c") == nil)
    }

    // MARK: Exchanges

    private static func exchange(_ step: Step, outcomes: Int = 0) -> StepExchange {
        let outcomes = (0..<outcomes).map { StepOutcome(status: 200 + $0) }
        return StepExchange(evidence: StepEvidence(step, outcomes: outcomes, journal: []))
    }

    @Test func `the first of many outcomes are reported, and how many more there are`() {
        for (count, last) in [(0, "nothing"), (5, "204, 0 bytes"), (6, "(and 1 more)"), (9, "(and 4 more)")] {
            let details = Self.exchange(Step("a"), outcomes: count).details
            #expect(details.map(\.name) == ["wire", "client"] && details[0].text == "no request came")
            let lines = details[1].text.split(separator: "\n")
            #expect(lines.count == max(1, min(count, 6)) && lines.last.map(String.init) == last)
        }
    }

    @Test func `a line of curl asks as the step does`() {
        var step = Step("a")
        #expect(
            Self.exchange(step).request.curl == #"curl -sS -i -L --compressed --max-time 10 "$MOCKAPI_URL/contract/a""#)
        step.suffix = "?q=[1]"
        #expect(
            Self.exchange(step).request.curl
                == #"curl -sS -i -L --compressed --max-time 10 --globoff "$MOCKAPI_URL/contract/a?q=[1]""#)
        step.suffix = ""
        step.cancellation = .whenAllHaveArrived
        #expect(
            Self.exchange(step).request.curl == #"curl -sS -i -L --compressed --max-time 1 "$MOCKAPI_URL/contract/a""#)
        step.cancellation = nil
        step.times = 2
        let many = "curl -sS -i -L --compressed --max-time 10 --parallel --parallel-immediate "
        #expect(Self.exchange(step).request.curl == many + #""$MOCKAPI_URL/contract/a#[1-2]""#)
        step.isNumbered = true
        #expect(Self.exchange(step).request.curl == many + #""$MOCKAPI_URL/contract/a?n=[0-1]""#)
        for (count, isLong) in [(Report.Request.contentLimit, false), (Report.Request.contentLimit + 1, true)] {
            step.body = [UInt8](repeating: 97, count: count)
            #expect((Self.exchange(step).request.bodyCommand != nil) == isLong)
        }
    }

    @Test func `a target is decoded and cut as a query is`() {
        let pairs = TargetText.pairs("/a?b=c+d%2B&e&=f&&g=h=i")
        #expect(pairs.map(\.name) == ["b", "e", "", "g"])
        #expect(pairs.map(\.value) == ["c d+", "", "f", "h=i"])
        #expect(TargetText.pairs("/a&b=c").isEmpty)
        #expect(TargetText.decoded("/a+b%20c") == "/a+b c")
        #expect(TargetText.decoded("/a+b?c+d=%26&&=e") == "/a+bc d=&&&=e")
        #expect(TargetText.withCapitalEscapes("%2f%%aab/%e") == "%2F%%AAb/%E")
    }

    @Test func `known failures are noted, and those that do not come are reported`() {
        var table = VerdictTable(
            client: "c",
            verdicts: [
                Verdict("a", "", .fail, expected: ""), Verdict("b", "", .pass, expected: ""),
                Verdict("c", "", .fail, expected: ""), Verdict("d", "", .notApplicable, expected: ""),
            ])
        #expect(
            table.note(["b": "why", "a": "because", "d": "x", "e": "y"]) == [
                "b is known to fail (why), but it does not", "d is known to fail (x), but it does not",
            ])
        #expect(table.verdicts.map(\.note) == ["because", "", "", ""])
        #expect(table.failures.map(\.id) == ["a", "c"])
        #expect(table.summary == "1 pass, 2 fail, 1 not applicable")
    }

    @Test func `a wait counts its pauses to the moment`() {
        let start = ContinuousClock.now
        for (step, most) in [(50, 20), (49, 21), (200, 20), (25, 40)] {
            var patience = Patience(.seconds(1), since: start)
            var pauses = 0
            while patience.count(until: start + .milliseconds(step * (pauses + 1))) { pauses += 1 }
            #expect(pauses == most - 1, "pauses of \(step) ms")
        }
        for (moment, isIn) in [(599, true), (600, false)] {
            var patience = Patience(.milliseconds(100), since: start)
            let goesOn = patience.count(until: start + .milliseconds(moment))
            #expect(goesOn == isIn)
        }
    }

    // MARK: Requirements

    @Test func `a name means a requirement, or a group of them`() {
        for (name, isMeant) in [
            ("a", true), ("a.b", true), ("a.b.c", true), ("a.", false), ("b", false), ("a.b.c.d", false),
        ] {
            #expect(Requirement.is("a.b.c", name) == isMeant, "\(name)")
        }
    }

    @Test func `a verdict that rests on an error alone is known`() throws {
        let fault = try #require(ContractRequirements.all.first { $0.id == "fault.reset" })
        let get = try #require(ContractRequirements.all.first { $0.id == "method.get" })
        #expect(fault.isErrorAlone && !get.isErrorAlone)
        for (requirement, isMet) in [(fault, true), (get, false)] { #expect(requirement.isMetByError == isMet) }
        for (outcome, rests) in [(StepOutcome(.connection, ""), true), (StepOutcome(status: 200), false)] {
            var requirement = Requirement("x", "", expected: "") { _ in .pass }
            #expect(!requirement.verdict(StepEvidence(requirement.step, outcomes: [outcome], journal: [])).restsOnError)
            requirement.failures = [.connection]
            let verdict = requirement.verdict(StepEvidence(requirement.step, outcomes: [outcome], journal: []))
            #expect(verdict.restsOnError == rests)
        }
    }
}
