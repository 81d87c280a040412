// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import MockServer

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `mockapi wiremock`: serves a WireMock root, with WireMock's options.
struct WireMock: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wiremock",
        abstract: "Serve a directory with mappings/ and __files/, with the options of WireMock's command.",
        discussion: """
            Takes the options of WireMock's command, such as --port 8080 --root-dir . --verbose, and the environment variable \
            WIREMOCK_OPTIONS, and serves the directory by WireMock's rules on all addresses of the machine. An unsupported option \
            is named with the reason; with --strict-options it ends the command with 64. --writable lets the \
            admin API write files, as with mockapi serve. docs/wiremock.md has the table.
            """)

    @Argument(parsing: .captureForPassthrough, help: "Options of WireMock's.")
    var arguments: [String] = []

    func run() async throws {
        if arguments.contains("--help") || arguments.contains("-h") { throw CleanExit.helpRequest(self) }
        if arguments.contains("--version") { return Output.result(mockapiVersion) }
        var given = Self.words(ProcessInfo.processInfo.environment["WIREMOCK_OPTIONS"]) + arguments
        let isStrict = given.contains("--strict-options")
        let isWritable = given.contains("--writable")
        given.removeAll { $0 == "--strict-options" || $0 == "--writable" }
        let options: WireMockOptions
        do throws(WireMockOptions.Failure) {
            options = try WireMockOptions(given)
        } catch {
            throw ValidationError(error.description)
        }
        for note in options.notes { Output.note("  \(note)") }
        if isStrict, options.lacksSupport { throw ExitCode.validationFailure }
        // WireMock makes the folders that are missing, and serves an empty root.
        try? FileManager.default.createDirectory(
            atPath: options.root + "/mappings", withIntermediateDirectories: true)
        let serve = try Serve.parse(options.arguments + (isWritable ? ["--writable"] : []))
        Output.log(as: serve.options.logFormat)
        let passing = options.upstream.map {
            Serve.PassedOn(url: $0, isRecorded: options.records, headers: options.headers)
        }
        try await serve.run(passing, options)
    }

    private static func words(_ text: String?) -> [String] {
        (text ?? "").utf8.split(separator: UInt8(ascii: " ")).compactMap { String($0) }
    }
}
