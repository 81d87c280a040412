// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import MockapiProxy
import MockapiRecording
import MockapiSecrets

/// The options of `record` and `serve` that say how fixtures are written.
struct RecordingChoices: ParsableArguments {
    @Option(help: "How many times each GET or HEAD is sent, 1 to 5, to find values that differ each time.")
    var samples = 1

    @Flag(help: "Re-indent JSON.")
    var pretty = false

    @Option(
        help: ArgumentHelp(
            "A value of JSON bodies that is a secret, such as $.user.email; repeatable.", valueName: "path"))
    var redact: [String] = []

    @Option(help: ArgumentHelp("A header line whose value is a secret; repeatable.", valueName: "name"))
    var redactHeader: [String] = []

    @Option(
        help: ArgumentHelp(
            "A value that differs in each response without being a change: $.items[*].at, $..updated_at or header:NAME; repeatable.",
            valueName: "path"))
    var volatile: [String] = []

    @Option(
        help: ArgumentHelp(
            "A value that differs in each request, and is matched as present: query:NAME, form:NAME or $.sentAt; repeatable.",
            valueName: "place"))
    var vary: [String] = []

    @Option(
        help: ArgumentHelp(
            "A value that selects the response although it looks as if it varied: query:NAME, form:NAME, header:NAME, cookie:NAME or $.id; repeatable.",
            valueName: "place"))
    var select: [String] = []

    @Option(
        help: ArgumentHelp(
            "A value of JSON bodies to keep although it looks like a secret, such as $.public.key; repeatable.",
            valueName: "path"))
    var allow: [String] = []

    @Option(
        help: "Bytes of a body that is recorded; a larger one is passed on and reported (default: 1GiB).",
        transform: ByteSize.parse)
    var maxRecordedBody = ByteSize(ContentSpool.largestBody)

    @Flag(help: "Send services the Host that the client sent, which it may have signed.")
    var keepHost = false

    @Option(
        help: ArgumentHelp(
            "The statuses of responses that are recorded, such as 2xx,3xx,404; others are passed on and reported (default: all).",
            valueName: "list"))
    var onlyStatus: String?

    mutating func validate() throws {
        if let onlyStatus, StatusChoice(onlyStatus) == nil {
            throw ValidationError("--only-status \(onlyStatus) is not a list such as 2xx,3xx,404")
        }
        guard maxRecordedBody.bytes <= ByteSize.most else {
            throw ValidationError("--max-recorded-body must be at most \(ByteSize(ByteSize.most))")
        }
        guard (1...5).contains(samples) else { throw ValidationError("--samples must be between 1 and 5") }
        if let path = redact.first(where: { !$0.hasPrefix("$") }) {
            throw ValidationError("--redact \(path) must begin with $, as $.user.email does")
        }
        if let path = volatile.first(where: { VolatileRules([$0]) == nil }) {
            throw ValidationError("--volatile \(path) is none of $.items[*].at, $..updated_at and header:NAME")
        }
        if let place = vary.first(where: { UnsteadyValues([$0]) == nil }) {
            throw ValidationError("--vary \(place) is not one of query:NAME, form:NAME, $.sentAt and path")
        }
        if let place = select.first(where: SelectedPlaces.isSecret) {
            throw ValidationError(
                "--select \(place) is a secret, or a line that differs in each request: no stub asks for its value")
        }
        if let place = select.first(where: { SelectedPlaces([$0]) == nil }) {
            throw ValidationError(
                "--select \(place) is not one of query:NAME, form:NAME, header:NAME, cookie:NAME and $.id, outside of lists"
            )
        }
        if let place = select.first(where: vary.contains) {
            throw ValidationError("\(place) cannot both vary and select")
        }
        if let path = allow.first(where: { !$0.hasPrefix("$") }) {
            throw ValidationError("--allow \(path) must begin with $, as $.public.key does")
        }
    }

    /// The services, and whether they see the host by which the client calls.
    func hosted(_ origins: [UpstreamOrigin]) -> [UpstreamOrigin] {
        origins.map { origin in
            var origin = origin
            origin.keepsHost = keepHost
            return origin
        }
    }

    var rules: RedactionRules {
        var rules = RedactionRules()
        rules.jsonPaths = redact
        rules.headers = redactHeader
        rules.allowedPaths = allow
        return rules
    }

    func recorder(_ origins: [UpstreamOrigin]) -> RecorderOptions {
        var options = RecorderOptions()
        options.redaction = rules
        options.isPretty = pretty
        options.origins = origins.map(\.text)
        options.keepsHost = keepHost
        options.volatile = VolatileRules(volatile) ?? VolatileRules()
        options.statuses = onlyStatus.flatMap { StatusChoice($0) } ?? .all
        options.unsteady = UnsteadyValues(vary) ?? UnsteadyValues()
        options.selecting = SelectedPlaces(select) ?? SelectedPlaces()
        return options
    }
}
