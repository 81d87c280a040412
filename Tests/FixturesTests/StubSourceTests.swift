// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText
import MockapiTestSupport
import Testing

/// A stub as it was written, which is read again from the text of its file.
@Suite(.supervised) struct StubSourceTests {
    private static let places = """
        {"stubs": [
          {"name": "a", "request": {"urlPath": "/a"}, "response": {"headers": {"X-A": "ü"}, "jsonBody": [1.50, "\\u00e9"]}},
          {"name": "b", "recorded": {"from": "https://x"}, "response": {"status": 201}} ]}
        """

    private func written(_ text: String, options: JSONParser.Options = []) throws -> [JSONNode] {
        let root = try JSONParser.parse(text, options: options)
        return try #require((root["stubs"] ?? root["mappings"])?.array)
    }

    /// What a node and all within it are, with their offsets.
    private func told(_ node: JSONNode) -> String {
        let inner =
            switch node.value {
            case .array(let elements): elements.map(told).joined(separator: " ")
            case .object(let object):
                object.members.map { "\($0.nameOffset) \($0.name) \(told($0.value))" }.joined(separator: " ")
            default: String(decoding: JSONWriter.compact(node), as: UTF8.self)
            }
        return "\(node.offset): [\(inner)]"
    }

    @Test(arguments: ["", "\u{FEFF}", "\n\n  "])
    func `values and places are those of the file`(start: String) throws {
        let text = start + Self.places
        let directory = try TemporaryDirectory()
        try directory.write("x.stub.json", Array(text.utf8))
        let set = try directory.load()
        #expect(set.stubs.map { told($0.source) } == (try written(text)).map(told))
        #expect(set.stubs.map(\.isRecorded) == [false, true])
    }

    @Test(arguments: [0, 100_000])
    func `the scalars of a mapping are what WireMock takes them for, however long it is`(length: Int) throws {
        let directory = try TemporaryDirectory()
        let name = String(repeating: "n", count: length)
        try directory.write(
            "mappings/x.json",
            Array(#"{"priority": "3", "name": "\#(name)", "response": {"status": "500", "body": 5}}"#.utf8))
        let source = try #require(try directory.load().stubs.first).source
        #expect(source["priority"]?.number?.integer == 3)
        #expect(source["response"]?["status"]?.number?.integer == 500)
        #expect(source["response"]?["body"]?.string == "5")
    }

    @Test func `a WireMock mapping keeps what stands in it beyond JSON`() throws {
        let text = "// all\n{'mappings': [{'name': 'a', /* b */ 'response': {'status': 201}}, {'response': {}}]}"
        let directory = try TemporaryDirectory()
        try directory.write("mappings/x.json", Array(text.utf8))
        let set = try directory.load()
        let mappings = try written(text, options: [.comments, .singleQuotes])
        #expect(set.stubs.map { told($0.source) } == mappings.map(told))
    }

    @Test(arguments: [1_000, 65_000, 70_000])
    func `a stub of any size has its source`(size: Int) throws {
        let body = String(repeating: "x", count: size)
        let text = #"{"stubs": [{"response": {"body": "\#(body)"}}, {"name": "b", "response": {"body": "y"}}]}"#
        let directory = try TemporaryDirectory()
        try directory.write("x.stub.json", Array(text.utf8))
        let set = try directory.load()
        #expect(set.stubs.map { told($0.source) } == (try written(text)).map(told))
    }

    @Test func `a stub that is alone in its file is the whole of it`() throws {
        let text = #" {"name": "a", "response": {"status": 204}} "#
        let directory = try TemporaryDirectory()
        try directory.write("x.stub.json", Array(text.utf8))
        #expect(try directory.load().stubs.map { told($0.source) } == [told(try JSONParser.parse(text))])
    }
}
