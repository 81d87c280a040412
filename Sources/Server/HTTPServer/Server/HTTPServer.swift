// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch
package import MockapiEventLoops
import MockapiHTTPWire
import MockapiSystemIO
import Synchronization

/// Listening sockets and the connections that come by them, spread over the loops of a group.
package final class HTTPServer: Sendable {
    let configuration: ServerConfiguration
    let group: EventLoopGroup
    let makeHandler: @Sendable (EventLoop) -> any RequestHandler
    /// Connections a loop holds for this server before the longest-waiting one has to go.
    let connectionsPerLoop: Int
    let tls: TLSProvider?
    /// The Date line of all responses; nil for the current second's.
    let date: DateLine?
    private let stopping = Atomic<Bool>(false)

    /// Counts connections over all servers of the process.
    static let connectionCounter = Atomic<UInt64>(0)

    /// Begins to accept; the socket belongs to the server from now on.
    package convenience init(
        _ socket: ListeningSocket, _ configuration: ServerConfiguration, group: EventLoopGroup,
        handler: @escaping @Sendable (EventLoop) -> any RequestHandler
    ) {
        self.init([socket], configuration, group: group, handler: handler)
    }

    /// Begins to accept; the sockets belong to the server from now on.
    ///
    /// - Parameter date: the text of Date lines; nil for the time of the clock.
    package init(
        _ sockets: [ListeningSocket], _ configuration: ServerConfiguration, date: String? = nil, group: EventLoopGroup,
        handler: @escaping @Sendable (EventLoop) -> any RequestHandler
    ) {
        self.date = date.map { DateLine($0) }
        self.configuration = configuration
        self.group = group
        makeHandler = handler
        tls = configuration.tls.map { TLSProvider($0, report: configuration.reportTLS) }
        let descriptors = DescriptorLimit.current - DescriptorLimit.reserve
        let connections = max(group.loops.count, min(configuration.maxConnections, descriptors))
        connectionsPerLoop = max(1, connections / group.loops.count)
        for socket in sockets {
            group.next().execute { loop in loop.shard(of: self).listen(socket.descriptor) }
        }
    }

    /// Whether `stop` has been called: a connection that is on its way to a loop is closed there.
    var isStopping: Bool { stopping.load(ordering: .acquiring) }

    /// Stops accepting, lets the responses under way go out, and returns when every connection is closed and the port is free.
    ///
    /// - Parameter grace: how long responses under way may take; connections that last longer are cut.
    package func stop(grace: Duration = .zero) async {
        let isFirst = !stopping.exchange(true, ordering: .acquiringAndReleasing)
        let done = DispatchGroup()
        for loop in group.loops {
            done.enter()
            loop.execute { loop in
                guard let shard = loop.existingShard(of: self) else { return done.leave() }
                if isFirst {
                    shard.stop(by: loop.now &+ grace.nanoseconds) { done.leave() }
                } else {
                    shard.whenStopped { done.leave() }
                }
            }
        }
        await withCheckedContinuation { continuation in
            done.notify(queue: .global()) { continuation.resume() }
        }
    }
}
