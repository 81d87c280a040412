// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiWireSupport
import Synchronization
import Testing

@testable import MockServer

/// What is asked for a request that no stub matches is asked once, wherever the report on the miss is made.
@Suite(.supervised) struct AskedOnceTests {
    /// Targets whose comparison with those of stubs takes longer than an event loop has, and others.
    private static let targets = [1, 100, 6_000].map { count in
        "/u?" + (0..<count).map { "a\($0)=1" }.joined(separator: "&")
    }

    @Test(arguments: targets.map(Long.init))
    func `the fallback is asked once, though the report on a miss leaves the loop`(asked target: Long<String>)
        async throws
    {
        let target = target.value
        let asked = Mutex(0)
        let stub = #"{"request": {"url": "\#(target)&b"}, "response": {}}"#
        try await TestServer.serving(["x.stub.json": stub]) {
            $0.fallback = { _, _, _ in
                asked.withLock { $0 += 1 }
                return nil
            }
        } _: { server throws in
            let response = try server.get(target)
            #expect(response.status == 404 && response.text.contains("url"), "\(response.text.suffix(300))")
            #expect(asked.withLock { $0 } == 1)
        }
    }
}
