// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import MockServer
import MockapiProxy
import MockapiRecording
import MockapiUpstream
import MockapiVerification

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The options of `verify` that say how the service is asked.
struct VerifyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A value for a placeholder of the fixtures, by the name behind redacted. in it; from the environment (env:VARIABLE) or a file (file:PATH); repeatable.",
            valueName: "name=env:variable"))
    var secret: [String] = []

    @Option(
        help:
            "Requests that are under way at once, 1 to 64 (default: 4, and 1 if a later request may need a response)."
    )
    var concurrency: Int?

    @Option(
        help: "Requests that may start in a second, or with /m or /h in a minute or an hour.",
        transform: RequestRate.parse)
    var rate: RequestRate?

    @Option(help: "How often each request is sent, 1 to 5: differences between two responses are noise.")
    var samples = 1

    @Option(
        help:
            "How often to ask again after a temporary status (408, 425, 5xx) before a fixture is not checked, 0 to 10."
    )
    var retries = 2

    @Flag(
        help: "Keep the responses in .history.jsonl beside the fixtures, as samples for the next time.")
    var learn = false

    @Flag(help: "Send methods that change something, too.")
    var allowUnsafe = false

    @Option(
        help: ArgumentHelp(
            "Only these fixtures: files, folders or paths that they answer, * for anything; repeatable.",
            valueName: "path"))
    var only: [String] = []

    @Option(help: ArgumentHelp("Only fixtures that have changed since a revision of git.", valueName: "revision"))
    var changedSince: String?

    @Option(
        help: "Warn of fixtures that were recorded this long ago and are not verified now; days are d.",
        transform: Age.parse)
    var maxAge: Age?

    func validate() throws {
        guard (1...5).contains(samples) else { throw ValidationError("--samples must be between 1 and 5") }
        guard (0...10).contains(retries) else { throw ValidationError("--retries must be between 0 and 10") }
        guard concurrency.map({ (1...64).contains($0) }) ?? true else {
            throw ValidationError("--concurrency must be between 1 and 64")
        }
        _ = try secrets
    }

    /// The values of `--secret`.
    var secrets: SecretValues {
        get throws {
            var values = SecretValues()
            for text in secret {
                guard let sign = text.firstIndex(of: "="), sign != text.startIndex else {
                    throw ValidationError("--secret must be NAME=env:VARIABLE or NAME=file:PATH")
                }
                let name = String(text[..<sign])
                let source = text[text.index(after: sign)...]
                if source.hasPrefix("env:") {
                    let variable = String(source.dropFirst(4))
                    guard let value = getenv(variable) else {
                        throw ValidationError("--secret \(name): there is no variable \(variable) in the environment")
                    }
                    values.set(name, String(cString: value))
                } else if source.hasPrefix("file:") {
                    let path = String(source.dropFirst(5))
                    guard let bytes = OutputFile.contents(path) else {
                        throw ValidationError("--secret \(name): \(path) cannot be read")
                    }
                    let text = String(decoding: bytes, as: UTF8.self)
                    values.set(name, String(text.prefix { !$0.isNewline }))
                } else {
                    throw ValidationError(
                        "--secret \(name) must come from env:VARIABLE or file:PATH, so that it stands in no list of processes"
                    )
                }
            }
            return values
        }
    }

    func verifier(_ upstream: UpstreamOptions) throws -> VerifierOptions {
        var options = VerifierOptions()
        options.concurrency = concurrency
        options.perSecond = rate?.perSecond
        options.samples = samples
        options.allowsUnsafe = allowUnsafe
        options.retries = retries
        options.learnsAnything = !only.isEmpty
        options.learns = learn
        options.secrets = try secrets
        options.session = try upstream.session()
        options.defaultFields = [
            UpstreamField("Accept", "*/*"),
            UpstreamField("Accept-Encoding", AcceptedCodings.known.joined(separator: ", ")),
            UpstreamField("User-Agent", "mockapi/\(mockapiVersion)"),
        ]
        return options
    }
}

/// An age on the command line: `30d`, `12h`, `8w`.
struct Age {
    let seconds: Int

    @Sendable static func parse(_ argument: String) throws -> Age {
        let digits = argument.prefix { $0.isASCII && $0.isNumber }
        let units = ["s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800]
        guard let number = Int(digits), number < 100_000, let unit = units[String(argument.dropFirst(digits.count))]
        else {
            throw ValueFailure(description: "ages are whole numbers of m, h, d or w, such as 30d")
        }
        return Age(seconds: number * unit)
    }
}
