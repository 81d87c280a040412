// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import CMockapiCurl
package import Dispatch

/// An HTTP client that shows the bytes of a live service as they are.
///
/// No redirect is followed, no coding undone, no proxy asked, no cookie kept. All requests of a client share its connections and its one
/// serial queue; none holds a thread. libcurl is loaded when the first request is sent.
///
///     let client = UpstreamClient()
///     let response = try await client.send(UpstreamRequest("GET", "https://api.example.com/jobs"))
///     print(response.status, response.head["Content-Type"] ?? "", response.body.count)
package final class UpstreamClient: Sendable {
    private let engine: Engine
    /// Where a task that reads a response piece by piece runs best: on the client's own queue, which it must not hold up for long.
    package let executor: any TaskExecutor

    /// - Parameter queue: a serial queue that the client works on, such as that of the code that passes its responses on; nil for
    ///   a queue of its own.
    package init(_ configuration: UpstreamConfiguration = UpstreamConfiguration(), queue: DispatchQueue? = nil) {
        engine = Engine(configuration, queue: queue)
        executor = QueueTaskExecutor(engine.queue)
    }

    /// Closes the connections; a stream that is still read from goes on to its end.
    deinit {
        engine.release()
    }

    /// Sends a request and collects its response.
    ///
    /// When the task is cancelled, the transfer is too, at once.
    package func send(_ request: UpstreamRequest) async throws(UpstreamError) -> UpstreamResponse {
        try request.check(engine.configuration)
        let transfer = Transfer(request, engine.configuration, isStreaming: false)
        let result: Result<UpstreamResponse, UpstreamError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                engine.queue.async { [engine] in
                    transfer.collector = continuation
                    engine.start(transfer)
                }
            }
        } onCancel: { [engine] in
            engine.cancel(transfer)
        }
        return try result.get()
    }

    /// Sends a request and returns when the head of its response has come.
    ///
    /// When the task is cancelled before, or while it reads the content, the transfer is too.
    package func stream(_ request: UpstreamRequest) async throws(UpstreamError) -> UpstreamStream {
        try request.check(engine.configuration)
        let transfer = Transfer(request, engine.configuration, isStreaming: true)
        let body = UpstreamBody(transfer, engine)
        let result: Result<[UpstreamHead], UpstreamError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                engine.queue.async { [engine] in
                    transfer.headWaiter = continuation
                    engine.start(transfer)
                }
            }
        } onCancel: { [engine] in
            engine.cancel(transfer)
        }
        var heads = try result.get()
        return UpstreamStream(head: heads.removeLast(), interim: heads, body: body)
    }

    /// The version that libcurl gives itself, such as "7.88.1"; it is loaded to be asked.
    package static func libraryVersion() throws(UpstreamError) -> String {
        if let failure = ccurl_load() {
            throw UpstreamError(.libraryMissing, url: "libcurl", String(cString: failure))
        }
        return String(cString: ccurl_version())
    }
}
