// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiTestSupport
import MockapiWireSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What users of other tools reported of their first hour, tried here.
@Suite(.supervised) struct ReportedFirstHourTests {
    private static func directory(_ files: [String: String]) throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        for (name, text) in files { try directory.write(name, text) }
        return directory
    }

    // MARK: The command line

    /// typicode/json-server#1474: `db.json --watch` was answered with a stack trace.
    @Test func `a file in the place of a directory is served alone, and followed`() async throws {
        let folder = try TemporaryDirectory(["api/items.json": "[]", "api/other.json": "{}"])
        let server = try Command(["\(folder.path)/api/items.json", "-p", "0", "--watch"])
        let client = try WireClient(port: try await server.port())
        for target in ["/items.json", "/items"] {
            let response = try client.request("GET", target)
            #expect(response.status == 200 && response.text == "[]")
        }
        let miss = try client.request("GET", "/other.json")
        #expect(miss.status == 404)
        #expect(miss.text.contains("items.json alone is served"), "\(miss.text)")
        #expect(try await until({ server.errors }) { $0.contains("/items.json, application/json\n") })
        // As an editor does: in its place, and by another file that takes its name.
        try folder.write("api/items.json", "[1]")
        #expect(try await until({ try client.request("GET", "/items").text }, is: "[1]"))
        try folder.write("api/new", "[2]")
        #expect(rename(folder.path + "/api/new", folder.path + "/api/items.json") == 0)
        #expect(try await until({ try client.request("GET", "/items").text }, is: "[2]"))
    }

    @Test(arguments: [
        ("page.html", "<p>hi</p>", "/page.html", "text/html; charset=utf-8"),
        ("README.md", "hi", "/README.md", "text/markdown; charset=utf-8"),
        ("plain", "hi", "/plain", "application/octet-stream"), ("list", "[1]", "/list", "application/json"),
        (".hidden", "hi", "/.hidden", "application/octet-stream"),
        ("a b.txt", "hi", "/a%20b.txt", "text/plain; charset=utf-8"),
    ])
    func `one file is served at its name, which is printed with its type`(
        name: String, text: String, path: String, type: String
    ) async throws {
        let folder = try TemporaryDirectory([name: text, "openapi.yaml": "openapi: 3.1.0\n"])
        let server = try Command(["serve", "\(folder.path)/\(name)", "--port", "0"])
        let port = try await server.port()
        let response = try WireClient(port: port).request("GET", path)
        #expect(response.status == 200 && response.text == text)
        #expect(response.all("Content-Type") == [type])
        #expect(try await until({ server.errors }) { $0.contains("  http://127.0.0.1:\(port)\(path), \(type)\n") })
        #expect(server.errors.contains("0 stubs, 1 file, 0 findings"))
    }

    @Test func `one stub file is served with its body`() async throws {
        let folder = try TemporaryDirectory([
            "a.stub.json": #"{"request": {"urlPath": "/a"}, "response": {"bodyFile": "a.json"}}"#, "a.json": "[1]",
            "b.stub.json": "{",
        ])
        let server = try Command(["\(folder.path)/a.stub.json", "-p", "0"])
        #expect(try WireClient(port: try await server.port()).request("GET", "/a").text == "[1]")
        #expect(try await Command.run("check", "\(folder.path)/a.stub.json").code == 0)
        let broken = try await Command.run("check", "\(folder.path)/b.stub.json")
        #expect(broken.code == 1 && broken.output.hasPrefix("\(folder.path)/b.stub.json:1:2: error: this is not JSON"))
        let recorded = try await Command.run(
            "serve", "\(folder.path)/a.stub.json", "--record", "new", "--upstream", "http://127.0.0.1:9")
        #expect(recorded.code == 4)
        #expect(
            recorded.errors == "error: --record needs a directory, and \(folder.path)/a.stub.json is a file\n")
        let run = try await Command.run(
            "run", "\(folder.path)/a.stub.json", "--allow-no-requests", "--lcov", "\(folder.path)/trace.info", "--",
            "true")
        #expect(run.code == 0, "\(run.errors)")
        #expect(folder.text("trace.info").contains("SF:\(folder.path)/a.stub.json\n"))
    }

    @Test(arguments: [
        ("openapi.yaml", "# ours\nopenapi: 3.1.0\n", "an OpenAPI document"),
        ("api.json", #"{"swagger": "2.0"}"#, "an OpenAPI document"),
        ("later.json", "\n\t{\"info\": {}, \"openapi\": 3.1}", "an OpenAPI document"),
        ("session.har", #"{"log": {"entries": []}}"#, "a HAR archive"),
        (
            "shop.json",
            #"{"info": {"schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"}}"#,
            "a Postman collection"
        ),
    ])
    func `a document that other tools serve is named`(name: String, text: String, kind: String) async throws {
        let folder = try TemporaryDirectory([name: text])
        for path in [folder.path, "\(folder.path)/\(name)"] {
            let result = try await Command.run("check", path)
            #expect(result.code == 1)
            #expect(
                result.output.hasPrefix(
                    "\(folder.path)/\(name): warning: this is \(kind), and is served as a plain file: none of its requests is served; record the service (mockapi record URL)"
                ), "\(result.output)")
        }
    }

    @Test(arguments: [
        ("tags.json", #"{"tags": ["openapi", "swagger"]}"#), ("switches.json", #"{"openapi": {"isOn": true}}"#),
        ("links.json", #"{"link": "https://schema.getpostman.com/json"}"#),
        ("switches.yaml", "tools:\n  openapi: on\n"),
    ])
    func `a file that only names another tool is a plain file`(name: String, text: String) async throws {
        let folder = try TemporaryDirectory([name: text])
        let result = try await Command.run("check", folder.path)
        #expect(result.code == 0, "\(result.output)")
    }

    @Test func `a long document is judged by its first member`() async throws {
        let filler = String(repeating: "x", count: 40_000)
        let folder = try TemporaryDirectory([
            "api.json": #"{"openapi": "3.1.0", "x": "\#(filler)"}"#,
            "tags.json": #"{"tags": ["openapi"], "x": "\#(filler)"}"#,
        ])
        let result = try await Command.run("check", folder.path)
        #expect(result.output.contains("/api.json: warning: this is an OpenAPI document"))
        #expect(!result.output.contains("tags.json"))
    }

    /// typicode/json-server#818: the dash came from a page that had made one of two hyphens.
    @Test func `a dash in the place of two hyphens is named`() async throws {
        let folder = try TemporaryDirectory(["a.txt": "a"])
        let behind = try await Command.run("serve", folder.path, "–watch")
        #expect(behind.code == 64)
        #expect(behind.errors.hasPrefix("note: –watch begins with a dash; options begin with hyphens: --watch\n"))
        let first = try await Command.run("–cors", folder.path)
        #expect(
            first.errors.hasPrefix(
                "error: \"–cors\" is not a command, a directory or a file; did you mean \"mockapi serve --cors\"?"))
    }

    /// http-party/http-server#660: a path with a space, without quotes.
    @Test func `a path that was cut at its space is named as a whole`() async throws {
        let folder = try TemporaryDirectory(["my mocks/a.txt": "a"])
        let result = try await Command.run("serve", "\(folder.path)/my", "mocks", "--port", "0")
        #expect(result.code == 64)
        #expect(result.errors.hasPrefix("note: put a path with a space in quotes: '\(folder.path)/my mocks'\n"))
    }

    /// SpectoLabs/hoverfly#650: an option behind the subcommand was ignored in silence.
    @Test func `no argument is ignored in silence`() async throws {
        let folder = try TemporaryDirectory(["a.txt": "a"])
        for extra in ["-plain-http-tunneling", "--no-such", "more"] {
            let result = try await Command.run("serve", folder.path, "--port", "0", extra)
            #expect(result.code == 64)
            #expect(result.errors.contains("error: Un"), "\(result.errors)")
        }
    }

    /// Stratoscale/docker-test-tools#14: a directory that is not there was served as an empty one.
    @Test(arguments: [["serve"], ["check"], ["run", "--", "true"], ["needs", "--", "true"]])
    func `a directory that does not exist ends each command`(words: [String]) async throws {
        let command = try Command([words[0], "/no/such/directory"] + words.dropFirst())
        #expect(try await command.exitCode() == 4)
        #expect(command.errors.contains("error: the fixture directory /no/such/directory does not exist"))
    }

    /// postmanlabs/newman#96 and #152, asyncapi/cli#285: the exit code was 0 whatever had failed.
    @Test func `what fails has an exit code`() async throws {
        let broken = try TemporaryDirectory(["a.stub.json": "{"])
        #expect(try await Command.run("check", broken.path).code == 1)
        #expect(try await Command.run("serve", broken.path, "--port", "0").code == 3)
        let whole = try TemporaryDirectory(["a.txt": "a"])
        let missing = try Command(["run", whole.path, "--", "sh", "-c", "curl -s $MOCKAPI_URL/none; true"])
        #expect(try await missing.exitCode() == 1)
        let failing = try Command(["run", whole.path, "--", "sh", "-c", "curl -s $MOCKAPI_URL/a.txt; exit 7"])
        #expect(try await failing.exitCode() == 7)
    }

    /// mochajs/mocha#1296, http-party/http-server#342: colour codes in a pipe and in an editor's build window.
    @Test func `no command writes a colour into a pipe, whatever the terminal is called`() async throws {
        let folder = try TemporaryDirectory(["a.stub.json": #"{"request": {"urlPat": "/a"}}"#, "a.txt": "a"])
        for arguments in [
            ["check", folder.path], ["--help"], ["serve", "--help-all"], ["nothing"],
            ["run", folder.path, "--lenient", "--log-format", "text", "--", "sh", "-c", "curl -s $MOCKAPI_URL/none"],
        ] {
            let command = try Command(arguments, environment: ["TERM": "xterm-256color", "COLORTERM": "truecolor"])
            _ = try await command.exitCode()
            #expect(!command.output.contains("\u{1B}") && !command.errors.contains("\u{1B}"), "\(arguments)")
        }
    }

    // MARK: Ports and addresses

    /// typicode/json-server#479: another program had the port on the other family, and its 404 was taken for the server's.
    @Test func `localhost is not served by half`() async throws {
        let folder = try TemporaryDirectory(["a.txt": "a"])
        for host in ["127.0.0.1", "::1"] {
            let first = try Command(["serve", folder.path, "--port", "0", "--host", host])
            guard let port = try? await first.port() else { continue }
            let second = try await Command.run("serve", folder.path, "--port", "\(port)", "--host", "localhost")
            #expect(second.code == 4)
            #expect(second.errors.contains("port \(port) is in use"))
        }
    }

    // MARK: Files

    /// typicode/json-server#34 and #1631, wiremock/wiremock#2535: a byte order mark in front of JSON.
    @Test func `a byte order mark is read over, and reported in JSON that clients get`() async throws {
        let mark = "\u{FEFF}"
        let folder = try TemporaryDirectory([
            "a.stub.json": mark + #"{"request": {"urlPath": "/a"}, "response": {"body": "stub"}}"#,
            "rows.json": mark + #"[{"id": 1}]"#,
            "rows.stub.json": #"{"resource": {"collection": "/rows", "from": "rows.json"}}"#,
            "plain.json": mark + "[]",
        ])
        let server = try Command(["serve", folder.path, "--port", "0"])
        let client = try WireClient(port: try await server.port())
        #expect(try client.request("GET", "/a").text == "stub")
        #expect(try client.request("GET", "/rows/1").text == #"{"id":1}"#)
        let check = try await Command.run("check", folder.path)
        #expect(check.code == 1)
        #expect(
            check.output
                == "\(folder.path)/plain.json: warning: this JSON begins with a byte order mark, which many clients refuse "
                + "(RFC 8259 §8.1): save it as UTF-8 without one\n")
        let mappings = try TemporaryDirectory([
            "mappings/a.json": mark + #"{"request": {"urlPath": "/a"}, "response": {"status": 204}}"#
        ])
        #expect(try await Command.run("check", mappings.path).code == 0)
    }

    /// namshi/mockserver#36: line ends of Windows in a fixture broke the header lines.
    @Test func `a stub with the line ends of Windows is read, and a mistake has its line`() async throws {
        let folder = try TemporaryDirectory([
            "a.stub.json": [
                "{", #" "request": {"urlPath": "/a"},"#, #" "response": {"#, #"  "headers": ["X-A: 1"],"#,
                #"  "body": "a"#
                    + #"" }"#, "}", "",
            ].joined(separator: "\r\n")
        ])
        let server = try Command(["serve", folder.path, "--port", "0"])
        let response = try WireClient(port: try await server.port()).request("GET", "/a")
        #expect(response["X-A"] == "1")
        let broken = try TemporaryDirectory(["a.stub.json": "{\r\n \"request\": {},\r\n \"respons\": {}\r\n}\r\n"])
        let check = try await Command.run("check", broken.path)
        #expect(check.output.contains("a.stub.json:3:2: error: unknown key \"respons\""), "\(check.output)")
    }

    /// DMTF/Redfish-Tools#344: one of 150 files had a comma too many, and no message said which.
    @Test func `broken JSON is found among many files`() async throws {
        var files = Dictionary(uniqueKeysWithValues: (0..<150).map { ("Chassis/\($0)/index.json", #"{"id": 1}"#) })
        files["Chassis/77/index.json"] = "{\n  \"id\": 1,\n}"
        let folder = try Self.directory(files)
        let check = try await Command.run("check", folder.path)
        #expect(check.code == 1)
        #expect(check.output.contains("/Chassis/77/index.json:2:10: warning: "), "\(check.output)")
    }

    /// wiremock/wiremock-testcontainers-java#17: a `.DS_Store` was read as a mapping.
    @Test func `what editors and systems leave behind is no stub and no finding`() async throws {
        let left = [".DS_Store": "\0\u{1}Bud1", "._a.json": "\0\u{5}", ".a.json.swp": "b0VIM", "a.json~": "{"]
        let mapping = ["a.json": #"{"request": {"urlPath": "/a"}, "response": {"status": 204}}"#]
        let root = left.merging(mapping) { $1 }.map { ("mappings/\($0.key)", $0.value) }
        let wiremock = try Self.directory(Dictionary(uniqueKeysWithValues: root))
        let check = try await Command.run("check", wiremock.path)
        #expect(check.code == 0, "\(check.output)")
        let own = try Self.directory(left.filter { $0.key.hasPrefix(".") }.merging(["a.txt": "a"]) { $1 })
        #expect(try await Command.run("check", own.path).code == 0)
    }

    /// wiremock/wiremock#279: a stub under a name that nothing reads, and a 404.
    @Test func `a stub that is called otherwise is a finding with its name`() async throws {
        let folder = try TemporaryDirectory([
            "sample1.json": #"{"request": {"method": "GET", "url": "/sample/1"}, "response": {"status": 200}}"#
        ])
        let check = try await Command.run("check", folder.path)
        #expect(check.code == 1)
        #expect(check.output.contains("name it \"sample1.stub.json\""))
    }

    /// http-party/http-server#144 and #603, TheWaWaR/simple-http-server#2: names with a space, `%`, `?` and `#`, and links to them.
    @Test func `a file of any name is served, and the page at / links to it`() async throws {
        let names = ["Animal Collective/Merri Post/a b.txt", "100%.txt", "url?encoding&test%test#x.txt", "é.txt"]
        let folder = try Self.directory(Dictionary(uniqueKeysWithValues: names.map { ($0, $0) }))
        let server = try Command(["serve", folder.path, "--port", "0"])
        let client = try WireClient(port: try await server.port())
        let page = try client.request("GET", "/", ["Accept: text/html"]).text
        let links = page.matches(of: /<td><a href="([^"]+)">/).map { String($0.output.1) }
        #expect(links.count == names.count, "\(page)")
        var texts: [String] = []
        for link in links {
            let target = link.replacingOccurrences(of: "&amp;", with: "&")
            #expect(target.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "\(target)")
            texts.append(try client.request("GET", target).text)
        }
        #expect(texts.sorted() == names.sorted())
    }

    // MARK: Pages of other origins

    /// stoplightio/prism#392 and #791, mock-server/mockserver-monorepo#971: `*` with credentials, and a preflight without
    /// `Access-Control-Allow-Credentials`.
    @Test func `with --cors a page sends its cookies, and its preflight is answered for it`() async throws {
        let folder = try TemporaryDirectory(["a.json": "[]"])
        let server = try Command(["serve", folder.path, "--port", "0", "--cors"])
        let client = try WireClient(port: try await server.port())
        let origin = "Origin: http://localhost:4200"
        for response in [
            try client.request("GET", "/a.json", [origin]),
            try client.request(
                "OPTIONS", "/a.json",
                [origin, "Access-Control-Request-Method: PUT", "Access-Control-Request-Headers: authorization"]),
        ] {
            #expect(response["Access-Control-Allow-Origin"] == "http://localhost:4200")
            #expect(response["Access-Control-Allow-Credentials"] == "true")
        }
    }
}
