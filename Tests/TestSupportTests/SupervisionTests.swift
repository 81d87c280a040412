// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiWireSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite(.supervised) struct SupervisionTests {
    /// The folder of all tests.
    private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .path

    /// The types of a file that hold tests, with the attribute in front of each.
    ///
    /// swift-format indents what stands in a type by four columns more than the type.
    private static func suites(in text: String) -> [(name: String, attributes: String)] {
        var open: [(indent: Int, name: String, attributes: String)] = []
        var suites: [(String, String)] = []
        var before = ""
        for line in text.split(separator: "\n") {
            let indent = line.prefix { $0 == " " }.count
            let words = line.split(separator: " ")
            if line.dropFirst(indent) == "}" { open.removeAll { $0.indent >= indent } }
            if line.dropFirst(indent).hasPrefix("@Test"), let suite = open.last(where: { $0.indent < indent }) {
                if suites.last?.0 != suite.name { suites.append((suite.name, suite.attributes)) }
            }
            if let keyword = words.firstIndex(where: { ["struct", "class", "actor", "enum", "extension"].contains($0) }
            ),
                words.dropFirst(keyword).count > 1, !line.dropFirst(indent).hasPrefix("//")
            {
                open.removeAll { $0.indent >= indent }
                let attributes = before.trimmingPrefix { $0 == " " }.hasPrefix("@Suite(") ? before + line : String(line)
                open.append((indent, String(words[keyword + 1]), attributes))
            }
            before = String(line)
        }
        return suites
    }

    @Test func `every suite is supervised`() throws {
        // The sample apps are a package of their own.
        let names = try FileManager.default.subpathsOfDirectory(atPath: Self.tests).filter {
            $0.hasSuffix(".swift") && !$0.hasPrefix("Apps/")
        }
        // The example stands in the documents as it is here.
        let others = try names.filter { $0 != "MockServerTestingTests/Examples/TestingExample.swift" }.flatMap { name in
            try Self.suites(in: String(contentsOfFile: "\(Self.tests)/\(name)", encoding: .utf8))
                .filter { !$0.attributes.contains(".supervised") }.map { "\(name): \($0.name)" }
        }
        #expect(names.count > 150)
        #expect(others.isEmpty, "add @Suite(.supervised)")
    }

    @Test func `a blocking call is refused on a thread that all tasks share`() async throws {
        let server = try RawServer()
        let port = server.port
        // A task of its own begins on those threads; what it starts by `blocking` does not.
        let task = Task {
            try await blocking { try WireClient(port: port).close() }
            return Result { try WireClient(port: port).close() }
        }
        let outcome = try await task.value
        try WireClient(port: port).close()
        let error = #expect(throws: WireError.self) { try outcome.get() }
        #expect(
            error?.description
                == "a blocking call in a task of its own: wrap it in blocking { }, or put it into a suite that is .supervised"
        )
    }

    @Test func `a wait that fails says what it last saw`() async throws {
        var count = 0
        let error = await #expect(throws: NotSeen.self) {
            try await until(within: 0) {
                count += 1
                return ["seen \(count)"]
            } _: { _ in
                false
            }
        }
        #expect(error?.description == #"waited 0 seconds, and last saw ["seen \#(count)"]"#)
    }

    @Test func `a program that is ended is waited for, however often`() async throws {
        let command = try Command(line: ["/bin/sleep", "600"])
        command.send(9)
        for _ in 0..<2 { try await command.ended() }
        #expect(command.hasEnded)
        await #expect(throws: Command.Failure.self) { try await command.exitCode() }
    }
}
