// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation
public import MockServer
public import NetworkingKit

/// A networking that responds from fixtures, with the matching of a server and no socket.
///
///     let networker = try FixtureNetworker(fixtures: "Fixtures")
///     let articles = try await networker.value(for: ArticleRequest(base: URL(string: "https://api.example.com/api")!))
///
/// Whatever origin a request names, its path, query, headers and body are matched; an origin that fixtures point back at themselves
/// (`rewriteOrigins`) becomes that of the request. An unmatched request gets a 404 that names the closest fixtures. Delays take their time,
/// faults become the error that URLSession has for them.
public final class FixtureNetworker: WireNetworking {
    /// The statuses that are not an error.
    public let acceptedStatuses: AcceptedStatuses
    public let middlewares: [any Middleware]
    public let coders: Coders
    public let cache: RequestCache<Data>?

    /// In seconds; a longer timeout of a request is as good as no end.
    private static let longestTimeout: TimeInterval = 1_000_000_000

    private let responder: FixtureResponder
    private let reference = DelegateReference()

    /// - Parameters:
    ///   - fixtures: the directory, a relative path being one of the working directory; nil for none.
    ///   - stubs: further stubs; these go before stubs of the directory at equal priority.
    ///   - acceptedStatuses: `.any` takes the data of an error for a response.
    ///   - middlewares: the links that each request passes, the first one outermost.
    ///   - coders: the coders that read and write JSON.
    ///   - cache: the cache of `fetchWithCache`.
    /// - Throws: `MockServerError` if the fixtures cannot be used.
    public init(
        fixtures: String? = nil, stubs: [MockStub] = [], acceptedStatuses: AcceptedStatuses = .successful,
        middlewares: [any Middleware] = [], coders: Coders = Coders(), cache: RequestCache<Data> = .ofData()
    ) throws(MockServerError) {
        responder = try FixtureResponder(fixtures: fixtures, stubs: stubs, configuration: MockServer.Configuration())
        self.acceptedStatuses = acceptedStatuses
        self.middlewares = middlewares
        self.coders = coders
        self.cache = cache
    }

    public weak var delegate: (any NetworkingDelegate)? {
        get { reference.delegate }
        set { reference.delegate = newValue }
    }

    /// The requests that came, and the stubs that matched them.
    public var journal: Journal { responder.journal }

    public func send(
        _ request: URLRequest, file: URL?, options: TransferOptions
    ) async throws(URLError) -> DataResponse {
        let response = try await Redirection.follow(request, file: file) { (request, file) throws(URLError) in
            try await exchange(request, file: file)
        }
        let size = Int64(response.data.count)
        options.progress?(TransferProgress(completed: size, total: size))
        return options.isDownload ? try response.inFile() : response
    }

    /// One request and its response, be it a redirection.
    private func exchange(_ request: URLRequest, file: URL?) async throws(URLError) -> DataResponse {
        let message = try RequestMessage(request, file: file)
        let served = responder.respond(to: message.bytes, isSecure: message.isSecure)
        let limit = UInt64(max(0, min(request.timeoutInterval, Self.longestTimeout)) * 1e9)
        let isLate = served.ending == .silence || served.duration > limit
        do {
            try await Task.sleep(nanoseconds: isLate ? limit : served.duration)
        } catch {
            throw URLError(.cancelled, because: error, url: message.url)
        }
        if isLate { throw URLError(.timedOut, "the fixture of this response makes it late", url: message.url) }
        switch served.ending {
        case .complete, .silence: return try served.response(message.url)
        case .connectionLost:
            throw URLError(.networkConnectionLost, "the fixture of this response cuts it off", url: message.url)
        case .unreadable:
            throw URLError(.cannotParseResponse, "the fixture of this response makes it unreadable", url: message.url)
        }
    }
}

extension FixtureNetworker: CustomReflectable {
    /// Shows nothing, as that of `Networker`.
    public var customMirror: Mirror { .opaque(self) }
}
