// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPServer

/// The authority that signs the certificates of development servers; clients trust it once and then every server of this user.
public struct DevelopmentAuthority: Sendable {
    /// The file of its certificate, in PEM.
    public let certificatePath: String
    /// The certificate itself, in PEM.
    public let pem: String

    /// Reads the user's authority, or makes it if there is none.
    ///
    /// - Parameter directory: where it is kept; nil for `mockapi` in the user's state directory.
    /// - Throws: `MockServerError` if its files cannot be read or written, or the package is built without the trait `TLS`.
    public init(directory: String? = nil) throws(MockServerError) {
        do throws(TLSError) {
            let authority = try CertificateAuthority.loadOrMake(in: directory ?? StateDirectory.path)
            certificatePath = authority.path
            pem = authority.pem
        } catch {
            throw MockServerError(.tlsUnusable(error.description))
        }
    }
}
