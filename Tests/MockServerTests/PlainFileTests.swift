// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiTestSupport
import MockapiWireSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite(.supervised) struct PlainFileTests {
    @Test func `a file is served at its own path with type, tag and date`() async throws {
        try await TestServer.serving(["api/contents.json": #"{"a":1}"#]) { server throws in
            let answer = try server.get("/api/contents.json")
            #expect(answer.version == "HTTP/1.1")
            #expect(answer.status == 200)
            #expect(answer.reason == "OK")
            #expect(
                answer.fields.map(\.name)
                    == [
                        "Content-Type", "ETag", "Last-Modified", "Accept-Ranges", "Cache-Control", "Content-Length",
                        "Date",
                    ])
            #expect(answer["Content-Type"] == "application/json")
            #expect(answer["ETag"]?.hasPrefix("\"") == true)
            #expect(answer["Last-Modified"]?.hasSuffix(" GMT") == true)
            #expect(answer["Date"]?.count == 29)
            #expect(answer.text == #"{"a":1}"#)
        }
    }

    @Test(arguments: [
        "/../secret.txt", "/..%2fsecret.txt", "/%2e%2e/secret.txt", "/%2E%2E%2Fsecret.txt", "/a/../../secret.txt",
        "/a/..%5c..%5csecret.txt", "/%2e%2e%2f%2e%2e%2fetc/passwd", "//etc/passwd", "/%2fetc/passwd",
        "/a.txt%00.html", "/./../secret.txt",
    ])
    func `no target reads a file that was not loaded`(target: String) async throws {
        let outer = try TemporaryDirectory(["secret.txt": "secret", "fixtures/a.txt": "a", "fixtures/a/b.txt": "b"])
        let path = outer.path + "/fixtures"
        let server = try await MockServer.start(fixtures: path)
        let port = server.baseURL.port ?? 0
        let answers = try [
            WireClient(port: port).request("GET", target), FrameClient(port: port).get(target),
        ]
        for answer in answers {
            #expect(answer.status == 404 || answer.status == 400)
            #expect(answer.text != "secret" && !answer.text.contains("root:"))
        }
        await server.stop()
    }

    @Test func `a JSON file answers without its extension, an index for its folder`() async throws {
        let files: KeyValuePairs = [
            "api/contents.json": "contents", "api/index.json": "json index", "api/index.html": "html index",
            "web/index.html": "web", "taken": "file", "taken.json": "json", "index.html": "root",
        ]
        try await TestServer.serving(files) { server throws in
            for (target, text) in [
                ("/api/contents", "contents"), ("/api/contents.json", "contents"), ("/api", "json index"),
                ("/api/", "json index"), ("/api/index", "json index"), ("/api/index.html", "html index"),
                ("/web/", "web"), ("/taken", "file"), ("/taken.json", "json"), ("/", "root"),
                ("/api/contents?page=2", "contents"), ("/%61pi/contents", "contents"),
            ] {
                #expect(try server.get(target).text == text, "\(target)")
            }
        }
    }

    @Test(arguments: [
        ("a.json", "application/json"), ("a.html", "text/html; charset=utf-8"), ("a.txt", "text/plain; charset=utf-8"),
        ("a.css", "text/css; charset=utf-8"), ("a.js", "text/javascript; charset=utf-8"),
        ("a.svg", "image/svg+xml; charset=utf-8"),
        ("a.png", "image/png"), ("a.jpg", "image/jpeg"), ("a.gif", "image/gif"), ("a.webp", "image/webp"),
        ("a.xml", "application/xml; charset=utf-8"), ("a.unknown", "application/octet-stream"),
        ("a", "application/octet-stream"),
    ])
    func `the media type goes by the extension`(name: String, type: String) async throws {
        let directory = try TemporaryDirectory()
        try directory.write(name, "x")
        try await TestServer.serving(directory) { server throws in
            #expect(try server.get("/" + name)["Content-Type"] == type)
        }
    }

    @Test func `stub files, their bodies, dotted names and the README at the root are no plain files`() async throws {
        let files: KeyValuePairs = [
            "a.stub.json": #"{"request": {"urlPath": "/a"}, "response": {"bodyFile": "body.json"}}"#, "body.json": "{}",
            ".hidden.json": "{}", ".git/config.json": "{}", "README.md": "read me", "docs/README.md": "served",
        ]
        try await TestServer.serving(files) { server throws in
            for target in ["/a.stub.json", "/body.json", "/body", "/.hidden.json", "/.git/config.json", "/README.md"] {
                #expect(try server.get(target).status == 404, "\(target)")
            }
            #expect(try server.get("/docs/README.md").text == "served")
            #expect(try server.get("/a").text == "{}")
        }
    }

    @Test func `HEAD tells what GET would send`() async throws {
        let directory = try TemporaryDirectory(["small.txt": "12345"])
        try directory.write("large.bin", [UInt8](repeating: 7, count: 100_000))
        try await TestServer.serving(directory) { server throws in
            for (target, length) in [("/small.txt", "5"), ("/large.bin", "100000")] {
                let client = try server.connect()
                let head = try client.request("HEAD", target)
                let get = try client.request("GET", target)
                #expect(head["Content-Length"] == length)
                #expect(get.body.count == Int(length))
                #expect(head.fields.map(\.name) == get.fields.map(\.name))
                #expect(head["ETag"] == get["ETag"])
            }
        }
    }

    @Test func `an empty file is an empty response`() async throws {
        try await TestServer.serving(["empty.txt": ""]) { server throws in
            let answer = try server.get("/empty.txt", "Range: bytes=0-")
            #expect(answer.status == 200)
            #expect(answer["Content-Length"] == "0")
        }
    }

    @Test func `a stub goes before a file`() async throws {
        let files: KeyValuePairs = [
            "a.stub.json": #"""
            {"request": {"urlPath": "/a.txt", "queryParameters": {"x": {"equalTo": "1"}}}, "response": {"body": "stub"}}
            """#,
            "a.txt": "file",
        ]
        try await TestServer.serving(files) { server throws in
            #expect(try server.get("/a.txt").text == "file")
            #expect(try server.get("/a.txt?x=1").text == "stub")
        }
    }

    @Test func `a large file that has changed since it was loaded is not sent by halves`() async throws {
        let directory = try TemporaryDirectory()
        try directory.write("large.bin", [UInt8](repeating: 7, count: 100_000))
        try await TestServer.serving(directory) { server throws in
            try directory.write("large.bin", [UInt8](repeating: 8, count: 90_000))
            let answer = try server.get("/large.bin")
            #expect(answer.body == [UInt8](repeating: 8, count: 90_000))
            try server.reload()
            #expect(try server.get("/large.bin").body == [UInt8](repeating: 8, count: 90_000))
        }
    }

    @Test func `a WireMock root is served by its rules`() async throws {
        let files: KeyValuePairs = [
            "mappings/a.json":
                #"""
            {"id": "8C5DB8B0-2DB4-4AD7-A99F-38C9B00DA3F7", "name": "the gét",
             "request": {"method": "GET", "url": "/a"}, "response": {"status": 201, "bodyFileName": "a.txt"}}
            """#,
            "mappings/b.json": #"""
            {"request": {"method": "ANY", "urlPath": "/b"},
             "response": {"headers": {"X-A": ["1", "2"], "Content-Type": "text/plain"}, "jsonBody": [1.0]}}
            """#,
            "mappings/c.json": #"{"request": {"urlPattern": "/b.*"}, "response": {"body": "newest"}}"#,
            "__files/a.txt": "from __files", "__files/plain.json": "[]",
        ]
        try await TestServer.serving(files) { server throws in
            let answer = try server.get("/a")
            #expect(answer.status == 201)
            #expect(answer.text == "from __files")
            #expect(try server.get("/b").text == "newest")
            #expect(try server.get("/plain.json").text == "[]")
            #expect(try server.get("/mappings/a.json").status == 404)
            #expect(try server.request("PUT", "/a").status == 404)
            #expect(answer["Content-Type"] == nil)
            #expect(answer["Matched-Stub-Name"] == "the g?t")
            #expect(answer["Matched-Stub-Id"] == "8c5db8b0-2db4-4ad7-a99f-38c9b00da3f7")
        }
    }
}
