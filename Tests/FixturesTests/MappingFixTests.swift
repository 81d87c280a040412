// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiSystemIO
import MockapiTestSupport
import Testing

@testable import MockapiFixtures

@Suite(.supervised) struct MappingFixTests {
    private static let mapping = #"""
        // kept
        {"priority": "3", 'name': 7, "response": {
          "status": "201", "body": true, "fixedDelayMilliseconds": "1.5", /* kept */ "headers": {"A": 1, "B": "2"},
          "jsonBody": {"status": "1"}
        }, "metadata": {"n": "1"}}

        """#

    private static let fixed = #"""
        // kept
        {"priority": 3, 'name': "7", "response": {
          "status": 201, "body": "true", "fixedDelayMilliseconds": 1, /* kept */ "headers": {"A": 1, "B": "2"},
          "jsonBody": {"status": "1"}
        }, "metadata": {"n": "1"}}

        """#

    @Test func `scalars are written as they are meant, and all else stays byte for byte`() throws {
        let fix = try #require(MappingFix(path: "mappings/a.json", text: Array(Self.mapping.utf8)))
        #expect(String(decoding: fix.text, as: UTF8.self) == Self.fixed)
        #expect(fix.lines.map(\.number) == [2, 3])
        #expect(fix.lines.first?.before == #"{"priority": "3", 'name': 7, "response": {"#)
        #expect(fix.lines.first?.after == #"{"priority": 3, 'name': "7", "response": {"#)
        #expect(MappingFix(path: "mappings/a.json", text: fix.text) == nil)
        #expect(MappingFix(path: "mappings/a.json", text: Array("{".utf8)) == nil)
    }

    @Test func `files are written where they are, but not through a link nor over a change`() throws {
        let outside = try TemporaryDirectory(["x.json": Self.mapping])
        let directory = try TemporaryDirectory([
            "mappings/a.json": Self.mapping, "mappings/b/c.json": #"{"mappings": [{"priority": "1"}]}"#,
            "mappings/good.json": Self.fixed, "__files/d.json": Self.mapping,
        ])
        try directory.link("mappings/link.json", to: outside.path + "/x.json")
        let fixes = MappingFix.all(in: directory.path)
        #expect(fixes.map(\.path) == ["mappings/a.json", "mappings/b/c.json"])
        #expect(try fixes[0].write(in: directory.path))
        #expect(FileReader.contents(directory.path + "/mappings/a.json") == Array(Self.fixed.utf8))
        #expect(try !fixes[0].write(in: directory.path))
        #expect(try fixes[1].write(in: directory.path))
        #expect(
            FileReader.contents(directory.path + "/mappings/b/c.json")
                == Array(#"{"mappings": [{"priority": 1}]}"#.utf8))
        let linked = try #require(MappingFix(path: "mappings/link.json", text: Array(Self.mapping.utf8)))
        #expect(throws: SystemError.self) { try linked.write(in: directory.path) }
        #expect(FileReader.contents(outside.path + "/x.json") == Array(Self.mapping.utf8))
    }
}
