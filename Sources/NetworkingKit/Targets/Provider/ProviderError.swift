// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Why a request of a provider failed, by the phase it failed in.
public enum ProviderError: Error, Sendable {
    /// The endpoint's URL, method or fields make no request: what they are, or what is wrong with them.
    case requestMapping(String)
    /// Parameters, a form or a file cannot be made the content of the request.
    case parameterEncoding(any Error)
    /// A value cannot be encoded as JSON.
    case encodableMapping(any Error)
    /// A stub cannot have its sample: `SampleFixtureError`, or what else `sampleData` throws.
    case sampleData(any Error)
    /// What went wrong on the way: a `URLError`; or a status that the target does not take for a success, as `statusCode` with the response.
    case underlying(any Error, Endpoint.Response?)
    /// A filter does not let a status pass.
    case statusCode(Endpoint.Response)
    /// The content is not JSON, or has nothing at a key path.
    case jsonMapping(Endpoint.Response)
    /// The content is not text, or has no string at a key path.
    case stringMapping(Endpoint.Response)
    /// The content cannot be decoded.
    case objectMapping(any Error, Endpoint.Response)
}
