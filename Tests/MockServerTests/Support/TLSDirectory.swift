// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiWireSupport

/// A development authority of one test.
final class TLSDirectory: Sendable {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    var settings: MockServer.Configuration.TLS {
        MockServer.Configuration.TLS(authorityDirectory: directory.path + "/state")
    }

    /// The file of the authority's certificate.
    func authority() throws -> String {
        try DevelopmentAuthority(directory: directory.path + "/state").certificatePath
    }
}
