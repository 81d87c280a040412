// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Dispatch
import Foundation
public import NetworkingCore

/// A type that requests targets of one type: a `Provider`, or a double in a test.
///
///     final class NewsModel<Service: ProviderType> where Service.Target == NewsService { … }
public protocol ProviderType<Target>: Sendable {
    /// The type of the targets.
    associatedtype Target: TargetType

    /// Requests a target and calls back with the result.
    @discardableResult
    func request(
        _ target: Target, callbackQueue: DispatchQueue?, progress: ProgressBlock?,
        completion: @escaping @Sendable (Result<Endpoint.Response, ProviderError>) -> Void
    ) -> CancellableRequest

    /// The response to a target.
    func request(_ target: Target, progress: ProgressBlock?) async throws(ProviderError) -> Endpoint.Response
}

extension ProviderType {
    /// Requests a target and calls back with the result, wherever the provider does.
    @discardableResult
    public func request(
        _ target: Target, completion: @escaping @Sendable (Result<Endpoint.Response, ProviderError>) -> Void
    ) -> CancellableRequest {
        request(target, callbackQueue: nil, progress: nil, completion: completion)
    }

    /// The response to a target.
    public func request(_ target: Target) async throws(ProviderError) -> Endpoint.Response {
        try await request(target, progress: nil)
    }

    /// The response to a target, which the form with a handler gives.
    public func request(
        _ target: Target, progress: ProgressBlock?
    ) async throws(ProviderError) -> Endpoint.Response {
        let call = CancellableRequest()
        let first = OneShot<Result<Endpoint.Response, ProviderError>>()
        let result = await first.value {
            let request = request(target, callbackQueue: nil, progress: progress) { first.finish($0) }
            call.run(request.cancel)
        } onCancel: {
            call.cancel()
            first.finish(.failure(.cancelled))
        }
        return try result.get()
    }
}

/// Sends targets, or responds with their samples.
///
///     let provider = Provider<NewsService>()
///     let response = try await provider.request(.page(1))
///
/// A request goes: endpoint closure, stub closure, request closure; then the plugins' `prepare` and `willSend`, the response, its
/// validation, `didReceive` and `process`. It does not hold the provider: if that is released, a request under way still comes to its end.
public final class Provider<Target: TargetType>: ProviderType {
    /// A response, or why there is none.
    public typealias Outcome = Result<Endpoint.Response, ProviderError>
    /// The closure that is called with the outcome.
    public typealias Completion = @Sendable (Outcome) -> Void
    /// The endpoint of a target.
    public typealias EndpointClosure = @Sendable (Target) -> Endpoint
    /// The closure that goes on with the request of an endpoint.
    public typealias RequestResultClosure = @Sendable (Result<URLRequest, ProviderError>) -> Void
    /// Calls the closure once, at any time and on any thread; a later call is not heard.
    public typealias RequestClosure = @Sendable (Endpoint, @escaping RequestResultClosure) -> Void
    /// Whether a target gets its sample as the response.
    public typealias StubClosure = @Sendable (Target) -> StubBehavior

    /// Where results and progress are reported; nil for the main queue, and for stubs that respond at once the thread they are asked on.
    public let callbackQueue: DispatchQueue?

    private let exchange: TargetExchange<Target>

    /// - Parameters:
    ///   - networking: the networking that sends the requests; its delegate adds its headers if a request has none
    ///     of that name.
    ///   - endpointClosure: makes an endpoint of a target.
    ///   - requestClosure: makes a request of an endpoint.
    ///   - stubClosure: says which targets are not sent.
    ///   - callbackQueue: where completions are called that name no queue.
    ///   - plugins: called in this order.
    ///   - trackInflights: whether requests of equal endpoints that are under way at once are sent once. Downloads never are shared.
    public init(
        networking: any Networking = Networker(),
        endpointClosure: @escaping EndpointClosure = { Provider.defaultEndpointMapping(for: $0) },
        requestClosure: @escaping RequestClosure = { Provider.defaultRequestMapping(for: $0, closure: $1) },
        stubClosure: @escaping StubClosure = { _ in .never }, callbackQueue: DispatchQueue? = nil,
        plugins: [any PluginType] = [], trackInflights: Bool = false
    ) {
        self.callbackQueue = callbackQueue
        exchange = TargetExchange(
            networking: networking, endpointClosure: endpointClosure, requestClosure: requestClosure,
            stubClosure: stubClosure, plugins: plugins, flights: trackInflights ? SharedFlights() : nil)
    }

    /// The sender of the requests.
    public var networking: any Networking { exchange.networking }
    /// The plugins, in their order.
    public var plugins: [any PluginType] { exchange.plugins }
    /// Whether equal requests at once are sent once.
    public var trackInflights: Bool { exchange.flights != nil }

    /// The endpoint that a target is asked for at.
    public func endpoint(_ target: Target) -> Endpoint {
        exchange.endpointClosure(target)
    }

    /// Requests a target and calls back with the result.
    ///
    /// - Parameters:
    ///   - callbackQueue: where `progress` and `completion` are called; nil for that of the provider, or else the main queue. A stub that
    ///     responds at once does so before this returns if there is no queue.
    ///   - progress: called with how far the transfer is; of requests that share one, that of the first is.
    ///   - completion: called once, whatever happens; after the last of `progress`, if the queue is a serial one.
    @discardableResult
    public func request(
        _ target: Target, callbackQueue: DispatchQueue? = nil, progress: ProgressBlock? = nil,
        completion: @escaping Completion
    ) -> CancellableRequest {
        let call = CancellableRequest()
        let endpoint = endpoint(target)
        let behavior = exchange.stubClosure(target)
        let queue = callbackQueue ?? self.callbackQueue
        guard behavior != .immediate else {
            exchange.stub(target, endpoint, call, completion: Self.called(on: queue, completion))
            return call
        }
        let completion = Self.called(on: queue ?? .main, completion)
        let progress = progress.map { Self.called(on: queue ?? .main, $0) }
        let task = Task { [exchange] in
            completion(await exchange.outcome(of: target, endpoint, behavior, progress: progress))
        }
        call.run(task.cancel)
        return call
    }

    /// The response to a target.
    ///
    /// To cancel the task cancels the request.
    /// - Parameter progress: called with how far the transfer is, wherever that is noticed.
    public func request(_ target: Target, progress: ProgressBlock? = nil) async throws(ProviderError)
        -> Endpoint.Response
    {
        let outcome = await exchange.outcome(
            of: target, endpoint(target), exchange.stubClosure(target), progress: progress)
        return try outcome.get()
    }

    /// A publisher of the response to a target.
    ///
    /// Each subscription requests it again; to cancel one cancels its request.
    public func requestPublisher(_ target: Target) -> AnyPublisher<Endpoint.Response, ProviderError> {
        TaskPublisher { [exchange] in
            let endpoint = exchange.endpointClosure(target)
            return try await exchange.outcome(of: target, endpoint, exchange.stubClosure(target), progress: nil).get()
        }
        .mapError { ProviderError(transfer: $0) }
        .eraseToAnyPublisher()
    }

    /// How many transfers are under way for equal endpoints, and how many requests wait for them.
    package var inflights: (transfers: Int, requests: Int) {
        (exchange.flights?.count ?? 0, exchange.flights?.waiterCount ?? 0)
    }

    private static func called<Value: Sendable>(
        on queue: DispatchQueue?, _ closure: @escaping @Sendable (Value) -> Void
    ) -> @Sendable (Value) -> Void {
        guard let queue else { return closure }
        return { value in queue.async { closure(value) } }
    }
}

extension Provider {
    /// The endpoint that a target describes, with a sample of status 200.
    public static func defaultEndpointMapping(for target: Target) -> Endpoint {
        Endpoint(
            url: URL(target: target).absoluteString,
            sampleResponseClosure: { .networkResponse(200, try target.sampleData) }, method: target.method,
            task: target.task, httpHeaderFields: target.headers)
    }

    /// The request that an endpoint describes.
    public static func defaultRequestMapping(for endpoint: Endpoint, closure: RequestResultClosure) {
        closure(Result { () throws(ProviderError) in try endpoint.urlRequest() })
    }

    /// Sends every target.
    public static func neverStub(_ target: Target) -> StubBehavior { .never }

    /// Responds to every target with its sample, at once.
    public static func immediatelyStub(_ target: Target) -> StubBehavior { .immediate }

    /// Responds to every target with its sample, after so many seconds.
    public static func delayedStub(_ seconds: Double) -> StubClosure {
        { _ in .delayed(seconds: seconds) }
    }
}

/// Whether a request is sent or gets its endpoint's sample.
public enum StubBehavior: Hashable, Sendable {
    /// It is sent.
    case never
    /// The response comes at once.
    case immediate
    /// The response comes after so many seconds; a day at most.
    case delayed(seconds: Double)

    /// In seconds: a day.
    static let longestDelay: Double = 24 * 60 * 60
}

/// Called with how far a transfer is.
public typealias ProgressBlock = @Sendable (ProgressResponse) -> Void

/// How far a transfer is; the last one has its response.
public struct ProgressResponse: Sendable {
    /// The bytes that have gone over the wire; nil beside the response.
    public let transfer: TransferProgress?
    /// The response; nil while it is on its way.
    public let response: Endpoint.Response?

    /// Makes a progress, or the end of one.
    public init(transfer: TransferProgress? = nil, response: Endpoint.Response? = nil) {
        self.transfer = transfer
        self.response = response
    }

    /// From 0 to 1; 0 as long as the length of the content is not known.
    public var progress: Double { completed ? 1 : transfer?.fraction ?? 0 }
    /// Whether the response has come.
    public var completed: Bool { response != nil }
}

extension Provider: CustomReflectable {
    /// Shows nothing, as that of `Networker`.
    public var customMirror: Mirror { .opaque(self) }
}
