// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch
package import Foundation
import Synchronization

/// One task of a session, from its start to whichever comes first: its completion or its cancellation.
final class SessionTransfer: Sendable {
    typealias Continuation = CheckedContinuation<Result<DataResponse, URLError>, Never>

    private struct Running {
        let task: URLSessionTask
        /// Nil if the response comes as a stream and its head has been given.
        var continuation: Continuation?
        /// The reader of the content as it comes, once the head is there.
        var sink: AsyncThrowingStream<Data, any Error>.Continuation?
        var response: HTTPURLResponse?
        var content: TransferContent
        var sent: Int64 = 0
        var toSend: Int64 = 0
        /// Whether the response names the next URL to ask, so that another transfer goes on with the progress.
        var isRedirected = false

        func progress(isOver: Bool) -> TransferProgress {
            let completed = sent + Int64(content.count)
            if isOver { return TransferProgress(completed: completed, total: completed) }
            guard let length = response?.expectedContentLength, length >= 0 else {
                return TransferProgress(completed: completed, total: nil)
            }
            return TransferProgress(completed: completed, total: toSend + length)
        }
    }

    private enum State {
        case waiting
        case running(Running)
        case ended
    }

    /// Cancels tasks: on Linux `cancel` waits for a queue that may be waiting for the task that is being cancelled.
    private static let cancellations = DispatchQueue(label: "NetworkingKit.cancellations")

    /// How many pieces of content may wait for a slow reader, of 16 KiB at most on Linux. 4,096.
    static let unreadPieces = 4_096

    private let options: TransferOptions
    /// The reader of the content if it is not to be kept.
    private let sink: AsyncThrowingStream<Data, any Error>.Continuation?
    private let state = Mutex(State.waiting)

    init(_ options: TransferOptions, sink: AsyncThrowingStream<Data, any Error>.Continuation? = nil) {
        self.options = options
        self.sink = sink
    }

    /// - Returns: false if the transfer was cancelled before.
    func start(_ task: URLSessionTask, _ continuation: Continuation) -> Bool {
        let isStarted = state.withLock { state in
            guard case .waiting = state else { return false }
            let content = TransferContent(isFile: options.isDownload)
            state = .running(Running(task: task, continuation: continuation, content: content))
            return true
        }
        if isStarted {
            task.resume()
        } else {
            // A task that neither runs nor ends would keep its session for ever.
            Self.cancellations.async { task.cancel() }
            continuation.resume(returning: .failure(URLError(.cancelled)))
        }
        return isStarted
    }

    func cancel() {
        guard let running = end() else { return }
        Self.cancellations.async { running.task.cancel() }
        running.content.discard()
        sink?.finish(throwing: URLError(.cancelled))
        running.continuation?.resume(returning: .failure(URLError(.cancelled)))
    }

    func receive(_ response: URLResponse) {
        update { $0.response = response as? HTTPURLResponse ?? $0.response }
        if let sink { begin(sink) }
    }

    /// Gives the head to the caller that waits for it, and the content that follows to its reader; a redirection is a response like any other.
    private func begin(_ sink: AsyncThrowingStream<Data, any Error>.Continuation) {
        let head: (Continuation, HTTPURLResponse)? = state.withLock { state in
            guard case .running(var running) = state, !running.isRedirected, let response = running.response,
                let continuation = running.continuation.take()
            else { return nil }
            running.sink = sink
            state = .running(running)
            return (continuation, response)
        }
        guard let (continuation, response) = head else { return }
        sink.onTermination = { [weak self] end in
            if case .cancelled = end { self?.cancel() }
        }
        continuation.resume(returning: .success(DataResponse(data: Data(), http: response)))
    }

    func redirect(_ response: HTTPURLResponse) {
        update {
            $0.response = response
            $0.isRedirected = true
        }
    }

    func receive(_ data: Data) {
        let sink = state.withLock { state -> AsyncThrowingStream<Data, any Error>.Continuation? in
            guard case .running(let running) = state else { return nil }
            return running.sink
        }
        guard let sink else {
            update { $0.content.append(data) }
            report()
            return
        }
        guard case .dropped = sink.yield(data), let running = end() else { return }
        Self.cancellations.async { running.task.cancel() }
        sink.finish(
            throwing: URLError(
                .dataLengthExceedsMaximum,
                "more than \(Self.unreadPieces) pieces of the content were not read; read faster, or download to a file",
                url: running.task.originalRequest?.url))
    }

    func sent(_ count: Int64, of total: Int64) {
        update {
            $0.sent = count
            $0.toSend = total
        }
        report()
    }

    func complete(_ error: (any Error)?) {
        guard let running = end() else { return }
        if let error {
            running.content.discard()
            let error = URLError(ofTask: error, url: running.task.originalRequest?.url)
            sink?.finish(throwing: error)
            running.continuation?.resume(returning: .failure(error))
            return
        }
        sink?.finish()
        if !running.isRedirected { options.progress?(running.progress(isOver: true)) }
        running.continuation?.resume(
            returning: Result { () throws(URLError) in
                // Foundation on Linux shows a redirection without a place in the task alone.
                guard let response = running.response ?? running.task.response as? HTTPURLResponse else {
                    running.content.discard()
                    throw URLError(
                        .badServerResponse, "the response is none of HTTP", url: running.task.originalRequest?.url)
                }
                return try running.content.response(response)
            })
    }

    private func update(_ change: (inout Running) -> Void) {
        state.withLock { state in
            guard case .running(var running) = state else { return }
            // Nothing else holds the content meanwhile, so that it grows in place.
            state = .waiting
            change(&running)
            state = .running(running)
        }
    }

    private func report() {
        guard let progress = options.progress else { return }
        let current: TransferProgress? = state.withLock { state in
            guard case .running(let running) = state else { return nil }
            return running.progress(isOver: false)
        }
        if let current { progress(current) }
    }

    /// Goes to the last state; gives back the transfer that ran until now.
    private func end() -> Running? {
        state.withLock { state in
            defer { state = .ended }
            guard case .running(let running) = state else { return nil }
            return running
        }
    }
}

/// The content of a response as it comes: in memory, or in a file of the temporary directory.
package struct TransferContent: Sendable {
    private var data = Data()
    private let file: URL?
    private var handle: FileHandle?
    private var failure: (any Error)?
    package private(set) var count = 0

    package init(isFile: Bool) {
        guard isFile else {
            file = nil
            return
        }
        let url = DataResponse.newFile()
        file = url
        guard FileManager.default.createFile(atPath: url.path, contents: nil) else {
            failure = CocoaError(.fileWriteUnknown)
            return
        }
        do {
            handle = try FileHandle(forWritingTo: url)
        } catch {
            failure = error
        }
    }

    package mutating func append(_ data: Data) {
        count += data.count
        guard file != nil else {
            self.data.append(data)
            return
        }
        do {
            try handle?.write(contentsOf: data)
        } catch {
            failure = failure ?? error
        }
    }

    /// The response with this content, which is complete.
    package func response(_ http: HTTPURLResponse) throws(URLError) -> DataResponse {
        do {
            try handle?.close()
            if let failure { throw failure }
        } catch {
            discard()
            throw URLError(.cannotWriteToFile, because: error, url: http.url)
        }
        return DataResponse(data: data, http: http, file: file)
    }

    /// Removes the file, if there is one.
    package func discard() {
        guard let file else { return }
        try? handle?.close()
        try? FileManager.default.removeItem(at: file)
    }
}
