// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiFixtures
import MockapiTestSupport
import MockapiWireSupport
import Testing

@Suite(.supervised) struct ResourceFindingTests {
    private func findings(_ stub: String, _ items: String? = nil) throws -> [String] {
        let directory = try TemporaryDirectory([:])
        try directory.write("a.stub.json", stub)
        if let items { try directory.write("a.json", items) }
        return try LoadedFixtures(path: directory.path, wireMock: false).findings.map(\.description)
    }

    @Test(arguments: [
        (
            #"{"resource": {"from": "a.json"}}"#,
            #"a.stub.json:1:14: error: a resource needs "collection", a path such as "/api/bookmarks" (/resource)"#
        ),
        (
            #"{"resource": {"collection": "/a", "writeBack": true}}"#,
            #"a.stub.json:1:48: error: "writeBack" goes with "from", the file that is written (/resource/writeBack)"#
        ),
        (
            #"{"resource": {"collection": "/a/"}}"#,
            #"a.stub.json:1:29: error: expected a path such as "/api/bookmarks", without a slash at its end (/resource/collection)"#
        ),
        (
            #"{"resource": {"collection": "/a"}, "response": {}}"#,
            #"a.stub.json:1:48: error: "response" beside "resource"; leave one of them out (/response)"#
        ),
        (
            #"{"resource": {"collection": "/a", "form": "a.json"}}"#,
            #"a.stub.json:1:35: error: unknown key "form"; did you mean "from"? (/resource/form)"#
        ),
        (
            #"{"resource": {"collection": "/a", "from": "b.json"}}"#,
            #"a.stub.json:1:43: error: there is no file "b.json" (/resource/from)"#
        ),
    ])
    func `a resource that cannot be served`(stub: String, finding: String) throws {
        #expect(try findings(stub) == [finding])
    }

    @Test(arguments: [
        ("[1,]", "a.json:1:3: error: this is not JSON: a comma in front of ']'; take it out"),
        (
            #"{"items": []}"#,
            #"a.json:1:1: error: expected a list of objects, or {"data": […]}, found an object"#
        ),
        ("[\n  1]", "a.json:2:3: error: expected an object, found 1 (/0)"),
        (
            #"{"data": [{"ID": 1}]}"#,
            #"a.json:1:11: error: this item has no "id"; the resource's "id" names the member that identifies an item (/data/0)"#
        ),
        (
            #"[{"id": 1.5}]"#,
            "a.json:1:9: error: expected a string or a whole number as an id, found 1.5 (/0)"
        ),
        (
            #"[{"id": 1}, {"id": "1"}]"#,
            #"a.json:1:20: error: the id "1" once more; item 0 has it (/1)"#
        ),
    ])
    func `items that cannot be served are told at their places`(items: String, finding: String) throws {
        #expect(try findings(#"{"resource": {"collection": "/a", "from": "a.json"}}"#, items) == [finding])
    }

    @Test func `two resources of one collection are told`() throws {
        let stub = #"{"resource": {"collection": "/a"}}"#
        let found = try findings(#"{"stubs": [\#(stub), \#(stub)]}"#)
        #expect(found.count == 1)
        #expect(found.first?.contains("no request reaches this stub: ") == true)
    }
}
