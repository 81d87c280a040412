// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiSystemIO
import Synchronization

/// The loops that servers share.
package final class EventLoopGroup: Sendable {
    package let loops: [EventLoop]
    private let turn = Atomic<Int>(0)

    /// The loops of this process, as many as it may use processors; made when first asked for.
    package static let shared: Result<EventLoopGroup, SystemError> = {
        do throws(SystemError) {
            return .success(try EventLoopGroup(count: Processors.usable))
        } catch {
            return .failure(error)
        }
    }()

    package init(count: Int) throws(SystemError) {
        var loops: [EventLoop] = []
        for index in 0..<max(1, count) { loops.append(try EventLoop(index: index)) }
        self.loops = loops
    }

    /// The loops in turn, for listeners.
    package func next() -> EventLoop {
        loops[turn.wrappingAdd(1, ordering: .relaxed).oldValue % loops.count]
    }

    /// The loop with the fewest connections.
    package func leastLoaded() -> EventLoop {
        var least = loops[0]
        var load = least.load.load(ordering: .relaxed)
        for loop in loops.dropFirst() {
            let other = loop.load.load(ordering: .relaxed)
            if other < load {
                least = loop
                load = other
            }
        }
        return least
    }
}
