// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiFixtures
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// What browsers and apps ask of a directory of files, and what they do with the responses.
@Suite(.supervised) struct ServedFilesTests {
    @Test func `a browser asks each time whether a file still is what it has, and what a stub says goes as it is`()
        async throws
    {
        let files: KeyValuePairs = [
            "a.json": "{}", "b.txt": "b",
            "c.stub.json": #"{"request": {"urlPath": "/c"}, "response": {"bodyFile": "b.txt"}}"#,
        ]
        try await TestServer.serving(files) { server throws in
            let answer = try server.get("/a.json")
            #expect(answer["Cache-Control"] == "no-cache")
            let tag = try #require(answer["ETag"])
            let same = try server.get("/a.json", "If-None-Match: \(tag)")
            #expect(same.status == 304)
            #expect(same["Cache-Control"] == "no-cache")
            #expect(try server.get("/c")["Cache-Control"] == nil)
        }
    }

    @Test func `a page's folder leads on to its path with a slash, with its query`() async throws {
        let files: KeyValuePairs = [
            "docs/index.html": "<script src=app.js></script>", "docs/app.js": "1", "a b/c/index.html": "c",
            "data/index.json": "{}", "both/index.json": "[]", "both/index.html": "x", "index.html": "top",
        ]
        try await TestServer.serving(files) { server throws in
            for (target, location) in [
                ("/docs", "/docs/"), ("/docs?a=b&c", "/docs/?a=b&c"), ("/a%20b/c", "/a%20b/c/"),
                ("/%64ocs?", "/%64ocs/?"),
            ] {
                let answer = try server.get(target)
                #expect(answer.status == 301)
                #expect(answer["Location"] == location)
                #expect(answer["Cache-Control"] == "no-cache")
            }
            #expect(try server.request("HEAD", "/docs").status == 301)
            for target in ["/docs/", "/docs/index.html", "/data", "/data/", "/both", "/", "/a%20b/c/"] {
                #expect(try server.get(target).status == 200)
            }
            #expect(try server.request("POST", "/docs").status == 405)
        }
    }

    @Test func `well-known files are served wherever they lie, and a file that is left out is named at its path`()
        async throws
    {
        let files: KeyValuePairs = [
            ".well-known/openid-configuration": #"{"issuer":"x"}"#, ".well-known/security.txt": "Contact: x",
            "app/.well-known/apple-app-site-association": #"{"applinks": {}}"#, "LICENSE": "free", ".env": "S=1",
            "a.json": "{}", "logo.svg": "<svg/>", "README.md": "r", ".git/config": "c",
            "me.stub.json": #"{"request": {"urlPath": "/me"}, "response": {"bodyFile": "logo.svg"}}"#,
        ]
        try await TestServer.serving(files) { server throws in
            let answer = try server.get("/.well-known/openid-configuration")
            #expect(answer["Content-Type"] == "application/json")
            #expect(answer.text == #"{"issuer":"x"}"#)
            #expect(try server.get("/.well-known/security.txt").text == "Contact: x")
            #expect(try server.get("/app/.well-known/apple-app-site-association")["Content-Type"] == "application/json")
            #expect(try server.get("/LICENSE")["Content-Type"] == "application/octet-stream")
            for (path, why) in [
                (".env", "names that begin with a dot are left out, except for .well-known"),
                (".git/config", "names that begin with a dot are left out, except for .well-known"),
                ("logo.svg", "it is the body of a stub, and so not a plain file"),
                (
                    "me.stub.json",
                    "it is a "
                        + "stub file"
                ),
                ("README.md", "a README at the top of the directory is left out"),
            ] {
                let miss = try server.get("/" + path)
                #expect(miss.status == 404)
                #expect(miss.text.contains("\na file lies at this path, and is not served: \(why)\n"))
            }
            for path in [
                "/nothing", "/../\(server.directory.path.split(separator: "/").last ?? "")/.env", "/.git", "/a/%00",
            ] {
                #expect(!(try server.get(path).text.contains("a file lies at this path")))
            }
        }
    }

    @Test(arguments: [
        ("a.txt", "caf\u{E9}", "text/plain; charset=utf-8"), ("a.xml", "<a/>", "application/xml; charset=utf-8"),
        ("a.svg", "<svg/>", "image/svg+xml; charset=utf-8"), ("a.css", "", "text/css; charset=utf-8"),
    ])
    func `text in UTF-8 says so`(name: String, text: String, type: String) async throws {
        try await TestServer.serving([name: text]) { server throws in
            #expect(try server.get("/" + name)["Content-Type"] == type)
        }
    }

    @Test(arguments: [
        ("a.xml", "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><r>Caf\u{E9}</r>", "application/xml"),
        ("a.html", "<meta charset=windows-1251><p>\u{CF}", "text/html"), ("a.txt", "\u{E9}", "text/plain"),
        ("a.svg", "<?xml version='1.0' encoding='latin1'?><svg>\u{E9}</svg>", "image/svg+xml"),
    ])
    func `text in another coding leaves it to what it says itself`(name: String, text: String, type: String)
        async throws
    {
        let directory = try TemporaryDirectory([
            "b.stub.json": #"{"request": {"urlPath": "/b"}, "response": {"bodyFile": "x/\#(name)"}}"#
        ])
        let bytes = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        try directory.write(name, bytes)
        try directory.write("x/" + name, bytes)
        #expect(try LoadedFixtures(path: directory.path, wireMock: false).findings.isEmpty)
        try await TestServer.serving(directory) { server throws in
            #expect(try server.get("/" + name)["Content-Type"] == type)
            #expect(try server.get("/b")["Content-Type"] == type)
        }
        try directory.write(name, [UInt8](repeating: 0x20, count: 40_000) + [0xE9])
        try await TestServer.serving(directory) { server throws in
            #expect(try server.get("/" + name)["Content-Type"] == type)
        }
    }

    @Test(arguments: [
        (
            "a.xml", Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?><r>".utf8) + [0xE9] + Array("</r>".utf8),
            "the text says that it is in utf-8, but its bytes are not: save it as UTF-8"
        ),
        (
            "a.html", Array("<meta http-equiv=Content-Type content=\"text/html; charset=ISO-8859-1\">\u{E9}".utf8),
            "the text says that it is in iso-8859-1, but its bytes are UTF-8, and it is served as UTF-8: change the declaration"
        ),
    ])
    func `text that is not what it says is a finding`(name: String, bytes: [UInt8], text: String) throws {
        let directory = try TemporaryDirectory()
        try directory.write(name, bytes)
        #expect(try LoadedFixtures(path: directory.path, wireMock: false).findings.map(\.text) == [text])
    }

    @Test func `who waits for the server is answered at the root of any directory, and it stays a miss`() async throws {
        try await TestServer.serving(["a.json": "{}"]) { server throws in
            let answer = try server.get("/", "Accept: application/json, text/plain, */*")
            #expect(answer.status == 200)
            #expect(answer.text == "mockapi is ready, and serves 0 stubs, 1 file; no fixture answers GET / itself\n")
            #expect(try server.request("HEAD", "/").status == 200)
            #expect(try server.get("/other").status == 404)
            #expect(try server.request("POST", "/").status == 404)
            #expect(server.journal.entries.map(\.outcome) == [.unmatched, .unmatched, .unmatched, .unmatched])
        }
    }

    @Test func `the handshake of a WebSocket is called one`() async throws {
        try await TestServer.serving(["a.json": "{}"]) { server throws in
            let miss = try server.get("/ws", "Connection: Upgrade", "Upgrade: websocket")
            #expect(miss.status == 404)
            #expect(
                miss.text.hasPrefix(
                    "404: nothing answers GET /ws: it is the handshake of a WebSocket, which cannot be served yet\n"))
            #expect(!miss.text.contains("add a stub"))
        }
    }

    @Test func `files whose names differ in the form of an accent are two`() async throws {
        let directory = try TemporaryDirectory()
        try directory.write("\u{E9}.json", "1")
        try directory.write("e\u{301}.json", "2")
        #expect(
            try LoadedFixtures(path: directory.path, wireMock: false).findings.map(\.text) == [
                "differs from \"e\u{301}.json\" only in how its accents are written (Unicode NFC and NFD); some file systems take the two for one"
            ])
        try await TestServer.serving(directory) { server throws in
            #expect(try server.get("/%C3%A9.json").text == "1")
            #expect(try server.get("/e%CC%81.json").text == "2")
        }
    }

    @Test func `scenarios and states whose names differ in the form of an accent are two`() async throws {
        func stub(_ path: String, _ scenario: String, _ more: String) -> String {
            #"{"request": {"urlPath": "\#(path)"}, "scenarioName": "\#(scenario)", \#(more), "response": {}}"#
        }
        let stubs = [
            stub("/a", "\u{E9}", "\"newScenarioState\": \"\u{E9}\""),
            stub("/b", "e\u{301}", "\"requiredScenarioState\": \"\u{E9}\""),
            stub("/c", "\u{E9}", "\"requiredScenarioState\": \"e\u{301}\""),
            stub("/d", "\u{E9}", "\"requiredScenarioState\": \"\u{E9}\""),
        ]
        try await TestServer.serving(stub: "{\"stubs\": [\(stubs.joined(separator: ","))]}") { server throws in
            #expect(try server.get("/a").status == 200)
            #expect(try server.get("/b").status == 404)
            #expect(try server.get("/c").status == 404)
            #expect(try server.get("/d").status == 200)
        }
    }

    @Test func `a wide stub of a priority above that of files answers only what no file does`() async throws {
        let files: KeyValuePairs = [
            "app.js": "1", "b c.json": "2",
            "exact.stub.json": #"{"request": {"urlPath": "/app.css"}, "response": {"body": "css"}}"#,
            "f.stub.json":
                #"{"request": {"urlPathPattern": "/.*"}, "priority": 10, "response": {"status": 404, "jsonBody": {"error": "none"}}}"#,
        ]
        let directory = try TemporaryDirectory(files)
        #expect(try LoadedFixtures(path: directory.path, wireMock: false).findings.isEmpty)
        try await TestServer.serving(directory) { server throws in
            #expect(try server.get("/app.js").text == "1")
            #expect(try server.request("HEAD", "/app.js").status == 200)
            #expect(try server.get("/b%20c").text == "2")
            #expect(try server.get("/app.css").text == "css")
            #expect(try server.get("/none").text == #"{"error":"none"}"#)
            #expect(try server.request("POST", "/app.js").text == #"{"error":"none"}"#)
        }
        try directory.write("f.stub.json", #"{"request": {"urlPathPattern": "/.*"}, "response": {"status": 404}}"#)
        #expect(
            try LoadedFixtures(path: directory.path, wireMock: false).findings.map(\.text) == [
                "no request reaches app.js and 1 more: this stub answers before plain files; a \"priority\" above 5 makes it answer only requests that no file does"
            ])
        try directory.write(
            "f.stub.json", #"{"request": {"urlPathTemplate": "/{a}", "method": "POST"}, "response": {}}"#)
        #expect(try LoadedFixtures(path: directory.path, wireMock: false).findings.isEmpty)
    }
}
