// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import MockapiHTTPSyntax
import MockapiJSONText

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The options of a command as variables of the environment: `MOCKAPI_` and the long name in capitals, with `_` for all
/// but letters and digits, so that `--log-format json` is `MOCKAPI_LOG_FORMAT=json`.
///
/// The command line goes before: a variable is left out whose option stands there. Which options there are is read from
/// the parser's own description of the command, so that no option is without its variable.
struct EnvironmentOptions {
    /// The arguments that the variables amount to on the command line.
    private(set) var arguments: [String] = []
    /// The variables that were used.
    private(set) var names: [String] = []

    /// Those that say another thing than the command line, which goes before them, each with the option as it stands there.
    private(set) var overridden: [(name: String, option: String)] = []

    /// A variable that says neither yes nor no.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The arguments of the process, with those of the environment after its options: in front of others, an option with several values would take
    /// the words behind it.
    static func merged(_ arguments: [String]) throws(Failure) -> Merged {
        guard hasVariables, let name = arguments.first, commands.contains(name),
            let command = Mockapi.command(named: name)
        else { return Merged(arguments: arguments) }
        let given = Array(arguments.dropFirst())
        let options = try EnvironmentOptions(of: command._dumpHelp(), beside: given) { name in
            getenv(name).map { String(cString: $0) }
        }
        let end = given.firstIndex(of: "--") ?? given.endIndex
        return Merged(
            arguments: [name] + given[..<end] + options.arguments + given[end...], names: options.names,
            notes: Self.given(["-q", "--quiet"], in: Array(given[..<end])) != nil
                ? []
                : options.overridden.map { "\($0.name) has no effect beside \($0.option) of the command line" })
    }

    struct Merged {
        var arguments: [String]
        /// The variables that were used.
        var names: [String] = []
        /// Notes on the options that were not taken.
        var notes: [String] = []
    }

    /// The commands whose options can be given so.
    private static let commands: Set<String> = ["serve", "record", "run", "needs", "verify", "diff"]

    /// Whether any variable is ours: the description of a command takes longer to make than most commands to start.
    private static var hasVariables: Bool {
        var next = environ
        while let line = next.pointee {
            if strncmp(line, "MOCKAPI_", 8) == 0 { return true }
            next += 1
        }
        return false
    }

    /// - Parameters:
    ///   - description: the command's, in the parser's JSON.
    ///   - given: the arguments after the command's name.
    ///   - variable: the value of a variable; nil if there is none.
    init(
        of description: String, beside given: [String], _ variable: (String) -> String?
    ) throws(Failure) {
        let options = (try? JSONParser.parse(description))?["command"]?["arguments"]?.array ?? []
        let flags = Set(options.lazy.filter { $0["kind"]?.string == "flag" }.flatMap { Self.spellings($0) })
        let given = Array(given.prefix { $0 != "--" })
        for option in options {
            let spellings = Self.spellings(option)
            guard let first = spellings.first(where: { $0.hasPrefix("--") }), !first.hasPrefix("--help"),
                first != "--version"
            else { continue }
            // The other of a pair of switches.
            let opposite = first.hasPrefix("--no-") ? "--" + first.dropFirst(5) : "--no-" + first.dropFirst(2)
            let name = Self.variable(first)
            guard let value = variable(name) else { continue }
            let isFlag = option["kind"]?.string == "flag"
            if let spelling = Self.given(spellings + [opposite], in: given) {
                let isSaid =
                    isFlag
                    ? Self.truth(value) == (spelling != opposite) : Self.isSaid(value, by: spellings, in: given)
                if !value.isEmpty, !isSaid { overridden.append((name, spelling)) }
                continue
            }
            names.append(name)
            if isFlag {
                guard let isOn = Self.truth(value) else {
                    throw Failure(
                        description:
                            "\(name) is \"\(value)\"; it is a switch: 1, true, yes or on, or 0, false, no or off")
                }
                if isOn { arguments.append(first) } else if flags.contains(opposite) { arguments.append(opposite) }
            } else if option["isRepeating"]?.bool ?? false {
                for line in value.split(whereSeparator: \.isNewline) { arguments.append("\(first)=\(line)") }
            } else if !value.isEmpty {
                arguments.append("\(first)=\(value)")
            }
        }
    }

    /// `MOCKAPI_LOG_FORMAT` for `--log-format`.
    static func variable(_ option: String) -> String {
        "MOCKAPI_"
            + String(option.dropFirst(2).map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }).uppercased()
    }

    /// `--quiet` and `-q`; none for an argument without a name.
    private static func spellings(_ option: JSONNode) -> [String] {
        (option["names"]?.array ?? []).compactMap { name in
            name["name"]?.string.map { (name["kind"]?.string == "short" ? "-" : "--") + $0 }
        }
    }

    /// Whether the command line has an option with this very value.
    private static func isSaid(_ value: String, by spellings: [String], in arguments: [String]) -> Bool {
        spellings.contains { spelling in
            arguments.contains("\(spelling)=\(value)")
                || zip(arguments, arguments.dropFirst()).contains { $0 == spelling && $1 == value }
        }
    }

    /// The first of the spellings that the command line has; nil if it has none.
    private static func given(_ spellings: [String], in arguments: [String]) -> String? {
        arguments.lazy.compactMap { argument in
            spellings.first { argument == $0 || $0.hasPrefix("--") && argument.hasPrefix($0 + "=") }
        }.first
    }

    /// Nil for a text that is neither yes nor no; nothing at all is no.
    private static func truth(_ value: String) -> Bool? {
        switch value.lowercased() {
        case "1", "true", "yes", "on": true
        case "", "0", "false", "no", "off": false
        default: nil
        }
    }
}
