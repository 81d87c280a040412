// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch

/// The content of a response as it comes, in chunks that are never empty.
///
/// The server is held up while `UpstreamConfiguration.streamBuffer` bytes wait to be read.
package final class UpstreamBody: AsyncSequence, Sendable {
    package typealias Failure = UpstreamError

    private let transfer: Transfer
    private let engine: Engine

    init(_ transfer: Transfer, _ engine: Engine) {
        self.transfer = transfer
        self.engine = engine
    }

    deinit {
        engine.cancel(transfer)
    }

    /// The next chunk; nil at the end.
    ///
    /// When the task is cancelled, the transfer is too. If two tasks wait at once, the earlier gets nil.
    package func next() async throws(UpstreamError) -> [UInt8]? {
        let result: Result<[UInt8]?, UpstreamError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                engine.queue.async { [transfer, engine] in engine.take(transfer, continuation) }
            }
        } onCancel: { [transfer, engine] in
            engine.cancel(transfer)
        }
        return try result.get()
    }

    /// The trailers and the kind of connection, once `next` has returned nil; nil before.
    package var ending: UpstreamEnding? {
        get async {
            await withCheckedContinuation { continuation in
                engine.queue.async { [transfer] in continuation.resume(returning: transfer.ending) }
            }
        }
    }

    package func makeAsyncIterator() -> Iterator {
        Iterator(body: self)
    }

    package struct Iterator: AsyncIteratorProtocol {
        let body: UpstreamBody

        package mutating func next() async throws(UpstreamError) -> [UInt8]? {
            try await body.next()
        }

        package mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(UpstreamError) -> [UInt8]? {
            try await body.next()
        }
    }
}
