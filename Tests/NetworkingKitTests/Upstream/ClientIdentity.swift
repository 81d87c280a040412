// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import WireSupport

/// A client's certificate that is its own authority, and its key, made by the command `openssl`.
struct ClientIdentity {
    let certificate: String
    let key: String

    struct Failure: Error {
        let code: Int32
    }

    init(_ directory: TemporaryDirectory) async throws {
        certificate = directory.path + "/client.pem"
        key = directory.path + "/client-key.pem"
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-subj", "/CN=client", "-keyout", key, "-out", certificate,
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let code = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Int32, any Error>) in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do {
                try process.run()
            } catch {
                continuation.resume(throwing: error)
            }
        }
        guard code == 0 else { throw Failure(code: code) }
    }
}
