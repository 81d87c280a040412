// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import MockServer
import MockapiFixtures
import MockapiOpenAPI
import MockapiSystemIO
import MockapiVerification

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// `mockapi diff`: the effect of a change of fixtures on a client, and whether a document allows them.
struct Diff: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Report how a change of fixtures affects a client, and whether an OpenAPI document allows it.",
        usage: """
            mockapi diff <old> <new> [<options>]
            mockapi diff <directory> <document> [<options>]
            """,
        discussion: """
            Each is a directory of fixtures, or a revision of git and a path in it. The new fixtures are compared with the old ones as \
            `verify` compares live responses. If one is a document of OpenAPI 3.0 or 3.1, in YAML or JSON, the report has the parts of the fixtures \
            that the document does not allow, and with --info the parts of the document that no fixture has.

              mockapi diff main:Fixtures Fixtures
              mockapi diff v1.2:Fixtures v1.3:Fixtures --fail-on warning
              mockapi diff Fixtures openapi.yaml --info

            Exit codes: 0 no difference at the level of --fail-on or above, 1 there is one, 3 the document cannot be read, 4 something could not be \
            found out.
            """)

    @Argument(help: "The fixtures as they were.")
    var old: String

    @Argument(help: "The fixtures as they are, or a document of OpenAPI.")
    var new: String

    @OptionGroup(title: "Reports") var drift: DriftOptions

    func run() async throws {
        let startedAt = Clock.seconds
        let directory = Self.isDocument(new) || !Self.isDocument(old) && !GitTree.isRevision(old) ? old : new
        let (baseline, found) = try await drift.prepare("diff", directory) {
            (
                try drift.knownDrift(),
                Self.isDocument(new)
                    ? try compare(old, with: new) : Self.isDocument(old) ? try compare(new, with: old) : try compare()
            )
        }
        var verdicts = found
        for index in verdicts.indices { baseline.apply(to: &verdicts[index]) }
        let report = DriftReport(verdicts)
        try drift.tell(report, of: "diff", directory, since: startedAt)
        let code = report.exitCode(failOn: drift.failOn)
        if code != 0 { throw ExitCode(code) }
    }

    /// The verdicts on two states of fixtures.
    private func compare() throws -> [FixtureVerdict] {
        let (before, after) = (try tree(old), try tree(new))
        let sets = (
            try Verify.load(before?.path ?? old, wireMock: false), try Verify.load(after?.path ?? new, wireMock: false)
        )
        let history = try Verify.history(of: sets.0.root)
        let verdicts = FixtureDifference(from: sets.0, to: sets.1, history: history).verdicts()
        withExtendedLifetime((before, after)) {}
        return verdicts + Self.unusable(sets.0.leftOut + sets.1.leftOut)
    }

    private static func unusable(_ leftOut: [FixtureSet.LeftOut]) -> [FixtureVerdict] {
        leftOut.map {
            FixtureVerdict(unusable: $0.place, reason: "the stub has errors; mockapi check lists them")
        }
    }

    /// The contents of a revision; nil for a directory.
    private func tree(_ argument: String) throws -> GitTree? {
        guard GitTree.isRevision(argument) else { return nil }
        do throws(GitTree.Failure) {
            return try GitTree(argument)
        } catch {
            Output.note("error: \(argument): \(error.text)")
            throw Exit.impossible
        }
    }

    // MARK: Documents

    /// Whether an argument names a file, here or in a revision.
    private static func isDocument(_ argument: String) -> Bool {
        var status = stat()
        if stat(argument, &status) == 0 { return status.st_mode & S_IFMT == S_IFREG }
        return GitTree.isRevision(argument)
            && [".yaml", ".yml", ".json"].contains { argument.lowercased().hasSuffix($0) }
    }

    /// The verdicts on fixtures and a document.
    private func compare(_ fixtures: String, with path: String) throws -> [FixtureVerdict] {
        let document = try document(path)
        let tree = try tree(fixtures)
        let set = try Verify.load(tree?.path ?? fixtures, wireMock: false)
        var difference = DocumentDifference(set, document, label: path)
        let verdicts = difference.verdicts(without: Self.relative(path, in: set.root))
        withExtendedLifetime(tree) {}
        return verdicts + Self.unusable(set.leftOut)
    }

    private func document(_ path: String) throws -> OpenAPIDocument {
        let bytes: [UInt8]
        if GitTree.isRevision(path) {
            do throws(GitTree.Failure) {
                bytes = try GitTree.contents(of: path)
            } catch {
                Output.note("error: \(path): \(error.text)")
                throw Exit.impossible
            }
        } else {
            guard let contents = OutputFile.contents(path) else {
                Output.note("error: \(path) cannot be read")
                throw Exit.impossible
            }
            bytes = contents
        }
        do throws(OpenAPIDocument.Failure) {
            return try OpenAPIDocument(bytes)
        } catch {
            Output.note("error: \(path):\(error.line): \(error.text)")
            throw ExitCode(3)
        }
    }

    /// A file's path in a directory; nil if it lies elsewhere.
    private static func relative(_ path: String, in root: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        let file = String(cString: real)
        return file.hasPrefix(root + "/") ? String(file.dropFirst(root.utf8.count + 1)) : nil
    }
}
