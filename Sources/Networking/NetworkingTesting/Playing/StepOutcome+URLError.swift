// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiContract
import NetworkingCore

extension StepOutcome {
    /// The outcome of an error that a fetch threw: the response if its status was not accepted, else a failure by
    /// its code.
    init(_ error: any Error) {
        if let error = error as? ResponseError, error.isStatus {
            self.init(error.response)
        } else if let error = error as? URLError {
            let kind = Failure.allCases.first { $0.codes.contains { $0.code == error.code } }
            self.init(kind ?? .other, "URLError.\(error.code.name)")
        } else {
            self.init(.other, "\(type(of: error)), which is not a URLError")
        }
    }

    init(_ response: DataResponse) {
        self.init(
            status: response.status, headers: response.headers.map { (name: $0.key, value: $0.value) },
            body: Array(response.data))
    }
}

extension StepOutcome.Failure {
    /// The codes that say it.
    var codes: [(name: String, code: URLError.Code)] {
        switch self {
        case .timeout: [("timedOut", .timedOut)]
        case .connection: [("networkConnectionLost", .networkConnectionLost)]
        case .protocol: [("badServerResponse", .badServerResponse), ("cannotParseResponse", .cannotParseResponse)]
        case .decoding:
            [
                ("cannotDecodeContentData", .cannotDecodeContentData), ("cannotDecodeRawData", .cannotDecodeRawData),
            ]
        case .redirects: [("httpTooManyRedirects", .httpTooManyRedirects)]
        case .certificate:
            [
                ("secureConnectionFailed", .secureConnectionFailed),
                ("serverCertificateHasBadDate", .serverCertificateHasBadDate),
                ("serverCertificateUntrusted", .serverCertificateUntrusted),
                ("serverCertificateHasUnknownRoot", .serverCertificateHasUnknownRoot),
                ("serverCertificateNotYetValid", .serverCertificateNotYetValid),
            ]
        case .cancelled: [("cancelled", .cancelled)]
        case .hang, .other: []
        }
    }
}

extension URLError.Code {
    /// `timedOut`, or the number if no requirement is about it.
    var name: String {
        if self == .unknown { return "unknown" }
        let named = StepOutcome.Failure.allCases.flatMap(\.codes)
        return named.first { $0.code == self }?.name ?? "Code(\(rawValue))"
    }
}
