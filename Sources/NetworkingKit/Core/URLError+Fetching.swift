// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

extension URLError {
    /// The response whose status was not accepted; nil where something else went wrong.
    public var statusError: HTTPStatusError? {
        userInfo[NSUnderlyingErrorKey] as? HTTPStatusError
    }

    public init(_ error: HTTPStatusError) {
        self.init(.badServerResponse, because: error, url: error.url)
    }

    /// Marks an error that was made of another, which is in it.
    private static let carriesKey = "NetworkingKit.carries"

    /// Any error of a fetch as a `URLError`; one of another kind is carried by `unknown`.
    init(fetching error: any Error, url: URL?) {
        switch error {
        case let error as URLError: self = error
        case let error as HTTPStatusError: self.init(error)
        case is CancellationError: self.init(.cancelled, because: error, url: url)
        case is RequestError: self.init(.badURL, because: error, url: url)
        default:
            let carrier = URLError(.unknown, because: error, url: url)
            self.init(.unknown, userInfo: carrier.userInfo.merging([Self.carriesKey: true]) { $1 })
        }
    }

    package init(_ code: Code, because error: any Error, url: URL?) {
        var userInfo: [String: Any] = [NSUnderlyingErrorKey: error, NSLocalizedDescriptionKey: "\(error)"]
        if let url { userInfo[NSURLErrorFailingURLErrorKey] = url }
        self.init(code, userInfo: userInfo)
    }

    /// - Parameter text: what happened and the way out, in a sentence without a capital and a full stop.
    package init(_ code: Code, _ text: String, url: URL?) {
        var userInfo: [String: Any] = [NSLocalizedDescriptionKey: text]
        if let url { userInfo[NSURLErrorFailingURLErrorKey] = url }
        self.init(code, userInfo: userInfo)
    }

    /// The error this one was made from, where there was one with more to say.
    var mostSpecific: any Error {
        switch userInfo[NSUnderlyingErrorKey] {
        case let error as HTTPStatusError: error
        case let error as RequestError: error
        case let error as any Error where userInfo[Self.carriesKey] != nil: error
        default: self
        }
    }
}
