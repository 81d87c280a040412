// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiWireSupport
import Testing

/// What people get wrong on the command line in their first hour: each is answered with what is wrong and what to write.
@Suite(.supervised) struct CommandLineMistakesTests {
    struct Mistake: Sendable, CustomTestStringConvertible {
        /// `DIR` is a fixture directory.
        let words: String
        let code: Int32
        /// Texts that stand in what is printed.
        let cures: [String]

        init(_ words: String, _ code: Int32 = 64, _ cures: String...) {
            self.words = words
            self.code = code
            self.cures = cures
        }

        var testDescription: String { words }
    }

    static let mistakes: [Mistake] = [
        // Words.
        Mistake("strat", 64, #"error: "strat" is not a command, a directory or a file; did you mean "mockapi serve"?"#),
        Mistake("start DIR", 64, #"did you mean "mockapi serve"?"#),
        Mistake("import openapi.yaml", 64, #"did you mean "mockapi record"?"#),
        Mistake("mock", 64, #"did you mean "mockapi serve"?"#),
        Mistake("./zzzz", 4, "error: the fixture directory ./zzzz does not exist", "note: mockapi init ./zzzz writes"),
        Mistake("serve nosuch", 4, "the fixture directory nosuch does not exist", "note: mockapi init nosuch writes"),
        Mistake("help srve", 64, #""srve" is not a command; did you mean "mockapi help serve"?"#),
        Mistake("http://127.0.0.1:1", 64, #"did you mean "mockapi record http://127.0.0.1:1"?"#),
        Mistake("serve http://127.0.0.1:1", 4, "note: a URL is not a directory; did you mean mockapi record http"),
        Mistake(
            "serve DIR extra", 64, "note: extra is one argument too many; mockapi serve --help shows its arguments"),
        Mistake("init mock extra", 64, "note: extra is one argument too many; mockapi init --help"),
        Mistake("record http://127.0.0.1:1 /a", 64, "note: a request is sent by an option: --get /a"),
        Mistake("record", 64, "Missing expected argument '<url>'", "The service: its scheme, host and port."),
        Mistake("record localhost:8080", 64, #""localhost:8080" is not an upstream: write http:// or https://"#),
        Mistake("run DIR true", 64, "say which command to run: mockapi run ", " -- COMMAND"),
        Mistake("run DIR -- nosuchcommand", 4, "nosuchcommand cannot be run: No such file or directory"),
        Mistake("run DIR --expect nosuch.json -- true", 3, "nosuch.json: error: the file cannot be read: No such file"),
        Mistake("needs DIR", 64, "say which command to run: mockapi needs "),
        Mistake("contract", 64, "say which driver to run: mockapi contract -- COMMAND"),
        Mistake(
            "diff DIR", 64, "Missing expected argument '<new>'", "The fixtures as they are, or a document of OpenAPI."),
        Mistake("verify DIR", 64, "Missing expected argument '--against <url>'", "The service: its scheme"),
        Mistake("schema x", 64, "Please provide one of 'stub', 'report' or 'expectations'"),
        // Options.
        Mistake("-p 3000", 64, "note: options stand behind a command: mockapi serve -p"),
        Mistake("--delay 200 DIR", 64, "note: options stand behind a command: mockapi serve --delay"),
        Mistake("--fixtures DIR", 64, "note: the directory is an argument, not an option: mockapi serve DIRECTORY"),
        Mistake("--verson", 64, "note: did you mean --version?"),
        Mistake("-v", 64, "note: mockapi -V prints the version"),
        Mistake("serve DIR -v", 64, "note: --log-format text prints a line for each request"),
        Mistake("serve --hlep", 64, "note: did you mean --help?\nerror: Unknown option '--hlep'\n"),
        Mistake("serve DIR --prot 0", 64, "Unknown option '--prot'. Did you mean '--port'?"),
        Mistake("serve DIR --port abc", 64, "The value 'abc' is invalid", "The port, from 0 to 65535"),
        Mistake("serve DIR --port 99999", 64, "--port must be between 0 and 65535"),
        Mistake("serve DIR --port", 64, "Missing value for '--port <port>'", "The port, from 0 to 65535"),
        Mistake("serve DIR --delay 200", 64, "The value '200' is invalid", "a delay is a time such as 200ms or 1.5s"),
        Mistake("serve DIR --idle-timeout 5", 64, "times are numbers of ms, s, m or h", "such as 250ms, 0.5s or 5m"),
        Mistake("serve DIR --max-body 12x", 64, "sizes are whole numbers of bytes", "such as 16MiB"),
        Mistake("serve DIR --now tomorrow", 64, "The value 'tomorrow' is invalid", "such as 2026-11-21T10:00:00Z"),
        Mistake("serve DIR --cors-origin localhost", 64, "--cors-origin takes an origin such as https://app.example"),
        Mistake("serve DIR --tls-cert a.pem", 64, "--tls-cert and --tls-key are given together or not at all"),
        Mistake("serve DIR --record new", 64, "--record new needs --upstream, the URL of the service"),
        Mistake("serve DIR --upstream http://127.0.0.1:1", 64, "--upstream needs --record: write --record new"),
        Mistake("check DIR --format xml", 64, "Please provide one of 'text', 'json', 'github', 'sarif' or 'gitlab'"),
        Mistake("health --wait 5", 64, "times are numbers of ms, s, m or h"),
        // WireMock's.
        Mistake("serve DIR --root-dir x", 64, "--root-dir is an option of WireMock's: here it is the directory"),
        Mistake("serve DIR --verbose", 64, "--verbose is an option of WireMock's: here it is --log-format text"),
        Mistake("serve DIR --enable-stub-cors", 64, "here it is --cors"),
        Mistake("serve DIR --proxy-all http://127.0.0.1:1", 64, "here it is --proxy-unmatched"),
        Mistake("serve DIR --record-mappings", 64, "here it is --record new"),
        Mistake("serve DIR --no-request-journal", 64, "here it is --journal-limit 0"),
        Mistake("serve DIR --https-port 8443", 64, "mockapi wiremock takes it"),
        Mistake("serve DIR --bind-address 0.0.0.0", 64, "here it is --host"),
        Mistake(
            "serve DIR --local-response-templating", 64, "stubs that ask for it are rendered",
            "error: Unknown option '--local-response-templating'\n"),
        Mistake("wiremock --rootdir x", 64, "--rootdir is not an option of WireMock's; did you mean --root-dir?"),
    ]

    @Test(arguments: mistakes) func `a mistake on the command line is answered with what to write`(
        mistake: Mistake
    ) async throws {
        let fixtures = try TemporaryDirectory(["a.json": "[]"])
        let words = mistake.words.split(separator: " ").map { $0 == "DIR" ? fixtures.path : String($0) }
        let command = try Command(words)
        #expect(try await command.exitCode() == mistake.code)
        let said = command.errors + command.output
        for cure in mistake.cures { #expect(said.contains(cure), "\(said)") }
    }
}
