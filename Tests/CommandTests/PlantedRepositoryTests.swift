// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// A repository of several services, as services of CI check it out: what their readers open, and what no artefact may have.
@Suite(.supervised) struct PlantedRepositoryTests {
    enum Host: CaseIterable {
        case gitHub, gitLab, jenkins

        func environment(_ top: String) -> [String: String] {
            switch self {
            case .gitHub:
                ["GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": top, "GITHUB_STEP_SUMMARY": "\(top)/out/summary.md"]
            case .gitLab: ["GITLAB_CI": "true", "CI_PROJECT_DIR": top]
            case .jenkins: ["JENKINS_URL": "http://jenkins.example", "WORKSPACE": top]
            }
        }
    }

    /// Runs mockapi in the folder `services/api` of a repository.
    private func run(
        _ arguments: [String], _ host: Host, _ repository: TemporaryDirectory, _ more: [String: String] = [:]
    ) async throws -> Command.End {
        let variables = host.environment(repository.path).merging(more) { $1 }
        return try await Command(
            line: [
                "/bin/sh", "-c", #"cd "$1/services/api" && shift && exec "$0" "$@""#, Command.executable("mockapi"),
                repository.path,
            ] + arguments, environment: variables
        ).end()
    }

    @Test(arguments: Host.allCases) func `findings open their file from the top of the repository`(host: Host)
        async throws
    {
        let repository = try TemporaryDirectory([
            ".git/HEAD": "ref: refs/heads/main\n", "out/.keep": "", "Fixtures/a.json": "{}",
            "services/api/Fixtures/sub dir/bad.stub.json":
                "{\n  \"request\": {},\n  \"response\": {\"status\": \"x\"}}",
            "services/api/Fixtures/a.json": #"{"id": 1}"#,
        ])
        let path = "services/api/Fixtures/sub dir/bad.stub.json"
        for given in ["Fixtures", "./Fixtures/", "../api/Fixtures", "\(repository.path)/services/api/Fixtures"] {
            let annotations = try await run(["check", given, "--format", "github"], host, repository).output
            #expect(annotations.contains("::error file=\(path),line=3,"), "\(given): \(annotations)")
            let sarif = try await run(["check", given, "--format", "sarif"], host, repository).output
            let uris = try JSONParser.parse(sarif)["runs"]?.array?.first?["results"]?.array?.map {
                $0["locations"]?.array?.first?["physicalLocation"]?["artifactLocation"]?["uri"]?.string
            }
            #expect(uris == [path.replacing(" ", with: "%20")], "\(given): \(sarif)")
            let quality = try await run(["check", given, "--format", "gitlab"], host, repository).output
            let issues = try #require(try JSONParser.parse(quality).array, "\(given): \(quality)")
            #expect(issues.map { $0["location"]?["path"]?.string } == [path], "\(given): \(quality)")
            #expect(issues.map { $0["location"]?["lines"]?["begin"]?.number?.integer } == [3], "\(given): \(quality)")
            #expect(
                issues.allSatisfy { $0["fingerprint"]?.string?.utf8.count == 16 && $0["severity"] == .string("major") })
        }
        guard host == .gitHub else { return }
        repository.remove("services/api/Fixtures/sub dir")
        let live = try await LiveService(["a.json": #"{"id": "x"}"#])
        let end = try await run(["verify", "Fixtures", "--against", live.url], host, repository)
        #expect(end.code == 1, "\(end)")
        #expect(end.errors.contains("::error file=services/api/Fixtures/a.json,line=1,"), "\(end)")
        // Of two directories the recorded response is that of the first.
        try repository.write("services/api/Old/a.json", #"{"id": "x"}"#)
        let diff = try await run(["diff", "Old", "Fixtures"], host, repository)
        #expect(diff.errors.contains("::error file=services/api/Old/a.json,line=1,"), "\(diff)")
    }

    /// Where a credential stands, and the credential.
    private static let planted: [(place: String, value: String)] = [
        "userinfo", "query", "authorization", "cookie", "key", "environment", "path", "proxy", "argument",
        "argumentURL",
        "argumentVariable", "form", "answer",
    ].enumerated().map { ($1, "Zk\($0)Qv9Xw1Rt7Ym5Bn\($0)Lp8Jd4") }

    private static func value(_ place: String) -> String { planted.first { $0.place == place }?.value ?? "" }

    /// A service that answers with all that it was asked with: in a body of other types than were recorded, and in lines.
    private static let echo = #"""
        {"stubs": [{"request": {"urlPathPattern": "/.*"}, "response": {"transformers": ["response-template"],
          "headers": {"Content-Type": "application/json", "X-Echo": "{{request.headers.Authorization}}",
            "X-Key": "{{request.headers.X-Api-Key}}", "Set-Cookie": "{{request.headers.Cookie}}", "Location": "/b{{request.url}}"},
          "body": "{\"id\": \"{{request.headers.Authorization}}\", \"path\": \"{{request.url}}\", \"key\": \"{{request.headers.X-Api-Key}}\", \"cookie\": \"{{request.headers.Cookie}}\", \"token\": \"ANSWER\"}"}}]}
        """#

    private static func stub(_ url: String) -> String {
        #"""
        {"request": {"method": "GET", \#(url)}, "response": {
          "headers": ["Content-Type: application/json", "X-Echo: none", "X-Key: none", "Location: /b"],
          "jsonBody": {"id": 1, "path": 1, "key": 1, "cookie": 1, "token": 1}}}
        """#
    }

    @Test(arguments: Host.allCases) func `no credential of a command, a request or a response is in an artefact`(
        host: Host
    ) async throws {
        let live = try await LiveService(["e.stub.json": Self.echo.replacing("ANSWER", with: Self.value("answer"))])
        let repository = try TemporaryDirectory([
            ".git/HEAD": "ref: refs/heads/main\n", "out/.keep": "",
            "services/api/Fixtures/a.stub.json": Self.stub(#""urlPath": "/a""#),
            "services/api/Fixtures/q.stub.json": Self.stub(
                #""urlPath": "/q", "queryParameters": {"access_token": {"equalTo": "redacted.query.access_token"}}"#),
            "services/api/Fixtures/p.stub.json": Self.stub(#""urlPath": "/bot/redacted.path.bot/x""#),
        ])
        let out = "\(repository.path)/out"
        let reports =
            ["junit", "tap", "markdown"].flatMap { ["--\($0)", "\(out)/\($0)"] } + ["--json", "\(out)/j.jsonl"]
        let secrets = ["--secret", "query.access_token=env:Q", "--secret", "path.bot=env:P", "--secret", "x=env:E"]
        let variables = ["Q": Self.value("query"), "P": Self.value("path"), "E": Self.value("environment")]
        func url(_ port: Substring) -> String { "http://user:\(Self.value("userinfo"))@127.0.0.1:\(port)" }
        let port = live.url.dropFirst("http://127.0.0.1:".count)
        let headers = [
            "--header", "Cookie: session=\(Self.value("cookie"))", "--header", "X-Api-Key: \(Self.value("key"))",
        ]
        let authorization = ["--header", "Authorization: Bearer \(Self.value("authorization"))"]
        let lines: [[String]] = [
            [
                "verify", "Fixtures", "--against", url(port), "--info", "--learn", "--write-baseline",
                "\(out)/known.jsonl",
            ]
                + headers + secrets + reports,
            ["verify", "Fixtures", "--against", url(port), "--info", "--learn"] + headers + authorization + secrets
                + reports,
            [
                "verify", "Fixtures", "--against", url("1"), "--retries", "0", "--proxy",
                "http://me:\(Self.value("proxy"))@127.0.0.1:1",
            ]
                + secrets + reports,
            ["run", "Fixtures", "--coverage-dir", "\(out)/coverage"] + reports + [
                "--", "curl", "-s", "-o", "/dev/null", "-H", "Authorization: Bearer \(Self.value("argument"))", "-b",
                "sid=\(Self.value("cookie"))", "--data", "client_secret=\(Self.value("form"))",
                "{url}/x?access_token=\(Self.value("argumentURL"))",
            ],
            ["run", "Fixtures"] + reports + [
                "--", "env", "API_TOKEN=\(Self.value("argumentVariable"))", "sh", "-c",
                "curl -s -o /dev/null -u me:\(Self.value("userinfo")) $MOCKAPI_URL/none",
            ],
        ]
        for (index, line) in lines.enumerated() {
            let end = try await run(line, host, repository, variables)
            // What the first has learnt is known to the second.
            #expect(end.code == [1, 0, 4, 1, 1][index], "\(end)")
            let shell = try Command(
                line: ["/bin/sh", "-c", #"cat $(find "$1/out" "$1/services" -type f)"#, "sh", repository.path])
            let all = end.output + end.errors + (try await shell.end().output)
            #expect(all.utf8.count > 1000)
            for (place, value) in Self.planted where all.contains(value) {
                let line = all.split(separator: "\n").first { $0.contains(value) } ?? ""
                Issue.record("\(place) of command \(index) is in an artefact: \(line)")
            }
        }
        #expect(
            repository.text("services/api/Fixtures/.history.jsonl").contains(
                "X-Echo: Bearer redacted.header.Authorization"))
    }
}
