// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

/// What takes part in the requests of a provider; all of it has defaults.
///
/// It is called on whatever thread the request is on.
public protocol PluginType: Sendable {
    /// Changes a request before it is sent, or before its stub answers.
    func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest

    /// A request is about to be sent, or its stub to answer.
    func willSend(_ request: any RequestType, target: any TargetType)

    /// An answer has come, or is known not to come; it has been validated, and no plugin has processed it.
    ///
    /// Requests that share a transfer share this, too. It is not called where there was no request to send.
    func didReceive(_ result: Result<Endpoint.Response, ProviderError>, target: any TargetType)

    /// Makes another result of one, of whichever phase; what the last plugin makes is the result.
    func process(
        _ result: Result<Endpoint.Response, ProviderError>, target: any TargetType
    ) -> Result<Endpoint.Response, ProviderError>
}

extension PluginType {
    public func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest { request }

    public func willSend(_ request: any RequestType, target: any TargetType) {}

    public func didReceive(_ result: Result<Endpoint.Response, ProviderError>, target: any TargetType) {}

    public func process(
        _ result: Result<Endpoint.Response, ProviderError>, target: any TargetType
    ) -> Result<Endpoint.Response, ProviderError> {
        result
    }
}

/// A request as plugins see it.
public protocol RequestType: Sendable {
    /// The request as all plugins have prepared it; the content of an upload is not in it.
    var request: URLRequest? { get }
}

/// A request that goes out.
struct SentRequest: RequestType {
    let request: URLRequest?
}
