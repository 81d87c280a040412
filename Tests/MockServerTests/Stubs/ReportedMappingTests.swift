// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// What users of WireMock have reported of its mappings, each as the smallest mapping and the requests that show it.
@Suite(.supervised) struct ReportedMappingTests {
    struct Ask: Sendable {
        let line: String
        let fields: [String]
        let body: String
        let status: Int
        let text: String?

        init(_ line: String, _ fields: [String] = [], body: String = "", is status: Int, with text: String? = nil) {
            (self.line, self.fields, self.body, self.status, self.text) = (line, fields, body, status, text)
        }
    }

    /// A report, by its number in `wiremock#`.
    struct Report: Sendable, CustomTestStringConvertible {
        let number: Int
        let mapping: String
        let files: [String: String]
        let asks: [Ask]
        var testDescription: String { "wiremock#\(number)" }

        init(_ number: Int, _ mapping: String, files: [String: String] = [:], _ asks: Ask...) {
            (self.number, self.mapping, self.files, self.asks) = (number, mapping, files, asks)
        }
    }

    private static let reports = [
        Report(
            765,
            #"{"request": {"url": "/o", "method": "POST", "bodyPatterns": [{"equalToJson": "{\"a\":1}"}, {"equalToJson": "{\"b\":2}"}]}}"#,
            .init("POST /o", body: #"{"a":1,"b":2}"#, is: 404),
            .init("POST /o", body: #"{"a":1}"#, is: 404)),
        Report(
            1264,
            #"{"request": {"urlPath": "/h"}, "response": {"body": "{{jsonPath request.headers.X-J '$.o.i'}} {{jsonPath request.query.q '$.o.i'}}", "transformers": ["response-template"]}}"#,
            .init("GET /h?q=%7B%22o%22:%7B%22i%22:2%7D%7D", [#"X-J: {"o":{"i":1}}"#], is: 200, with: #"1 2"#)),
        Report(
            1122,
            #"{"request": {"urlPath": "/l"}, "response": {"body": "{{jsonPath request.body '$.target'}}", "transformers": ["response-template"]}}"#,
            .init(
                "POST /l", body: #"{"foo":"bar","target":[{"aaa":"1","bbb":"2"}]}"#, is: 200,
                with: #"[{"aaa":"1","bbb":"2"}]"#)),
        Report(
            760,
            #"{"request": {"urlPath": "/b"}, "response": {"body": "{{lookup request.query 'filter[order_id]'}}", "transformers": ["response-template"]}}"#,
            .init("GET /b?filter[order_id]=123", is: 200, with: #"123"#),
            .init("GET /b?filter%5Border_id%5D=7", is: 200, with: #"7"#)),
        Report(
            697, #"{"request": {"urlPath": "/p", "queryParameters": {"sort": {"equalTo": "+accumAge"}}}}"#,
            .init("GET /p?sort=%2BaccumAge", is: 200),
            .init("GET /p?sort=+accumAge", is: 404)),
        Report(
            394, #"{"request": {"urlPath": "/t", "queryParameters": {"q": {"equalTo": ">"}}}}"#,
            .init("GET /t?&q=%3E", is: 200),
            .init("GET /t?q=3E", is: 404)),
        Report(
            695, #"{"request": {"urlPath": "/f", "queryParameters": {"$filter": {"equalTo": "{\"key\": \"true\"}"}}}}"#,
            .init("GET /f?%24filter=%7B%22key%22%3A+%22true%22%7D", is: 200)),
        Report(
            1128,
            #"{"request": {"method": "GET", "urlPath": "/r", "queryParameters": {"sort": {"equalTo": "updated asc"}, "gt": {"equalTo": "2019-01-01"}}}}"#,
            .init("GET /r?sort=updated+asc&gt=2019-01-01", is: 200),
            .init("GET /r?sort=updated+asc&gt=2019-01-02", is: 404)),
        Report(
            543, #"{"request": {"urlPath": "/xml", "queryParameters": {"C": {"equalTo": "this is a test"}}}}"#,
            .init("GET /xml?SRC=s&C=this+is+a+test", is: 200)),
        Report(
            637, #"{"request": {"urlPath": "/q", "queryParameters": {"n": {"matches": "asdf\\\\jkl"}}}}"#,
            .init("GET /q?n=asdf%5Cjkl", is: 200)),
        Report(
            1558,
            #"{"request": {"urlPath": "/d", "method": "POST", "bodyPatterns": [{"matchesJsonPath": {"expression": "$.s[?(@.id == '1')].date", "equalToDateTime": "2021-01-01T00:00:00", "actualFormat": "dd/MM/yyyy"}}]}}"#,
            .init("POST /d", body: #"{"s":[{"id":"1","date":"01/01/2021"}]}"#, is: 200),
            .init("POST /d", body: #"{"s":[{"id":"1","date":"02/01/2021"}]}"#, is: 404)),
        Report(
            1492,
            #"{"request": {"url": "/u", "method": "POST", "bodyPatterns": [{"matchesJsonPath": "$[?(@.['address'] =~ /([a-zA-Z0-9]+)?/)]"}]}}"#,
            .init("POST /u", body: #"{"address":"x1"}"#, is: 200),
            .init("POST /u", body: #"{"foo":null}"#, is: 200)),
        Report(
            1028, #"{"request": {"url": "/e", "bodyPatterns": [{"equalToJson": "[]"}]}}"#,
            .init("POST /e", body: #"[]"#, is: 200),
            .init("POST /e", body: #"[1]"#, is: 404)),
        Report(
            1230,
            #"{"request": {"url": "/a", "bodyPatterns": [{"equalToJson": "[\"b\",\"1\",\"9\",\"8\"]", "ignoreArrayOrder": true, "ignoreExtraElements": true}]}}"#,
            .init("POST /a", body: #"["8","9","1","b"]"#, is: 200),
            .init("POST /a", body: #"["8","x","9","1","b"]"#, is: 200),
            .init("POST /a", body: #"["8","9","1"]"#, is: 404)),
        Report(
            567, #"{"request": {"url": "/c", "cookies": {"s": {"equalTo": "2"}}}}"#,
            .init("GET /c", [#"Cookie: s=1; s=2"#], is: 200),
            .init("GET /c", [#"Cookie: s=1; s=1"#], is: 404)),
        Report(
            647,
            #"{"request": {"url": "/x", "bodyPatterns": [{"equalToXml": "<ns:root xmlns:ns=\"https://e/n\"><child1 /></ns:root>"}]}}"#,
            .init("POST /x", body: #"<ns:root xmlns:ns="https://e/n"><child1 /></ns:root>"#, is: 200),
            .init("POST /x", body: #"<ns:root xmlns:ns="https://e/n"><child2 /></ns:root>"#, is: 404)),
        Report(
            934, #"{"request": {"url": "/x2", "bodyPatterns": [{"equalToXml": "<Dangerous>X</Dangerous>"}]}}"#,
            .init("POST /x2", body: #"<Safe>X</Safe>"#, is: 404)),
        Report(
            1223,
            #"{"request": {"method": "POST", "url": "/i", "multipartPatterns": [{"matchingType": "ANY", "headers": {"Content-Disposition": {"contains": "name=\"importFile\""}, "Content-Type": {"contains": "application/octet-stream"}}, "bodyPatterns": [{"equalToJson": {"totalParts": 1, "partNumber": 1}}]}]}}"#,
            .init(
                "POST /i", [#"Content-Type: multipart/form-data;boundary=B"#],
                body:
                    #"--B\#r\#nContent-Type: application/octet-stream\#r\#nContent-Disposition: form-data; filename="1.json"; name="importFile"\#r\#n\#r\#n{"totalParts":1,"partNumber":1}\#r\#n--B--\#r\#n"#,
                is: 200)),
        Report(
            388, #"{"request": {"url": "/j", "bodyPatterns": [{"matchesJsonPath": "$.a[?(@.n == 3)]"}]}}"#,
            .init("POST /j", body: #"{"a":[{"n":1}]}"#, is: 404),
            .init("POST /j", body: #"{"a":[{"n":3}]}"#, is: 200)),
        Report(
            809,
            #"{"request": {"url": "/bf", "method": "POST"}, "response": {"bodyFileName": "r.json", "transformers": ["response-template"]}}"#,
            files: ["r.json": #"{"store": "{{jsonPath request.body '$.store'}}"}"#],
            .init("POST /bf", body: #"{"store":"1234"}"#, is: 200, with: #"{"store": "1234"}"#)),
        Report(
            1095, #"{"request": {"url": "/m", "bodyPatterns": [{"matches": ".*GET_D(.*\\r?\\n){2}.*MTS.*"}]}}"#,
            .init("POST /m", body: #"x GET_D a\#n b\#n c MTS\#n z"#, is: 200)),
        Report(
            950,
            #"{"request": {"urlPath": "/tf"}, "response": {"bodyFileName": "{{request.query.n}}.txt", "transformers": ["response-template"]}}"#,
            files: ["one.txt": #"1"#],
            .init("GET /tf?n=one", is: 200, with: #"1"#),
            .init("GET /tf?n=none", is: 500)),
        Report(
            515, #"{"request": {"urlPath": "/v", "queryParameters": {"v": {"equalTo": "V1+V2"}}}}"#,
            .init("GET /v?v=V1%2BV2", is: 200)),
    ]

    @Test(arguments: reports) func `a mapping answers as its reporter expects`(report: Report) async throws {
        let directory = try TemporaryDirectory(["mappings/m.json": report.mapping])
        for (name, text) in report.files { try directory.write("__files/\(name)", text) }
        try await TestServer.serving(directory) { server throws in
            for ask in report.asks {
                let client = try server.connect()
                let head =
                    ["\(ask.line) HTTP/1.1", "Host: localhost", "Content-Length: \(ask.body.utf8.count)"] + ask.fields
                try client.send(Array((head.joined(separator: "\r\n") + "\r\n\r\n" + ask.body).utf8))
                let response = try client.response()
                #expect(response.status == ask.status, "\(ask.line)")
                if let text = ask.text { #expect(response.text == text, "\(ask.line)") }
            }
        }
    }

    /// wiremock#1054
    @Test func `a list of values is a line for each`() async throws {
        let mapping =
            #"{"request": {"url": "/"}, "response": {"headers": {"Set-Cookie": ["a=b; path=/", "c=d; path=/"]}}}"#
        try await TestServer.serving(["mappings/m.json": mapping]) { server throws in
            #expect(try server.get("/").all("Set-Cookie") == ["a=b; path=/", "c=d; path=/"])
        }
    }
}
