// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    /// The cookies of a session on Linux, since Foundation sends all that a host has set, whatever their paths, in the place of a request's own.
    struct SessionCookies: Sendable {
        private let storage: HTTPCookieStorage

        /// Takes over Foundation's handling of a configuration's cookies; that has no storage from then on.
        ///
        /// - Returns: nil if the configuration wants no cookies.
        init?(takingOver configuration: URLSessionConfiguration) {
            guard configuration.httpShouldSetCookies, configuration.httpCookieAcceptPolicy != .never,
                let storage = configuration.httpCookieStorage
            else { return nil }
            self.storage = storage
            configuration.httpCookieStorage = nil
        }

        /// Adds the cookies that are for a request (RFC 6265 §5.4), unless it has a Cookie line of its own.
        func add(to request: inout URLRequest) {
            guard request.httpShouldHandleCookies, request.value(forHTTPHeaderField: "Cookie") == nil,
                let url = request.url
            else { return }
            let path = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? ""
            let cookies = (storage.cookies(for: url) ?? []).filter { cookie in
                Self.matches(cookie.path, path.isEmpty ? "/" : path)
                    && (!cookie.isSecure || url.scheme?.lowercased() == "https")
                    && (cookie.expiresDate.map { $0 > Date() } ?? true)
            }
            guard !cookies.isEmpty else { return }
            let sorted = cookies.sorted { ($1.path.utf8.count, $0.name) < ($0.path.utf8.count, $1.name) }
            for (name, value) in HTTPCookie.requestHeaderFields(with: sorted) {
                request.setValue(value, forHTTPHeaderField: name)
            }
        }

        /// Keeps the cookies that a response sets, and forgets those that it takes away.
        ///
        /// Foundation's own parser on Linux knows neither Max-Age nor the default path.
        func keep(_ response: HTTPURLResponse) {
            guard let url = response.url else { return }
            let now = Date()
            for (name, value) in response.allHeaderFields where "\(name)".lowercased() == "set-cookie" {
                for cookie in SetCookie.all(in: "\(value)", of: url, now: now) {
                    guard let stored = Self.stored(cookie) else { continue }
                    if cookie.isExpired(at: now) {
                        storage.deleteCookie(stored)
                    } else {
                        storage.setCookies([stored], for: url, mainDocumentURL: nil)
                    }
                }
            }
        }

        private static func stored(_ cookie: SetCookie) -> HTTPCookie? {
            var properties: [HTTPCookiePropertyKey: Any] = [
                .name: cookie.name, .value: cookie.value, .path: cookie.path,
                .domain: cookie.isHostOnly ? cookie.domain : ".\(cookie.domain)",
            ]
            if cookie.isSecure { properties[.secure] = "TRUE" }
            if let expires = cookie.expires { properties[.expires] = expires }
            return HTTPCookie(properties: properties)
        }

        /// Whether a request's path is at or below that of a cookie (RFC 6265 §5.1.4).
        private static func matches(_ cookiePath: String, _ path: String) -> Bool {
            guard path.hasPrefix(cookiePath) else { return false }
            return path.utf8.count == cookiePath.utf8.count || cookiePath.hasSuffix("/")
                || path.dropFirst(cookiePath.count).first == "/"
        }
    }
#endif
