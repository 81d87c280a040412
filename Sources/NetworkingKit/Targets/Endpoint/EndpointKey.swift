// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

/// What an endpoint sends, as a key.
struct EndpointKey: Hashable, Sendable {
    private enum Content: Hashable {
        case request
        case file(URL)
        case form(MultipartFormData)
        case download
        /// There is no request, for this reason.
        case nothing(String)
    }

    private let url: String
    private let method: String
    private let headers: [String: String]
    private let body: Data?
    private let content: Content
    private let validation: ValidationType?

    /// - Parameter validation: what the answer is judged by, where that makes a difference.
    init(_ endpoint: Endpoint, validation: ValidationType? = nil) {
        method = endpoint.method.rawValue
        self.validation = validation
        do {
            let request = try endpoint.urlRequest()
            url = request.url?.absoluteString ?? endpoint.url
            headers = request.allHTTPHeaderFields ?? [:]
            body = request.httpBody
            content = Self.content(of: endpoint.task)
        } catch {
            url = endpoint.url
            headers = endpoint.httpHeaderFields ?? [:]
            body = nil
            content = .nothing("\(error)")
        }
    }

    private static func content(of task: Endpoint.Task) -> Content {
        switch task {
        case .uploadFile(let file): .file(file)
        case .uploadMultipartFormData(let form), .uploadCompositeMultipartFormData(let form, _): .form(form)
        case .downloadDestination, .downloadParameters: .download
        default: .request
        }
    }
}
