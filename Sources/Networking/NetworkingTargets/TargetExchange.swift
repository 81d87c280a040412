// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import NetworkingCore

/// The way of a request from its target to its result: all that a provider is but its face.
///
/// A request holds this, not the provider, which may be released meanwhile.
struct TargetExchange<Target: TargetType>: Sendable {
    typealias Outcome = Result<DataResponse, ProviderError>

    let networking: any Networking
    let endpointClosure: Provider<Target>.EndpointClosure
    let requestClosure: Provider<Target>.RequestClosure
    let stubClosure: Provider<Target>.StubClosure
    let plugins: [any PluginType]
    /// Nil if equal requests are sent one by one.
    let flights: SharedFlights<EndpointKey, Outcome>?

    /// The outcome of a request, processed by the plugins.
    func outcome(
        of target: Target, _ endpoint: Endpoint, _ behavior: StubBehavior, progress: ProgressBlock?
    ) async -> Outcome {
        let link = PluginMiddleware(plugins, target: target)
        guard !Task.isCancelled else { return cancelled(link) }
        guard let flights, behavior != .immediate, endpoint.task.destination == nil else {
            return link.processed(await exchange(link, target, endpoint, behavior, progress, isShared: false))
        }
        do {
            let key = EndpointKey(endpoint, validation: target.validationType)
            let outcome = try await flights.value(for: key) {
                await exchange(link, target, endpoint, behavior, progress, isShared: true)
            }
            return link.processed(outcome)
        } catch {
            return cancelled(link)
        }
    }

    /// Responds to a request with its sample, before this returns if the request closure calls back before it returns.
    func stub(
        _ target: Target, _ endpoint: Endpoint, _ call: CancellableRequest,
        completion: @escaping @Sendable (Outcome) -> Void
    ) {
        let link = PluginMiddleware(plugins, target: target)
        let first = OneShot<Void>()
        networking.coders.use {
            requestClosure(endpoint) { result in
                guard first.finish(()) else { return }
                guard !call.isCancelled else { return completion(cancelled(link)) }
                let outcome = result.flatMap { request -> Outcome in
                    let request = link.announced(request)
                    return link.received(Result { try sample(endpoint, request) })
                }
                completion(link.processed(outcome))
            }
        }
    }

    /// One request from its closure to `didReceive`.
    ///
    /// - Parameter isShared: whether several may wait for it. When it is cancelled then, each of them knows it already.
    private func exchange(
        _ link: PluginMiddleware, _ target: Target, _ endpoint: Endpoint, _ behavior: StubBehavior,
        _ progress: ProgressBlock?, isShared: Bool
    ) async -> Outcome {
        let request: URLRequest
        switch await mapped(endpoint) {
        case .success(let mapped): request = mapped
        // The error of a request that cannot be made goes to its caller, not to plugins that watch the wire.
        case .failure(let error):
            return Task.isCancelled && !isShared ? link.received(.failure(ProviderError.cancelled)) : .failure(error)
        }
        let outcome = await link.exchanged(request, isShared: isShared) { request in
            switch behavior {
            case .never: return try await response(to: request, endpoint.task, progress)
            case .immediate: break
            case .delayed(let seconds):
                try await Task.sleep(for: .seconds(seconds > 0 ? min(seconds, StubBehavior.longestDelay) : 0))
            }
            return try sample(endpoint, request)
        }
        if case .success(let response) = outcome, behavior == .never { progress?(ProgressResponse(response: response)) }
        return outcome
    }

    /// The request of an endpoint, whenever and wherever the request closure comes to it.
    private func mapped(_ endpoint: Endpoint) async -> Result<URLRequest, ProviderError> {
        let first = OneShot<Result<URLRequest, ProviderError>>()
        return await first.value {
            networking.coders.use { requestClosure(endpoint) { first.finish($0) } }
        } onCancel: {
            first.finish(.failure(.cancelled))
        }
    }

    private func sample(_ endpoint: Endpoint, _ request: URLRequest) throws -> DataResponse {
        let sample: Endpoint.SampleResponse
        do {
            sample = try endpoint.sampleResponseClosure()
        } catch {
            throw ProviderError.sampleData(error)
        }
        switch sample {
        case .networkResponse(let status, let data):
            return DataResponse(statusCode: status, data: data, request: request).read(by: networking.coders)
        case .response(let http, let data):
            return DataResponse(statusCode: http.statusCode, data: data, request: request, response: http)
                .read(by: networking.coders)
        case .networkError(let error): throw ProviderError.underlying(error, nil)
        }
    }

    private func cancelled(_ link: PluginMiddleware) -> Outcome {
        link.processed(link.received(.failure(ProviderError.cancelled)))
    }
}

// MARK: On the wire

extension TargetExchange {
    /// Hands a request on to the chain of the networking, its content with it, and puts the response where it belongs.
    private func response(
        to request: URLRequest, _ task: Endpoint.Task, _ progress: ProgressBlock?
    ) async throws -> DataResponse {
        let content = try task.uploadContent()
        defer { content?.discard() }
        guard request.url != nil else { throw ProviderError.requestMapping("a request without a URL") }
        var sent = request
        if let content { sent.httpBody = content.data }
        let prepared = SentRequest(sent: sent, bodyFile: content?.file)
        var options = TransferOptions(isDownload: task.destination != nil)
        if let progress { options.progress = { progress(ProgressResponse(transfer: $0)) } }
        let received = try await networking.response(for: prepared, options).read(by: networking.coders)
        guard let destination = task.destination else { return received }
        guard let file = try received.file ?? received.inFile().file else { return received }
        let (place, moving) = destination(file, received.http)
        let response = DataResponse(
            statusCode: received.statusCode, data: Data(), request: request, response: received.response, file: place)
        guard place.standardizedFileURL != file.standardizedFileURL else { return response }
        do {
            try Self.move(file, to: place, moving)
        } catch {
            try? FileManager.default.removeItem(at: file)
            throw ProviderError.underlying(URLError(.cannotMoveFile, because: error, url: received.http.url), response)
        }
        return response
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

extension Endpoint.Task {
    /// Where a download goes; nil unless it is a download.
    var destination: DownloadDestination? {
        switch self {
        case .downloadDestination(let destination), .downloadParameters(_, _, let destination): destination
        default: nil
        }
    }

    /// The content of an upload; nil for any other task.
    fileprivate func uploadContent() throws(ProviderError) -> UploadContent? {
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
