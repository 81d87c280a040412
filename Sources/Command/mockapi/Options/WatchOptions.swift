// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser

/// The options of `verify` for repeated runs.
struct WatchOptions: ParsableArguments {
    @Option(
        help: "Verify again and again, with this pause, until SIGINT or SIGTERM.",
        transform: TimeSpan.parse)
    var every: TimeSpan?

    @Option(
        help: ArgumentHelp(
            "Report the state over HTTP meanwhile: /metrics for Prometheus, /status as JSON. Without a host on 127.0.0.1.",
            valueName: "[host]:port"))
    var serve: String?

    @Option(help: ArgumentHelp("POST the state as JSON when it changes.", valueName: "url"))
    var webhook: String?

    func validate() throws {
        if every == nil, serve != nil || webhook != nil {
            throw ValidationError("--serve and --webhook go with --every")
        }
        if let every, every.duration < .seconds(1) { throw ValidationError("--every must be 1s or longer") }
        _ = try place
        if let webhook, !["http://", "https://"].contains(where: { webhook.lowercased().hasPrefix($0) }) {
            throw ValidationError("--webhook must be a URL of http or https")
        }
    }

    /// The host and port of `--serve`.
    var place: (host: String, port: Int)? {
        get throws {
            guard let serve else { return nil }
            let colon = serve.lastIndex(of: ":")
            let digits = colon.map { serve[serve.index(after: $0)...] } ?? serve[...]
            guard let port = Int(digits), (0...65535).contains(port) else {
                throw ValidationError("--serve must be a port, or a host, a colon and a port")
            }
            let host = colon.map { String(serve[..<$0]) } ?? ""
            return (host.isEmpty ? "127.0.0.1" : host.filter { $0 != "[" && $0 != "]" }, port)
        }
    }
}
