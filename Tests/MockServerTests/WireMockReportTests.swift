// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiContentCodings
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// Mappings that users of WireMock have reported as surprising, with the responses that WireMock gives, or has given since the fault was mended.
@Suite(.supervised) struct WireMockReportTests {
    /// A mapping, and a request with its response.
    struct Report: CustomTestStringConvertible {
        let testDescription: String
        var request = ""
        var response = #""body": "ok""#
        var method = "POST"
        var target = "/t"
        var fields: [String] = []
        var body = ""
        /// Nil for 404.
        var text: String? = "ok"

        init(
            _ name: String, request: String = "", template: String? = nil, method: String = "POST",
            _ target: String = "/t",
            _ fields: [String] = [], _ body: String = "", text: String? = "ok"
        ) {
            testDescription = name
            self.request = request
            if let template { response = #""transformers": ["response-template"], \#(template)"# }
            (self.method, self.target, self.fields, self.body, self.text) = (method, target, fields, body, text)
        }

        var mapping: String {
            let url = request.contains("\"urlPath") ? "" : #""urlPath": "/t"\#(request.isEmpty ? "" : ",")"#
            return #"{"request": {\#(url) \#(request)}, "response": {\#(response)}}"#
        }
    }

    private static let soap =
        "<s:Envelope xmlns:s='urn:s' xmlns:n='urn:n'><s:Body><n:Get><n:id>5</n:id></n:Get></s:Body></s:Envelope>"
    private static let part = "--B\r\nContent-Type: text/plain\r\n\r\nhello\r\n--B--\r\n"
    private static let upload =
        "--B\r\nContent-Type: application/octet-stream\r\nContent-Disposition: form-data; filename=\"a.json\"; name=\"f\"\r\n\r\n"
        + "{\"n\":1}\r\n--B--\r\n"

    static let matching = [
        Report(
            "a plus is a blank", request: #""queryParameters": {"a": {"equalTo": "x y"}}"#, method: "GET", "/t?a=x+y"),
        Report(
            "an encoded plus is a plus", request: #""queryParameters": {"a": {"equalTo": "+x"}}"#, method: "GET",
            "/t?a=%2Bx"),
        Report(
            "a name is decoded", request: #""queryParameters": {"f[id]": {"equalTo": "1"}}"#, method: "GET",
            "/t?f%5Bid%5D=1"),
        Report(
            "an encoded name is none", request: #""queryParameters": {"f%5Bid%5D": {"equalTo": "1"}}"#,
            "/t?f%5Bid%5D=1", text: nil),
        Report(
            "JSON in a query", request: #""queryParameters": {"q": {"equalToJson": {"a": "b"}}}"#,
            "/t?q=%7B%22a%22%3A+%22b%22%7D"),
        Report("a percent sign", request: #""queryParameters": {"q": {"matches": "a%5Cb"}}"#, "/t?q=a%255Cb"),
        Report(
            "a part with a file name in front of its name",
            request:
                #""multipartPatterns": [{"headers": {"Content-Disposition": {"contains": "name=\"f\""}}, "bodyPatterns": [{"equalToJson": {"n": 1}}]}]"#,
            "/t", ["Content-Type: multipart/form-data;boundary=B"], upload),
        Report(
            "a part without a disposition",
            request: #""multipartPatterns": [{"bodyPatterns": [{"contains": "hello"}]}]"#,
            "/t", ["Content-Type: multipart/related; boundary=B"], part),
        Report(
            "a boundary in quotes behind blanks",
            request: #""multipartPatterns": [{"bodyPatterns": [{"equalTo": "hello"}]}]"#,
            "/t", ["Content-Type: multipart/form-data;    boundary=\"B\""], part),
        Report(
            "a filter of an object", request: #""bodyPatterns": [{"matchesJsonPath": "$.a[?(@.n == 'x')]"}]"#, "/t", [],
            #"{"a": {"n": "x"}}"#),
        Report(
            "a filter with brackets and a pattern of nothing",
            request: #""bodyPatterns": [{"matchesJsonPath": "$[?(@.['n'] =~ /([a-z]+)?/)]"}]"#, "/t", [],
            #"{"m": null, "n": ""}"#),
        Report(
            "null among the values",
            request: #""bodyPatterns": [{"matchesJsonPath": {"expression": "$.l[*].x", "contains": "b"}}]"#,
            "/t", [], #"{"l": [{"x": null}, {"x": "abc"}]}"#),
        Report(
            "the flags of a nested comparison",
            request: #"""
                "bodyPatterns": [{"matchesJsonPath": {"expression": "$.a", "equalToJson": "{\"l\": [1, 2]}", "ignoreArrayOrder": true, "ignoreExtraElements": true}}]
                """#, "/t", [], #"{"a": {"l": [2, 1], "m": 1}}"#),
        Report(
            "an empty list too many", request: #""bodyPatterns": [{"equalToJson": {"a": 1}}]"#, "/t", [],
            #"{"a": 1, "l": []}"#, text: nil),
        Report(
            "an empty list", request: #""bodyPatterns": [{"equalToJson": "[]", "ignoreExtraElements": true}]"#, "/t",
            [], "[]"),
        Report(
            "an XML element that is found",
            request: #""bodyPatterns": [{"matchesXPath": {"expression": "//b", "equalToXml": "<b>1</b>"}}]"#,
            "/t", [], "<a><b>1</b></a>"),
        Report(
            "a name in a default namespace", request: #""bodyPatterns": [{"matchesXPath": "//b/c"}]"#, "/t", [],
            "<a xmlns='urn:a'><b><c/></b></a>"),
        Report(
            "a prefix of SOAP",
            request:
                #""bodyPatterns": [{"matchesXPath": {"expression": "//n:id", "contains": "5"}, "xPathNamespaces": {"n": "urn:n"}}]"#,
            "/t", [], soap),
        Report(
            "another prefix of the same namespace",
            request: #""bodyPatterns": [{"equalToXml": "\#(soap)", "namespaceAwareness": "LEGACY"}]"#,
            "/t", [], soap.replacing("n:", with: "m:").replacing("xmlns:n", with: "xmlns:m")),
        Report(
            "one of the lines of a header", request: #""headers": {"A": {"or": [{"absent": true}, {"equalTo": "1"}]}}"#,
            "/t", ["A: 0", "A: 1"]),
        Report(
            "a number with zeros at its end",
            request: #""bodyPatterns": [{"matchesJsonPath": {"expression": "$.n", "equalTo": "10.5"}}]"#,
            "/t", [], #"{"n": 10.50}"#),
        Report(
            "a great number",
            request: #""bodyPatterns": [{"matchesJsonPath": {"expression": "$.l[*].n", "equalTo": "1.23456789E7"}}]"#,
            "/t", [], #"{"l": [{"n": 1}, {"n": 12345678.9}]}"#),
    ]

    static let templates = [
        Report(
            "a parameter in JSON", template: #""jsonBody": {"k": "a {{request.query.q}}!"}"#, "/t?q=2",
            text: #"{"k":"a 2!"}"#),
        Report(
            "a parameter without content is there",
            template: #""body": "{{#if request.query.q}}y{{/if}}{{and request.query.q true}} {{not request.query.q}}""#,
            "/t?q=", text: "ytrue false"),
        Report(
            "a value of a name is a list of one",
            template: #""body": "{{size request.query.q}}{{#with request.query.q}}w{{/with}}""#,
            "/t?q=", text: "1w"),
        Report(
            "the parts of a path", request: #""urlPathPattern": "/t/.*""#,
            template: #""body": "{{request.path.[0]}} {{request.pathSegments.[1]}}""#,
            "/t/x", text: "t x"),
        Report(
            "a list in a text", template: #""body": "a {{jsonPath request.body '$.l'}} b""#, "/t", [],
            #"{"l": [{"a": "1"}]}"#, text: #"a [{"a":"1"}] b"#),
        Report(
            "a path to several values", template: #""body": "{{jsonPath request.body '$..l[0].u'}}""#, "/t", [],
            #"{"b": {"l": [{"u": "6a"}]}}"#,
            text: #"["6a"]"#),
        Report(
            "null", template: #""jsonBody": {"t": "{{jsonPath request.body '$.n'}}"}"#, "/t", [], #"{"n": null}"#,
            text: #"{"t":""}"#),
        Report(
            "a length", template: #""jsonBody": {"m": "{{jsonPath request.body '$.l.length()'}}"}"#, "/t", [],
            #"{"l": ["a", "b"]}"#, text: #"{"m":"2"}"#),
        Report(
            "a date across a change of the clock",
            template: #""body": "{{date (parseDate '2020-02-07T22:01:00Z') offset='89 days' format='yyyy-MM-dd'}}""#,
            text: "2020-05-06"),
        Report(
            "numbers",
            template:
                #""body": "{{jsonPath request.body '$.n'}} {{jsonPath request.body '$.l'}} {{math (jsonPath request.body '$.n') '+' 1}}""#,
            "/t", [], #"{"n": 10.00, "l": [1e3, 12345678.9, 0.00001, -0.50, 7, 1234567890123456789.5, 100.0]}"#,
            text: "10.0 [1000.0,1.23456789E7,1.0E-5,-0.5,7,1234567890123456789.5,100.0] 11.0"),
    ]

    @Test(arguments: matching + templates)
    func `a mapping gives the response that it gives in WireMock`(report: Report) async throws {
        try await TestServer.serving(["mappings/a.json": report.mapping]) { server throws in
            let response = try server.request(report.method, report.target, report.fields, body: report.body)
            #expect(response.status == (report.text == nil ? 404 : 200), "\(response.text)")
            if let text = report.text { #expect(response.text == text) }
        }
    }

    @Test func `numbers in fixtures of our own format keep their digits`() async throws {
        let stub = #"""
            {"request": {"method": "POST", "urlPath": "/t", "bodyPatterns": [{"matchesJsonPath": {"expression": "$.n", "equalTo": "10.50"}}]},
             "response": {"body": "{{jsonPath request.body '$.n'}}", "transformers": ["response-template"]}}
            """#
        try await TestServer.serving(["a.stub.json": stub]) { server throws in
            #expect(try server.request("POST", "/t", body: #"{"n": 10.50}"#).text == "10.50")
        }
    }
}
