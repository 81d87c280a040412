// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import Foundation

extension Redirection {
    /// Sends a request, and those that redirections ask for, up to the default limit.
    ///
    /// - Parameter exchange: sends one request with the file that is its content, and gives its answer, be it a redirection.
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
