// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPMessage
import HTTPServer

/// What a request that is passed on leaves behind for the journal, until its answer begins.
struct PassedNote: Sendable {
    let head: RequestHead
    let body: [UInt8]
    let trailers: [RequestHead.Field]
    let connection: ConnectionInfo
    let stream: UInt32
    let receivedAt: Moment
}
