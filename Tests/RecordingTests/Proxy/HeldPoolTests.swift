// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch
import MockServer
import MockapiTestSupport
import MockapiWireSupport
import Synchronization
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What goes on while other tasks hold every thread of the pool that tasks share, as a test does that blocks in an `async` function.
@Suite(.supervised) struct HeldPoolTests {
    /// Holds the threads of the pool for as long as a body runs.
    private static func holdingThePool(_ body: () async throws -> Void) async throws {
        let end = DispatchSemaphore(value: 0)
        let held = Counter()
        defer { for _ in 0..<256 { end.signal() } }
        for _ in 0..<256 {
            Task.detached {
                held.add()
                end.wait()
            }
        }
        // A thread that comes later, which it may on a busy machine, takes one of those that wait.
        try await untilOnThisThread { held.value > 0 }
        try await body()
        #expect(held.value < 256, "a thread was free")
    }

    private final class Counter: Sendable {
        private let count = Atomic(0)

        var value: Int { count.load(ordering: .relaxed) }

        func add() {
            count.add(1, ordering: .relaxed)
        }
    }

    /// Waits by blocking, since a task that sleeps is woken by the pool.
    private static func untilOnThisThread(_ condition: () -> Bool) async throws {
        let pause = DispatchSemaphore(value: 0)
        for _ in 0..<24_000 where !condition() { _ = pause.wait(timeout: .now() + .milliseconds(5)) }
        try #require(condition())
    }

    @Test func `fixtures are served, and responses recorded, while no thread of the pool is free`() async {
        await #expect(processExitsWith: .success) {
            try await withTaskExecutorPreference(BlockingThreads.shared) {
                let directory = try TemporaryDirectory(["a.json": "[1]"])
                let upstream = try await MockServer.start(fixtures: directory.path)
                try await ProxyBed.recording([upstream.address]) { bed in
                    try await Self.holdingThePool {
                        let client = try WireClient(port: try #require(upstream.baseURL.port))
                        #expect(try client.request("GET", "/a.json").text == "[1]")
                        let proxied = try WireClient(port: bed.port)
                        #expect(try proxied.request("GET", "/a.json").text == "[1]")
                        try await Self.untilOnThisThread { !bed.report.outcomes.isEmpty }
                        #expect(bed.into.text("a.json") == "[1]")
                    }
                }
                await upstream.stop()
            }
        }
    }
}
