// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// How long a request may take, to the millisecond; nil for as long as it likes.
package struct UpstreamTimeouts: Hashable, Sendable {
    /// Until the connection stands: name, TCP and TLS. 10 s.
    package var connect: Duration?
    /// From the start to the last byte, whatever the consumer of a stream takes for itself.
    package var whole: Duration?
    /// Without a byte of the request or the response, the time for the connection included and that in which the
    /// consumer of a stream or the source of the content is waited for left out. 60 s.
    package var idle: Duration?

    package init(
        connect: Duration? = .seconds(10), whole: Duration? = nil, idle: Duration? = .seconds(60)
    ) {
        self.connect = connect
        self.whole = whole
        self.idle = idle
    }
}
