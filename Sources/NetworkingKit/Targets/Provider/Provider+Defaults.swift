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
