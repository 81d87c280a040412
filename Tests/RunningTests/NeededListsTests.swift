// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockapiRunning

/// Lists whose items a client counts.
@Suite(.supervised) struct NeededListsTests {
    private func found(_ body: String, _ code: String) async throws -> (text: String, contract: String) {
        let directory = try TemporaryDirectory([
            "f/a.stub.json": #"{"request": {"urlPath": "/a"}, "response": {"bodyFile": "a.json"}}"#, "f/a.json": body,
            "client.py":
                "import json, os, urllib.request\nd = json.load(urllib.request.urlopen(os.environ['MOCKAPI_URL'] + '/a'))\n"
                + code + "\n",
        ])
        let end = try await Command.run(
            "needs", "\(directory.path)/f", "--write", "--", "/usr/bin/python3", "\(directory.path)/client.py")
        #expect(end.code == 0, "\(end.errors)")
        return (end.output, directory.text("f/a.stub.json"))
    }

    @Test func `a client that counts the items of a list needs the list, with as many`() async throws {
        let body = #"{"data": [{"id": 1}, {"id": 2}, {"id": 3}], "tags": ["a", "b"], "total": 3}"#
        let (text, contract) = try await found(body, "assert len(d['data']) == 3")
        #expect(
            text == "  a.stub.json   needs 0 of 3 fields: status, /data array of 3   does not mind: 3\n")
        #expect(contract.contains(#""/data": {"needed": true, "type": "array", "minItems": 3}"#))
        #expect(!contract.contains(#""/tags":"#))
    }

    @Test func `a client that takes what items there are needs no list`() async throws {
        let body = #"{"data": [{"id": 1}, {"id": 2}], "total": 2}"#
        let (text, contract) = try await found(body, "for item in d['data']: item['id'] + 1")
        #expect(text == "  a.stub.json   needs 1 of 2 fields: /data/*/id integer, status   does not mind: 1\n")
        #expect(!contract.contains("minItems"))
    }

    @Test func `a list has the fewest items that are there, and a change leaves one out of each`() throws {
        let node = try JSONParser.parse(#"{"a": [{"b": [1, 2, 3]}, {"b": [4, 5]}], "c": [1], "d": []}"#)
        var places = FieldPlaces()
        places.add(node)
        let lists = places.lists.map { "\($0.place.text) \($0.items)" }
        #expect(lists == ["/a 2", "/a/*/b 2"])
        let shorter = try #require(node.changed([places.lists[1].place.place: .shorten]))
        #expect(
            String(decoding: JSONWriter.compact(shorter), as: UTF8.self)
                == #"{"a":[{"b":[1,2]},{"b":[4]}],"c":[1],"d":[]}"#)
    }
}
