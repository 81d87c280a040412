// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockapiReports

/// The findings of a directory in each form that tools read, at the limits that those tools have.
@Suite(.supervised) struct FindingReportTests {
    private let workspace = Workspace(directory: "/nowhere")

    private func report(_ findings: [Finding], root: String = "/nowhere") -> FindingReport {
        FindingReport(findings, root: root, directory: "F", stubs: 2, files: 3, version: "1")
    }

    private func node(_ findings: [Finding], _ format: FindingReport.Format) throws -> JSONNode {
        try JSONParser.parse(report(findings).text(format, in: workspace))
    }

    private func findings(_ count: Int, _ severity: Finding.Severity) -> [Finding] {
        (0..<count).map { Finding(severity, "\($0)", at: Place(path: "a", line: 1, column: 1)) }
    }

    @Test(arguments: [(10, 10), (11, 10), (10, 11), (0, 0)])
    func `GitHub gets ten findings of a severity, and the log has the others`(errors: Int, warnings: Int) {
        let all = findings(errors, .error) + findings(warnings, .warning)
        let lines = report(all).text(.github, in: workspace).split(separator: "\n")
        #expect(lines.count { $0.hasPrefix("::error file=F/a,line=1,col=1,title=mockapi check::") } == min(errors, 10))
        #expect(lines.count { $0.hasPrefix("::warning file=F/a,") } == min(warnings, 10))
        let left = max(errors - 10, 0) + max(warnings - 10, 0)
        #expect(lines.count { $0.hasPrefix("- F/a:1:1: ") } == left)
        #expect(
            lines.count { $0.hasSuffix("::\(all.count) findings; GitHub shows 20; the log has the others") }
                == (left > 0 ? 1 : 0))
        #expect(lines.count == all.count + (left > 0 ? 1 : 0))
    }

    @Test func `columns are counted in characters where a file can be read, and in bytes elsewhere`() throws {
        let text = "aé€😀\"x"
        let directory = try TemporaryDirectory(["a": text + "\n" + text])
        var (findings, expected): ([Finding], [Int]) = ([], [])
        for (index, character) in text.enumerated() {
            let bytes = String(text.prefix(index)).utf8.count
            findings.append(Finding(.error, "\(character)", at: Place(path: "a", line: 2, column: bytes + 1)))
            expected.append(index + 1)
        }
        #expect(report(findings, root: directory.path).characterColumns == expected)
        #expect(report(findings).characterColumns == findings.map(\.place.column))
        let whole = Finding(.error, "whole", at: Place(path: "a"))
        #expect(report([whole], root: directory.path).characterColumns == [0])
    }

    @Test func `a finding on a whole file has no line, or the first where a line is asked for`() throws {
        let findings = [
            Finding(.error, "all", at: Place(path: "a")),
            Finding(.warning, "one", at: Place(path: "b", line: 1, column: 1, pointer: "/p")),
            Finding(.warning, "two", at: Place(path: "b", line: 3, column: 2), kind: .secret),
        ]
        let json = try #require(try node(findings, .json)["findings"]?.array)
        #expect(json.map { $0["line"]?.number?.integer } == [nil, 1, 3])
        #expect(json.map { $0["column"]?.number?.integer } == [nil, 1, 2])
        #expect(json.map { $0["line"]?.isNull } == [true, false, false])
        let results = try #require(try node(findings, .sarif)["runs"]?.array?.first?["results"]?.array)
        let locations = results.compactMap { $0["locations"]?.array?.first }
        let regions = locations.compactMap { $0["physicalLocation"]?["region"] }
        #expect(regions.map { $0["startLine"]?.number?.integer } == [1, 1, 3])
        #expect(regions.map { $0["startColumn"]?.number?.integer } == [nil, 1, 2])
        #expect(locations.map { $0["logicalLocations"] != nil } == [false, true, false])
        let issues = try #require(try node(findings, .gitlab).array)
        #expect(issues.map { $0["location"]?["lines"]?["begin"]?.number?.integer } == [1, 1, 3])
        #expect(issues.map { $0["severity"]?.string } == ["major", "minor", "minor"])
        #expect(issues.map { $0["check_name"]?.string } == ["mockapi.fixture", "mockapi.fixture", "mockapi.secret"])
        #expect(
            report(findings).text(.github, in: workspace).hasPrefix("::error file=F/a,title=mockapi check::all\n"))
    }

    @Test(arguments: [25_000, 25_001])
    func `SARIF has as many results as GitHub takes, and says how many are left out`(count: Int) throws {
        let run = try #require(report(findings(count, .error)).sarif(in: workspace)["runs"]?.array?.first)
        #expect(run["results"]?.array?.count == 25_000)
        let invocation = run["invocations"]?.array?.first
        #expect((invocation != nil) == (count > 25_000))
        guard let invocation else { return }
        #expect(invocation["executionSuccessful"]?.bool == true)
        let note = invocation["toolExecutionNotifications"]?.array?.first
        #expect(note?["message"]?["text"]?.string == "1 findings beyond the first 25000 are left out")
    }

    /// RFC 3986 §2.3: each other character than these, and `/`, is percent-coded.
    @Test func `each character of a path stands in a reference as RFC 3986 has it`() throws {
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")
        let characters = (1...0x7F).compactMap(UnicodeScalar.init).map(Character.init) + ["é", "€"]
        let findings = characters.map { Finding(.error, "\($0)", at: Place(path: "a\($0)b")) }
        let results = try #require(try node(findings, .sarif)["runs"]?.array?.first?["results"]?.array)
        for result in results {
            let character = try #require(result["message"]?["text"]?.string?.first)
            let expected =
                plain.contains(character)
                ? "\(character)"
                : character.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
            let location = result["locations"]?.array?.first?["physicalLocation"]
            #expect(location?["artifactLocation"]?["uri"]?.string == "F/a\(expected)b")
        }
    }

    @Test func `a mistake has one fingerprint on each line, and the same mistake again another`() throws {
        func prints(_ findings: [Finding]) throws -> [String] {
            try #require(try node(findings, .gitlab).array).compactMap { $0["fingerprint"]?.string }
        }
        let places = (1...40).map { Place(path: "a", line: $0, column: 1) }
        let first = try prints(places.map { Finding(.error, "x", at: $0) })
        #expect(Set(first).count == 40 && first.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{16}/) != nil })
        #expect(try prints([Finding(.warning, "x", at: Place(path: "a", line: 99, column: 7))]) == [first[0]])
        let others = [
            Finding(.error, "y", at: places[0]), Finding(.error, "x", at: Place(path: "b", line: 1)),
            Finding(.error, "x", at: Place(path: "a", line: 1, pointer: "/p")),
        ]
        #expect(try Set(prints(others) + first).count == 43)
    }
}
