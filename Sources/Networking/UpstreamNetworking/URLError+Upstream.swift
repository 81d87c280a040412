// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiUpstream
import NetworkingKit

extension URLError {
    /// The error of an upstream, in its words.
    init(_ error: UpstreamError, url: URL?) {
        self.init(Self.code(error), because: error, url: url)
    }

    private static func code(_ error: UpstreamError) -> Code {
        switch (error.kind, error.reason) {
        case (.resolve, _): .cannotFindHost
        case (.connect, _): .cannotConnectToHost
        case (.timeout, _): .timedOut
        case (.cancelled, _): .cancelled
        case (.tooLarge, _): .dataLengthExceedsMaximum
        case (.libraryMissing, _): .cannotLoadFromNetwork
        case (.invalid, _): .unsupportedURL
        case (.requestBody, _): .requestBodyStreamExhausted
        case (.tls, .untrustedCertificate): .serverCertificateUntrusted
        case (.tls, .clientCertificateRequired): .clientCertificateRequired
        case (.tls, .clientCertificateRefused): .clientCertificateRejected
        case (.tls, _): .secureConnectionFailed
        case (.protocol, .connectionLost): .networkConnectionLost
        case (.protocol, _): .badServerResponse
        }
    }
}
