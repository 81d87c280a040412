// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// A networking by URLSession.
///
///     let networker = Networker()
///     let articles = try await networker.fetch(ArticleRequest(base: api))
///
/// It follows up to 20 redirections; credentials do not go to another origin.
///
/// On Linux URLSession speaks HTTP/2 over TLS only, trusts what the system trusts, and takes whole seconds for time-outs. Requests that must
/// not be sent twice, and those with content, have connections of their own there.
public final class Networker: WireNetworking {
    public let acceptedStatuses: AcceptedStatuses
    public let cache: RequestCache<Data>?

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
    ///   - acceptedStatuses: `.any` takes the data of an error for an answer.
    ///   - cache: what `fetchWithCache` keeps.
    public init(
        configuration: URLSessionConfiguration = .withoutCache, acceptedStatuses: AcceptedStatuses = .successful,
        cache: RequestCache<Data> = .ofData()
    ) {
        #if canImport(FoundationNetworking)
            let configuration = configuration.copy() as? URLSessionConfiguration ?? configuration
            cookies = SessionCookies(takingOver: configuration)
        #endif
        self.configuration = configuration
        transfers = SessionTransfers()
        session = URLSession(configuration: configuration, delegate: transfers, delegateQueue: nil)
        self.acceptedStatuses = acceptedStatuses
        self.cache = cache
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    public var delegate: (any NetworkingDelegate)? {
        get { reference.delegate }
        set { reference.delegate = newValue }
    }

    /// Sends a request, and those that redirections ask for.
    ///
    /// URLSession is not left to follow them: on Linux it sends no content with 307 and 308.
    public func send(
        _ request: URLRequest, file: URL?, options: TransferOptions
    ) async throws(URLError) -> DataResponse {
        if let file {
            // URLSession on Linux waits for ever for a folder.
            do throws(UnreadableFile) {
                _ = try file.regularFileSize()
            } catch {
                throw URLError(error, file: file)
            }
        }
        return try await Redirection.follow(request, file: file) { (request, file) throws(URLError) in
            try await exchange(request, file, options)
        }
    }

    /// One request and its answer, be it a redirection.
    private func exchange(
        _ request: URLRequest, _ file: URL?, _ options: TransferOptions
    ) async throws(URLError) -> DataResponse {
        #if canImport(FoundationNetworking)
            var request = request
            cookies?.add(to: &request)
        #endif
        let asked = request
        let transfer = SessionTransfer(options)
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

    /// Where a request is sent: with all others, or by a connection that was not used before.
    ///
    /// On Linux libcurl, which is below, sends a request again when a connection that was used before ends without an answer, whatever its
    /// method (RFC 9110 §9.2.2), and URLSession then waits until the time-out where it has content, which it gives once.
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

extension URLSessionConfiguration {
    /// What a `Networker` uses where nothing else is said: nothing outlives the session, and answers come from the service, not from a cache.
    public static var withoutCache: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        return configuration
    }
}
