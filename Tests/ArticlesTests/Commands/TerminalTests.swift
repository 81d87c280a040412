// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if os(Linux)
    import MockapiTestSupport
    import Testing
    import MockapiWireSupport

    /// The reader on a terminal, which `script` of Debian's essential package bsdutils makes.
    @Suite(.supervised) struct TerminalTests {
        private func session(_ input: String, environment: [String: String]) async throws -> String {
            var output = ""
            try await Service.with { service in
                let command = "\(try Command.executable("mockapi-articles")) --url \(service.api)"
                let line = ["/usr/bin/script", "-q", "-e", "-c", command, "/dev/null"]
                let end = try await Command(line: line, environment: environment, input: input).end()
                #expect(end.code == 0)
                output = end.output.replacing("\r\n", with: "\n")
                // The terminal shows what is typed where that comes before `script` has told it not to.
                if !input.isEmpty { output = output.replacing(input, with: "") }
            }
            return output
        }

        @Test func aTerminalGetsAPromptAndColours() async throws {
            let output = try await session("s 2\nq\n", environment: ["TERM": "xterm", "NO_COLOR": ""])
            let prompt = "\u{1B}[2;90mnumber, n(ext), i(mage) number, s(ave) number, l(ist), q(uit)\u{1B}[0m > "
            #expect(output.contains("\u{1B}[1;4mArticles 1–20 of 60\u{1B}[0m\n"))
            #expect(
                output.contains(
                    prompt + """
                        \u{1B}[1;4mArticle 2 of 60\u{1B}[0m
                           2 \u{1B}[36m[x]\u{1B}[0m \u{1B}[1mReading Bytes Without Copying Them\u{1B}[0m

                        """))
            #expect(output.hasSuffix(prompt))
        }

        @Test func aTerminalThatWantsNoColoursGetsNone() async throws {
            let output = try await session("", environment: ["TERM": "xterm", "NO_COLOR": "1"])
            #expect(output.contains("Articles 1–20 of 60\n   1 [ ] A Mock Server You Can Review\n"))
            #expect(output.hasSuffix("number, n(ext), i(mage) number, s(ave) number, l(ist), q(uit) > \n"))
            #expect(!output.contains("\u{1B}"))
        }
    }
#endif
