// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// Responses that the server makes out of a stub's: 304, 406, 412, 416.
@Suite(.supervised) struct MadeResponseTests {
    private static let stub = #"""
        {"request": {"method": "GET", "urlPath": "/r"},
         "response": {"headers": ["Access-Control-Allow-Origin: *", "X-RateLimit-Remaining: 59", "Set-Cookie: a=1",
                                  "Link: </r?page=2>; rel=next", "Content-Language: en", "ETag: \"v1\""],
                      "body": "0123456789", "contentEncoding": "gzip"}}
        """#

    @Test(arguments: [
        (304, #"If-None-Match: "v1""#), (412, #"If-Match: "other""#), (416, "Range: bytes=90-"),
        (406, "Accept-Encoding: identity;q=0, br"),
    ])
    func `the lines that are not about the content stay`(status: Int, field: String) async throws {
        try await TestServer.serving(stub: Self.stub) { server throws in
            let response = try server.get("/r", field)
            #expect(response.status == status)
            #expect(response["Access-Control-Allow-Origin"] == "*")
            #expect(response["X-RateLimit-Remaining"] == "59")
            #expect(response["Set-Cookie"] == "a=1")
            #expect(response["Link"] == "</r?page=2>; rel=next")
            #expect(response["Content-Language"] == nil)
        }
    }

    @Test func `a preflight goes on where credentials are asked for`() async throws {
        let stubs = #"""
            {"stubs": [
              {"protects": ["/api/"], "authentication": {"bearer": {"tokens": ["t"]}}},
              {"request": {"method": "OPTIONS", "urlPath": "/api/a"}, "response": {"status": 204, "headers": ["Access-Control-Allow-Origin: *"]}},
              {"request": {"method": "GET", "urlPath": "/api/a"}, "response": {}}]}
            """#
        try await TestServer.serving(stub: stubs) { server throws in
            let preflight = try server.request(
                "OPTIONS", "/api/a", ["Origin: http://a.test", "Access-Control-Request-Method: GET"])
            #expect(preflight.status == 204)
            #expect(preflight["Access-Control-Allow-Origin"] == "*")
            #expect(try server.request("OPTIONS", "/api/a").status == 401)
            #expect(try server.get("/api/a").status == 401)
        }
    }
}
