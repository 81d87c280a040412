// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiSystemIO

/// The words that people type in the place of a subcommand: a directory, or another tool's word.
enum Shorthand {
    /// An argument that is not a subcommand, and the word that was probably meant.
    struct UnknownCommand: Error, CustomStringConvertible {
        let word: String
        let suggestion: String?

        var description: String {
            if FileStatus(path: word)?.kind == .file {
                let folder = word.split(ascii: "/").dropLast().joined(separator: "/")
                let directory = word.hasPrefix("/") ? "/" + folder : folder.isEmpty ? "." : folder
                return "\"\(word)\" is a file; fixtures are served from a directory: mockapi \(directory.shellWord)"
            }
            let hint = suggestion.map { "; did you mean \"mockapi \($0)\"?" } ?? ""
            return "\"\(word)\" is not a command and not a directory\(hint) (mockapi --help lists the commands)"
        }
    }

    /// The subcommands that other tools have under another name.
    private static let synonyms = [
        "start": "serve", "server": "serve", "mock": "serve", "proxy": "record", "capture": "record", "test": "run",
        "exec": "run", "lint": "check", "validate": "check", "compare": "diff", "drift": "verify", "new": "init",
        "create": "init", "cert": "ca", "certificate": "ca", "status": "health", "ping": "health",
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
        guard failure.hasPrefix("Unknown option '"), parts.count > 1 else { return nil }
        let option = String(parts[1])
        if let advice = WireMockOptions.advice(on: option) { return advice }
        if directoryOptions.contains(option) {
            return arguments.first == "record"
                ? "write --into DIRECTORY"
                : "the directory is an argument, not an option: mockapi \(arguments.first ?? "serve") DIRECTORY"
        }
        if arguments.first == option,
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
            if FileStatus(path: argument) == nil, FileStatus(path: path)?.kind == .directory {
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

    /// Arguments that begin with a subcommand: `DIRECTORY …` is `serve DIRECTORY …`.
    ///
    /// Options and subcommands in front stay as they are, as does an empty list. `--help-all` is the parser's `--help-hidden`.
    static func expanded(
        _ arguments: [String], commands: [String]
    ) throws(UnknownCommand) -> [String] {
        let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
        let arguments = arguments[..<end].map { $0 == "--help-all" ? "--help-hidden" : $0 } + arguments[end...]
        guard let first = arguments.first, !first.hasPrefix("-"), !commands.contains(first), first != "help" else {
            return arguments
        }
        if FileStatus(path: first)?.kind == .directory { return ["serve"] + arguments }
        if let option = hyphenated(first) { throw UnknownCommand(word: first, suggestion: "serve \(option)") }
        let near = Nearest.word(to: first, among: commands + ["help"] + synonyms.keys.sorted()).flatMap {
            $0.isNear ? $0.word : nil
        }
        throw UnknownCommand(word: first, suggestion: near.map { synonyms[$0] ?? $0 })
    }
}
