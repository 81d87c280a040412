// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

extension URLError {
    /// The error of a session's task with the code that Foundation has for it on Darwin.
    ///
    /// On Linux most of libcurl's errors are `unknown`; its words, which Foundation passes on, tell them apart. Words that are not known
    /// leave the code as it is.
    init(ofTask error: any Error, url: URL?) {
        let error = URLError(fetching: error, url: url)
        self = error
        #if canImport(FoundationNetworking)
            if let code = Self.code(error.code, error.localizedDescription) {
                self = URLError(code, userInfo: error.userInfo)
            }
        #endif
    }

    #if canImport(FoundationNetworking)
        private static func code(_ code: Code, _ text: String) -> Code? {
            switch code {
            case .badServerResponse where text.contains("Empty reply"): .networkConnectionLost
            case .unsupportedURL where text.contains("HTTP/0.9"): .cannotParseResponse
            case .unknown where text.contains("transfer closed"): .networkConnectionLost
            case .unknown where text.contains("content unencoding"): .cannotDecodeContentData
            case .unknown where text.contains("chunk"): .cannotParseResponse
            case .unknown where text.contains("certificate has expired"): .serverCertificateHasBadDate
            case .unknown where text.contains("certificate"): .serverCertificateUntrusted
            case .unknown where text.contains("SSL"): .secureConnectionFailed
            default: nil
            }
        }
    #endif
}
