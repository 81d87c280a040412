// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText
import MockapiTestSupport
import Testing

/// Matchers of a body whose expected value is a file beside the stub.
@Suite(.supervised) struct FileMatcherTests {
    private static func stub(_ matcher: String) -> String {
        #"{"request": {"bodyPatterns": [\#(matcher)]}, "response": {}}"#
    }

    @Test(arguments: [
        (
            #"{"equalToFile": "in.csv"}"#, "a/sent.csv",
            #"a/x.stub.json:1:47: error: there is no body file "in.csv" (/request/bodyPatterns/0/equalToFile)"#
        ),
        (
            #"{"equalToFile": "sen.csv"}"#, "a/sent.csv",
            #"a/x.stub.json:1:47: error: there is no body file "sen.csv"; did you mean "a/sent.csv"? (/request/bodyPatterns/0/equalToFile)"#
        ),
        (
            #"{"equalToFile": "../../in.csv"}"#, "a/sent.csv",
            #"a/x.stub.json:1:47: error: the body file "../../in.csv" lies outside of the fixture directory; write a path from the stub file on (/request/bodyPatterns/0/equalToFile)"#
        ),
        (
            #"{"equalToJsonFile": "in.json"}"#, "a/in.json",
            "a/in.json:2:6: error: this is not JSON: unexpected '}' in the place of a value"
        ),
        (
            #"{"equalToFile": "in.json", "ignoreArrayOrder": true}"#, "a/in.json",
            #"a/x.stub.json:1:58: error: "ignoreArrayOrder" goes with "equalToJson" or "equalToJsonFile" (/request/bodyPatterns/0/ignoreArrayOrder)"#
        ),
        (
            #"{"not": {"equalToFile": "in.json"}}"#, "a/in.json",
            #"a/x.stub.json:1:40: error: unknown key "equalToFile"; it is for "bodyPatterns", and not inside of "and", "or" and "not" (/request/bodyPatterns/0/not/equalToFile)"#
        ),
    ])
    func `a mistake is named where it stands`(matcher: String, file: String, finding: String) throws {
        let directory = try TemporaryDirectory()
        try directory.write("a/x.stub.json", Array(Self.stub(matcher).utf8))
        try directory.write(file, Array("{\n\"a\": }".utf8))
        let findings = try directory.findings().filter { !$0.contains("in.json:2:6: warning") }
        #expect(findings == [finding])
    }

    @Test func `the value is that of the file, which is not served, and the name is written back`() throws {
        let directory = try TemporaryDirectory([
            "a/json.stub.json": Self.stub(#"{"equalToJsonFile": "in.json", "ignoreExtraElements": true}"#),
            "a/in.json": #"{"a": 1}"#,
            "b/bytes.stub.json": Self.stub(#"{"equalToFile": "../in.bin"}"#), "in.bin": "text",
            "c/xml.stub.json": Self.stub(#"{"equalToXmlFile": "in.xml", "enablePlaceholders": true}"#),
            "c/in.xml": "<a/>",
        ])
        let set = try directory.load()
        #expect(set.findings.filter { $0.severity == .error } == [])
        #expect(set.files.isEmpty)
        for stub in set.stubs { #expect(StubWriter.request(stub.request) == stub.source["request"]) }
        let bodies = set.stubs.flatMap(\.request.body).map(\.compared)
        guard bodies.count == 3, case .value(.equalToJSON(let json, false, ignoreExtraElements: true)) = bodies[0],
            case .binaryEqualTo(Array("text".utf8)) = bodies[1], case .value(.leaf(let leaf as XMLPattern)) = bodies[2]
        else {
            Issue.record("\(bodies)")
            return
        }
        #expect(json["a"]?.number?.integer == 1 && leaf.expected.text == "<a/>" && leaf.enablesPlaceholders)
    }

    @Test func `in a WireMock root the file lies below __files`() throws {
        let directory = try TemporaryDirectory([
            "mappings/a.json": Self.stub(#"{"equalToFile": "in.csv"}"#), "__files/in.csv": "1,2\n",
        ])
        let set = try directory.load()
        guard case .file("in.csv", .binaryEqualTo(Array("1,2\n".utf8)))? = set.stubs.first?.request.body.first else {
            Issue.record("\(set.findings)")
            return
        }
    }
}
