// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// Why a client has no response, by the phase that failed.
public enum ClientError: Error, Sendable {
    /// The exchange failed: mostly a `URLError`.
    case connectionError(any Error)
    /// There was nothing to send: `RequestFailure`, `RequestError`, or what `intercept(urlRequest:)` threw.
    case requestError(any Error)
    /// The answer makes no response: `HTTPStatusError`, what the parser or a decoder threw, or what the request did.
    case responseError(any Error)

    public var underlying: any Error {
        switch self {
        case .connectionError(let error), .requestError(let error), .responseError(let error): error
        }
    }
}

extension ClientError: CustomStringConvertible, LocalizedError {
    public var description: String {
        switch self {
        case .connectionError(let error): "the exchange failed: \(error)"
        case .requestError(let error): "there is nothing to send: \(error)"
        case .responseError(let error): "the answer makes no response: \(error)"
        }
    }

    public var errorDescription: String? { description }
}

extension ClientError {
    public typealias RequestFailure = RequestError
    public typealias UnexpectedObject = NetworkingKit.UnexpectedObject
}

/// What a parser made is not what a request makes its response of.
public struct UnexpectedObject: Error, Sendable, CustomStringConvertible, LocalizedError {
    /// How much of the object the description shows, in characters. 200.
    private static let shown = 200

    public let description: String
    public var errorDescription: String? { description }

    public init(_ object: Any) {
        description = "unexpected \(type(of: object)): \(String("\(object)".prefix(Self.shown)))"
    }
}
