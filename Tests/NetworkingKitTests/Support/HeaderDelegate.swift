// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import NetworkingKit
import Synchronization

/// A delegate that counts how often it is asked for headers, and numbers them.
final class HeaderDelegate: NetworkingDelegate {
    private let count = Mutex(0)
    private let others: [String: String]

    init(_ others: [String: String] = [:]) {
        self.others = others
    }

    var timesAsked: Int { count.withLock { $0 } }

    func headers(for networking: any Networking) -> [String: String] {
        let number = count.withLock { count in
            count += 1
            return count
        }
        return others.merging(["X-Number": "\(number)"]) { _, new in new }
    }
}
