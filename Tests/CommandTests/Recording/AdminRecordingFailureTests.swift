// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiSystemIO
import MockapiTestSupport
import MockapiWireSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Recordings by the admin API of which something is missing, or that fail.
@Suite(.supervised) struct AdminRecordingFailureTests {
    /// A live service, and a server of an empty WireMock root beside it, which leaves temporary files in a directory of its own.
    private func recording(
        _ arguments: [String] = [],
        _ body: (WireClient, Command, _ temporary: TemporaryDirectory, _ live: String) async throws -> Void
    ) async throws {
        let service = try await LiveService(["users.json": #"[{"name": "Ann"}]"#, "long.txt": "twelve bytes"])
        let directory = try TemporaryDirectory(["mappings/own.json": #"{"request": {"urlPath": "/own"}}"#])
        let temporary = try TemporaryDirectory()
        let command = try Command(
            ["serve", directory.path, "--port", "0", "--loops", "1"] + arguments,
            environment: ["TMPDIR": temporary.path + "/t"])
        temporary.makeFolder("t")
        try await body(WireClient(port: try await command.port()), command, temporary, service.url)
    }

    private func post(_ client: WireClient, _ path: String, _ body: String = "") throws -> (Int, JSONNode) {
        let response = try client.request("POST", "/__admin/recordings/\(path)", body: body)
        return (response.status, try JSONParser.parse(response.body))
    }

    private func status(_ client: WireClient) throws -> String? {
        try JSONParser.parse(client.request("GET", "/__admin/recordings/status").body)["status"]?.string
    }

    @Test func `what a small journal has let go of is recorded, or told where the journal is asked`() async throws {
        try await recording(["--journal-limit", "1MiB"]) { client, command, _, live throws in
            _ = try post(client, "start", #"{"targetBaseUrl": "\#(live)"}"#)
            #expect(try client.request("GET", "/users.json").status == 200)
            let filler = String(repeating: "x", count: 60_000)
            for _ in 1...40 { _ = try client.request("POST", "/own", body: filler) }
            let first = try JSONParser.parse(client.request("GET", "/__admin/requests").body)["requests"]?.array ?? []
            #expect(!first.contains { $0["request"]?["url"]?.string == "/users.json" })
            let filtered = try post(client, "snapshot", #"{"filters": {"urlPath": "/users.json"}}"#)
            #expect(filtered.1["mappings"]?.array?.count == 0)
            let line = " requests whose entries in the journal have given way to later ones"
            #expect(
                try await until({ command.errors }, { $0.contains("warning: not recorded: ") && $0.contains(line) }))
            let urls = try post(client, "stop").1["mappings"]?.array?.map { $0["request"]?["url"]?.string ?? "" } ?? []
            #expect(urls.contains("/users.json") && urls.contains("/own"))
        }
    }

    /// WireMock's bound on the journal hides requests, and keeps none from being recorded.
    @Test(arguments: ["", #", "captureHeaders": {"Accept": {}}"#])
    func `what a bounded journal does not show is recorded`(key: String) async throws {
        let service = try await LiveService(["a.txt": "a", "b.txt": "b", "c.txt": "c"])
        let root = try TemporaryDirectory(["mappings/own.json": #"{"request": {"urlPath": "/own"}}"#])
        let command = try Command([
            "wiremock", "--root-dir", root.path, "--port", "0", "--max-request-journal-entries", "1",
        ])
        let client = try WireClient(port: try await command.port())
        _ = try post(client, "start", #"{"targetBaseUrl": "\#(service.url)"\#(key)}"#)
        for path in ["/a.txt", "/b.txt", "/c.txt"] { #expect(try client.request("GET", path).status == 200) }
        let shown = try JSONParser.parse(client.request("GET", "/__admin/requests").body)["requests"]?.array
        #expect(shown?.map { $0["request"]?["url"]?.string } == ["/c.txt"])
        let urls = try post(client, "stop").1["mappings"]?.array?.map { $0["request"]?["url"]?.string ?? "" }
        #expect(urls?.sorted() == ["/a.txt", "/b.txt", "/c.txt"])
    }

    @Test func `what a client has had forgotten is not recorded`() async throws {
        try await recording { client, _, _, live throws in
            _ = try post(client, "start", #"{"targetBaseUrl": "\#(live)"}"#)
            #expect(try client.request("GET", "/users.json").status == 200)
            _ = try client.request("DELETE", "/__admin/requests")
            #expect(try post(client, "stop").1["mappings"]?.array?.isEmpty ?? false)
        }
    }

    @Test(arguments: [false, true]) func `nor is a single one, when the journal has let go of it since`(
        isRemovedByPattern: Bool
    ) async throws {
        try await recording(["--journal-limit", "1MiB"]) { client, _, _, live throws in
            func requests() throws -> [JSONNode] {
                try JSONParser.parse(client.request("GET", "/__admin/requests").body)["requests"]?.array ?? []
            }
            _ = try post(client, "start", #"{"targetBaseUrl": "\#(live)"}"#)
            #expect(try client.request("GET", "/users.json").status == 200)
            #expect(try client.request("GET", "/long.txt").status == 200)
            if isRemovedByPattern {
                let answer = try client.request(
                    "POST", "/__admin/requests/remove", body: #"{"urlPath": "/users.json"}"#)
                #expect(answer.status == 200)
            } else {
                let entry = try #require(try requests().first { $0["request"]?["url"]?.string == "/users.json" })
                let id = try #require(entry["id"]?.string)
                #expect(try client.request("DELETE", "/__admin/requests/\(id)").status == 200)
            }
            let filler = String(repeating: "x", count: 60_000)
            for _ in 1...40 { _ = try client.request("POST", "/own", body: filler) }
            let left = try requests()
            #expect(!left.contains { $0["request"]?["url"]?.string?.hasPrefix("/l") ?? true })
            // Another that is removed does not bring it back.
            let last = try #require(left.first?["id"]?.string)
            #expect(try client.request("DELETE", "/__admin/requests/\(last)").status == 200)
            let urls = try post(client, "stop").1["mappings"]?.array?.map { $0["request"]?["url"]?.string ?? "" } ?? []
            #expect(urls.contains("/long.txt") && !urls.contains("/users.json"))
        }
    }

    @Test func `a recording that cannot be written stays under way, and is written the next time`() async throws {
        try await recording { client, _, temporary, live throws in
            temporary.remove("t")
            _ = try post(client, "start", #"{"targetBaseUrl": "\#(live)"}"#)
            #expect(try client.request("GET", "/users.json").status == 200)
            let (code, answer) = try post(client, "stop")
            let title = answer["errors"]?.array?.first?["title"]?.string
            #expect(
                code == 500 && title == "no folder can be made for the recording: No such file or directory")
            #expect(try status(client) == "Recording")
            #expect(try client.request("GET", "/long.txt").text == "twelve bytes")
            temporary.makeFolder("t")
            let urls = try post(client, "stop").1["mappings"]?.array?.map { $0["request"]?["url"]?.string ?? "" }
            #expect(urls?.sorted() == ["/long.txt", "/users.json"])
            #expect(try status(client) == "Stopped")
            #expect(try client.request("GET", "/none").status == 404)
        }
    }

    @Test func `a recording is not begun that needs the journal where there is none`() async throws {
        try await recording(["--journal-limit", "0"]) { client, _, _, live throws in
            let specs = [
                #""captureHeaders": {"Accept": {}}"#, #""filters": {"ids": ["00000000-0000-0000-0000-000000000000"]}"#,
            ]
            for spec in specs {
                let (code, answer) = try post(client, "start", #"{"targetBaseUrl": "\#(live)", \#(spec)}"#)
                #expect(code == 422)
                #expect(
                    answer["errors"]?.array?.first?["title"]?.string
                        == #""filters" and "captureHeaders" look into the journal, which is off"#)
            }
            #expect(try status(client) == "NeverStarted")
        }
    }

    @Test func `what a killed process has left is taken away, and what one works in is not`() async throws {
        try await recording { client, _, temporary, live throws in
            for name in ["mockapi-recording-1", "mockapi-recording-2", "other"] {
                try temporary.write("t/\(name)/0/a.txt", "left")
            }
            #expect(symlink("other", temporary.path + "/t/mockapi-recording-3") == 0)
            let lock = try FileLock(folder: temporary.path + "/t/mockapi-recording-2", waits: false)
            _ = try post(client, "start", #"{"targetBaseUrl": "\#(live)"}"#)
            #expect(try client.request("GET", "/users.json").status == 200)
            #expect(try post(client, "stop").1["mappings"]?.array?.count == 1)
            #expect(
                temporary.text("t/other/0/a.txt") == "left" && temporary.text("t/mockapi-recording-2/0/a.txt") == "left"
            )
            #expect(temporary.text("t/mockapi-recording-3/0/a.txt") == "left", "a link is not what was left")
            #expect(access(temporary.path + "/t/mockapi-recording-1", F_OK) != 0)
            withExtendedLifetime(lock) {}
        }
    }

    @Test(.enabled("only root can make a folder of another user") { geteuid() == 0 })
    func `what another user has left is not taken away, not even by root`() async throws {
        try await recording { client, _, temporary, live throws in
            try temporary.write("t/mockapi-recording-1/0/a.txt", "another's")
            #expect(chown(temporary.path + "/t/mockapi-recording-1", 65_534, 65_534) == 0)
            _ = try post(client, "start", #"{"targetBaseUrl": "\#(live)"}"#)
            #expect(try client.request("GET", "/users.json").status == 200)
            #expect(try post(client, "stop").1["mappings"]?.array?.count == 1)
            #expect(temporary.text("t/mockapi-recording-1/0/a.txt") == "another's")
        }
    }

    @Test func `a body that is larger than is to be recorded is told`() async throws {
        try await recording(["--max-recorded-body", "10"]) { client, command, _, live throws in
            _ = try post(client, "start", #"{"targetBaseUrl": "\#(live)"}"#)
            #expect(try client.request("GET", "/long.txt").text == "twelve bytes")
            #expect(try post(client, "stop").1["mappings"]?.array?.isEmpty ?? false)
            let line =
                "not recorded: GET /long.txt: the content is more than 10 bytes, and is not recorded; raise --max-recorded-body"
            #expect(try await until({ command.errors }, { $0.contains(line) }))
        }
    }

    @Test(arguments: ["zz", "ftp://a.example", "http://"])
    func `WireMock's option with a URL that is none ends the command`(url: String) async throws {
        let directory = try TemporaryDirectory(["mappings/own.json": #"{"request": {"urlPath": "/own"}}"#])
        let end = try await Command.run(
            "wiremock", "--root-dir", directory.path, "--port", "0", "--proxy-all", url)
        #expect(end.code == 64)
        #expect(end.errors.contains("error: --proxy-all: expected a URL such as"), "\(end)")
        #expect(!end.output.contains("listening"))
    }
}
