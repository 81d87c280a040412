// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPWire

/// The buffers that a connection needs while a request of it is under way; idle connections have none.
final class RequestBuffers {
    let input: ByteBuffer
    let output: OutputQueue
    let http1: HTTP1Session

    init(limits: RequestLimits) {
        input = ByteBuffer()
        output = OutputQueue()
        http1 = HTTP1Session(
            limits: limits, input: input, output: output, outputLimit: ServerConfiguration.outputHighWater)
    }

    /// Whether nothing is under way, so that another connection can have it.
    var isIdle: Bool { input.isEmpty && output.isEmpty && http1.isIdle }
}
