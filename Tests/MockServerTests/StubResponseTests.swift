// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiWireSupport
import Testing

@Suite(.supervised) struct StubResponseTests {
    @Test func `lines come as written, in order and with repeats, those of the framing do not`() async throws {
        let stub = #"""
            {"request": {"urlPath": "/a"}, "response": {"status": 200, "reason": "Fine By Me", "headers": [
              "x-lower: 1", "Set-Cookie: a=1", "Content-Length: 99", "Set-Cookie: b=2; Path=/", "Transfer-Encoding: chunked",
              "Connection: close", "Keep-Alive: timeout=5", "Date: Thu, 01 Jan 1970 00:00:00 GMT", "X-Empty:",
              "Content-Type: text/plain"], "body": "hello"}}
            """#
        try await TestServer.serving(stub: stub) { server throws in
            let client = try server.connect()
            for _ in 0..<2 {
                let answer = try client.request("GET", "/a")
                #expect(answer.reason == "Fine By Me")
                #expect(
                    answer.fields.dropLast().map { "\($0.name): \($0.value)" } == [
                        "x-lower: 1", "Set-Cookie: a=1", "Set-Cookie: b=2; Path=/", "X-Empty: ",
                        "Content-Type: text/plain", "Content-Length: 5",
                    ])
                #expect(answer.fields.last?.name == "Date")
                #expect(answer["Date"]?.hasSuffix("1970 00:00:00 GMT") == false)
                #expect(answer.text == "hello")
            }
        }
    }

    @Test(arguments: [204, 304])
    func `a response that has no content says no length`(status: Int) async throws {
        let stub = #"{"request": {"urlPath": "/a"}, "response": {"status": \#(status), "headers": ["ETag: \"a\""]}}"#
        try await TestServer.serving(stub: stub) { server throws in
            let client = try server.connect()
            for _ in 0..<2 {
                let answer = try client.request("GET", "/a")
                #expect(answer.status == status)
                #expect(answer.fields.map(\.name) == ["ETag", "Date"])
            }
        }
    }

    @Test(arguments: [
        (
            #""jsonBody": {"n": 1.0, "big": 9223372036854775808}"#, "application/json",
            #"{"n":1.0,"big":9223372036854775808}"#
        ),
        (#""body": "text""#, "text/plain; charset=utf-8", "text"),
        (#""base64Body": "aGk=""#, nil, "hi"),
        (#""bodyFile": "a.svg""#, "image/svg+xml; charset=utf-8", "<svg xmlns='http://www.w3.org/2000/svg'/>"),
    ])
    func `without a Content-Type line the body gives the type`(body: String, type: String?, text: String) async throws {
        let files: KeyValuePairs = [
            "x.stub.json": "{\"request\": {\"urlPath\": \"/a\"}, \"response\": {\(body)}}",
            "a.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
        ]
        try await TestServer.serving(files) { server throws in
            let answer = try server.get("/a")
            #expect(answer["Content-Type"] == type)
            #expect(answer.text == text)
        }
    }

    @Test func `HEAD is answered by the stub of GET, with its length and without its body`() async throws {
        let stub =
            #"{"request": {"method": "GET", "urlPath": "/a"}, "response": {"headers": ["X-A: 1"], "body": "hello"}}"#
        try await TestServer.serving(stub: stub) { server throws in
            let client = try server.connect()
            let answer = try client.request("HEAD", "/a")
            #expect(answer.status == 200)
            #expect(answer["X-A"] == "1")
            #expect(answer["Content-Length"] == "5")
            #expect(try client.request("GET", "/a").text == "hello")
        }
    }

    @Test func `a recorded HEAD goes before the stub of GET and tells its recorded length`() async throws {
        let stub = #"""
            {"stubs": [
              {"request": {"method": "HEAD", "urlPath": "/a"}, "response": {"headers": ["X-Of: head"], "contentLength": 1234}},
              {"request": {"method": "GET", "urlPath": "/a"}, "response": {"headers": ["X-Of: get"], "body": "hello"}}]}
            """#
        try await TestServer.serving(stub: stub) { server throws in
            let client = try server.connect()
            let head = try client.request("HEAD", "/a")
            #expect(head["X-Of"] == "head")
            #expect(head["Content-Length"] == "1234")
            #expect(try client.request("GET", "/a")["X-Of"] == "get")
        }
    }

    @Test func `a length recorded without its body is told to HEAD alone`() async throws {
        let stub = #"{"request": {"urlPath": "/a"}, "response": {"contentLength": 1234}}"#
        try await TestServer.serving(stub: stub) { server throws in
            let client = try server.connect()
            #expect(try client.request("HEAD", "/a")["Content-Length"] == "1234")
            #expect(try client.request("GET", "/a")["Content-Length"] == "0")
            #expect(try client.request("POST", "/a")["Content-Length"] == "0")
        }
    }

    @Test func `any host that names the server matches stubs of every host, another host only its own`() async throws {
        let stub = #"""
            {"stubs": [
              {"request": {"urlPath": "/a", "host": {"equalTo": "api.example.com"}}, "response": {"body": "api"}},
              {"request": {"urlPath": "/c", "host": {"equalTo": "c.example."}}, "response": {"body": "full"}},
              {"request": {"urlPath": "/b"}, "response": {"body": "any"}}]}
            """#
        try await TestServer.serving(stub: stub) { server throws in
            for host in ["127.0.0.1:\(server.port)", "localhost", "LOCALHOST:1", "a.localhost", "[::1]:80", "10.1.2.3"]
            {
                #expect(try server.get("/a", "Host: \(host)").text == "api", "\(host)")
                #expect(try server.get("/b", "Host: \(host)").text == "any", "\(host)")
            }
            for (host, status) in [
                ("api.example.com", 200), ("API.example.com:8080", 200), ("www.example.com", 404),
                ("api.example.com.evil.test", 404), ("api.example.com.", 200), ("api.example.com.:8080", 200),
                ("api.example.com..", 404), (".", 404),
            ] {
                #expect(try server.get("/a", "Host: \(host)").status == status, "\(host)")
                #expect(try server.get("/b", "Host: \(host)").text == "any", "\(host)")
            }
            // The dot of a full name (RFC 1034 §3.1), in the stub or in the request.
            for host in ["c.example", "C.example.:1"] { #expect(try server.get("/c", "Host: \(host)").text == "full") }
            #expect(try server.get("http://api.example.com/a", "Host: other.test").text == "api")
            #expect(try server.get("http://other.test/a", "Host: api.example.com").status == 404)
        }
    }

    @Test func `a pattern that runs away is a miss, and other requests go on`() async throws {
        let stub = #"""
            {"stubs": [
              {"request": {"urlPathPattern": "/(a+)+b"}, "response": {"body": "matched"}},
              {"request": {"urlPath": "/other"}, "response": {"body": "other"}}]}
            """#
        try await TestServer.serving(stub: stub) { server throws in
            let long = "/" + String(repeating: "a", count: 40)
            try await withThrowingTaskGroup(of: (Int, String).self) { group in
                for number in 0..<40 {
                    group.addTask {
                        let answer = try server.get(number % 2 == 0 ? long : "/other")
                        return (answer.status, number % 2 == 0 ? "" : answer.text)
                    }
                }
                var misses = 0
                for try await (status, text) in group {
                    if status == 404 { misses += 1 } else { #expect(text == "other") }
                }
                #expect(misses == 20)
            }
            #expect(try server.get("/aab").text == "matched")
            // With a b at its end the whole value has to be tried.
            let answer = try server.get(long + "!b")
            #expect(answer.status == 404)
            #expect(
                answer.text.split(separator: "\n").dropFirst().first
                    == "x.stub.json has a pattern that was given up: it takes more than 1000000 steps on this value")
        }
    }
}
