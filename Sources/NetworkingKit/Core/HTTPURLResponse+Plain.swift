// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import Foundation

extension HTTPURLResponse {
    /// A response of which status and fields are known, and no more.
    package static func plain(
        _ url: URL, status: Int, version: String = "HTTP/1.1", headers: [String: String] = [:]
    ) throws(URLError) -> HTTPURLResponse {
        guard let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: version, headerFields: headers)
        else {
            throw URLError(.badServerResponse, userInfo: [NSURLErrorFailingURLErrorKey: url])
        }
        return response
    }
}
