// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

/// A target as it will be asked for: the step between it and its URLRequest, where a provider changes it.
///
///     let provider = Provider<NewsService>(endpointClosure: { target in
///         Provider.defaultEndpointMapping(for: target).adding(newHTTPHeaderFields: ["Accept": "application/json"])
///     })
public struct Endpoint: Sendable {
    /// Called each time a stub answers; what it throws is the request's error.
    public typealias SampleResponseClosure = @Sendable () throws -> SampleResponse
    public typealias Parameters = [String: any Sendable]

    public let url: String
    public let method: HTTPMethod
    public let task: Task
    public let httpHeaderFields: [String: String]?
    public let sampleResponseClosure: SampleResponseClosure

    public init(
        url: String, sampleResponseClosure: @escaping SampleResponseClosure, method: HTTPMethod, task: Task,
        httpHeaderFields: [String: String]? = nil
    ) {
        self.url = url
        self.method = method
        self.task = task
        self.httpHeaderFields = httpHeaderFields
        self.sampleResponseClosure = sampleResponseClosure
    }

    /// The same endpoint with fields in the place of those with the same name, and beside the others.
    public func adding(newHTTPHeaderFields fields: [String: String]) -> Endpoint {
        guard !fields.isEmpty else { return self }
        let names = Set(fields.keys.map { $0.lowercased() })
        let kept = (httpHeaderFields ?? [:]).filter { !names.contains($0.key.lowercased()) }
        return Endpoint(
            url: url, sampleResponseClosure: sampleResponseClosure, method: method, task: task,
            httpHeaderFields: kept.merging(fields) { $1 })
    }

    /// The same endpoint with another task.
    public func replacing(task: Task) -> Endpoint {
        Endpoint(
            url: url, sampleResponseClosure: sampleResponseClosure, method: method, task: task,
            httpHeaderFields: httpHeaderFields)
    }
}

extension Endpoint: Hashable {
    /// Whether the same is sent; what a stub answers is not compared, nor where a download goes.
    public static func == (left: Endpoint, right: Endpoint) -> Bool {
        EndpointKey(left) == EndpointKey(right)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(EndpointKey(self))
    }
}

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
