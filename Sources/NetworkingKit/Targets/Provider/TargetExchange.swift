// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

/// The way of a request from its target to its result: all that a provider is but its face.
///
/// A request holds this, not the provider, which may be released meanwhile.
struct TargetExchange<Target: TargetType>: Sendable {
    typealias Outcome = Result<Endpoint.Response, ProviderError>

    let networking: any Networking
    let endpointClosure: Provider<Target>.EndpointClosure
    let requestClosure: Provider<Target>.RequestClosure
    let stubClosure: Provider<Target>.StubClosure
    let plugins: [any PluginType]
    /// Nil where equal requests are sent one by one.
    let flights: SharedFlights<EndpointKey, Outcome>?

    /// What a request gives, processed by the plugins.
    func outcome(
        of target: Target, _ endpoint: Endpoint, _ behavior: StubBehavior, progress: ProgressBlock?
    ) async -> Outcome {
        guard !Task.isCancelled else { return processed(cancelled(target), target) }
        guard let flights, behavior != .immediate, endpoint.task.destination == nil else {
            let outcome = await exchange(target, endpoint, behavior, progress, isShared: false)
            return processed(outcome, target)
        }
        do {
            let key = EndpointKey(endpoint, validation: target.validationType)
            let outcome = try await flights.value(for: key) {
                await exchange(target, endpoint, behavior, progress, isShared: true)
            }
            return processed(outcome, target)
        } catch {
            return processed(cancelled(target), target)
        }
    }

    /// Answers a request by its sample, before this returns where the request closure calls back before it returns.
    func stub(
        _ target: Target, _ endpoint: Endpoint, _ call: CancellableRequest,
        completion: @escaping @Sendable (Outcome) -> Void
    ) {
        let first = OneShot<Void>()
        requestClosure(endpoint) { result in
            guard first.finish(()) else { return }
            guard !call.isCancelled else {
                completion(processed(cancelled(target), target))
                return
            }
            let outcome = result.flatMap { request -> Outcome in
                let outcome = sample(target, endpoint, announced(request, target))
                received(outcome, target)
                return outcome
            }
            completion(processed(outcome, target))
        }
    }

    /// One request from its closure to `didReceive`.
    ///
    /// - Parameter isShared: whether several may wait for it. When it is cancelled then, each of them has been told of it before.
    private func exchange(
        _ target: Target, _ endpoint: Endpoint, _ behavior: StubBehavior, _ progress: ProgressBlock?, isShared: Bool
    ) async -> Outcome {
        let request: URLRequest
        switch await mapped(endpoint) {
        case .success(let mapped): request = announced(mapped, target)
        // A request that is none is told to who asked for it, not to plugins that watch the wire.
        case .failure(let error): return Task.isCancelled && !isShared ? cancelled(target) : .failure(error)
        }
        let outcome =
            switch behavior {
            case .never: await TargetTransfer(networking, target, endpoint, progress).outcome(of: request)
            case .immediate: sample(target, endpoint, request)
            case .delayed(let seconds): await sample(target, endpoint, request, after: seconds)
            }
        guard !(isShared && Task.isCancelled) else { return outcome }
        received(outcome, target)
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

    private func sample(
        _ target: Target, _ endpoint: Endpoint, _ request: URLRequest, after seconds: Double
    ) async -> Outcome {
        do {
            try await Task.sleep(for: .seconds(seconds > 0 ? min(seconds, StubBehavior.longestDelay) : 0))
        } catch {
            return .failure(.cancelled)
        }
        return sample(target, endpoint, request)
    }

    private func sample(_ target: Target, _ endpoint: Endpoint, _ request: URLRequest) -> Outcome {
        let sample: Endpoint.SampleResponse
        do {
            sample = try endpoint.sampleResponseClosure()
        } catch {
            return .failure(.sampleData(error))
        }
        switch sample {
        case .networkResponse(let status, let data):
            return Endpoint.Response(statusCode: status, data: data, request: request).validated(for: target)
        case .response(let http, let data):
            let response = Endpoint.Response(statusCode: http.statusCode, data: data, request: request, response: http)
            return response.validated(for: target)
        case .networkError(let error): return .failure(.underlying(error, nil))
        }
    }

    /// The request as the plugins have made it, all of whom know that it goes out now.
    private func announced(_ request: URLRequest, _ target: Target) -> URLRequest {
        let prepared = plugins.reduce(request) { $1.prepare($0, target: target) }
        for plugin in plugins { plugin.willSend(SentRequest(request: prepared), target: target) }
        return prepared
    }

    private func received(_ outcome: Outcome, _ target: Target) {
        for plugin in plugins { plugin.didReceive(outcome, target: target) }
    }

    private func processed(_ outcome: Outcome, _ target: Target) -> Outcome {
        plugins.reduce(outcome) { $1.process($0, target: target) }
    }

    private func cancelled(_ target: Target) -> Outcome {
        received(.failure(.cancelled), target)
        return .failure(.cancelled)
    }
}
