// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// `mockapi run`: what the command gets, and what is told of its requests.
@Suite(.supervised) struct RunTests {
    private static func fixtures() throws -> TemporaryDirectory {
        try TemporaryDirectory([
            "f/a.json": #"{"id": "1"}"#, "f/b.json": "{}",
            "f/s.stub.json": """
            {
              "request": { "method": "GET", "urlPath": "/s" },
              "responses": [
                { "status": 200, "body": "1" },
                { "status": 503, "body": "2" }
              ]
            }
            """,
        ])
    }

    private static func run(
        _ directory: TemporaryDirectory, _ options: [String] = [], _ script: String
    ) async throws -> Command.End {
        try await Command.run(["run", "\(directory.path)/f"] + options + ["--", "/bin/sh", "-c", script])
    }

    @Test func `a command is told where the server is, and its requests are counted`() async throws {
        let end = try await Self.run(
            Self.fixtures(), [],
            #"""
            curl -s "$MOCKAPI_URL/a.json" {url}/s
            curl -s --cacert "$MOCKAPI_CA" "$MOCKAPI_TLS_URL/b" && test "$MOCKAPI_CA" = '{ca}' -a "$MOCKAPI_TLS_URL" = {tls-url}
            """#)
        #expect(end.code == 0, "\(end.errors)")
        #expect(end.output == #"{"id": "1"}1{}"#)
        #expect(
            end.errors == """
                  3 requests, 3 matched · 1 of 1 stub and 2 of 2 files used · HTTP/1.1 on 1 connection, HTTP/2 with TLS on 1 connection
                  sequences not finished: s.stub.json: 1 of 2 steps

                """)
    }

    @Test func `a request that nothing answers breaks the contract, and its nearest fixture is named`() async throws {
        let directory = try Self.fixtures()
        let end = try await Self.run(directory, [], #"curl -s -o /dev/null "$MOCKAPI_URL/aa""#)
        #expect(end.code == 1)
        #expect(end.output.isEmpty)
        #expect(
            end.errors.hasPrefix(
                "  1 request, 0 matched · 0 of 1 stub and 0 of 2 files used · HTTP/1.1 on 1 connection\n"))
        #expect(end.errors.contains("error: 404: nothing answers GET /aa\n"))
        #expect(end.errors.contains("1. a.json\n"))
        let allowed = try await Self.run(directory, ["--allow-unmatched"], #"curl -s -o /dev/null "$MOCKAPI_URL/aa""#)
        #expect(allowed.code == 0)
    }

    @Test func `the command's own failure keeps its code`() async throws {
        let directory = try Self.fixtures()
        #expect(try await Self.run(directory, [], #"curl -s -o /dev/null "$MOCKAPI_URL/aa"; exit 7"#).code == 7)
        #expect(try await Self.run(directory, [], "kill -SEGV $$").code == 128 + SIGSEGV)
        let end = try await Command.run("run", "\(directory.path)/f", "--", "/does/not/exist")
        #expect(end.code == 4)
        #expect(end.errors == "error: /does/not/exist cannot be run: No such file or directory\n")
    }

    @Test func `expectations of a file are held against what came`() async throws {
        let directory = try Self.fixtures()
        try directory.write(
            "e.json",
            """
            {"expectations": [
              {"request": {"method": "GET", "urlPath": "/a", "headers": {"X-Id": {"equalTo": "7"}}}, "times": 2},
              {"request": {"urlPath": "/b"}, "protocol": "HTTP/2.0"},
              {"inOrder": [{"urlPath": "/a"}, {"urlPath": "/b"}]},
              {"oneConnection": true}
            ]}
            """)
        let options = ["--expect", "\(directory.path)/e.json", "--quiet"]
        let kept = try await Self.run(
            directory, options,
            #"curl -s --cacert {ca} -H 'X-Id: 7' {tls-url}/a {tls-url}/a {tls-url}/b"#)
        #expect(kept.code == 0, "\(kept.errors)")
        let broken = try await Self.run(
            directory, options, #"curl -s "$MOCKAPI_URL/b"; curl -s -H 'X-Id: 7' "$MOCKAPI_URL/a""#)
        #expect(broken.code == 1)
        let errors = broken.errors.split(separator: "\n").filter { $0.hasPrefix("error: ") }
        #expect(
            errors == [
                #"error: expected GET /a, headers {"X-Id":{"equalTo":"7"}} 2 times, but it came once"#,
                "error: expected ANY /b over HTTP/2.0 at least once, but it came 0 times",
                "error: expected ANY /b after ANY /a, but it did not come, only before it",
                "error: expected all requests on one connection, but 2 came on 2",
            ])
    }

    @Test func `what is wrong with a file of expectations is told with its place`() async throws {
        let directory = try Self.fixtures()
        try directory.write(
            "e.json",
            """
            {"expectations": [
              {"request": {"urlPat": "/a"}, "times": -1},
              {"requests": []}
            ]}
            """)
        let end = try await Self.run(directory, ["--expect", "\(directory.path)/e.json"], "exit 9")
        #expect(end.code == 3)
        let place = "\(directory.path)/e.json"
        #expect(
            end.errors == """
                \(place):2:15: error: unknown key "urlPat"; did you mean "urlPath"? (/expectations/0/request/urlPat)
                \(place):2:42: error: expected a whole number from 0 (/expectations/0/times)
                \(place):3:4: error: unknown key "requests"; there are atLeast, atMost, inOrder, oneConnection, protocol, request, times (/expectations/1/requests)
                \(place):3:3: error: expected "request", "inOrder" or "oneConnection" (/expectations/1)

                """)
    }

    @Test func `shards have servers of their own, and one report`() async throws {
        let directory = try Self.fixtures()
        let end = try await Self.run(
            directory, ["--parallel", "3", "--json", "\(directory.path)/r.jsonl"],
            #"curl -s -o /dev/null "$MOCKAPI_URL/s"; echo "$MOCKAPI_SHARD/$MOCKAPI_SHARDS" > "\#(directory.path)/$MOCKAPI_SHARD"; exit $((MOCKAPI_SHARD - 1))"#
        )
        #expect(end.code == 1)
        #expect((1...3).map { directory.text("\($0)") } == ["1/3\n", "2/3\n", "3/3\n"])
        // Each has had the first step of its own sequence.
        #expect(
            end.errors.hasPrefix(
                "  3 requests, 3 matched · 1 of 1 stub and 0 of 2 files used · HTTP/1.1 on 3 connections\n"))
        let line = try JSONParser.parse(directory.bytes("r.jsonl").split(separator: 10).map { Array($0) }[0])
        #expect(line["verdict"]?.string == "pass")
    }

    @Test func `a signal reaches the command and what it has started, and the report is written`() async throws {
        let directory = try Self.fixtures()
        // Without a terminal, as in CI.
        let command = try Command(line: [
            "/usr/bin/setsid", try Command.executable("mockapi"), "run", "\(directory.path)/f", "--junit",
            "\(directory.path)/r.xml", "--", "/bin/sh", "-c",
            #"curl -s "$MOCKAPI_URL/a" > /dev/null; sleep 600 & echo $! > "$0.new"; mv "$0.new" "$0"; wait"#,
            "\(directory.path)/pid",
        ])
        #expect(try await until({ directory.text("pid") }, { !$0.isEmpty }))
        let grandchild = try #require(pid_t(directory.text("pid").dropLast()))
        command.send(SIGTERM)
        #expect(try await command.exitCode() == 128 + SIGTERM)
        #expect(try await until({ kill(grandchild, 0) != 0 || Self.isZombie(grandchild) }, is: true))
        #expect(directory.text("r.xml").contains("ended by signal 15"))
    }

    @Test func `what a command leaves behind ends with it`() async throws {
        let directory = try Self.fixtures()
        let end = try await Command(line: [
            "/usr/bin/setsid", try Command.executable("mockapi"), "run", "\(directory.path)/f",
            "--allow-no-requests", "--", "/bin/sh", "-c", "sleep 600 & echo $!",
        ]).end()
        #expect(end.code == 0)
        let left = try #require(pid_t(end.output.dropLast()))
        #expect(try await until({ kill(left, 0) != 0 || Self.isZombie(left) }, is: true))
    }

    #if os(Linux)
        @Test func `what is left in another session ends, whether it heeds SIGTERM or not`() async throws {
            let directory = try Self.fixtures()
            let end = try await Self.run(
                directory, ["-q"],
                #"setsid sleep 600 & echo $!; setsid sh -c 'trap "" TERM; echo $$; sleep 600' & sleep 0.1; exit 5"#)
            #expect(end.code == 5)
            let left = end.output.split(separator: "\n").compactMap { pid_t($0) }
            #expect(left.count == 2)
            #expect(left.allSatisfy { kill($0, 0) != 0 || Self.isZombie($0) })
        }
    #endif

    @Test func `a run that cannot begin leaves a report that says so`() async throws {
        let directory = try Self.fixtures()
        for (fixtures, options, code) in [
            ("none", [], 4), ("f", ["--expect", "\(directory.path)/none.json"], 3),
        ] as [(String, [String], Int32)] {
            let end = try await Command.run(
                ["run", "\(directory.path)/\(fixtures)", "--junit", "\(directory.path)/r.xml"] + options + [
                    "--", "true",
                ])
            #expect(end.code == code, "\(end.errors)")
            #expect(directory.text("r.xml").contains(#"name="run.begun: the command begins""#))
            #expect(directory.text("r.xml").contains("seen: exit \(code), for what standard error says"))
        }
    }

    @Test func `a command reads from the terminal, and its keys reach it once`() async throws {
        let directory = try Self.fixtures()
        try directory.write(
            "terminal.py",
            #"""
            import os, pty, sys
            pid, terminal = pty.fork()
            if pid == 0:
                os.execv(sys.argv[1], sys.argv[1:])
            def wait(word):
                text = b""
                while word not in text:
                    text += os.read(terminal, 4096)
            wait(b"terminal 0 0")
            os.write(terminal, b"hello\n")
            wait(b"read hello")
            os.write(terminal, b"\x03")
            wait(b"interrupted 1")
            while True:
                try:
                    if not os.read(terminal, 4096): break
                except OSError: break
            sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
            """#)
        try directory.write(
            "client.sh",
            #"""
            count=0
            trap 'count=$((count + 1))' INT
            test -t 0; one=$?; test -t 1; echo "terminal $one $?"
            read line; echo "read $line"
            sleep 60
            sleep 0.2
            echo "interrupted $count"
            sleep 600 & echo $! > "$0.left"
            exit 9
            """#)
        let command = try Command(line: [
            "/usr/bin/python3", "\(directory.path)/terminal.py", try Command.executable("mockapi"), "run",
            "\(directory.path)/f", "--", "/bin/sh", "\(directory.path)/client.sh",
        ])
        #expect(try await command.exitCode() == 9, "\(command.errors)")
        #if os(Linux)
            let left = try #require(pid_t(directory.text("client.sh.left").dropLast()))
            #expect(kill(left, 0) != 0 || Self.isZombie(left))
        #endif
    }

    private static func isZombie(_ process: pid_t) -> Bool {
        guard let file = fopen("/proc/\(process)/stat", "r") else { return true }
        defer { fclose(file) }
        var text = [UInt8](repeating: 0, count: 256)
        let count = fread(&text, 1, text.count, file)
        return String(decoding: text[..<count], as: UTF8.self).contains(") Z ")
    }

    @Test func `a proxy in the environment leads no command away, and one that asks it all the same is told why`()
        async throws
    {
        let directory = try Self.fixtures()
        func run(_ variables: String, _ script: String) async throws -> Command.End {
            let line = "exec env -u no_proxy -u NO_PROXY \(variables) \"$0\" run \"$1/f\" -q -- /bin/sh -c '\(script)'"
            let executable = try Command.executable("mockapi")
            return try await Command(line: ["/bin/sh", "-c", line, executable, directory.path]).end()
        }
        let asks = "curl -sS -o /dev/null {url}/a.json && echo \"$no_proxy $NO_PROXY\""
        let ours = "127.0.0.1,localhost,::1"
        for (variables, exceptions) in [
            ("http_proxy=http://127.0.0.1:1", "\(ours) \(ours)"), ("ALL_PROXY=http://127.0.0.1:1", "\(ours) \(ours)"),
            ("http_proxy=http://127.0.0.1:1 NO_PROXY=.corp", ".corp,\(ours) .corp,\(ours)"),
            ("http_proxy=http://127.0.0.1:1 no_proxy=* NO_PROXY=*", "* *"), ("http_proxy=", ""),
        ] {
            let end = try await run(variables.replacing("*", with: "\"*\""), asks)
            #expect(end.code == 0, "\(variables): \(end)")
            #expect(end.output == (exceptions.isEmpty ? " \n" : "\(exceptions)\n"), "\(variables)")
        }
        let led = try await run("http_proxy=http://127.0.0.1:1", "true")
        #expect(led.code == 1)
        #expect(
            led.errors.contains(
                "the command sent no request to this server; is it given MOCKAPI_URL? http_proxy names a proxy, which a client that does not read no_proxy uses instead\n"
            ))
    }
}
