// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The iterator of a sequence, kept between calls.
///
/// `@unchecked Sendable`: `iterator` is touched by `next` only, which a request calls from one task at a time, each begun after the last
/// one's value has gone through the client's queue.
final class SequencePull<Chunks: AsyncSequence & Sendable>: @unchecked Sendable where Chunks.Element == [UInt8] {
    private var iterator: Chunks.AsyncIterator

    init(_ chunks: Chunks) {
        iterator = chunks.makeAsyncIterator()
    }

    func next() async throws -> [UInt8]? {
        try await iterator.next()
    }
}
