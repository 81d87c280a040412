// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// `mockapi contract`, with drivers for clients of three languages.
@Suite(.supervised) struct ContractTests {
    private static let drivers = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Drivers").path

    /// Runs the command as it does outside of GitHub Actions, with a development authority of its own.
    private func contract(_ arguments: String...) async throws -> Command.End {
        let state = try TemporaryDirectory()
        let end = try await Command(
            ["contract"] + arguments, environment: ["XDG_STATE_HOME": state.path, "GITHUB_ACTIONS": ""]
        ).end()
        return withExtendedLifetime(state) { end }
    }

    /// The ids of the requirements that fail.
    private func failures(_ output: String) -> [String] {
        output.split(separator: "\n").filter { $0.hasPrefix("  FAIL  ") }.map { line in
            String(line.dropFirst(8).prefix { $0 != " " })
        }
    }

    /// What Python's http.cookiejar does, whose cookies requests and httpx have.
    private static let ofPythonsCookies: Set = [
        "cookie.path.relative", "cookie.path.last", "cookie.max-age.text", "cookie.domain.none",
    ]

    @Test func curlKeepsTheContract() async throws {
        let end = try await contract("--client", "curl", "--", "\(Self.drivers)/curl_driver.sh")
        // What libcurl 7.88 does; later ones do less of it.
        let known: Set = [
            "body.once", "body.once.patch", "redirect.credentials.proxy", "redirect.credentials.proxy.port",
            "redirect.credentials.proxy.plain", "redirect.credentials.proxy.hops", "coding.gzip.members",
            "fault.gzip.cut", "fault.gzip.end", "fault.length.plus", "fault.length.digits", "fault.length.two",
            "fault.head", "cookie.max-age.text", "cookie.names", "cookie.secure.value", "cookie.path.slash.end",
            "fault.length.list", "fault.length.overflow",
        ]
        #expect(Set(failures(end.output)).subtracting(known) == [], "\(end.output)\(end.errors)")
        let passes = end.output.split(separator: "\n").count { $0.hasPrefix("  pass  ") }
        #expect(passes >= 153, "\(end.output)")
    }

    @Test func requestsTakesHalfOfABodyForAWholeOneAnd103ForTheAnswer() async throws {
        let end = try await contract("--", "/usr/bin/python3", "\(Self.drivers)/requests_driver.py")
        // With urllib3 2 it does not take half of a body; Python's own http.client knows no 1xx but 100.
        let known: Set = [
            "body.pieces", "answer.interim", "answer.interims", "status.304.chunked", "fault.truncated", "fault.length",
            "fault.gzip.cut", "fault.gzip.end", "fault.chunk.end", "fault.chunk.plus", "fault.chunk.prefix",
            "fault.chunk.digits", "fault.length.plus", "fault.length.minus", "fault.length.digits", "fault.head",
            "netrc.userinfo", "fault.length.overflow",
        ]
        #expect(
            Set(failures(end.output)).subtracting(known).subtracting(Self.ofPythonsCookies) == [],
            "\(end.output)\(end.errors)")
        #expect(!end.errors.contains("own encoder"), "its driver has requests put the parts together")
        #expect(end.code == (failures(end.output).isEmpty ? 0 : 1))
    }

    @Test func `httpx reads the first member of gzip, and takes a cut one`() async throws {
        let end = try await contract("--", "/usr/bin/python3", "\(Self.drivers)/httpx_driver.py")
        let known: Set = [
            "redirect.credentials.proxy", "redirect.credentials.proxy.port", "redirect.credentials.proxy.plain",
            "redirect.credentials.proxy.hops", "coding.gzip.members", "coding.chain", "fault.gzip.cut",
            "fault.gzip.end", "cancel.pool",
        ]
        #expect(
            Set(failures(end.output)).subtracting(known).subtracting(Self.ofPythonsCookies) == [],
            "\(end.output)\(end.errors)")
    }

    @Test func httpxOpensMoreStreamsThanItMay() async throws {
        let end = try await contract(
            "--only", "method", "h2.connection", "h2.streams", "--", "/usr/bin/python3",
            "\(Self.drivers)/httpx_driver.py", "h2")
        #expect(end.output.contains(", 0 not applicable\n"))
        // Its httpcore 0.16 does not wait for the server's settings, and fails what it then may not send; later ones do.
        #expect([[], ["h2.streams"]].contains(failures(end.output)), "\(end.output)\(end.errors)")
        #expect(end.code == (failures(end.output).isEmpty ? 0 : 1))
    }

    @Test func verdictsAreWrittenInEveryForm() async throws {
        let directory = try TemporaryDirectory([
            "driver.sh": """
            curl -s "$MOCKAPI_URL/contract/method.get"
            curl -s "$MOCKAPI_URL/__contract/plan" >/dev/null
            curl -s -d '{"step": "method.get", "status": 200, "body": "ok"}' "$MOCKAPI_URL/__contract/report" >/dev/null
            curl -s -d '{"step": "method.head", "skipped": "no head"}' "$MOCKAPI_URL/__contract/report" >/dev/null
            """
        ])
        let end = try await contract(
            "--client", "sh", "--only", "method.get", "method.head", "method.put", "--json",
            "\(directory.path)/v.json", "--junit", "\(directory.path)/v.xml", "--markdown", "\(directory.path)/v.md",
            "--tap", "\(directory.path)/v.tap", "--",
            "sh", "\(directory.path)/driver.sh")
        #expect(end.code == 1)
        #expect(
            end.output == """
                oksh: 1 pass, 1 fail, 1 not applicable

                  pass  method.get   GET arrives as written
                  n/a   method.head  HEAD arrives as written (no head)
                  FAIL  method.put   PUT arrives as written
                          expected: PUT
                          seen:     no request came
                          request:  PUT $MOCKAPI_URL/contract/method.put
                          wire:     no request came
                          client:   nothing
                          curl:     curl -sS -i -L --compressed --max-time 10 -X PUT "$MOCKAPI_URL/contract/method.put"

                """)
        let json = try JSONParser.parse(Array(directory.text("v.json").utf8))
        #expect(json.object?["summary"]?.object?["fail"]?.number?.integer == 1)
        #expect(json["client"]?.string == "sh" && json["exitCode"]?.number?.integer == 1)
        #expect(directory.text("v.tap").hasPrefix("TAP version 14\n1..3\nok 1 - method.get: GET arrives as written\n"))
        #expect(directory.text("v.xml").contains("<testsuite name=\"contract of sh\" tests=\"3\" failures=\"1\""))
        #expect(
            directory.text("v.md").contains("| `method.put` | PUT arrives as written | PUT | no request came | fail |"))
    }

    @Test func `what is asked of clients with a cache does not apply to one without, and one that skips all fails`()
        async throws
    {
        let plan = #"curl -s "$MOCKAPI_URL/__contract/plan" >/dev/null"#
        let cacheless = try await contract("--client", "sh", "--only", "cache", "--", "sh", "-c", plan)
        #expect(cacheless.code == 0, "\(cacheless)")
        #expect(cacheless.output.hasPrefix("sh: 0 pass, 0 fail, "))
        let skip = plan + #"; curl -s -d '{"step": "method.get", "skipped": "no"}' "$MOCKAPI_URL/__contract/report""#
        let skipping = try await contract("--client", "sh", "--only", "method.get", "--", "sh", "-c", skip)
        #expect(skipping.code == 1 && skipping.output.contains("FAIL  driver.skips"), "\(skipping)")
    }

    /// What is written when the command begins stays where it is killed: no older report is taken for its own.
    @Test func aReportIsThereWhateverEndsTheCommand() async throws {
        let directory = try TemporaryDirectory(["v.xml": "<testsuites/>"])
        let arguments = ["contract", "--client", "sh", "--only", "method.get", "--junit", "\(directory.path)/v.xml"]
        let command = try Command(
            arguments + ["--", "sh", "-c", "echo $PPID; exec 1>&2; exec sleep 100"])
        try await until({ command.output }, { $0.hasSuffix("\n") })
        #expect(directory.text("v.xml").contains("contract.ended: the command comes to its end"))
        command.send(SIGTERM)
        #expect(try await command.exitCode() == 4)
        #expect(directory.text("v.xml").contains("the driver takes part"))
        #expect(directory.text("v.xml").contains("seen: 143, as after signal 15"))
        let missing = try await Command(arguments + ["--", "no-such-driver"], environment: ["GITHUB_ACTIONS": ""]).end()
        #expect(missing.code == 4)
        #expect(directory.text("v.xml").contains("seen: No such file or directory"))
    }

    @Test func aFileThatCannotBeWrittenIsToldBeforeTheDriverRuns() async throws {
        let end = try await contract("--tap", "/no/such/v.tap", "--", "sh", "-c", "echo ran")
        #expect(end.code == 4)
        #expect(end.errors == "error: /no/such/v.tap cannot be written: No such file or directory\n")
        #expect(end.output == "")
    }

    @Test func annotationsAndASummaryAreWrittenBelowGitHubActions() async throws {
        let directory = try TemporaryDirectory(["summary.md": "before\n"])
        let command = try Command(
            ["contract", "--client", "sh", "--only", "method.get", "method.put", "--json", "\(directory.path)/v.jsonl"]
                + ["--", "sh", "-c", Self.gets],
            environment: ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": "\(directory.path)/summary.md"])
        let end = try await command.end()
        #expect(end.code == 1)
        #expect(
            end.errors.hasPrefix(
                "::error title=method.put%3A PUT arrives as written::expected: PUT%0Aseen: no request came"))
        #expect(end.errors.hasSuffix("::notice title=mockapi contract::sh: 1 pass, 1 fail, 0 not applicable\n"))
        #expect(directory.text("summary.md").hasPrefix("before\n## mockapi contract\n\nsh: 1 pass, 1 fail"))
        #expect(directory.text("v.jsonl").split(separator: "\n").count == 2)
    }

    @Test func aDriverThatTakesNoPartIsAnError() async throws {
        let end = try await contract("--", "sh", "-c", "exit 3")
        #expect(end.code == 4)
        #expect(end.errors == "error: the driver ended with 3 and never fetched /__contract/plan\n")
    }

    @Test func aDriverThatFailsIsAFailure() async throws {
        let end = try await contract(
            "--only", "method.get", "--", "sh", "-c",
            "curl -s $MOCKAPI_URL/__contract/plan $MOCKAPI_URL/contract/method.get >/dev/null; exit 3")
        #expect(end.code == 1)
        #expect(end.errors == "error: the driver ended with 3\n")
    }

    @Test func aReportThatIsRefusedIsAFailure() async throws {
        let end = try await contract(
            "--only", "method.get", "--", "sh", "-c",
            "curl -s $MOCKAPI_URL/__contract/plan $MOCKAPI_URL/contract/method.get >/dev/null;"
                + " curl -s -d '{}' $MOCKAPI_URL/__contract/report >/dev/null")
        #expect(end.code == 1)
        #expect(end.errors == "error: a report was refused: a report without \"step\", the id of a step, as a string\n")
        #expect(end.output.contains("driver.reports"))
    }

    @Test func aDriverThatSkipsAllSaysNothing() async throws {
        let end = try await contract(
            "--only", "method.get", "--", "sh", "-c",
            "curl -s $MOCKAPI_URL/__contract/plan >/dev/null; curl -s -d"
                + " '{\"step\": \"method.get\", \"skipped\": \"no\"}' $MOCKAPI_URL/__contract/report >/dev/null")
        #expect(end.code == 1)
        #expect(end.errors == "error: the driver skipped every step, so that nothing is known of the client\n")
    }

    @Test func `what a driver leaves out is told, and fails nothing`() async throws {
        let end = try await contract(
            "--only", "method.get", "cancel.pool", "cookie.kept", "cache.zero", "--", "sh", "-c",
            Self.gets + "; curl -s -d '{\"step\": \"cancel.pool\", \"index\": 0, \"status\": 200}'"
                + " $MOCKAPI_URL/__contract/report >/dev/null")
        #expect(end.code == 0)
        #expect(
            end.errors == """
                note: cancel.pool was not judged, since the driver cancels no requests first (cancelled)
                note: 1 step for a client with cookies not judged, since no report says {"has": ["cookies"]}
                note: 1 step for a client with a cache not judged, since no report says {"has": ["cache"]}

                """)
    }

    private static let gets =
        "curl -s $MOCKAPI_URL/__contract/plan $MOCKAPI_URL/contract/method.get >/dev/null; curl -s -d"
        + " '{\"step\": \"method.get\", \"status\": 200, \"body\": \"ok\"}' $MOCKAPI_URL/__contract/report >/dev/null"

    @Test func aFailureThatIsKnownFailsNothing() async throws {
        let end = try await contract(
            "--only", "method.get", "method.put", "--known", "method.put=issue 7", "--", "sh", "-c",
            Self.gets)
        #expect(end.code == 0)
        #expect(end.output.contains("          known:    issue 7\n"))
    }

    @Test func aFailureThatIsKnownAndDoesNotComeFails() async throws {
        let end = try await contract(
            "--only", "method.get", "--known", "method.get=issue 7", "--", "sh", "-c", Self.gets)
        #expect(end.code == 1)
        #expect(
            end.errors == "error: method.get is known to fail (issue 7), but it does not: leave its --known out\n")
    }

    @Test func whatIsExceptedIsNotAsked() async throws {
        let end = try await contract(
            "--only", "method", "--except", "method.put", "method.head", "--", "sh", "-c", Self.gets)
        #expect(end.output.contains("method.get"))
        #expect(!end.output.contains("method.put") && !end.output.contains("method.head"))
    }

    @Test func aDriverThatHangsIsEnded() async throws {
        let end = try await contract("--timeout", "200ms", "--", "sleep", "1000")
        #expect(end.code == 4)
        #expect(
            end.errors == """
                error: the driver took longer than 200ms and is ended
                error: the driver ended with 143 and never fetched /__contract/plan

                """)
    }

    @Test func aDriverThatIsNotThereIsAnError() async throws {
        let end = try await contract("--", "no-such-driver")
        #expect(end.code == 4)
        #expect(end.errors == "error: no-such-driver cannot be run: No such file or directory\n")
    }

    @Test func wrongArgumentsAreUsageErrors() async throws {
        let none = try await contract()
        #expect(none.code == 64)
        #expect(none.errors.contains("say which driver to run: mockapi contract -- COMMAND"))
        let unknown = try await contract("--only", "method.got", "--", "true")
        #expect(unknown.code == 64)
        #expect(unknown.errors.contains("no requirement is called \"method.got\"; the groups are answer, body, "))
        let excepted = try await contract("--except", "method.got", "--", "true")
        #expect(excepted.errors.contains("no requirement is called \"method.got\"; the groups are answer, body, "))
        let unsaid = try await contract("--known", "method.get", "--", "true")
        #expect(unsaid.code == 64)
        #expect(
            unsaid.errors.contains("--known method.get: say why behind an equals sign: --known method.get=\"issue 12\"")
        )
    }
}
