// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import Foundation

/// The next request that a response asks for.
///
/// 301 and 302 make GET of POST, 303 of everything but HEAD; 307 and 308 keep method and content (RFC 9110 §15.4).
package struct Redirection: Sendable {
    /// How many redirections of one request are followed by default. 20.
    package static let defaultLimit = 20

    /// Fields that are meant for the origin they were sent to and for no other.
    private static let secrets = ["Authorization", "Cookie", "Proxy-Authorization"]
    /// Fields that describe content (RFC 9110 §8).
    private static let contentFields = [
        "Content-Encoding", "Content-Language", "Content-Length", "Content-Location", "Content-Type",
    ]

    package let request: URLRequest
    /// Whether the content goes along, be it the body of the request or a file.
    package let keepsContent: Bool

    /// - Parameters:
    ///   - request: the request that got the response.
    ///   - location: the value of Location; a relative reference is one to the request's URL (RFC 9110 §10.2.2).
    /// - Returns: nil if the response is not a redirection to one place: it is final then.
    /// - Throws: `redirectToNonExistentLocation` if the location cannot be read, `unsupportedURL` if it is not of HTTP.
    package init?(of request: URLRequest, status: Int, location: String?) throws(URLError) {
        guard [301, 302, 303, 307, 308].contains(status), let location, let old = request.url else { return nil }
        let url = try Self.resolve(location, old)
        let method = request.httpMethod ?? "GET"
        let becomesGet =
            switch status {
            case 301, 302: method == "POST"
            case 303: method != "GET" && method != "HEAD"
            default: false
            }
        var next = request
        next.url = url
        if becomesGet {
            next.httpMethod = "GET"
            next.httpBody = nil
            for name in Self.contentFields { next.setValue(nil, forHTTPHeaderField: name) }
        }
        if Self.origin(url) != Self.origin(old) {
            for name in Self.secrets { next.setValue(nil, forHTTPHeaderField: name) }
        }
        self.request = next
        keepsContent = !becomesGet
    }

    /// The error of a fetch that is redirected once more than the limit allows.
    package static func tooMany(limit: Int, url: URL?) -> URLError {
        URLError(
            .httpTooManyRedirects, "more than \(limit) redirections; look for a circle, or raise the limit", url: url)
    }

    private static func resolve(_ location: String, _ old: URL) throws(URLError) -> URL {
        guard !location.isEmpty, let url = URL(string: location, relativeTo: old)?.absoluteURL,
            var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else {
            throw URLError(
                .redirectToNonExistentLocation,
                "the location \(location.debugDescription) is not a URL; mend the server",
                url: old)
        }
        guard ["http", "https"].contains(components.scheme?.lowercased()), components.host?.isEmpty == false else {
            throw URLError(
                .unsupportedURL, "the location \(location.debugDescription) is not a URL of HTTP; mend the server",
                url: old)
        }
        components.fragment = components.fragment ?? old.fragment
        return components.url ?? url
    }

    /// Scheme, host and port (RFC 6454 §4).
    private static func origin(_ url: URL) -> [String] {
        let scheme = url.scheme?.lowercased() ?? ""
        let port = url.port ?? (scheme == "https" ? 443 : 80)
        return [scheme, url.host?.lowercased() ?? "", String(port)]
    }
}

extension Redirection {
    /// Sends a request, and those that redirections ask for, up to the default limit.
    ///
    /// - Parameter exchange: sends one request with the file that is its content, and gives its response, be it a redirection.
    package static func follow(
        _ request: URLRequest, file: URL?,
        _ exchange: (URLRequest, URL?) async throws(URLError) -> DataResponse
    ) async throws(URLError) -> DataResponse {
        var (request, file) = (request, file)
        for _ in 0...defaultLimit {
            let response = try await exchange(request, file)
            let redirection: Redirection?
            do throws(URLError) {
                let location = response.http.value(forHTTPHeaderField: "Location")
                redirection = try Redirection(of: request, status: response.status, location: location)
            } catch {
                response.discardFile()
                throw error
            }
            guard let redirection else { return response }
            response.discardFile()
            request = redirection.request
            if !redirection.keepsContent { file = nil }
        }
        throw tooMany(limit: defaultLimit, url: request.url)
    }
}
