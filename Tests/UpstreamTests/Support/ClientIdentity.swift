// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import WireSupport

/// A certificate that is its own authority, and its key, made by the command `openssl`.
struct ClientIdentity {
    let certificate: String
    let key: String

    struct Failure: Error {
        let code: Int32
    }

    init(_ directory: TemporaryDirectory) throws {
        certificate = directory.path + "/client.pem"
        key = directory.path + "/client-key.pem"
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "2",
            "-subj", "/CN=client", "-keyout", key, "-out", certificate,
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(code: process.terminationStatus) }
    }
}
