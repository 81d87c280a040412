// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// `mockapi health`: whether a server responds, for a container's health check.
struct Health: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Ask a running server whether it is healthy.",
        discussion: """
            Makes one GET request for /__admin/health. The exit code is 0 if the response is 200, and 1 if it is any other \
            or none comes in time; one line says why. It needs no other program, so that a container can check itself.
            """)

    /// Microseconds between two questions of `--wait`. A tenth of a second.
    private static let pause: UInt32 = 100_000

    @Option(
        help: """
            The server's URL: http, a host and a port (default: the host and the port of process 1, if that is mockapi, as in a \
            container; those of MOCKAPI_HOST, MOCKAPI_PORT and WIREMOCK_OPTIONS; http://127.0.0.1:8080).
            """)
    var url: ServerURL?

    @Option(help: "How long the response may take. Times take ms, s, m and h (default: 2s).", transform: TimeSpan.parse)
    var timeout = TimeSpan(.seconds(2))

    @Option(
        help:
            "Ask again, ten times a second, until the server is healthy or this time is over, such as 10s (default: ask once).",
        transform: TimeSpan.parse)
    var wait = TimeSpan(.zero)

    func validate() throws {
        guard timeout.duration > .zero else { throw ValidationError("--timeout must be longer than 0") }
    }

    func run() throws {
        let end = ContinuousClock.now + wait.duration
        while true {
            // Process 1 may become the server while it is waited for.
            guard let url = url ?? ServerURL.own else {
                Output.note("error: the host and port of the server do not make a URL; give --url")
                throw Exit.findings
            }
            let probe = HealthProbe(url: url, timeout: timeout)
            do throws(HealthProbe.Failure) {
                try probe.run()
                return Output.result("\(url) is healthy")
            } catch {
                guard ContinuousClock.now < end else {
                    Output.note("error: \(url) is not healthy: \(error)")
                    throw Exit.findings
                }
                usleep(Self.pause)
            }
        }
    }
}
