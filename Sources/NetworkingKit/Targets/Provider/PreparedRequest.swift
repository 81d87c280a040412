// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

/// A request that plugins have had the last word on, as a networking takes it.
struct PreparedRequest: Request {
    private let sent: URLRequest
    let url: URL
    let bodyFile: URL?

    init(_ request: URLRequest, _ content: UploadContent?) throws(ProviderError) {
        guard let url = request.url else { throw .requestMapping("a request without a URL") }
        self.url = url
        var request = request
        switch content {
        case nil: bodyFile = nil
        case .data(let data):
            request.httpBody = data
            bodyFile = nil
        case .file(let file, _):
            request.httpBody = nil
            bodyFile = file
        }
        sent = request
    }

    var method: HTTPMethod { HTTPMethod(sent.httpMethod ?? "GET") }
    var headers: [String: String] { sent.allHTTPHeaderFields ?? [:] }
    var body: Data? { sent.httpBody }

    func urlRequest() -> URLRequest { sent }
}
