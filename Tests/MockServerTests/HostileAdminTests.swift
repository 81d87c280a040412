// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockServer

/// Contents that are meant to keep the admin API busy, or to fill the memory by it: each is answered, and the next request is.
@Suite(.supervised) struct HostileAdminTests {
    struct Input: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let method: String
        let target: String
        let body: String
        let statuses: [Int]

        init(_ name: String, _ method: String, _ target: String, _ body: String, _ statuses: Int...) {
            (testDescription, self.method, self.target, self.body, self.statuses) = (
                name, method, "/__admin/" + target, body, statuses
            )
        }

        /// A stub with members of a request.
        static func stub(_ name: String, _ request: String) -> Input {
            let body = #"{"request": {"method": "POST", \#(request)}, "response": {}}"#
            return Input(name, "POST", "mappings", body, 201, 422)
        }
    }

    private static func times(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    private static func listed(_ count: Int, _ text: (Int) -> String) -> String {
        (0..<count).map(text).joined(separator: ",")
    }

    private static let chain = listed(2_000) { ##""d\##($0)": {"$ref": "#/definitions/d\##($0 + 1)"}"## }
    private static let schema = ##"{"definitions": {\##(chain), "d2000": {}}, "$ref": "#/definitions/d0"}"##
    private static let pattern = times("(?:", 120) + "a+" + times(")+", 120)
    private static let words = (0..<20_000).map { "a\($0)" }.joined(separator: "|")
    private static let headers = listed(20_000) { #""H\#($0)": {"equalTo": "x"}"# }
    private static let parameters = listed(5_000) { #""q\#($0)": {"matches": "\#($0).*"}"# }
    private static let negations = times(#"{"not":"#, 200) + #"{"contains": "a"}"# + times("}", 200)
    private static let variables = (0..<500).map { "{a\($0)}-" }.joined()

    private static let stubs: [Input] = [
        .stub("a dear pattern", #""bodyPatterns": [{"matches": "\#(pattern)"}]"#),
        .stub("a long pattern", #""bodyPatterns": [{"matches": "\#(times("a{1,60000}", 50))"}]"#),
        .stub("many alternatives", #""bodyPatterns": [{"matches": "\#(words)"}]"#),
        .stub("a chain of references", #""bodyPatterns": [{"matchesJsonSchema": \#(schema)}]"#),
        .stub("many headers", #""headers": {\#(headers)}"#),
        .stub("many parameters", #""queryParameters": {\#(parameters)}"#),
        .stub("a deep matcher", #""bodyPatterns": [\#(negations)]"#),
        .stub("a long XML", #""bodyPatterns": [{"equalToXml": "<a>\#(times("<b/>", 100_000))</a>"}]"#),
        .stub("a long JSON", #""bodyPatterns": [{"equalToJson": [\#(times("1,", 200_000))1]}]"#),
        .stub("a path of variables", #""urlPathTemplate": "/\#(variables)""#),
    ]

    private static func template(_ text: String) -> String {
        #"{"request": {"urlPath": "/t"}, "response": {"body": "\#(text)", "transformers": ["response-template"]}}"#
    }

    private static let contents = [
        Input("a deep mapping", "POST", "mappings", times("[", 200_000), 422),
        Input("a comment without an end", "POST", "mappings", "/*" + times("*", 3_000_000), 422),
        Input("quotes", "POST", "mappings", times("'", 3_000_000), 422),
        Input("lines", "POST", "mappings", times("\n", 3_000_000) + "{", 422),
        Input("blocks without an end", "POST", "mappings", template(times("{{#if a}}", 20_000)), 201, 422),
        Input("expressions without an end", "POST", "mappings", template("{{a " + times("(b ", 20_000)), 201, 422),
        Input("a search by a dear pattern", "POST", "requests/find", #"{"urlPattern": "(.*)*q"}"#, 200, 422),
        Input(
            "a count by a dear pattern", "POST", "requests/count", #"{"bodyPatterns": [{"matches": ".*[a-z]+.*!q"}]}"#,
            200, 422),
        Input(
            "a search of metadata", "POST", "mappings/find-by-metadata", #"{"matchesJsonPath": "$..*..*"}"#, 200, 422),
        Input("settings", "POST", "settings", times("{", 16_000), 400, 422),
        Input(
            "a state of 2 MB", "PUT", "scenarios/\(times("a", 6_000))/state",
            #"{"state": "\#(times("x", 2_000_000))"}"#, 404, 413, 422),
        Input(
            "the name of a file with 20,000 parts", "PUT", "files/" + times("a/", 20_000) + "x", "x", 400, 403, 404,
            405, 422, 501),
        Input("7,500 limits", "GET", "requests?" + times("limit=1&", 7_500), "", 200, 422),
        Input("a limit beyond all", "GET", "requests?limit=999999999999&since=0001-01-01T00:00:00Z", "", 200, 422),
    ]

    @Test(arguments: stubs + contents)
    func `the admin API responds to whatever it is sent, and to the next request`(input: Input) async throws {
        try await TestServer.serving(stub: #"{"request": {"urlPath": "/plain"}, "response": {"body": "plain"}}"#) {
            server throws in
            let response = try server.request(input.method, input.target, body: input.body)
            #expect(input.statuses.contains(response.status), "\(response.status) \(response.text.prefix(300))")
            #expect(try server.get("/plain").text == "plain")
        }
    }

    @Test func `a content has half a million values, and a file a thousand findings`() async throws {
        try await TestServer.serving(stub: #"{"response": {}}"#) { server throws in
            #expect(throws: AdminError.self) { _ = try AdminContent.node(Array(repeating: 0x5B, count: 600)) }
            let many = Array(("[" + Self.times("1,", AdminContent.values) + "1]").utf8)
            let error = #expect(throws: AdminError.self) { _ = try AdminContent.node(many) }
            #expect(error?.text == "the content has more than 500000 values; send it in parts")
            let names = (0..<5_000).map { "\"k\($0)\":1" }.joined(separator: ",")
            let unknown = try server.request("POST", "/__admin/mappings", body: "{\(names)}")
            #expect(unknown.status == 422 && unknown.text.contains("unknown key"))
            #expect(unknown.text.split(separator: "unknown key").count - 1 <= 1_000)
            // So has a stub with many more, which is read as if it had no more.
            let flood = try JSONParser.parse("{\(names), \"name\": 1, \"k1\": 2, \"request\": {}}")
            #expect(AddedStub.pruned(flood).object?.members.count == 1_003)
            let findings = [flood, AddedStub.pruned(flood)].map { node in
                AddedStub(
                    ofAdmin: JSONWriter.compact(node), label: "a", number: 1, root: "", templatesAll: false,
                    replacing: nil
                ).findings.map(\.message)
            }
            #expect(findings[0] == findings[1] && findings[0].count == 1_000)
            // An error behind more than a thousand warnings is listed, too.
            let patterns = (0..<1_200).map { "{\"equalTo\": \"x\", \"k\($0)\": 1}" }.joined(separator: ",")
            let broken = try server.request(
                "POST", "/__admin/mappings",
                body: "{\"request\": {\"bodyPatterns\": [\(patterns)]}, \"response\": {\"status\": \"x\"}}")
            #expect(broken.status == 422 && broken.text.contains("status"), "\(broken.text.suffix(300))")
        }
    }
}
