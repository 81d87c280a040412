// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

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

    /// Answers every target by its sample, at once.
    public static func immediatelyStub(_ target: Target) -> StubBehavior { .immediate }

    /// Answers every target by its sample, after so many seconds.
    public static func delayedStub(_ seconds: Double) -> StubClosure {
        { _ in .delayed(seconds: seconds) }
    }
}

/// Whether a request is sent or answered by its endpoint's sample.
public enum StubBehavior: Hashable, Sendable {
    /// It is sent.
    case never
    /// It is answered at once.
    case immediate
    /// It is answered after so many seconds; a day at most.
    case delayed(seconds: Double)

    /// In seconds: a day.
    static let longestDelay: Double = 24 * 60 * 60
}

/// Told how far a transfer is.
public typealias ProgressBlock = @Sendable (ProgressResponse) -> Void

/// How far a transfer is; the last one has its response.
public struct ProgressResponse: Sendable {
    /// The bytes that have gone over the wire; nil beside the response.
    public let transfer: TransferProgress?
    /// The response; nil while it is on its way.
    public let response: Endpoint.Response?

    public init(transfer: TransferProgress? = nil, response: Endpoint.Response? = nil) {
        self.transfer = transfer
        self.response = response
    }

    /// From 0 to 1; 0 as long as the length of the content is not known.
    public var progress: Double { completed ? 1 : transfer?.fraction ?? 0 }
    public var completed: Bool { response != nil }
}
