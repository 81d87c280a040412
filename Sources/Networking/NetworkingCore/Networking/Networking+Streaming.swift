// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

extension Networking {
    /// The bytes of a response as they come.
    ///
    ///     for try await byte in networker.bytes(for: request) { … }
    ///
    /// Each loop sends the request when it asks for the first byte. Leaving the loop, or cancelling its task, cancels the request.
    public func bytes(for request: any Request) -> ResponseBytes {
        ResponseBytes { try await stream(for: request) }
    }

    /// The lines of a response as they come, in UTF-8, without their ends: LF, CRLF or CR.
    ///
    ///     for try await line in networker.lines(for: request) { … }
    ///
    /// The request is sent when the first line is asked for. Leaving the loop, or cancelling its task, cancels the request.
    public func lines(for request: any Request) -> ResponseLines {
        bytes(for: request).lines
    }

    /// The server-sent events of a response as they come (WHATWG HTML §9.2).
    ///
    ///     for try await event in networker.events(for: request) { print(event.data) }
    ///
    /// If the request does not set it, `Accept` is `text/event-stream`. When the stream ends the sequence does: a caller that wants to go on
    /// asks again, with `Last-Event-ID`.
    public func events(for request: any Request) -> ServerSentEvents {
        ServerSentEvents(bytes: bytes(for: request.forEvents))
    }

    /// How far a transfer is, again and again, and its response at last.
    ///
    ///     for try await step in networker.progress(of: request) {
    ///         switch step {
    ///         case .progress(let progress): bar.value = progress.fraction
    ///         case .response(let response): print(response.status)
    ///         }
    ///     }
    ///
    /// A reader that is slower than the transfer gets the newest. To leave the loop cancels the request.
    /// - Parameter isDownload: whether the content goes to a file: `DataResponse.file`.
    public func progress(
        of request: any Request, isDownload: Bool = false
    ) -> AsyncThrowingStream<TransferStep, any Error> {
        let networking = self
        return AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                do {
                    let options = TransferOptions(isDownload: isDownload) { continuation.yield(.progress($0)) }
                    let response = try await networking.response(for: request, options)
                    continuation.yield(.response(response))
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { end in
                if case .cancelled = end { task.cancel() }
            }
        }
    }
}
