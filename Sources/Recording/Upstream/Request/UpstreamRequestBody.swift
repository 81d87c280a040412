// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The content of a request: the bytes as they are sent.
package enum UpstreamRequestBody: Sendable {
    /// No content, and no field about it.
    case none
    case bytes([UInt8])
    /// Chunks that are asked for as the server takes them, until nil; an empty chunk says nothing.
    ///
    /// With a length the chunks must add up to it; without, they are sent chunked in HTTP/1.1. Such a request is never sent again on another
    /// connection. `next` is called by one task at a time, which is cancelled when the request ends.
    case chunks(length: Int?, next: @Sendable () async throws -> [UInt8]?)

    /// The elements of a sequence as chunks.
    package static func sequence<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks, length: Int? = nil
    ) -> UpstreamRequestBody where Chunks.Element == [UInt8] {
        let pull = SequencePull(chunks)
        return .chunks(length: length) { try await pull.next() }
    }
}
