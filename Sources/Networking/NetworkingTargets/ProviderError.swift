// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation
public import NetworkingCore

/// Why a request of a provider failed, by the phase it failed in.
public enum ProviderError: Error, Sendable {
    /// The endpoint's URL, method or fields make no request: their values, or the mistake in them.
    case requestMapping(String)
    /// Parameters, a form or a file cannot be made the content of the request.
    case parameterEncoding(any Error)
    /// A value cannot be encoded as JSON.
    case encodableMapping(any Error)
    /// A stub cannot have its sample: `RequestError.sample`, or another error of `sampleData`.
    case sampleData(any Error)
    /// An error on the way: a `URLError`; or a status that the target does not take for a success, as `statusCode` with
    /// the response.
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

extension ProviderError {
    /// The response, if there was one.
    public var response: Endpoint.Response? {
        switch self {
        case .requestMapping, .parameterEncoding, .encodableMapping, .sampleData: nil
        case .underlying(_, let response): response
        case .statusCode(let response), .jsonMapping(let response), .stringMapping(let response),
            .objectMapping(_, let response):
            response
        }
    }

    /// The error that this one was made from.
    public var underlyingError: (any Error)? {
        switch self {
        case .parameterEncoding(let error), .encodableMapping(let error), .sampleData(let error),
            .underlying(let error, _), .objectMapping(let error, _):
            error
        case .requestMapping, .statusCode, .jsonMapping, .stringMapping: nil
        }
    }

    /// Whether the request was cancelled.
    public var isCancelled: Bool {
        (underlyingError as? URLError)?.code == .cancelled
    }

    static let cancelled = ProviderError.underlying(URLError(.cancelled), nil)

    /// Any error of a transfer.
    init(transfer error: any Error) {
        switch error {
        case let error as ProviderError: self = error
        case let error as RequestError: self = .requestMapping("\(error)")
        case is CancellationError: self = .cancelled
        default: self = .underlying(error, nil)
        }
    }
}

extension ProviderError: SummarizedError, CustomStringConvertible, LocalizedError, CustomNSError {
    /// The phase, and of a response the request, the status, the place, the cause and the beginning of the body.
    public var description: String {
        text { response, cause in
            let line = response.request.map { request in
                "\(request.httpMethod ?? "GET") \(response.url?.absoluteString ?? ""): \(response.status)"
            }
            return response.told(line ?? "\(response)", because: cause)
        }
    }

    /// The same without possible secrets: neither URL nor body.
    package var summary: String {
        text { response, cause in cause.map { "\(response): \(Self.text(of: $0))" } ?? "\(response)" }
    }

    private func text(_ tell: (Endpoint.Response, (any Error)?) -> String) -> String {
        switch self {
        case .requestMapping(let reason): "the endpoint makes no request: \(reason)"
        case .parameterEncoding(let error): "the content of the request cannot be encoded: \(Self.text(of: error))"
        case .encodableMapping(let error): "the value cannot be encoded as JSON: \(Self.text(of: error))"
        case .sampleData(let error): "the stub has no sample: \(Self.text(of: error))"
        case .underlying(let error as ProviderError, _): error.text(tell)
        case .underlying(let error, _): "the request failed: \(Self.text(of: error))"
        case .statusCode(let response): "the status is not accepted: \(tell(response, nil))"
        case .jsonMapping(let response): "the content is not the JSON that was requested: \(tell(response, nil))"
        case .stringMapping(let response): "the content is not the text that was requested: \(tell(response, nil))"
        case .objectMapping(let error, let response): "the content cannot be decoded: \(tell(response, error))"
        }
    }

    public var errorDescription: String? { description }

    public static var errorDomain: String { "NetworkingKit.ProviderError" }

    /// The number of the phase, in the order of the cases, from 0.
    public var errorCode: Int {
        switch self {
        case .requestMapping: 0
        case .parameterEncoding: 1
        case .encodableMapping: 2
        case .sampleData: 3
        case .underlying: 4
        case .statusCode: 5
        case .jsonMapping: 6
        case .stringMapping: 7
        case .objectMapping: 8
        }
    }

    public var errorUserInfo: [String: Any] {
        var userInfo: [String: Any] = [NSLocalizedDescriptionKey: description]
        if let underlyingError { userInfo[NSUnderlyingErrorKey] = underlyingError }
        return userInfo
    }

    private static func text(of error: any Error) -> String {
        guard let error = error as? URLError else { return "\(error)" }
        return "URLError \(error.code.rawValue): \(error.localizedDescription)"
    }
}
