// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiWireSupport
import Testing

/// `mockapi check --fix`.
@Suite(.supervised) struct CheckFixTests {
    private static let mapping = #"{"request": {"urlPath": "/a"}, "response": {"status": "201"}}"#
    private static let shown = """
        --- mappings/a.json
        @@ line 1 @@
        -{"request": {"urlPath": "/a"}, "response": {"status": "201"}}
        +{"request": {"urlPath": "/a"}, "response": {"status": 201}}

        """

    @Test func `what would be written is shown, and nothing is written before somebody agrees`() async throws {
        let directory = try TemporaryDirectory(["mappings/a.json": Self.mapping])
        let result = try await Command.run("check", directory.path, "--fix")
        #expect(result.code == 0)
        #expect(
            result.errors == Self.shown
                + "Write 1 file? [y/N] nothing is written; --yes writes 1 file without asking\n1 stub, 0 files, 0 findings\n"
        )
        #expect(directory.text("mappings/a.json") == Self.mapping)
    }

    @Test func `with --yes it is written, and there is nothing left to fix`() async throws {
        let directory = try TemporaryDirectory(["mappings/a.json": Self.mapping])
        let result = try await Command.run("check", directory.path, "--fix", "--yes")
        #expect(result.code == 0)
        #expect(result.errors == Self.shown + "1 file written\n1 stub, 0 files, 0 findings\n")
        #expect(directory.text("mappings/a.json").contains(#""status": 201"#))
        let again = try await Command.run("check", directory.path, "--fix", "--yes")
        #expect(again.errors == "nothing to fix\n1 stub, 0 files, 0 findings\n")
        let alone = try await Command.run("check", directory.path, "--yes")
        #expect(alone.code == 64 && alone.errors.contains("--yes goes with --fix"))
    }
}
