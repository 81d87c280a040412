// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import MockServer
import MockapiHTTPSyntax
import MockapiRunning

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The start of the process.
@main
enum Start {
    static func main() {
        // Before anything else is opened, by whatever library.
        Output.fillStandardDescriptors()
        SignalRelay.begin()
        // Detached: `main` is the main actor's, whose queue nobody serves.
        Task.detached {
            await Mockapi.run(Array(CommandLine.arguments.dropFirst()))
            Exit.leave(0)
        }
        // As `dispatchMain` waits, which loads a library of its own first: for signals, whichever of them the parent has had blocked.
        var none = sigset_t()
        sigemptyset(&none)
        while true { sigsuspend(&none) }
    }
}

/// The command `mockapi`.
struct Mockapi: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mockapi",
        abstract: "An HTTP mock server that replays recorded fixtures.",
        discussion: """
            Exit codes: 0 success, 1 findings, a broken contract, a response that was not recorded or a server that is not healthy, 3 fixtures unusable, \
            4 could not be done (port in use, directory missing), 64 usage.
            """,
        version: mockapiVersion,
        subcommands: subcommands(for: CommandLine.arguments.dropFirst().first))

    private static let subcommands: [(name: String, command: any ParsableCommand.Type)] = [
        ("serve", Serve.self), ("run", Run.self), ("needs", FindNeeds.self), ("record", Record.self),
        ("verify", Verify.self), ("diff", Diff.self), ("check", Check.self), ("schema", Schema.self), ("ca", CA.self),
        ("contract", Contract.self), ("init", Initialize.self), ("health", Health.self), ("wiremock", WireMock.self),
        ("version", Version.self),
    ]

    /// The subcommand that the first argument names, else all: each that is known costs some 300 microseconds at the start, since
    /// its name and its options are looked for by reflection.
    static func subcommands(for first: String?) -> [any ParsableCommand.Type] {
        first.flatMap(command(named:)).map { [$0] } ?? subcommands.map(\.command)
    }

    static func command(named name: String) -> (any ParsableCommand.Type)? {
        subcommands.first { $0.name == name }?.command
    }

    static let _errorPrefix = "error: "

    /// Runs a command, with the options that the environment has for it.
    static func run(_ arguments: [String]) async {
        let merged: EnvironmentOptions.Merged
        do {
            let arguments = try Shorthand.expanded(
                arguments == ["-V"] ? ["--version"] : arguments, commands: subcommands.map(\.name))
            merged = try EnvironmentOptions.merged(arguments)
        } catch {
            leave(ValidationError("\(error)"))
        }
        do {
            var command = try await parsed(merged.arguments)
            if let command = command as? any LoggingCommand { Output.log(as: command.options.logFormat) }
            for note in merged.notes { Output.note("  \(note)") }
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            if exitCode(for: error) == .validationFailure {
                if !merged.names.isEmpty {
                    Output.note("note: of the environment \(merged.names.joined(separator: ", ")) was read, too")
                }
                if let advice = Shorthand.advice(on: message(for: error), merged.arguments) {
                    Output.note("note: \(advice)")
                    leave(error, guesses: false)
                }
            }
            leave(error)
        }
    }

    /// Ends the process as an error has it, which may be a call for help.
    ///
    /// - Parameter guesses: whether the parser says which option it takes for the one that was meant.
    private static func leave(_ error: any Error, guesses: Bool = true) -> Never {
        let code = exitCode(for: error)
        var text = fullMessage(for: error)
        if !guesses, let guess = text.firstRange(of: ". Did you mean '") {
            let end = text[guess.lowerBound...].firstIndex(ascii: "\n") ?? text.endIndex
            text.removeSubrange(guess.lowerBound..<end)
        }
        if !text.isEmpty {
            if code == .success { Output.result(text) } else { Output.note(text) }
        }
        Exit.leave(code.rawValue)
    }
}

extension Mockapi {
    /// The command that arguments name.
    ///
    /// A subcommand that stands in front reads its arguments itself: looking for the same options from `mockapi` on takes half as long again,
    /// and a start is to be quick. Arguments that it cannot read, or takes for a call for help, are read from there: the texts are those of `mockapi`.
    private static func parsed(_ arguments: [String]) async throws -> any ParsableCommand {
        if let subcommand = arguments.first.flatMap(command(named:)),
            let command = try? subcommand.parseAsRoot(Array(arguments.dropFirst())), type(of: command) == subcommand
        {
            return command
        }
        return try await asyncParseAsRoot(arguments)
    }
}

/// A command that has a log, whose format each of its lines has from the first.
protocol LoggingCommand: ParsableCommand {
    var options: ServerOptions { get }
}

extension Serve: LoggingCommand {}
extension Run: LoggingCommand {}
extension FindNeeds: LoggingCommand {}

/// `mockapi version`: as `--version`.
struct Version: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Print the version.")

    func run() { Output.result(mockapiVersion) }
}
