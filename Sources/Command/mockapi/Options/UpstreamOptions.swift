// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import MockapiHTTPSyntax
import MockapiProxy
import MockapiRecording
import MockapiSystemIO
import MockapiUpstream

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The options of `record` and `serve` that say how live services are asked.
struct UpstreamOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Another service, with a proxy of its own on a free port or the one behind =; repeatable.",
            valueName: "url[=port]"))
    var also: [String] = []

    @Option(
        help: ArgumentHelp(
            "A header line for each request to the first service, or to the one before =, unless the request has one of its name; repeatable.",
            valueName: "[url=]line"))
    var header: [String] = []

    @Option(
        help: ArgumentHelp("Authorities in PEM to trust instead of the system's.", valueName: "file"),
        completion: .file())
    var cacert: String?

    @Option(
        help: ArgumentHelp("The client certificate for services, with its chain, in PEM.", valueName: "file"),
        completion: .file())
    var cert: String?

    @Option(
        help: ArgumentHelp("The key of --cert in PEM (default: in the same file).", valueName: "file"),
        completion: .file())
    var key: String?

    @Flag(help: "Accept any certificate from a service.")
    var insecure = false

    @Option(
        help: ArgumentHelp(
            "Connect to another host and port than the URL says, as curl does; repeatable.",
            valueName: "host:port:host:port"))
    var connectTo: [String] = []

    @Option(
        help: ArgumentHelp(
            "The proxy for requests to services, such as http://proxy.example:3128, or none (default: the environment's).",
            valueName: "url"))
    var proxy: String?

    @Flag(name: .customLong("http1.1"), help: "Speak HTTP/1.1 to the services (default: their choice).")
    var speaksHTTP1 = false

    @Flag(name: .customLong("http2"), help: "Speak HTTP/2 to the services, also without TLS.")
    var speaksHTTP2 = false

    @Option(
        help:
            "How long a service may take to connect, and to send its next byte. Times take ms, s, m and h (default: 60s).",
        transform: TimeSpan.parse)
    var timeout = TimeSpan(.seconds(60))

    mutating func validate() throws {
        guard !speaksHTTP1 || !speaksHTTP2 else { throw ValidationError("--http1.1 does not go with --http2") }
        guard timeout.duration > .zero else { throw ValidationError("--timeout must be longer than 0") }
        for (name, file) in [("cacert", cacert), ("cert", cert), ("key", key)] {
            if let file, access(file, R_OK) != 0 {
                throw ValidationError("--\(name) \(file) cannot be read: \(SystemError.lastWords)")
            }
        }
        if key != nil, cert == nil { throw ValidationError("--key is that of a certificate: give --cert, too") }
        try checkProxy()
        _ = try others
        _ = try lines
        _ = try routes
    }

    /// The services of `--also` and the ports of their proxies; 0 for a free one.
    var others: [(origin: UpstreamOrigin, port: Int)] {
        get throws {
            try also.map { text in
                let parts = text.split(ascii: "=", maxSplits: 1, omittingEmptySubsequences: false)
                // An = before the host is part of a password.
                let hasPort = parts.count == 2 && !parts[1].contains("@")
                guard hasPort else { return (try Self.origin(text), 0) }
                let origin = try Self.origin(String(parts[0]))
                guard let port = Int(parts[1]), (0...65535).contains(port) else {
                    throw ValidationError("--also \(origin) must have a port between 0 and 65535 behind its =")
                }
                return (origin, port)
            }
        }
    }

    /// A service by its URL, which may have credentials that are not to be shown.
    static func origin(_ url: String) throws -> UpstreamOrigin {
        do throws(ProxyError) {
            return try UpstreamOrigin(url)
        } catch {
            throw ValidationError(error.description)
        }
    }

    /// All services, the first of them by its URL, each with the header lines that go to it.
    func origins(_ url: String) throws -> [UpstreamOrigin] {
        var origins = try [Self.origin(url)] + others.map(\.origin)
        for line in try lines {
            guard let index = line.origin.map({ text in origins.firstIndex { $0.text == text } }) ?? 0 else {
                throw ValidationError(
                    "--header \(line.origin ?? ""): this is none of the services; name it with --also")
            }
            origins[index].fields.append(line.field)
        }
        return origins
    }

    /// The header lines, with the service they are for; nil for the first.
    private var lines: [(origin: String?, field: UpstreamField)] {
        get throws {
            try header.map { text in
                do {
                    guard ["http://", "https://"].contains(where: { text.lowercased().hasPrefix($0) }) else {
                        return (nil, try FieldLine.parse(text))
                    }
                    guard let sign = text.firstIndex(of: "=") else {
                        throw RecordingError("a service without a header line; write URL=Name: value")
                    }
                    let origin = try UpstreamOrigin(String(text[..<sign]))
                    return (origin.text, try FieldLine.parse(String(text[text.index(after: sign)...])))
                } catch {
                    throw ValidationError("--header: \(error)")
                }
            }
        }
    }

    private var routes: [UpstreamRoute] {
        get throws {
            try connectTo.map { text in
                guard let route = ConnectRoute.parse(text) else {
                    throw ValidationError(
                        "--connect-to \(text) must be HOST:PORT:HOST:PORT; the first two may be empty")
                }
                return route
            }
        }
    }

    func session(_ choices: RecordingChoices) throws -> SessionOptions {
        var options = try session()
        options.samples = choices.samples
        options.largestBody = choices.maxRecordedBody.bytes
        return options
    }

    func session() throws -> SessionOptions {
        var options = SessionOptions()
        options.version = speaksHTTP1 ? .http1 : speaksHTTP2 ? .http2 : .automatic
        options.upstream.caFile = cacert
        options.upstream.clientCertificate = cert
        options.upstream.clientKey = key
        options.upstream.isInsecure = insecure
        options.upstream.connectTo = try routes
        options.upstream.proxies = proxies
        options.upstream.timeouts.idle = timeout.duration
        options.upstream.timeouts.connect = min(.seconds(10), timeout.duration)
        return options
    }
}
