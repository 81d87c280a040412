// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// Sends requests that know their response, over any networking.
///
///     let client = Client(networking: Networker(), baseURL: api)
///     let user = try await client.send(UserRequest(name: "ada"))
///
/// Statuses are judged by the request, not by the networking.
public final class Client: Sendable {
    public let networking: any Networking
    /// Where requests go that have no base URL themselves.
    public let baseURL: URL?
    /// Where handlers are called that are given with `callbackQueue: nil`.
    public let callbackQueue: CallbackQueue

    private let exchanges = ClientExchanges()

    public init(
        networking: any Networking = Networker(), baseURL: URL? = nil, callbackQueue: CallbackQueue = .main
    ) {
        self.networking = networking
        self.baseURL = baseURL
        self.callbackQueue = callbackQueue
    }

    /// The response to a request.
    ///
    /// To cancel the task cancels the request: `connectionError`, with `URLError.cancelled` in it.
    public func send<R: APIRequest>(_ request: R) async throws(ClientError) -> R.Response {
        try await result(of: start(request)).get()
    }

    /// A publisher of the response; each subscription sends the request anew.
    public func publisher<R: APIRequest>(for request: R) -> AnyPublisher<R.Response, ClientError> {
        TaskPublisher { try await self.send(request) }
            .mapError { $0 as? ClientError ?? .connectionError($0) }
            .eraseToAnyPublisher()
    }

    /// Cancels the requests of a type that are under way.
    ///
    /// - Parameter test: tells which of them.
    public func cancelRequests<R: APIRequest>(
        with type: R.Type, passingTest test: (R) -> Bool = { _ in true }
    ) {
        exchanges.cancel { request in (request as? R).map(test) ?? false }
    }

    /// Begins an exchange; `cancelRequests` knows of it from here on.
    func start<R: APIRequest>(_ request: R) -> Task<Result<R.Response, ClientError>, Never> {
        let ticket = exchanges.begin(request)
        let task = Task {
            let result = await exchange(request)
            exchanges.end(ticket)
            return result
        }
        exchanges.run(ticket, task.cancel)
        return task
    }

    func result<Value>(of task: Task<Result<Value, ClientError>, Never>) async -> Result<Value, ClientError> {
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func exchange<R: APIRequest>(_ request: R) async -> Result<R.Response, ClientError> {
        let response: DataResponse
        do {
            response = try await networking.response(for: based(request))
        } catch let error as ClientError {
            return .failure(error)
        } catch let error as RequestError {
            return .failure(.requestError(error))
        } catch is CancellationError {
            return .failure(.connectionError(URLError(.cancelled)))
        } catch {
            return .failure(.connectionError(error))
        }
        do {
            return .success(try networking.coders.use { try request.parse(response) })
        } catch let error as DecodingError {
            let url = response.http.url ?? request.url
            return .failure(
                .responseError(
                    DecodingFailure(method: request.method, url: url, response: response, cause: error)))
        } catch {
            return .failure(.responseError(error))
        }
    }

    private func based<R: APIRequest>(_ request: R) -> any Request {
        guard let baseURL, !request.hasBaseURL else { return request }
        return BasedRequest(wrapped: request, baseURL: baseURL)
    }
}
