// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiEventLoops
import MockapiHTTPWire
import MockapiSystemIO
import Synchronization

/// The socket that connections come by; it deals them to the least loaded loops.
final class Listener: Channel {
    private let server: HTTPServer
    /// How long accepting rests if the process has no descriptor left, until connections have made room. 2 ms.
    private static let rest: UInt64 = 2_000_000
    /// Connections accepted in one turn before others have theirs. 512: some milliseconds.
    private static let perTurn = 512

    init(descriptor: Int32, server: HTTPServer, loop: EventLoop) {
        self.server = server
        super.init(descriptor: descriptor, loop: loop)
    }

    override func ready(_ event: PollEvent) {
        acceptAll()
    }

    override func due(now: UInt64) {
        acceptAll()
    }

    override func resumed() {
        acceptAll()
    }

    private func acceptAll() {
        for _ in 0..<Self.perTurn {
            do throws(SystemError) {
                guard let (descriptor, peer) = try Socket.accept(descriptor) else { return }
                deal(descriptor, peer)
            } catch {
                makeRoom()
                loop.schedule(self, at: loop.now + Self.rest)
                return
            }
        }
        loop.resume(self, goesAhead: true)
    }

    private func deal(_ descriptor: Int32, _ peer: SocketAddress) {
        let target = server.group.leastLoaded()
        target.load.wrappingAdd(1, ordering: .relaxed)
        if target === loop {
            loop.adopt(descriptor, peer, for: server)
        } else {
            let server = server
            target.execute { $0.adopt(descriptor, peer, for: server) }
        }
    }

    /// Makes every loop give up the connections that have waited longest.
    private func makeRoom() {
        for other in server.group.loops {
            let server = server
            if other === loop {
                loop.shard(of: server).evict()
            } else {
                other.execute { $0.existingShard(of: server)?.evict() }
            }
        }
    }
}
