// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

/// Sends the request of a target, its content with it, and puts what comes where it belongs.
struct TargetTransfer: Sendable {
    private let networking: any Networking
    private let target: any TargetType
    private let task: Endpoint.Task
    private let progress: ProgressBlock?

    init(_ networking: any Networking, _ target: any TargetType, _ endpoint: Endpoint, _ progress: ProgressBlock?) {
        self.networking = networking
        self.target = target
        task = endpoint.task
        self.progress = progress
    }

    func outcome(of request: URLRequest) async -> Result<Endpoint.Response, ProviderError> {
        do {
            let content = try task.uploadContent()
            defer { content?.discard() }
            let prepared = try PreparedRequest(request, content)
            let answer = try await networking.response(for: prepared, options)
            let response = Endpoint.Response(
                statusCode: answer.status, data: task.destination == nil ? answer.data : Data(),
                request: prepared.urlRequest(), response: answer.http)
            if let destination = task.destination { try put(answer, response, at: destination) }
            return response.validated(for: target)
        } catch {
            return .failure(ProviderError(transfer: error))
        }
    }

    private var options: TransferOptions {
        guard let progress else { return TransferOptions(isDownload: task.destination != nil) }
        return TransferOptions(isDownload: task.destination != nil) { progress(ProgressResponse(transfer: $0)) }
    }

    /// Moves the file of a download to where it is wanted, whatever the status.
    private func put(
        _ answer: DataResponse, _ response: Endpoint.Response, at destination: DownloadDestination
    ) throws {
        guard let file = try answer.file ?? answer.inFile().file else { return }
        let (place, options) = destination(file, answer.http)
        guard place.standardizedFileURL != file.standardizedFileURL else { return }
        do {
            try Self.move(file, to: place, options)
        } catch {
            try? FileManager.default.removeItem(at: file)
            throw ProviderError.underlying(URLError(.cannotMoveFile, because: error, url: answer.http.url), response)
        }
    }

    private static func move(_ file: URL, to place: URL, _ options: DownloadOptions) throws {
        let files = FileManager.default
        if options.contains(.createIntermediateDirectories) {
            try files.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        }
        if options.contains(.removePreviousFile), files.fileExists(atPath: place.path) {
            try files.removeItem(at: place)
        }
        try files.moveItem(at: file, to: place)
    }
}

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

extension Endpoint.Task {
    /// Where a download goes; nil for what is no download.
    var destination: DownloadDestination? {
        switch self {
        case .downloadDestination(let destination), .downloadParameters(_, _, let destination): destination
        default: nil
        }
    }

    /// What an upload sends; nil for what is no upload.
    func uploadContent() throws(ProviderError) -> UploadContent? {
        switch self {
        case .uploadFile(let file):
            do {
                _ = try file.regularFileSize()
            } catch {
                throw .parameterEncoding(RequestError.file(file, error.reason))
            }
            return .file(file, isTemporary: false)
        case .uploadMultipartFormData(let form), .uploadCompositeMultipartFormData(let form, _):
            do {
                return try form.content()
            } catch {
                throw .parameterEncoding(error)
            }
        default: return nil
        }
    }
}

extension Endpoint.Response {
    /// This response, or the error that it is to its target.
    func validated(for target: any TargetType) -> Result<Endpoint.Response, ProviderError> {
        guard target.validationType.accepts(statusCode) else {
            return .failure(.underlying(ProviderError.statusCode(self), self))
        }
        return .success(self)
    }
}
