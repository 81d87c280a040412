// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// URLSession, which makes the requests of a list one after the other and follows no redirect.
final class SessionClient: NSObject, URLSessionTaskDelegate {
    struct Failure: Error {
        let text: String
    }

    static func fetch(_ base: String, _ asks: [Ask]) async throws -> [Seen] {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 90
        configuration.requestCachePolicy = .reloadIgnoringLocalAndRemoteCacheData
        configuration.httpShouldSetCookies = false
        configuration.httpCookieStorage = nil
        let session = URLSession(configuration: configuration, delegate: SessionClient(), delegateQueue: nil)
        defer { session.invalidateAndCancel() }
        var all: [Seen] = []
        for ask in asks {
            guard let url = URL(string: base + ask.target) else { throw Failure(text: "no URL: \(ask.target)") }
            var request = URLRequest(url: url)
            request.httpMethod = ask.method
            request.httpBody = ask.body.map { Data($0) }
            for field in ask.fields {
                let parts = field.split(separator: ":", maxSplits: 1)
                request.addValue(parts[1].drop { $0 == " " }.description, forHTTPHeaderField: String(parts[0]))
            }
            let (data, response) = try await session.data(for: request)
            guard let response = response as? HTTPURLResponse else { throw Failure(text: "no HTTP: \(ask.target)") }
            var seen = Seen()
            seen.status = response.statusCode
            seen.fields = response.allHeaderFields.map { ("\($0.key)", "\($0.value)") }
            seen.body = ask.method == "HEAD" ? [] : Array(data)
            all.append(seen)
        }
        return all
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
