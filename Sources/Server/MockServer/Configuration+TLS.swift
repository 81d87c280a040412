// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiHTTPServer

extension MockServer.Configuration {
    /// The certificates of a server, and which clients it takes.
    public struct TLS: Sendable, Equatable {
        /// A defect of a certificate that makes clients refuse it.
        package enum Defect: Sendable {
            case expired
            case otherHost
            case unknownAuthority

            fileprivate var setting: TLSSettings.Defect {
                switch self {
                case .expired: .expired
                case .otherHost: .otherHost
                case .unknownAuthority: .unknownAuthority
                }
            }
        }

        /// The server's certificate with its chain, in PEM; nil for a certificate of the development authority.
        public let certificate: String?
        /// The key of the certificate, in PEM.
        public let key: String?
        /// Authorities in PEM; clients without a certificate of theirs are refused. Nil asks for none.
        public var clientAuthorities: String?
        /// The key store of the server's certificate with its key, in the place of files in PEM; nil for none.
        package var keyStore: TLSSettings.KeyStore?
        /// The key store of authorities, in the place of `clientAuthorities`.
        package var trustStore: TLSSettings.KeyStore?
        /// The other names that clients call the server by: names, names behind `*.`, and addresses. The development
        /// authority's certificate has these too.
        public var names: [String]
        /// Where the development authority is kept; nil for `mockapi` in the user's state directory.
        public var authorityDirectory: String?
        /// The defect of the development authority's certificate, for tests of a client's reaction.
        package var defect: Defect?

        /// Certificates of the development authority, which is made on first use.
        public init(clientAuthorities: String? = nil, authorityDirectory: String? = nil, names: [String] = []) {
            self.names = names
            certificate = nil
            key = nil
            self.clientAuthorities = clientAuthorities
            self.authorityDirectory = authorityDirectory
        }

        /// A certificate of one's own.
        public init(certificate: String, key: String, clientAuthorities: String? = nil) {
            self.certificate = certificate
            self.key = key
            self.clientAuthorities = clientAuthorities
            authorityDirectory = nil
            names = []
        }

        /// Whether servers can speak TLS: the package is built with the trait `TLS`.
        package static var isBuilt: Bool { TLSContext.isBuilt }
        /// The message to a caller that asks for TLS if none is built.
        package static var unbuilt: String { TLSError.unbuilt.description }

        /// These settings; none if they ask for nothing of their own and no TLS is built.
        package var ifSpoken: TLS? { Self.isBuilt || self != TLS() ? self : nil }

        /// Whether a certificate can have a name: that of a host, one behind `*.`, or an address.
        package static func isName(_ name: String) -> Bool { TLSSettings.isName(name.lowercased()) }

        /// - Parameter hosts: the names that fixtures have.
        func settings(
            serverNames: [String], hosts: @escaping @Sendable () -> Set<String>, offersHTTP2: Bool
        ) -> TLSSettings {
            let names = self.names + serverNames
            let identity: TLSSettings.Identity =
                if let keyStore {
                    .store(keyStore)
                } else if let certificate, let key {
                    .files(certificate: certificate, key: key)
                } else {
                    .development(
                        directory: authorityDirectory ?? StateDirectory.path,
                        names: { names + Machine.names + Machine.addresses }, hosts: hosts)
                }
            var settings = TLSSettings(identity, clientCA: clientAuthorities, offersHTTP2: offersHTTP2)
            settings.defect = defect?.setting
            settings.clientStore = trustStore
            return settings
        }

        /// Reads the named files, so that an error in them is reported at the start and not to the first client.
        ///
        /// - Returns: the objections that clients will have to the server's own certificate; nil if none are known.
        /// - Throws: `MockServerError` if one cannot be used, or no TLS is built.
        func check() throws(MockServerError) -> String? {
            guard Self.isBuilt else { throw MockServerError(.tlsUnusable(Self.unbuilt)) }
            do throws(TLSError) {
                if let certificate = keyStore?.path ?? certificate {
                    let context = try TLSContext(settings(serverNames: [], hosts: { [] }, offersHTTP2: true))
                    return context.datesProblem.map { "the certificate \(certificate) \($0): clients will refuse it" }
                } else if let trustStore {
                    try TLSContext.checkAuthorities(trustStore)
                } else if let clientAuthorities {
                    try TLSContext.checkAuthorities(clientAuthorities)
                }
            } catch {
                throw MockServerError(.tlsUnusable(error.description))
            }
            return nil
        }
    }
}
