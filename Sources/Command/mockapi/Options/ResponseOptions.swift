// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import MockServer

/// The options of every command that serves fixtures that change the response.
struct ResponseOptions: ParsableArguments {
    @Flag(
        help: """
            Let pages of every origin read responses, with credentials: answer preflights, and send CORS lines with every response, \
            instead of recorded ones (default: only for misses and /__admin/health).
            """)
    var cors = false

    @Option(
        help: ArgumentHelp(
            "Let only pages of this origin read responses, as with --cors; repeatable.", valueName: "origin"))
    var corsOrigin: [String] = []

    @Option(
        help: ArgumentHelp(
            "The URL by which clients reach this server through a proxy in front: URLs in responses begin with it.",
            valueName: "url", visibility: .hidden))
    var publicUrl: String?

    @Flag(
        help: ArgumentHelp(
            """
            Trust a request's Forwarded and X-Forwarded-For, -Host, -Port, -Prefix and -Proto: a proxy in front writes them itself.
            """, visibility: .hidden))
    var trustForwarded = false

    @Flag(help: "Reach no other server: proxy stubs are answered 501, and no webhook is sent.")
    var noOutgoing = false

    @Option(
        help: ArgumentHelp(
            "How long every response of stubs and files waits, in addition to delays of its own: 200ms, or 100ms..400ms for a random delay.",
            valueName: "time"), transform: DelaySpan.parse)
    var delay: DelaySpan?

    @Option(
        help:
            "The seed for random delays, faults, tokens and template values. The same seed and the same requests give the same responses."
    )
    var seed: UInt64 = 0

    @Option(
        help: ArgumentHelp(
            "The time for templates, matchers, Date lines and recorded dates, such as 2026-11-21T10:00:00Z (default: the clock).",
            valueName: "time"))
    var now: FrozenTime?

    mutating func validate() throws {
        try PageOrigins.check(corsOrigin)
        if let publicUrl, PublicURL(publicUrl) == nil {
            throw ValidationError("--public-url takes a URL such as https://mocks.example; found \(publicUrl)")
        }
    }
}
