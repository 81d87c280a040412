// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiEventLoops
import MockapiTestSupport
import Testing

@testable import MockapiHTTPServer

/// Where `localhost` is.
@Suite(.supervised) struct LocalhostTests {
    @Test(arguments: [("localhost", 2), ("LOCALHOST", 2), ("api.localhost", 2), ("127.0.0.1", 1), ("::1", 1)])
    func `a name of this machine has the addresses of both families, an address is itself`(
        host: String, count: Int
    ) async throws {
        let loop = try EventLoop(index: 0)
        let families = await withCheckedContinuation { continuation in
            loop.execute { _ in
                ClientAddress.find(ClientTarget(host: host, port: 1), on: loop) { addresses in
                    continuation.resume(returning: Set(addresses.map { Int($0.family) }))
                }
            }
        }
        #expect(families.count == count)
    }
}
