// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import Recording
import Secrets

/// The options of `record` and `serve` that say how fixtures are written.
struct RecordingChoices: ParsableArguments {
    @Option(help: "How often a GET or HEAD is asked, 1 to 5, to see what differs each time.")
    var samples = 1

    @Flag(help: "Indent JSON anew.")
    var pretty = false

    @Option(
        help: ArgumentHelp(
            "A value of JSON bodies that is a secret, such as $.user.email; repeatable.", valueName: "path"))
    var redact: [String] = []

    @Option(help: ArgumentHelp("A header line whose value is a secret; repeatable.", valueName: "name"))
    var redactHeader: [String] = []

    @Option(help: "Bytes of a body that is recorded; a larger one passes, and is told.")
    var maxRecordedBody = ByteSize(ContentSpool.largestBody)

    mutating func validate() throws {
        guard maxRecordedBody.bytes <= ByteSize.most else {
            throw ValidationError("--max-recorded-body must be at most \(ByteSize(ByteSize.most))")
        }
        guard (1...5).contains(samples) else { throw ValidationError("--samples must be between 1 and 5") }
        if let path = redact.first(where: { !$0.hasPrefix("$") }) {
            throw ValidationError("--redact \(path) must begin with $, as $.user.email does")
        }
    }

    var rules: RedactionRules {
        var rules = RedactionRules()
        rules.jsonPaths = redact
        rules.headers = redactHeader
        return rules
    }

    func recorder(_ origins: [UpstreamOrigin]) -> RecorderOptions {
        var options = RecorderOptions()
        options.redaction = rules
        options.isPretty = pretty
        options.origins = origins.map(\.text)
        return options
    }
}
