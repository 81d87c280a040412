// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiEventLoops
import MockapiHTTPSyntax
import MockapiHTTPWire
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

// The shards that servers keep on a loop; on the loop only.
extension EventLoop {
    /// The part of a server that lives on this loop.
    func shard(of server: HTTPServer) -> ServerShard {
        if let shard = existingShard(of: server) { return shard }
        let shard = ServerShard(server: server, loop: self)
        keep(shard, of: server)
        return shard
    }

    func existingShard(of server: HTTPServer) -> ServerShard? { resident(of: server) as? ServerShard }

    func removeShard(of server: HTTPServer) { keep(nil, of: server) }

    /// Takes over a connection that was dealt to this loop.
    func adopt(_ descriptor: Int32, _ peer: SocketAddress, for server: HTTPServer) {
        if server.isStopping {
            _ = systemClose(descriptor)
            load.wrappingSubtract(1, ordering: .relaxed)
        } else {
            shard(of: server).adopt(descriptor, peer)
        }
    }

    /// The start of the batch of events at hand, by both clocks.
    var timestamps: Timestamps { Timestamps(monotonic: now, wall: wallNow) }

    /// The Date line of the second at hand.
    var date: DateLine { DateLine(bytes: text(ofSecond: { DateLine(HTTPDate.format($0)).bytes })) }
}

/// `close(2)`, which the loop's method hides.
private func systemClose(_ descriptor: Int32) -> Int32 {
    #if canImport(Glibc)
        Glibc.close(descriptor)
    #else
        Darwin.close(descriptor)
    #endif
}
