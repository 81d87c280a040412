// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockServer

/// The words of a miss of JSON that was not compared to its end.
@Suite(.supervised) struct JSONLimitTests {
    @Test func `a body that takes too much memory as JSON is reported`() async throws {
        let stubs = """
            {"stubs": [
              {"request": {"bodyPatterns": [{"equalToJson": [0]}]}, "response": {}},
              {"priority": 1, "request": {"bodyPatterns": [{"not": {"equalToJson": [0]}}]}, "response": {}}
            ]}
            """
        try await TestServer.serving(["x.stub.json": stubs]) { server in
            let body = "[" + String(repeating: "0,", count: 499_999) + "0]"
            let answer = try await blocking { try server.request("POST", "/a", body: body) }
            #expect(answer.status == 404)
            let text =
                "x.stub.json asks for JSON whose comparison was given up: this body takes more than 32 MiB of memory as JSON"
            #expect(answer.text.contains(text))
        }
    }

    @Test func `a comparison of JSON that was given up is reported`() async throws {
        let one = #"{"a":[["${json-unit.any-number}"],"${json-unit.any-string}"]}"#
        let other = #"{"a":[["${json-unit.any-number}"],"${json-unit.any-number}"]}"#
        let list = Array(repeating: one, count: 400) + Array(repeating: other, count: 400)
        let stub = """
            {"request": {"urlPath": "/a", "bodyPatterns": [{"equalToJson": [\(list.joined(separator: ","))],
             "ignoreArrayOrder": true}]}, "response": {}}
            """
        let body = Array(repeating: #"{"a":[[1],2]}"#, count: 401) + Array(repeating: #"{"a":[[1],"x"]}"#, count: 399)
        try await TestServer.serving(["x.stub.json": stub]) { server in
            try await blocking {
                let answer = try server.request("POST", "/a", body: "[\(body.joined(separator: ","))]")
                #expect(answer.status == 404)
                let text =
                    "x.stub.json asks for JSON whose comparison was given up: it takes more than 200000 steps on this body"
                #expect(answer.text.contains(text))
            }
        }
    }
}
