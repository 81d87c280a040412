// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import NetworkingKit

/// The text for a request that has failed.
struct RequestFailure {
    let subject: String
    let url: URL
    let command: String

    func text(_ cause: any Error) -> String {
        switch cause {
        case let error as ResponseError where error.isStatus:
            block(
                "\(error.url.absoluteString) answered \(error.status), not \(subject)",
                FailureResponse(error).lines + [again])
        case let error as ResponseError:
            text(error.cause ?? error)
        case let error as DecodingError:
            block("\(url.absoluteString) is not \(subject): \(reason(error))", [again, elsewhere])
        case let error as URLError where Self.isAway(error):
            block(
                "nothing answers at \(url.absoluteString): \(error.localizedDescription)",
                ["to serve the sample articles: mockapi serve Fixtures/", elsewhere])
        default:
            block("\(url.absoluteString) could not be read for \(subject): \(cause.localizedDescription)", [again])
        }
    }

    private var again: String { "to see the whole response: \(command)" }
    private var elsewhere: String { "to read another service: --url URL, or ARTICLES_URL" }

    private func block(_ heading: String, _ lines: [String]) -> String {
        ([heading] + lines.map { "  \($0)" }).joined(separator: "\n")
    }

    private static func isAway(_ error: URLError) -> Bool {
        [.cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .timedOut, .notConnectedToInternet].contains(
            error.code)
    }

    private func reason(_ error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, let context): "\(path(context.codingPath + [key])) is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            "\(path(context.codingPath)) has another type than it should"
        case .dataCorrupted(let context) where context.codingPath.isEmpty: "it is not JSON"
        case .dataCorrupted(let context): "\(path(context.codingPath)) has a value that cannot be read"
        @unknown default: "it cannot be decoded"
        }
    }

    private func path(_ keys: [any CodingKey]) -> String {
        keys.isEmpty ? "the whole" : keys.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }
}
