// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiSystemIO

/// The words that people type in the place of a subcommand: a directory, a file, or another tool's word.
enum Shorthand {
    /// An argument that is not a subcommand, and the word that was probably meant.
    struct UnknownCommand: Error, CustomStringConvertible {
        let word: String
        let suggestion: String?
        /// Whether a path could stand in its place, too.
        var mayBePath = true

        var description: String {
            let hint = suggestion.map { "; did you mean \"mockapi \($0)\"?" } ?? ""
            let kinds = mayBePath ? "a command, a directory or a file" : "a command"
            return "\"\(word)\" is not \(kinds)\(hint) (mockapi --help lists the commands)"
        }
    }

    /// The subcommands that other tools have under another name.
    private static let synonyms = [
        "start": "serve", "server": "serve", "mock": "serve", "proxy": "record", "capture": "record", "test": "run",
        "exec": "run", "lint": "check", "validate": "check", "compare": "diff", "drift": "verify", "new": "init",
        "create": "init", "import": "record", "cert": "ca", "certificate": "ca", "status": "health", "ping": "health",
    ]

    /// Options of `serve` that people know from the first week on, and type without a command.
    private static let optionsOfServe: Set = [
        "--port", "-p", "--host", "--cors", "--cors-origin", "--delay", "--watch", "--quiet", "-q", "--open",
        "--record", "--upstream", "--proxy-unmatched", "--log-format", "--strict", "--lenient",
    ]

    /// Options by which other tools name the directory.
    private static let directoryOptions: Set = ["--fixtures", "--dir", "--directory", "--folder", "--data", "--root"]

    /// The text to write in the place of an option that is unknown here; nil if nothing is known of it.
    ///
    /// - Parameter failure: the parser's text, which names the option.
    static func advice(on failure: String, _ arguments: [String]) -> String? {
        if let misread = misread(arguments, failure) { return misread }
        let parts = failure.split(ascii: "'")
        let word = parts.count > 1 ? String(parts[1]) : ""
        if failure.hasPrefix("Unexpected argument '") { return surplus(word, arguments.first ?? "") }
        guard failure.hasPrefix("Unknown option '"), !word.isEmpty else { return nil }
        let option = word
        if let advice = WireMockOptions.advice(on: option) { return advice }
        if directoryOptions.contains(option) {
            return arguments.first == "record"
                ? "write --into DIRECTORY"
                : "the directory is an argument, not an option: mockapi "
                    + "\(arguments.first.flatMap { $0.hasPrefix("-") ? nil : $0 } ?? "serve") DIRECTORY"
        }
        if option == "-v" { return adviceOnVerbosity(arguments) }
        if arguments.first == option || Nearest.word(to: option, among: ["--help"])?.isNear == true,
            let near = Nearest.word(to: option, among: ["--help", "--help-all", "--version"]),
            near.isNear
        {
            return "did you mean \(near.word)?"
        }
        // A value may stand behind `=`.
        guard optionsOfServe.contains(option), arguments.first?.prefix(while: { $0 != "=" }) == option[...] else {
            return nil
        }
        return "options stand behind a command: mockapi serve \(option)"
    }

    /// The text on `-v`, which is the version of some tools and a log of others.
    private static func adviceOnVerbosity(_ arguments: [String]) -> String? {
        switch arguments.first ?? "" {
        case "-v": arguments.count == 1 ? "mockapi -V prints the version" : nil
        case "serve", "run", "needs": "--log-format text prints a line for each request"
        default: nil
        }
    }

    /// The remedy for an argument that a command does not take.
    private static func surplus(_ word: String, _ command: String) -> String {
        if command == "record", word.hasPrefix("/") { return "a request is sent by an option: --get \(word.shellWord)" }
        return "\(word.shellWord) is one argument too many; mockapi \(command) --help shows its arguments"
    }

    /// The text to write in the place of an argument that a text editor or a shell has changed: a dash for two hyphens, a path cut at its spaces.
    ///
    /// - Parameter failure: names the argument that the parser did not take; another argument may be as it is meant.
    private static func misread(_ arguments: [String], _ failure: String) -> String? {
        let own = arguments.prefix { $0 != "--" }
        for (argument, next) in zip(own, own.dropFirst() + [""]) {
            guard failure.contains("'\(argument)'") || failure.contains("'\(next)'") else { continue }
            if let option = hyphenated(argument) {
                return "\(argument) begins with a dash; options begin with hyphens: \(option)"
            }
            let path = "\(argument) \(next)"
            if FileStatus(path: argument) == nil, [.directory, .file].contains(FileStatus(path: path)?.kind) {
                return "put a path with a space in quotes: \(path.shellWord)"
            }
        }
        return nil
    }

    /// An option whose hyphens an editor has made a dash (`–watch`, `—watch`); nil for any other word.
    private static func hyphenated(_ word: String) -> String? {
        guard let first = word.first, "–—".contains(first) else { return nil }
        let name = word.drop { "–—-".contains($0) }
        return name.isEmpty ? nil : (name.count == 1 ? "-" : "--") + name
    }

    /// Arguments that begin with a subcommand: `DIRECTORY …` is `serve DIRECTORY …`, and so is `FILE …`.
    ///
    /// Options and subcommands in front stay as they are, as does an empty list. `--help-all` is the parser's `--help-hidden`.
    static func expanded(
        _ arguments: [String], commands: [String]
    ) throws(UnknownCommand) -> [String] {
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        let arguments = arguments[..<end].map { $0 == "--help-all" ? "--help-hidden" : $0 } + arguments[end...]
        if arguments.first == "help", let word = arguments.dropFirst().first, !word.hasPrefix("-"),
            !commands.contains(word)
        {
            throw UnknownCommand(
                word: word, suggestion: meant(word, commands).map { "help \($0)" }, mayBePath: false)
        }
        guard let first = arguments.first, !first.hasPrefix("-"), !commands.contains(first), first != "help" else {
            return arguments
        }
        if first.contains("://") { throw UnknownCommand(word: first, suggestion: "record \(first.shellWord)") }
        // A path is one, be there something or not.
        if first.utf8.contains(ASCII.slash) || [.directory, .file].contains(FileStatus(path: first)?.kind) {
            return ["serve"] + arguments
        }
        if let option = hyphenated(first) { throw UnknownCommand(word: first, suggestion: "serve \(option)") }
        throw UnknownCommand(word: first, suggestion: meant(first, commands))
    }

    /// The command that was probably meant by a word.
    private static func meant(_ word: String, _ commands: [String]) -> String? {
        Nearest.word(to: word, among: commands + ["help"] + synonyms.keys.sorted())
            .flatMap { $0.isNear ? synonyms[$0.word] ?? $0.word : nil }
    }
}
