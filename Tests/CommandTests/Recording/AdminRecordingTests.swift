// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// Recordings that a client of WireMock asks for.
@Suite(.supervised) struct AdminRecordingTests {
    static let token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
    static let live: KeyValuePairs = [
        "users.json": #"[{"name": "Ann"}]"#,
        "secret.json": #"{"token": "\#(token)"}"#,
        "step.stub.json": #"{"request": {"urlPath": "/step"}, "responses": [{"body": "one"}, {"body": "two"}]}"#,
        "post.stub.json":
            #"{"request": {"method": "POST", "urlPath": "/post"}, "response": {"status": 201, "body": "made"}}"#,
        "none.stub.json": #"{"request": {"urlPath": "/none"}, "response": {"status": 204}}"#,
        "slow.stub.json": """
        {"request": {"urlPath": "/slow"}, "response": {"body": "abcd", "chunkedDribbleDelay": {"numberOfChunks": 2, "totalDuration": 2}}}
        """,
        "pixel.stub.json": """
        {"request": {"urlPath": "/pixel"}, "response": {"headers": ["Content-Type: image/png"], "base64Body": "iVBORw0KGgoA/w=="}}
        """,
    ]

    /// A live service, and a server of an empty WireMock root beside it.
    private func recording(
        _ arguments: [String] = [], _ body: (WireClient, TemporaryDirectory, _ live: String) async throws -> Void
    ) async throws {
        let service = try await LiveService(Self.live)
        let directory = try TemporaryDirectory(["mappings/own.json": #"{"request": {"urlPath": "/own"}}"#])
        let command = try Command(["serve", directory.path, "--port", "0"] + arguments)
        try await body(WireClient(port: try await command.port()), directory, service.url)
    }

    private func admin(_ client: WireClient, _ method: String, _ path: String, _ body: String = "") throws -> JSONNode {
        try JSONParser.parse(client.request(method, "/__admin/recordings/\(path)", body: body).body)
    }

    private func error(_ client: WireClient, _ path: String, _ body: String) throws -> [String] {
        let response = try client.request("POST", "/__admin/recordings/\(path)", body: body)
        let error = try JSONParser.parse(response.body)["errors"]?.array?.first
        let pointer = error?["source"]?["pointer"]?.string ?? ""
        return ["\(response.status)", pointer, error?["detail"]?.string ?? error?["title"]?.string ?? ""]
    }

    @Test(arguments: [true, false])
    func `what was passed on becomes stubs without secrets, and files with --writable alone`(
        isWritable: Bool
    ) async throws {
        try await recording(isWritable ? ["--writable"] : []) { client, directory, live throws in
            #expect(try admin(client, "GET", "status")["status"]?.string == "NeverStarted")
            let start = try client.request(
                "POST", "/__admin/recordings/start", body: #"{"targetBaseUrl": "\#(live)"}"#)
            #expect(start.text == "{}")
            #expect(try admin(client, "GET", "status")["status"]?.string == "Recording")
            #expect(try client.request("GET", "/users.json?page=1").text == #"[{"name": "Ann"}]"#)
            #expect(try client.request("GET", "/secret.json").text.contains(Self.token))
            for _ in 1...2 { _ = try client.request("GET", "/step") }
            _ = try client.request("GET", "/pixel")
            _ = try client.request("POST", "/post", ["Content-Type: application/json"], body: #"{"a": 1}"#)
            let mappings = try admin(client, "POST", "stop")["mappings"]?.array ?? []
            #expect(try admin(client, "GET", "status")["status"]?.string == "Stopped")
            let names = mappings.map { $0["name"]?.string ?? "" }
            #expect(names.sorted() == ["pixel", "post.POST", "secret.json", "step", "step", "users.page-1.json"])
            #expect(mappings.allSatisfy { ($0["persistent"]?.bool ?? false) == isWritable })
            let files = directory.snapshot().keys.sorted()
            let written = [
                "pixel.json", "post.POST.json", "secret.json", "step-2.json", "step.json", "users.page-1.json",
            ]
            #expect(files == ["mappings/own.json"] + (isWritable ? written.map { "mappings/\($0)" } : []))
            #expect(!files.contains { directory.text($0).contains(Self.token) })
            // The live service is not asked any more.
            #expect(try client.request("GET", "/users.json?page=1").text == #"[{"name": "Ann"}]"#)
            #expect(try client.request("GET", "/users.json?page=2").status == 404)
            #expect(try client.request("GET", "/secret.json").text.contains("redacted"))
            #expect(try ["one", "two", "two"] == (1...3).map { _ in try client.request("GET", "/step").text })
            #expect(
                try client.request("GET", "/pixel").body == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0xFF])
            let post = try client.request("POST", "/post", ["Content-Type: application/json"], body: #"{"a":1.0}"#)
            #expect(post.status == 201 && post.text == "made")
        }
    }

    @Test func `a second recording takes the place of the first, and no file of somebody else's`() async throws {
        try await recording(["--writable"]) { client, directory, live throws in
            for _ in 1...2 {
                let spec = #"{"targetBaseUrl": "\#(live)", "extractBodyCriteria": {"textSizeThreshold": "4 b"}}"#
                _ = try admin(client, "POST", "start", spec)
                _ = try client.request("GET", "/users.json")
                _ = try client.request("GET", "/own")
                _ = try admin(client, "POST", "stop")
            }
            let own = directory.snapshot().keys.filter { $0.contains("own-") }
            #expect(own.count == 1)
            #expect(
                directory.snapshot().keys.sorted().filter { !own.contains($0) } == [
                    "__files/own.txt", "__files/users.json", "mappings/own.json", "mappings/users.json",
                ])
            #expect(directory.text("mappings/own.json") == #"{"request": {"urlPath": "/own"}}"#)
            #expect(try client.request("GET", "/users.json").text == #"[{"name": "Ann"}]"#)
        }
    }

    @Test
    func `a recorded request answers no other: not one with more parameters, nor one with a line that it did not have`()
        async throws
    {
        try await recording { client, _, live throws in
            let start = #"{"targetBaseUrl": "\#(live)", "captureHeaders": {"X-Kind": {}}}"#
            _ = try client.request("POST", "/__admin/recordings/start", body: start)
            let asked = ["/pixel?x=1", "/pixel?x=1&y=2", "/pixel"]
            for target in asked { _ = try client.request("GET", target) }
            _ = try client.request("GET", "/pixel", ["X-Kind: xml"])
            let mappings = try admin(client, "POST", "stop")["mappings"]?.array ?? []
            #expect(mappings.count == 4 && Set(mappings.map { $0["id"]?.string }).count == 4)
            for target in asked { #expect(try client.request("GET", target).status == 200, "\(target)") }
            for target in ["/pixel?x=1&z=5", "/pixel?x=2", "/pixel?y=2"] {
                #expect(try client.request("GET", target).status == 404, "\(target)")
            }
            #expect(try client.request("GET", "/pixel", ["X-Kind: xml"]).status == 200)
            #expect(try client.request("GET", "/pixel", ["X-Kind: json"]).status == 404)
        }
    }

    @Test func `a snapshot has what filters mean, and the header lines that are asked for`() async throws {
        try await recording { client, _, live throws in
            let proxy = #"{"priority": 9, "response": {"proxyBaseUrl": "\#(live)"}}"#
            _ = try client.request("POST", "/__admin/mappings", body: proxy)
            for language in ["de", "en"] {
                _ = try client.request("GET", "/users.json", ["Accept-Language: \(language)"])
            }
            _ = try client.request("GET", "/pixel", ["Authorization: Bearer \(Self.token)"])
            _ = try client.request("GET", "/own")
            let ids = try admin(client, "POST", "snapshot", #"{"outputFormat": "ids", "filters": {"url": "/pixel"}}"#)
            #expect(ids["ids"]?.array?.count == 1)
            let spec = #"""
                {"captureHeaders": {"Accept-Language": {"caseInsensitive": true}, "Authorization": {}}, "persist": false}
                """#
            let mappings = try admin(client, "POST", "snapshot", spec)["mappings"]?.array ?? []
            let languages = mappings.map { JSONWriter.compact($0["request"]?["headers"] ?? .null) }
            #expect(
                Set(languages.map { String(decoding: $0, as: UTF8.self) }) == [
                    #"{"Accept-Language":{"equalTo":"de","caseInsensitive":true},"Authorization":{"absent":true}}"#,
                    #"{"Accept-Language":{"equalTo":"en","caseInsensitive":true},"Authorization":{"absent":true}}"#,
                    #"{"Accept-Language":{"absent":true},"Authorization":{"matches":".+"}}"#,
                ])
            // As WireMock's client in Java writes it.
            let java = #"""
                {"filters": {"urlPathPattern": "/pix.*", "method": "GET", "allowNonProxied": false},
                 "extractBodyCriteria": {"textSizeThreshold": "10240", "binarySizeThreshold": "0"}, "outputFormat": "FULL",
                 "persist": "false", "repeatsAsScenarios": true,
                 "requestBodyPatternFactory": {"matcher": "auto", "ignoreArrayOrder": true, "ignoreExtraElements": true}}
                """#
            let pixel = try admin(client, "POST", "snapshot", java)["mappings"]?.array ?? []
            #expect(pixel.map { $0["response"]?["base64Body"]?.string } == ["iVBORw0KGgoA/w=="])
            let all = try admin(client, "POST", "snapshot", #"{"filters": {"allowNonProxied": true, "url": "/own"}}"#)
            #expect(all["mappings"]?.array?.map { $0["request"]?["url"]?.string } == ["/own"])
        }
    }

    @Test func `a response that its client has is recorded, however it ends`() async throws {
        try await recording { client, _, live throws in
            for (method, target) in [("GET", "/pixel"), ("HEAD", "/pixel"), ("GET", "/none"), ("GET", "/slow")] {
                for _ in 1...5 {
                    _ = try admin(client, "POST", "start", #"{"targetBaseUrl": "\#(live)"}"#)
                    _ = try client.request(method, target)
                    #expect(try admin(client, "POST", "stop")["mappings"]?.array?.count == 1, "\(method) \(target)")
                    _ = try client.request("POST", "/__admin/mappings/reset")
                }
            }
        }
    }

    @Test func `without a journal all that was passed on is recorded`() async throws {
        try await recording(["--journal-limit", "0"]) { client, _, live throws in
            _ = try admin(client, "POST", "start", #"{"targetBaseUrl": "\#(live)"}"#)
            #expect(try client.request("GET", "/pixel").status == 200)
            #expect(
                try error(client, "snapshot", #"{"filters": {"url": "/pixel"}}"#) == [
                    "422", "", #""filters" and "captureHeaders" look into the journal, which is off"#,
                ])
            #expect(try admin(client, "POST", "stop")["mappings"]?.array?.count == 1)
        }
    }

    @Test func `what cannot be recorded is refused with its place`() async throws {
        try await recording(["--no-outgoing"]) { client, _, _ throws in
            #expect(
                try error(client, "snapshot", "{}") == [
                    "501", "",
                    "this server reaches no others, so there is nothing to record: it needs a start without --no-outgoing",
                ])
        }
        try await recording { client, _, live throws in
            #expect(try error(client, "stop", "") == ["400", "", "Not currently recording."])
            let place = #""targetBaseUrl": "\#(live)""#
            for (spec, status, pointer, text) in [
                (#"{"x": 1}"#, "422", "/x", #"unknown key "x""#),
                ("[]", "422", "", "expected an object, found array"),
                (#"{"persist": 5}"#, "422", "/persist", "expected a truth value, found number"),
                (#"{"outputFormat": "NONE"}"#, "422", "/outputFormat", #"expected "FULL" or "IDS", found string"#),
                (
                    #"{"extractBodyCriteria": {"textSizeThreshold": "much"}}"#, "422",
                    "/extractBodyCriteria/textSizeThreshold", #"expected a size such as "2 kb", found string"#
                ),
                (
                    "{\(place), \"persist\": true}", "403", "",
                    "nothing is written to the fixture directory: start the server with --writable"
                ),
            ] {
                #expect(try error(client, "start", spec) == [status, pointer, text])
            }
            let wrong = try error(client, "start", #"{"targetBaseUrl": "zz"}"#)
            #expect(wrong[..<2] == ["422", "/targetBaseUrl"] && wrong[2].hasPrefix("expected a URL such as"))
            #expect(try admin(client, "GET", "status")["status"]?.string == "NeverStarted")
            #expect(try client.request("GET", "/__admin/recorder").text.contains("Status: NeverStarted."))
        }
    }
}

extension AdminRecordingTests {
    @Test func `a recording that cannot be written at the end is a failure of the command`() async throws {
        let service = try await LiveService(Self.live)
        let directory = try TemporaryDirectory(["mappings/own.json": #"{"request": {"urlPath": "/own"}}"#])
        let command = try Command([
            "wiremock", "--root-dir", directory.path, "--port", "0", "--proxy-all", service.url, "--record-mappings",
            "--match-headers", "Accept", "--no-request-journal",
        ])
        let client = try WireClient(port: try await command.port())
        #expect(try client.request("GET", "/pixel").status == 200)
        _ = try client.request("POST", "/__admin/shutdown")
        #expect(try await command.exitCode() == 4)
        #expect(command.errors.contains("error: nothing was recorded: "))
    }

    @Test func `the stub that goes first comes first, and repeated parameters are recorded as they came`() async throws
    {
        try await recording { client, _, live throws in
            _ = try client.request("POST", "/__admin/recordings/start", body: #"{"targetBaseUrl": "\#(live)"}"#)
            let targets = ["/none", "/step?q=b&x=1&q=a", "/users.json"]
            for target in targets { _ = try client.request("GET", target) }
            let mappings = try admin(client, "POST", "stop")["mappings"]?.array ?? []
            let requests = mappings.compactMap(\.["request"])
            // The one with conditions on parameters goes before those without, and among these the newest.
            #expect(requests.map { $0["urlPath"]?.string ?? $0["url"]?.string } == ["/step", "/users.json", "/none"])
            let expected = #"""
                {"q": {"hasExactly": [{"equalTo": "b"}, {"equalTo": "a"}]}, "x": {"hasExactly": [{"equalTo": "1"}]}}
                """#
            #expect(requests[0]["queryParameters"] == (try JSONParser.parse(expected)))
            #expect(try client.request("GET", "/step?x=1&q=a&q=b").status == 200)
            for other in ["/step?x=1&q=a", "/step?x=1&x=1&q=a&q=b", "/step?x=1&q=a&q=b&q=b"] {
                #expect(try client.request("GET", other).status == 404, "\(other)")
            }
        }
    }

    @Test func `a proxy for browsers records what it passes on, without a target`() async throws {
        let service = try await LiveService(Self.live)
        let root = try TemporaryDirectory(["mappings/own.json": #"{"request": {"urlPath": "/own"}}"#])
        let command = try Command(["wiremock", "--root-dir", root.path, "--port", "0", "--enable-browser-proxying"])
        let client = try WireClient(port: try await command.port())
        _ = try client.request("POST", "/__admin/recordings/start", body: "{}")
        #expect(try client.request("GET", "\(service.url)/users.json").text == #"[{"name": "Ann"}]"#)
        #expect(try client.request("GET", "\(service.url)/own").status == 200)
        let mappings = try admin(client, "POST", "stop")["mappings"]?.array ?? []
        #expect(mappings.map { $0["request"]?["url"]?.string } == ["/users.json"])
        let closed = try Command([
            "wiremock", "--root-dir", root.path, "--port", "0", "--enable-browser-proxying",
            "--proxy-pass-through=false",
        ])
        let other = try WireClient(port: try await closed.port())
        #expect(try other.request("GET", "\(service.url)/users.json").status == 404)
        #expect(try other.request("GET", "http://any.test/own").status == 200)
    }

    @Test func `WireMock's options pass on what no stub answers, and write it down at the end`() async throws {
        let service = try await LiveService(Self.live)
        let directory = try TemporaryDirectory(["mappings/own.json": #"{"request": {"urlPath": "/own"}}"#])
        let options = [
            "wiremock", "--root-dir", directory.path, "--port", "0", "--proxy-all", service.url, "--record-mappings",
            "--match-headers", "Accept,Authorization",
        ]
        let command = try Command(options)
        let client = try WireClient(port: try await command.port())
        let fields = ["Accept: text/plain", "Authorization: Bearer \(Self.token)"]
        for _ in 1...2 { _ = try client.request("GET", "/step", fields) }
        #expect(try client.request("GET", "/own").status == 200)
        // A reset keeps the stub that passes on, and empties the journal.
        _ = try client.request("POST", "/__admin/requests/reset")
        _ = try client.request("POST", "/__admin/mappings/reset")
        for _ in 1...2 { _ = try client.request("GET", "/step", fields) }
        #expect(try client.request("GET", "/pixel").status == 200)
        _ = try client.request("POST", "/__admin/shutdown")
        #expect(try await command.exitCode() == 0)
        let names = [
            "__files/pixel.png", "__files/step.txt", "mappings/own.json", "mappings/pixel.json", "mappings/step.json",
        ]
        #expect(directory.snapshot().keys.sorted() == names)
        #expect(directory.text("__files/step.txt") == "two")
        let step = try JSONParser.parse(directory.bytes("mappings/step.json"))
        #expect(
            JSONWriter.compact(step["request"]?["headers"] ?? .null)
                == Array(#"{"Accept":{"equalTo":"text/plain"},"Authorization":{"matches":".+"}}"#.utf8))
        #expect(
            command.errors.hasPrefix(
                "  passing requests that no stub answers to \(service.url), recording it at the end\n"))
        #expect(command.errors.hasSuffix("  2 stubs recorded into \(directory.path)\n"))
    }
}
