// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockapiRunning

/// Ways to read a response, each with what it needs, and nothing beside.
@Suite(.supervised) struct NeededReadingsTests {
    /// A client that reads a response by lines of Python, and the parts of the contract that are needed then.
    struct Reading: Sendable, CustomStringConvertible {
        let lines: [String]
        let needs: [String: String]

        init(_ lines: String..., needs: [String: String]) {
            self.lines = lines
            self.needs = needs
        }

        var description: String { lines.joined(separator: "; ") }
    }

    private static let page = """
        {"request": {"urlPath": "/page"}, "response": {
          "headers": {"Content-Type": "application/json", "X-Total": "42", "X-Mode": "fast"},
          "jsonBody": {
            "data": {"id": "7f3a", "title": "Hello", "subtitle": "Below", "count": 12, "published": true, "kind": "article",
              "code": "89073", "created": "2024-03-01T10:00:00Z", "link": "/api/items/7",
              "author": {"name": "Ann", "email": "ann@example.org", "address": {"city": "Ulm", "zip": "89073"}},
              "tags": ["red", "green", "blue"], "nothing": null,
              "items": [{"sku": "s-1", "qty": 2, "kind": "new"}, {"sku": "s-2", "qty": 1, "kind": "used"}]},
            "meta": {"page": 1, "cursor": "abc"}}}}
        """
    private static let needed = #"{"needed":true,"type":"string"}"#
    private static let number = #"{"needed":true,"type":"integer"}"#

    static let readings = [
        Reading(#"assert d["id"]"#, needs: ["/data/id": needed]),
        Reading(#"d.get("count", 5)"#, needs: [:]),
        Reading(
            #"assert d["count"] + 1 > 0"#, #"d["author"]["name"].strip()"#,
            needs: ["/data/count": number, "/data/author/name": needed]),
        Reading(
            #"s = d.get("subtitle"); assert s is None or isinstance(s, str)"#,
            needs: ["/data/subtitle": #"{"needed":true,"type":"string","optional":true}"#]),
        Reading(
            #"d.get("subtitle", "none").upper()"#,
            needs: ["/data/subtitle": #"{"needed":true,"type":"string","optional":true,"nullable":false}"#]),
        Reading(
            #"assert d.get("published", False) in (True, False)"#, #"d["author"]["address"].get("zip")"#,
            needs: ["/data/published": #"{"needed":true,"type":"boolean","optional":true,"nullable":false}"#]),
        Reading(
            #"[item.get("kind", "new").strip() for item in d["items"]]"#, #"sum(item["qty"] for item in d["items"])"#,
            needs: [
                "/data/items/*/kind": #"{"needed":true,"type":"string","optional":true,"nullable":false}"#,
                "/data/items/*/qty": number,
            ]),
        Reading(
            #"{"article": 1, "page": 2}[d["kind"]]"#, #"assert d["link"].startswith("/")"#,
            needs: ["/data/kind": #"{"needed":true,"type":"string","enum":["article"]}"#, "/data/link": needed]),
        Reading(
            #"assert d.get("kind") in (None, "article", "page")"#,
            needs: ["/data/kind": #"{"needed":true,"type":"string","optional":true,"enum":["article"]}"#]),
        Reading(
            #"[{"new": 1, "used": 2}[item["kind"]] for item in d["items"]]"#,
            needs: ["/data/items/*/kind": #"{"needed":true,"type":"string","enum":["new","used"]}"#]),
        Reading(
            #"assert len(d["tags"]) == 3"#,
            needs: ["/data/tags": #"{"needed":true,"type":"array","minItems":3}"#, "/data/tags/*": needed]),
        Reading(
            #"d["tags"][0]"#, #"assert "nothing" in d"#,
            needs: ["/data/tags/*": needed, "/data/nothing": #"{"needed":true,"type":"null"}"#]),
        Reading(#"assert re.fullmatch("[0-9]+", d["code"])"#, needs: ["/data/code": needed]),
        Reading(
            #"datetime.datetime.fromisoformat(d["created"].replace("Z", "+00:00"))"#, needs: ["/data/created": needed]),
        Reading(
            #"int(h["X-Total"])"#, #"assert h["X-Mode"] in ("fast", "slow")"#,
            needs: [
                "header:X-Total": needed, "header:X-Mode": #"{"needed":true,"type":"string","enum":["fast"]}"#,
            ]),
        Reading("assert r.status < 400", needs: ["status": number]),
    ]

    @Test(arguments: readings) func `what a client reads is needed as it reads it, and nothing else is`(
        _ reading: Reading
    ) async throws {
        let directory = try TemporaryDirectory([
            "f/page.stub.json": Self.page,
            "client.py": """
            import datetime, http.client, json, os, re
            connection = http.client.HTTPConnection(os.environ["MOCKAPI_URL"].split("//")[1])
            connection.request("GET", "/page")
            r = connection.getresponse()
            h, d = r.headers, (lambda text: json.loads(text)["data"] if text else {})(r.read())
            \(reading.lines.joined(separator: "\n"))
            """,
        ])
        let end = try await Command.run(
            "needs", "\(directory.path)/f", "--write", "--", "/usr/bin/python3", "-S", "\(directory.path)/client.py")
        #expect(end.code == 0, "\(end.errors)")
        let stub = try JSONParser.parse(directory.bytes("f/page.stub.json"))
        let members = stub["contract"]?.object?.members.filter { $0.value["needed"]?.bool == true } ?? []
        let seen = members.map { ($0.name, String(decoding: JSONWriter.compact($0.value), as: UTF8.self)) }
        // The lines that the client itself begins with need the body to be an object with data.
        #expect(Dictionary(uniqueKeysWithValues: seen) == reading.needs, "\(end.output)")
    }
}
