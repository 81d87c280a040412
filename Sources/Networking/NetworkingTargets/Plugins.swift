// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
public import NetworkingCore

/// A plugin that takes part in the requests of a provider; all of it has defaults.
///
/// It is called on whatever thread the request is on.
public protocol PluginType: Sendable {
    /// Changes a request before it is sent, or before its stub responds.
    func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest

    /// A request is about to be sent, or its stub to respond.
    func willSend(_ request: any RequestType, target: any TargetType)

    /// A response has come, or is known not to come; it has been validated, and no plugin has processed it.
    ///
    /// Requests that share a transfer share this, too. It is not called if there was no request to send.
    func didReceive(_ result: Result<DataResponse, ProviderError>, target: any TargetType)

    /// Makes another result of a result, in any phase; the last plugin's result counts.
    func process(
        _ result: Result<DataResponse, ProviderError>, target: any TargetType
    ) -> Result<DataResponse, ProviderError>
}

extension PluginType {
    public func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest { request }

    public func willSend(_ request: any RequestType, target: any TargetType) {}

    public func didReceive(_ result: Result<DataResponse, ProviderError>, target: any TargetType) {}

    public func process(
        _ result: Result<DataResponse, ProviderError>, target: any TargetType
    ) -> Result<DataResponse, ProviderError> {
        result
    }
}

/// A request as plugins see it.
public protocol RequestType: Sendable {
    /// The request as all plugins have prepared it; the content of an upload is not in it.
    var request: URLRequest? { get }
}

// MARK: In the chain

/// Plugins as one link of the chain, in Moya's order of calls: `prepare` of each, then `willSend` of each, the response and its
/// validation, `didReceive` of each, then `process` of each.
///
///     let networker = Networker(middlewares: [PluginMiddleware([LoggerPlugin()])])
///
/// A provider has its plugins by one, around the chain of its networking.
public struct PluginMiddleware: Middleware {
    private struct Sent: RequestType {
        let request: URLRequest?
    }

    private let plugins: [any PluginType]
    private let target: (any TargetType)?

    /// - Parameter target: the target for the plugins; nil for a target that is made of each request.
    public init(_ plugins: [any PluginType], target: (any TargetType)? = nil) {
        self.plugins = plugins
        self.target = target
    }

    /// - Throws: the errors of `next`; `ProviderError` if a plugin has made that of it.
    public func intercept(_ request: URLRequest, _ next: @escaping Next) async throws -> DataResponse {
        let link = PluginMiddleware(plugins, target: target ?? RequestTarget(request))
        let outcome = link.processed(await link.exchanged(request, isShared: false, next))
        if case .failure(.underlying(let error, nil)) = outcome { throw error }
        return try outcome.get()
    }

    /// One exchange from `prepare` to `didReceive`.
    ///
    /// - Parameter isShared: whether several callers wait for it; each of them is reported when it is cancelled.
    func exchanged(_ request: URLRequest, isShared: Bool, _ next: Next) async -> Result<DataResponse, ProviderError> {
        let prepared = announced(request)
        let result: Result<DataResponse, any Error>
        do {
            result = .success(try await next(prepared).with(request: prepared))
        } catch {
            result = .failure(error)
        }
        return received(result, isTold: !(isShared && Task.isCancelled))
    }

    /// The request as the plugins have made it; all of them know that it goes out now.
    func announced(_ request: URLRequest) -> URLRequest {
        let target = told(request)
        let prepared = plugins.reduce(request) { $1.prepare($0, target: target) }
        for plugin in plugins { plugin.willSend(Sent(request: prepared), target: target) }
        return prepared
    }

    /// The result, validated, which the plugins know now.
    func received(_ result: Result<DataResponse, any Error>, isTold: Bool = true) -> Result<DataResponse, ProviderError>
    {
        let target = told(nil)
        let outcome = result.mapError { ProviderError(transfer: $0) }.flatMap { response in
            target.validationType.accepts(response.statusCode)
                ? .success(response) : .failure(.underlying(ProviderError.statusCode(response), response))
        }
        if isTold { for plugin in plugins { plugin.didReceive(outcome, target: target) } }
        return outcome
    }

    func processed(_ outcome: Result<DataResponse, ProviderError>) -> Result<DataResponse, ProviderError> {
        plugins.reduce(outcome) { $1.process($0, target: told(nil)) }
    }

    private func told(_ request: URLRequest?) -> any TargetType { target ?? RequestTarget(request) }
}

/// A request without a target, as plugins see it.
private struct RequestTarget: TargetType {
    let request: URLRequest?

    init(_ request: URLRequest?) {
        self.request = request
    }

    var baseURL: URL { request?.url ?? URL(fileURLWithPath: "/") }
    var path: String { "" }
    var method: HTTPMethod { HTTPMethod(request?.httpMethod ?? "GET") }
    var task: Endpoint.Task { request?.httpBody.map { .requestData($0) } ?? .requestPlain }
    var headers: [String: String]? { request?.allHTTPHeaderFields }
}

// MARK: Those that are there

/// Sends a token with each target that is `AccessTokenAuthorizable` and names a scheme.
///
///     let provider = Provider<Bookmarks>(plugins: [AccessTokenPlugin { _ in token }])
public struct AccessTokenPlugin: PluginType {
    /// The token for a target.
    public typealias TokenClosure = @Sendable (any TargetType) -> String

    private let token: TokenClosure

    /// - Parameter tokenClosure: asked again for each request, of a `MultiTarget` with the target inside. White space around it,
    ///   such as the line break of a file, is not sent.
    public init(tokenClosure: @escaping TokenClosure) {
        token = tokenClosure
    }

    public func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
        let target = (target as? MultiTarget)?.target ?? target
        guard let type = (target as? any AccessTokenAuthorizable)?.authorizationType else { return request }
        var request = request
        let token = token(target).trimmingCharacters(in: .whitespacesAndNewlines)
        request.setValue("\(type.value) \(token)", forHTTPHeaderField: "Authorization")
        return request
    }
}

/// A target that says by which scheme its token is sent.
public protocol AccessTokenAuthorizable {
    /// Nil if no token is sent.
    var authorizationType: AuthorizationType? { get }
}

/// The scheme that credentials are sent by (RFC 9110 §11.1).
public enum AuthorizationType: Hashable, Sendable {
    /// RFC 7617
    case basic
    /// RFC 6750
    case bearer
    /// A scheme of its own.
    case custom(String)

    /// The name of the scheme, as the field Authorization begins with it.
    public var value: String {
        switch self {
        case .basic: "Basic"
        case .bearer: "Bearer"
        case .custom(let name): name
        }
    }
}

/// Writes the requests of a provider and their results, one text for each, as `LoggingMiddleware` does for all of a networking.
public struct LoggerPlugin: PluginType {
    /// The logged parts.
    public typealias Detail = ExchangeText.Detail

    private let text: ExchangeText
    private let output: @Sendable (String) -> Void

    /// - Parameter output: takes each text, from whatever thread the request is on.
    public init(
        detail: Detail = [], secrets: ExchangeText.Secrets = ExchangeText.Secrets(),
        output: @escaping @Sendable (String) -> Void = { print($0) }
    ) {
        text = ExchangeText(detail: detail, secrets: secrets)
        self.output = output
    }

    public func willSend(_ request: any RequestType, target: any TargetType) {
        if let request = request.request { output(text.of(request)) }
    }

    public func didReceive(_ result: Result<DataResponse, ProviderError>, target: any TargetType) {
        switch result {
        case .success(let response): output(text.of(response))
        case .failure(let error):
            let line = "<-- \(target.method) \(text.redacted(URL(target: target))) failed: \(error.summary)"
            output(error.response.map { "\(line)\n\(text.of($0))" } ?? line)
        }
    }
}
