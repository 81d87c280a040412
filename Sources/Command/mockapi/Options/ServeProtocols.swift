// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import MockServer

/// The options of `serve` for the protocols that clients may speak, and for their certificates.
struct ServeProtocols: ParsableArguments {
    @Option(
        help: "The server's certificate, with its chain, in PEM (default: one of the development CA, see mockapi ca).",
        completion: .file())
    var tlsCert: String?

    @Option(help: "The key of --tls-cert, in PEM.", completion: .file())
    var tlsKey: String?

    @Option(
        help: ArgumentHelp(
            "Refuse TLS clients that have no certificate signed by an authority in this PEM file.", visibility: .hidden),
        completion: .file())
    var clientCA: String?

    @Option(
        name: .customLong("tls-name"),
        help: ArgumentHelp(
            """
            A further name or address for the development CA's certificate; *.NAME stands for all names below one; repeatable \
            (always: localhost, that of --host and of --admin-host, the machine's name and addresses, the hosts of the fixtures).
            """, valueName: "name", visibility: .hidden))
    var tlsNames: [String] = []

    @Flag(name: .customLong("no-tls"), help: "Speak no TLS.")
    var speaksNoTLS = false

    @Flag(name: .customLong("no-http2"), help: "Speak no HTTP/2.")
    var speaksNoHTTP2 = false

    mutating func validate() throws {
        guard (tlsCert == nil) == (tlsKey == nil) else {
            throw ValidationError("--tls-cert and --tls-key are given together or not at all")
        }
        guard !speaksNoTLS || tlsCert == nil && clientCA == nil && tlsNames.isEmpty else {
            throw ValidationError("--no-tls does not go with --tls-cert, --tls-key, --tls-name and --client-ca")
        }
        guard tlsCert == nil || tlsNames.isEmpty else {
            throw ValidationError(
                "--tls-name is for the development CA's certificate; that of --tls-cert has its own names")
        }
        for name in tlsNames where !MockServer.Configuration.TLS.isName(name) {
            throw ValidationError(
                "--tls-name \(name) is not a name such as mocks.test or *.mocks.test, and not an address; leave scheme and port out"
            )
        }
    }

    /// How TLS is served; nil for not at all.
    var tls: MockServer.Configuration.TLS? {
        if speaksNoTLS { return nil }
        if let tlsCert, let tlsKey {
            return MockServer.Configuration.TLS(certificate: tlsCert, key: tlsKey, clientAuthorities: clientCA)
        }
        return MockServer.Configuration.TLS(clientAuthorities: clientCA, names: tlsNames).ifSpoken
    }
}
