// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import NetworkingKit
import Synchronization

/// The food service without a service.
final class Fake_FoodService: Gettable {
    let result: Result<[Food], any Error>
    private let calls = Mutex(0)

    init(_ result: Result<[Food], any Error>) {
        self.result = result
    }

    var getWasCalled: Bool { calls.withLock { $0 > 0 } }

    func get() async throws -> [Food] {
        calls.withLock { $0 += 1 }
        return try result.get()
    }
}
