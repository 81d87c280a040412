// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiWireSupport

extension Abuse {
    /// Patterns, paths, schemas and templates that would take all there is, and stubs that ask their own server.
    static let languages = [
        Abuse("patterns that run away in each part of a request") { ground in
            let line = "x" + String(repeating: "1", count: ground.pick(2_000, 30_000))
            let text = "x" + String(repeating: "1", count: ground.pick(5_000, 200_000))
            try ground.ask("GET", "/dear/header", ["X: \(line)"], is: [404])
            try ground.ask("GET", "/dear/query?q=\(line)", is: [404])
            try ground.ask("POST", "/dear/body", body: text, is: [404])
            let document = "[\(Array(repeating: #"{"n": "\#(line)"}"#, count: 8).joined(separator: ","))]"
            for path in ["path", "schema", "json"] {
                try ground.ask("POST", "/dear/\(path)", body: document, is: [404])
            }
        },
        Abuse("references and paths that double") { ground in
            let nested = String(repeating: "[", count: 60) + String(repeating: "]", count: 60)
            try ground.ask("POST", "/dear/references", body: nested, is: [404])
            let wide = "[\((0..<ground.pick(100, 5_000)).map { #"{"a":[\#($0),{"a":1}]}"# }.joined(separator: ","))]"
            try ground.ask("POST", "/dear/descent", body: wide, is: [404])
            let elements = "<a>\(String(repeating: "<a/>", count: ground.pick(200, 20_000)))</a>"
            try ground.ask("POST", "/dear/xpath", body: elements, is: [404])
        },
        Abuse("templates that loop, and that make as much as they may") { ground in
            for path in ground.pick(["lists", "texts"], ["loops", "lists", "texts", "json"]) {
                try ground.ask("POST", "/made/\(path)", body: #"{"a": [1, 2, 3]}"#, is: [200, 500])
            }
        },
        Abuse("clients that leave while their response is worked out") { ground in
            let body = "x" + String(repeating: "1", count: ground.pick(5_000, 200_000))
            for path in ground.pick(["/dear/body"], ["/dear/body", "/made/loops", "/made/json"]) {
                let client = try ground.connect()
                try client.send("POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
            }
            ground.rest(milliseconds: 100)
        },
        Abuse("stubs that ask their own server, and webhooks to it") { ground in
            try ground.ask("GET", "/own/proxy", is: [500, 502, 508])
            try ground.ask("GET", "/own/webhook", is: [202])
            ground.rest(milliseconds: 200)
        },
    ]

    /// The stubs that they are put to.
    static let languageStubs: [String] = [
        #"{"request": {"urlPath": "/dear/header", "headers": {"X": {"matches": ".*[0-9]+x"}}}, "response": {}}"#,
        #"{"request": {"urlPath": "/dear/query", "queryParameters": {"q": {"matches": ".*?[0-9]+?x.+y"}}}, "response": {}}"#,
        #"{"request": {"urlPath": "/dear/body", "bodyPatterns": [{"matches": ".*[0-9]+x"}]}, "response": {}}"#,
        #"{"request": {"urlPath": "/dear/path", "bodyPatterns": [{"matchesJsonPath": "$[?(@.n =~ /.*[0-9]+x/)]"}]}, "response": {}}"#,
        #"""
        {"request": {"urlPath": "/dear/schema", "bodyPatterns": [{"matchesJsonSchema":
          {"items": {"properties": {"n": {"pattern": "^x.*[0-9]+x$"}}}}}]}, "response": {}}
        """#,
        #"{"request": {"urlPath": "/dear/json", "bodyPatterns": [{"equalToJson": [{"n": "${json-unit.regex}.*[0-9]+x"}], "ignoreExtraElements": true}]}, "response": {}}"#,
        ##"""
        {"request": {"urlPath": "/dear/references", "bodyPatterns": [{"matchesJsonSchema":
          {"anyOf": [{"items": {"$ref": "#"}}, {"items": {"$ref": "#"}}], "minItems": 1}}]}, "response": {}}
        """##,
        #"{"request": {"urlPath": "/dear/descent", "bodyPatterns": [{"matchesJsonPath": {"expression": "$..*..*..*", "equalTo": "none"}}]}, "response": {}}"#,
        #"{"request": {"urlPath": "/dear/xpath", "bodyPatterns": [{"matchesXPath": "//a[count(//a[count(//a) > 1]) > 1]/none"}]}, "response": {}}"#,
        made("loops", "{{#each (range 1 100000)}}{{#each (range 1 100000)}}x{{/each}}{{/each}}"),
        made(
            "lists",
            "{{assign 'a' (array 1 2)}}\(String(repeating: "{{assign 'a' (array a a a a a a a a)}}", count: 12)){{size (toJson a)}}"
        ),
        made("texts", "{{#each (range 1 200)}}{{#assign 'b'}}{{rjust 'x' 1000000}}{{/assign}}{{/each}}"),
        made("json", "{{#each (range 1 100000)}}{{formatJson request.body}}{{toJson request}}{{/each}}"),
        #"""
        {"request": {"urlPath": "/own/proxy"}, "response": {"proxyBaseUrl": "{{request.baseUrl}}", "transformers": ["response-template"]}}
        """#,
        #"""
        {"request": {"urlPath": "/own/webhook"}, "response": {"status": 202}, "serveEventListeners": [{"name": "webhook",
          "parameters": {"method": "GET", "url": "{{originalRequest.baseUrl}}/own/webhook"}}]}
        """#,
    ]

    private static func made(_ name: String, _ template: String) -> String {
        #"{"request": {"urlPath": "/made/\#(name)"}, "response": {"body": "\#(template)", "transformers": ["response-template"]}}"#
    }
}
