// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// A networking by URLSession.
///
///     let networker = Networker()
///     let stories = try await networker.value(for: StoriesRequest(api: api))
///
/// It follows up to 20 redirections; credentials do not go to another origin.
///
/// On Linux URLSession speaks HTTP/2 over TLS only, trusts the system's authorities, and takes whole seconds for time-outs. Requests that must
/// not be sent twice, and those with content, have connections of their own there.
public final class Networker: WireNetworking {
    /// Responds in the place of a service.
    private typealias Responding = @Sendable (any Request, URLRequest) async throws -> DataResponse

    /// The statuses that are not an error.
    public let acceptedStatuses: AcceptedStatuses
    public let middlewares: [any Middleware]
    public let coders: Coders
    public let cache: RequestCache<Data>?

    private let double: Responding?
    private let reference = DelegateReference()
    private let transfers: SessionTransfers
    private let session: URLSession
    private let configuration: URLSessionConfiguration
    #if canImport(FoundationNetworking)
        private let cookies: SessionCookies?
    #endif

    /// - Parameters:
    ///   - configuration: of the networker's session; the default keeps cookies as long as the networker lives, and no cache. On Linux a
    ///     task of a session with a `urlCache` must not be cancelled: Foundation may end the process then.
    ///   - acceptedStatuses: `.any` takes the data of an error for a response.
    ///   - middlewares: the links that each request passes, the first one outermost.
    ///   - coders: the coders that read and write JSON.
    ///   - cache: the cache of `fetchWithCache`.
    public convenience init(
        configuration: URLSessionConfiguration = .withoutCache, acceptedStatuses: AcceptedStatuses = .successful,
        middlewares: [any Middleware] = [], coders: Coders = Coders(), cache: RequestCache<Data> = .ofData()
    ) {
        self.init(configuration, acceptedStatuses, middlewares, coders, cache, double: nil)
    }

    /// A double that responds to each request by a closure and sends nothing.
    ///
    ///     let networker = Networker { request in
    ///         switch request {
    ///         case is StoriesRequest: Data(#"[{"title": "One"}]"#.utf8)
    ///         default: nil
    ///         }
    ///     }
    ///
    /// A request that the closure gives nil for is unexpected: it fails with `RequestError.unexpected`, which has its line for curl. The
    /// error goes to `onUnexpected` as well, which fails the test even if the code under test keeps errors to itself.
    /// - Parameters:
    ///   - onUnexpected: `NetworkingTesting` has one that records an issue: `Networker(onUnexpected: .failTest()) { … }`.
    ///   - respond: gives the content of a response of status 200.
    public convenience init(
        acceptedStatuses: AcceptedStatuses = .successful, middlewares: [any Middleware] = [],
        coders: Coders = Coders(), onUnexpected: UnexpectedRequestHandler = .ignore,
        _ respond: @escaping @Sendable (_ request: any Request) async throws -> Data?
    ) {
        self.init(
            acceptedStatuses: acceptedStatuses, middlewares: middlewares, coders: coders, onUnexpected: onUnexpected,
            { (request: any Request) async throws -> DataResponse? in
                guard let data = try await respond(request) else { return nil }
                return try DataResponse(to: request, data: data)
            })
    }

    /// A double that responds to each request by a closure, with status and fields.
    ///
    ///     let networker = Networker { request in try DataResponse(to: request, status: 404) }
    @_disfavoredOverload
    public convenience init(
        acceptedStatuses: AcceptedStatuses = .successful, middlewares: [any Middleware] = [],
        coders: Coders = Coders(), onUnexpected: UnexpectedRequestHandler = .ignore,
        _ respond: @escaping @Sendable (_ request: any Request) async throws -> DataResponse?
    ) {
        self.init(.withoutCache, acceptedStatuses, middlewares, coders, .ofData()) {
            request, urlRequest in
            if let response = try await respond(request) { return response }
            let error = RequestError.unexpected(curl: urlRequest.net.curlCommand)
            onUnexpected.handle(error)
            throw error
        }
    }

    private init(
        _ configuration: URLSessionConfiguration, _ acceptedStatuses: AcceptedStatuses,
        _ middlewares: [any Middleware], _ coders: Coders, _ cache: RequestCache<Data>, double: Responding?
    ) {
        #if canImport(FoundationNetworking)
            let configuration = configuration.copy() as? URLSessionConfiguration ?? configuration
            cookies = SessionCookies(takingOver: configuration)
        #endif
        self.configuration = configuration
        self.middlewares = middlewares
        self.coders = coders
        self.double = double
        transfers = SessionTransfers()
        session = URLSession(configuration: configuration, delegate: transfers, delegateQueue: nil)
        self.acceptedStatuses = acceptedStatuses
        self.cache = cache
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    public weak var delegate: (any NetworkingDelegate)? {
        get { reference.delegate }
        set { reference.delegate = newValue }
    }

    /// Sends a request, and those that redirections ask for.
    ///
    /// URLSession is not left to follow them: on Linux it sends no content with 307 and 308.
    public func send(
        _ request: URLRequest, file: URL?, options: TransferOptions
    ) async throws(URLError) -> DataResponse {
        if let double { return try await Self.response(of: double, to: request, options) }
        try Self.check(file)
        return try await Redirection.follow(request, file: file) { (request, file) throws(URLError) in
            try await exchange(request, file, options)
        }
    }

    public func open(_ request: URLRequest, file: URL?) async throws(URLError) -> ResponseStream {
        if let double {
            return ResponseStream(try await Self.response(of: double, to: request, TransferOptions()))
        }
        try Self.check(file)
        var chunks: AsyncThrowingStream<Data, any Error>?
        let response = try await Redirection.follow(request, file: file) { (request, file) throws(URLError) in
            let (stream, sink) = AsyncThrowingStream<Data, any Error>.makeStream(
                bufferingPolicy: .bufferingOldest(SessionTransfer.unreadPieces))
            chunks = stream
            return try await exchange(request, file, TransferOptions(), sink)
        }
        // If the head came with the whole, as that of a redirection without a place does.
        guard response.data.isEmpty, let chunks else { return ResponseStream(response) }
        return ResponseStream(http: response.http, chunks: chunks)
    }

    private static func check(_ file: URL?) throws(URLError) {
        guard let file else { return }
        // URLSession on Linux waits for ever for a folder.
        do throws(UnreadableFile) {
            _ = try file.regularFileSize()
        } catch {
            throw URLError(error, file: file)
        }
    }

    private static func response(
        of double: Responding, to urlRequest: URLRequest, _ options: TransferOptions
    ) async throws(URLError) -> DataResponse {
        let request = SentRequest.asked ?? SentRequest(sent: urlRequest)
        do {
            let response = try await double(request, urlRequest)
            let size = Int64(response.data.count)
            options.progress?(TransferProgress(completed: size, total: size))
            return options.isDownload && response.file == nil ? try response.inFile() : response
        } catch {
            // The error of the closure comes out again: the URLError carries it.
            throw URLError(fetching: error, url: urlRequest.url)
        }
    }

    /// One request and its response, be it a redirection; of a stream no more than its head.
    private func exchange(
        _ request: URLRequest, _ file: URL?, _ options: TransferOptions,
        _ sink: AsyncThrowingStream<Data, any Error>.Continuation? = nil
    ) async throws(URLError) -> DataResponse {
        #if canImport(FoundationNetworking)
            var request = request
            cookies?.add(to: &request)
        #endif
        let asked = request
        let transfer = SessionTransfer(options, sink: sink)
        let (session, transfers) = place(for: request, file)
        defer { if session !== self.session { session.finishTasksAndInvalidate() } }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let task =
                    file.map { session.uploadTask(with: asked, fromFile: $0) } ?? session.dataTask(with: asked)
                transfers.start(transfer, task, continuation)
            }
        } onCancel: {
            transfer.cancel()
        }
        #if canImport(FoundationNetworking)
            if case .success(let response) = result { cookies?.keep(response.http) }
        #endif
        return try result.get()
    }

    /// Where a request is sent: with all others, or on a new connection.
    ///
    /// On Linux libcurl, which is below, sends a request again when a connection that was used before ends without a response, whatever its
    /// method (RFC 9110 §9.2.2), and URLSession then waits until the time-out if it has content, which it gives once.
    private func place(for request: URLRequest, _ file: URL?) -> (URLSession, SessionTransfers) {
        #if canImport(FoundationNetworking)
            let method = request.httpMethod ?? "GET"
            let mayBeRepeated = ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"].contains(method)
            let hasContent = file != nil || request.httpBody != nil || request.httpBodyStream != nil
            if !mayBeRepeated || hasContent {
                let transfers = SessionTransfers()
                return (URLSession(configuration: configuration, delegate: transfers, delegateQueue: nil), transfers)
            }
        #endif
        return (session, transfers)
    }
}

/// The handling of a request that a double does not expect, beside its error.
public struct UnexpectedRequestHandler: Sendable {
    /// Nothing: the caller gets the error.
    public static let ignore = UnexpectedRequestHandler { _ in }

    let handle: @Sendable (RequestError) -> Void

    /// Makes a handler.
    public init(_ handle: @escaping @Sendable (RequestError) -> Void) {
        self.handle = handle
    }
}

extension URLSessionConfiguration {
    /// The default of a `Networker`: nothing outlives the session, and responses come from the service, not from a
    /// cache.
    public static var withoutCache: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        return configuration
    }
}

extension Networker: CustomReflectable {
    /// Shows none of its contents, which other threads change.
    public var customMirror: Mirror { .opaque(self) }
}
