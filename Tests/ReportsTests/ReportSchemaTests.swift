// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockapiReports

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Reports held against the schemas that others read them by.
@Suite(.supervised) struct ReportSchemaTests {
    /// A report with all that may stand in one.
    private var report: Report {
        var report = Report("contract", of: "client", "<c> & \"co\"", startedAt: 1_795_000_000.5)
        report.duration = 3.0004
        report.exitCode = 1
        report.facts = [("requests", "31")]
        report.add(Report.Case("a", "one", .pass, note: "could be better"))
        for result in Report.Case.Result.allCases {
            var one = Report.Case("b", "two \u{1B}", result, expected: "1", seen: "2\n3", note: "")
            one.word = result == .error ? "hung" : nil
            one.duration = 1_234.5678
            one.details = [("wire", "a\n\tb")]
            one.place = ("a.json", 1, 2)
            var request = Report.Request("POST", "$MOCKAPI_URL/a")
            request.headers = [("A", "b"), ("A", "c")]
            request.body = [0, 1]
            one.request = request
            report.add(one)
        }
        report.add(Report.Case("b", "known", .fail, note: "why"))
        return report
    }

    @Test func `JSON is as the schema has it, whole and in lines`() throws {
        let schema = ReportSchema.node
        for report in [report, report.unfinished] {
            #expect(SchemaCheck(root: schema).findings(try JSONParser.parse(report.json), schema) == [])
            let line = try #require(schema["$defs"]?["line"])
            for text in String(decoding: report.jsonLines, as: UTF8.self).split(separator: "\n") {
                #expect(SchemaCheck(root: schema).findings(try JSONParser.parse(String(text)), line) == [])
            }
        }
    }

    @Test func `the check finds what is not as the schema has it`() throws {
        let schema = ReportSchema.node
        let wrong = try JSONParser.parse(
            #"{"schemaVersion": 2, "command": 1, "startedAt": "", "duration": -1, "summary": {"pass": 1.5, "x": 0}, "verdicts": [{}]}"#
        )
        #expect(SchemaCheck(root: schema).findings(wrong, schema).count == 15)
    }

    @Test func `the schema beside the documents is the command's`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(contentsOf: root.appendingPathComponent("docs/report.schema.json"), encoding: .utf8)
        #expect(page == ReportSchema.json, "mockapi schema report > docs/report.schema.json")
    }

    /// The rules of `junit-10.xsd` of Jenkins' xUnit plugin and of Ant's `JUnit.xsd`: where Ant's asks for more, that is asked.
    @Test func `JUnit XML is valid for Jenkins and for Ant`() throws {
        for report in [report, report.unfinished, Report("run", of: "fixtures", "", startedAt: 0)] {
            let root = try XMLNode.read(report.junit.xml)
            #expect(root.name == "testsuites" && root.attributes.isEmpty)
            #expect(root.children.map(\.name) == ["testsuite"])
            let suite = try #require(root.children.first)
            #expect(
                Set(suite.attributes.keys) == [
                    "name", "timestamp", "hostname", "tests", "failures", "errors", "skipped", "time", "package", "id",
                ])
            for name in ["tests", "failures", "errors", "skipped", "id"] {
                #expect(Int(suite.attributes[name] ?? "") != nil)
            }
            #expect(suite.attributes["name"]?.isEmpty == false)
            #expect(
                suite.attributes["timestamp"]?.wholeMatch(of: /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/) != nil)
            #expect(suite.attributes["time"]?.wholeMatch(of: /\d+\.\d{3}(\d{3})?/) != nil)
            let names = suite.children.map(\.name)
            #expect(names.first == "properties" && names.suffix(2) == ["system-out", "system-err"])
            for property in suite.children.first?.children ?? [] {
                #expect(Set(property.attributes.keys) == ["name", "value"] && property.name == "property")
            }
            let cases = suite.children.dropFirst().dropLast(2)
            #expect(cases.allSatisfy { $0.name == "testcase" })
            #expect(Set(cases.map { "\($0.attributes)" }).count == cases.count)
            for one in cases {
                #expect(Set(one.attributes.keys) == ["name", "classname", "time"])
                #expect(one.children.count <= 1)
                for end in one.children {
                    #expect(["skipped", "failure", "error"].contains(end.name))
                    #expect(Set(end.attributes.keys) == (end.name == "skipped" ? ["message"] : ["message", "type"]))
                    #expect(end.children.isEmpty)
                }
            }
            #expect(cases.count == Int(suite.attributes["tests"] ?? ""))
        }
    }
}

/// What a value breaks of a schema, as far as `ReportSchema` uses JSON Schema.
private struct SchemaCheck {
    let root: JSONNode

    func findings(_ value: JSONNode, _ schema: JSONNode, at path: String = "") -> [String] {
        var findings: [String] = []
        if let name = schema["$ref"]?.string?.split(separator: "/").last, let other = root["$defs"]?[String(name)] {
            findings += self.findings(value, other, at: path)
        }
        if let type = schema["type"]?.string, !isOf(type, value) { return findings + ["\(path): is no \(type)"] }
        if let const = schema["const"], const != value { findings.append("\(path): is another value") }
        if let list = schema["enum"]?.array, !list.contains(value) { findings.append("\(path): is none of the list") }
        if let minimum = schema["minimum"]?.number?.integer, let number = value.number,
            (Double(number.literal) ?? 0) < Double(minimum)
        {
            findings.append("\(path): is too small")
        }
        for name in (schema["required"]?.array ?? []).compactMap(\.string) where value[name] == nil {
            findings.append("\(path)/\(name): is missing")
        }
        for member in value.object?.members ?? [] {
            if let own = schema["properties"]?[member.name] {
                findings += self.findings(member.value, own, at: "\(path)/\(member.name)")
            } else if let rest = schema["additionalProperties"] {
                findings +=
                    rest.bool == false
                    ? ["\(path)/\(member.name): is not known"]
                    : self.findings(member.value, rest, at: "\(path)/\(member.name)")
            }
        }
        let items = value.array ?? []
        if let least = schema["minItems"]?.number?.integer, items.count < least { findings.append("\(path): is short") }
        if let most = schema["maxItems"]?.number?.integer, items.count > most { findings.append("\(path): is long") }
        if let schema = schema["items"] {
            for (index, item) in items.enumerated() { findings += self.findings(item, schema, at: "\(path)/\(index)") }
        }
        return findings
    }

    private func isOf(_ type: String, _ value: JSONNode) -> Bool {
        switch type {
        case "integer": value.number?.integer != nil
        case "number": value.number != nil
        default: value.kindName == type
        }
    }
}

/// XML as it is written here: elements, attributes and escapes.
private struct XMLNode {
    struct Broken: Error {}

    let name: String
    var attributes: [String: String] = [:]
    var children: [XMLNode] = []

    static func read(_ text: String) throws -> XMLNode {
        var open = [XMLNode(name: "")]
        var rest = text[...]
        while let start = rest.firstIndex(of: "<") {
            guard let end = rest[start...].firstIndex(of: ">") else { throw Broken() }
            let tag = rest[rest.index(after: start)..<end]
            rest = rest[rest.index(after: end)...]
            if tag.hasPrefix("?") { continue }
            if tag.hasPrefix("/") {
                guard let closed = open.popLast(), closed.name == tag.dropFirst(), !open.isEmpty else { throw Broken() }
                open[open.count - 1].children.append(closed)
                continue
            }
            var node = XMLNode(name: String(tag.prefix { $0 != " " && $0 != "/" }))
            for match in tag.matches(of: /([\w-]+)="([^"<]*)"/) {
                guard node.attributes.updateValue(String(match.2), forKey: String(match.1)) == nil else {
                    throw Broken()
                }
            }
            if tag.hasSuffix("/") { open[open.count - 1].children.append(node) } else { open.append(node) }
        }
        guard open.count == 1, let root = open.first?.children.first, open.first?.children.count == 1 else {
            throw Broken()
        }
        return root
    }
}
