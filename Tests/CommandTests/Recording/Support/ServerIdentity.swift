// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiWireSupport

/// A certificate for this machine that is its own authority, and its key, made by the command `openssl`.
struct ServerIdentity: Sendable {
    let certificate: String
    let key: String

    init(_ directory: TemporaryDirectory) async throws {
        certificate = directory.path + "/server.pem"
        key = directory.path + "/server-key.pem"
        let end = try await Command(line: [
            "/usr/bin/env", "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
            "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost", "-keyout",
            key, "-out", certificate,
        ]).end()
        guard end.code == 0 else { throw ForeignServer.Failure(text: end.errors) }
    }
}
