// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A client's certificate that is its own authority, and its key, made by the command `openssl`.
package struct ClientIdentity: Sendable {
    package let certificate: String
    package let key: String

    package init(_ directory: TemporaryDirectory) async throws {
        certificate = directory.path + "/client.pem"
        key = directory.path + "/client-key.pem"
        let command = try Command(line: [
            "/usr/bin/env", "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
            "-days", "2", "-subj", "/CN=client", "-keyout", key, "-out", certificate,
        ])
        let end = try await command.end()
        guard end.code == 0 else { throw Command.Failure(text: end.errors) }
    }
}
