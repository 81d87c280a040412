// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

// The substitute for `OpenSSL/` if the package is built without the trait `TLS`: a context cannot be made, and so no
// connection speaks TLS; the types are there for code that names them, and have no values.

#if !TLS
    import MockapiHTTPWire

    package struct TLSContext: Sendable {
        package static let isBuilt = false

        private let none: Never

        package init(_ settings: TLSSettings) throws(TLSError) { throw .unbuilt }

        package var datesProblem: String? { switch none {} }

        package static func checkAuthorities(_ file: String) throws(TLSError) { throw .unbuilt }
        package static func checkAuthorities(_ store: TLSSettings.KeyStore) throws(TLSError) { throw .unbuilt }
    }

    struct TLSEngine: ~Copyable {
        private let none: Never

        init?(_ context: TLSContext) { nil }

        func attach(to stream: TLSStream) {}

        var isHandshaking: Bool { switch none {} }
        var failure: HandshakeFailure.Cause? { switch none {} }
        var version: TLSVersion { switch none {} }
        var serverName: String? { switch none {} }
        var hasServedName: Bool { switch none {} }

        func hasAgreed(on name: StaticString) -> Bool { switch none {} }
        func read(into space: UnsafeMutableRawBufferPointer) -> TLSStream.Outcome { switch none {} }
        func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool { switch none {} }
        func finish() {}
    }

    package struct CertificateAuthority: Sendable {
        private let none: Never

        package static func loadOrMake(in directory: String) throws(TLSError) -> CertificateAuthority { throw .unbuilt }

        package var path: String { switch none {} }
        package var pem: String { switch none {} }
    }
#endif
