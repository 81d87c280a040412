// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation
public import NetworkingCore

/// A target as it will be asked for: the step between it and its URLRequest, if a provider changes it.
///
///     let provider = Provider<NewsService>(endpointClosure: { target in
///         Provider.defaultEndpointMapping(for: target).adding(newHTTPHeaderFields: ["Accept": "application/json"])
///     })
public struct Endpoint: Sendable {
    /// Called each time a stub responds; an error that it throws is the request's error.
    public typealias SampleResponseClosure = @Sendable () throws -> SampleResponse
    /// Parameters by their names.
    public typealias Parameters = [String: any Sendable]

    /// The URL, as a text.
    public let url: String
    /// The method.
    public let method: HTTPMethod
    /// The content and how it is sent.
    public private(set) var task: Task
    /// The header fields; nil for none.
    public private(set) var httpHeaderFields: [String: String]?
    /// The sample that responds in the place of the service.
    public let sampleResponseClosure: SampleResponseClosure

    /// Makes an endpoint.
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
        var copy = self
        copy.httpHeaderFields = (httpHeaderFields ?? [:]).filter { !names.contains($0.key.lowercased()) }
            .merging(fields) { $1 }
        return copy
    }

    /// The same endpoint with another task.
    public func replacing(task: Task) -> Endpoint {
        var copy = self
        copy.task = task
        return copy
    }
}

extension Endpoint: Hashable {
    /// Whether the same is sent; the response of a stub is not compared, nor the destination of a download.
    public static func == (left: Endpoint, right: Endpoint) -> Bool {
        EndpointKey(left) == EndpointKey(right)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(EndpointKey(self))
    }
}

/// The request of an endpoint, as a key.
struct EndpointKey: Hashable, Sendable {
    private enum Content: Hashable {
        case request(AnyRequest)
        case form(AnyRequest, MultipartFormData)
        case download(AnyRequest)
        /// There is no request, for this reason.
        case nothing(url: String, HTTPMethod, [String: String], reason: String)
    }

    private let content: Content
    private let validation: ValidationType?

    /// - Parameter validation: the rule that the response is judged by, if that makes a difference.
    init(_ endpoint: Endpoint, validation: ValidationType? = nil) {
        self.validation = validation
        let request: URLRequest
        do {
            request = try endpoint.urlRequest()
        } catch {
            content = .nothing(
                url: endpoint.url, endpoint.method, endpoint.httpHeaderFields ?? [:], reason: "\(error)")
            return
        }
        let key = AnyRequest(request)
        switch endpoint.task {
        case .uploadFile(let file): content = .request(AnyRequest(request, file: file))
        case .uploadMultipartFormData(let form), .uploadCompositeMultipartFormData(let form, _):
            content = .form(key, form)
        case .downloadDestination, .downloadParameters: content = .download(key)
        default: content = .request(key)
        }
    }
}

extension Endpoint {
    /// The content of a request, and the use of its response.
    public enum Task: Sendable {
        /// Nothing but the request.
        case requestPlain
        /// Bytes as the content.
        case requestData(Data)
        /// A value as JSON, its keys sorted; the content type is `application/json` if the target has none.
        case requestJSONEncodable(any Encodable & Sendable)
        /// A value as JSON, by an encoder of its own.
        case requestCustomJSONEncodable(any Encodable & Sendable, encoder: JSONEncoder)
        /// Parameters, by an encoding.
        case requestParameters(parameters: Parameters, encoding: any ParameterEncoding)
        /// Data as the content, and parameters in the query.
        case requestCompositeData(bodyData: Data, urlParameters: Parameters)
        /// Parameters as the content, by an encoding that puts them there, and others in the query.
        case requestCompositeParameters(
            bodyParameters: Parameters, bodyEncoding: any ParameterEncoding, urlParameters: Parameters)
        /// The bytes of a file as the content, without being read into memory.
        case uploadFile(URL)
        /// A multipart form.
        case uploadMultipartFormData(MultipartFormData)
        /// A multipart form, with parameters of the query.
        case uploadCompositeMultipartFormData(MultipartFormData, urlParameters: Parameters)
        /// The content of the response goes to a file; the data of the response is empty.
        case downloadDestination(DownloadDestination)
        /// A download to a file, with parameters.
        case downloadParameters(
            parameters: Parameters, encoding: any ParameterEncoding, destination: DownloadDestination)

        /// A multipart form of parts.
        public static func uploadMultipart(_ parts: [MultipartFormBodyPart]) -> Task {
            .uploadMultipartFormData(MultipartFormData(parts: parts))
        }

        /// A multipart form of parts, with parameters of the query.
        public static func uploadCompositeMultipart(
            _ parts: [MultipartFormBodyPart], urlParameters: Parameters
        ) -> Task {
            .uploadCompositeMultipartFormData(MultipartFormData(parts: parts), urlParameters: urlParameters)
        }
    }
}

/// Says where a downloaded file goes, given its temporary place and the response.
///
///     let destination: DownloadDestination = { _, _ in (file, [.removePreviousFile, .createIntermediateDirectories]) }
public typealias DownloadDestination =
    @Sendable (_ temporaryURL: URL, _ response: HTTPURLResponse) -> (
        destinationURL: URL, options: DownloadOptions
    )

/// The steps before a downloaded file is put in its place.
public struct DownloadOptions: OptionSet, Sendable {
    /// Makes the directories that the place is in.
    public static let createIntermediateDirectories = DownloadOptions(rawValue: 1)
    /// Takes away the file that is there; without it, a file that is there fails the request.
    public static let removePreviousFile = DownloadOptions(rawValue: 2)

    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }
}

extension Endpoint {
    /// A response, from a service or from a stub.
    public typealias Response = DataResponse

    /// The response of a stub.
    public enum SampleResponse: Sendable {
        /// A status and a content; the response has no fields.
        case networkResponse(Int, Data)
        /// A head and its content.
        case response(HTTPURLResponse, Data)
        /// No response comes.
        case networkError(any Error)
    }
}
