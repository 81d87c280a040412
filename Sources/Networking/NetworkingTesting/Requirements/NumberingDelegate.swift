// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import NetworkingCore
import Synchronization

/// A delegate that numbers the requests it is asked about, and adds further headers.
final class NumberingDelegate: NetworkingDelegate {
    /// The field with the number.
    static let field = "X-Contract-Number"

    private let others: [String: String]
    private let count = Mutex(0)

    init(_ others: [String: String] = [:]) {
        self.others = others
    }

    func headers(for networking: any Networking) -> [String: String] {
        let number = count.withLock { count in
            count += 1
            return count
        }
        return others.merging([Self.field: "\(number)"]) { _, number in number }
    }
}
