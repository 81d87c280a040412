// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiWireSupport
import Testing

/// `mockapi diff` between directories and revisions.
@Suite(.supervised) struct DiffTests {
    private static func stub(_ body: String) -> String {
        #"{"request": {"urlPath": "/a"}, "response": {"headers": ["Content-Type: application/json"], "jsonBody": \#(body)}}"#
    }

    @Test func `a change is told at the line of the fixture as it was`() async throws {
        let old = try TemporaryDirectory(["a.stub.json": Self.stub(#"{"id": 1, "name": "a"}"#), "gone.txt": "x"])
        let new = try TemporaryDirectory(["renamed.stub.json": Self.stub(#"{"id": 1, "more": 2}"#)])
        let end = try await Command.run("diff", old.path, new.path)
        #expect(end.code == 1, "\(end)")
        #expect(
            end.output == """
                  ✗ a.stub.json:1   /name   property removed ("a")    breaking
                  ! gone.txt:1      fixture removed (GET /gone.txt)   warning
                  0 honoured · 1 drifted · 1 broken

                """)
        let same = try await Command.run("diff", old.path, old.path)
        #expect(same.code == 0)
        #expect(same.output == "  2 honoured: 2 fields, 1 text, 2 header sets\n")
    }

    @Test func `a revision is held against a directory`() async throws {
        let repository = try TemporaryDirectory(["Fixtures/a.stub.json": Self.stub(#"{"id": 1}"#)])
        let script = """
            cd \(repository.path) && git init -q . && git -c user.name=a -c user.email=a@example.com add -A \
            && git -c user.name=a -c user.email=a@example.com commit -q -m first
            """
        let made = try await Command(line: ["/bin/sh", "-c", script]).end()
        #expect(made.code == 0, "\(made)")
        try repository.write("Fixtures/a.stub.json", Self.stub(#"{"id": "1"}"#))
        let diff = "cd \(repository.path) && \(try Command.executable("mockapi")) diff HEAD:Fixtures Fixtures"
        let end = try await Command(line: ["/bin/sh", "-c", diff]).end()
        #expect(end.code == 1, "\(end)")
        #expect(end.output.contains("/id   type changed (number 1 → string \"1\")"), "\(end)")
    }

    @Test func `a revision that is not there cannot be held against anything`() async throws {
        let directory = try TemporaryDirectory(["a.txt": "a"])
        let end = try await Command.run("diff", "nowhere:Fixtures", directory.path)
        #expect(end.code == 4, "\(end)")
        #expect(end.errors.hasPrefix("error: nowhere:Fixtures: "))
    }
}
