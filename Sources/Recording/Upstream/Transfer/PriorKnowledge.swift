// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Which requests of HTTP/2 by prior knowledge wait for a connection, by the origin they go to.
///
/// libcurl 7.87 and 7.88 send the preface of HTTP/2 again on a connection that has it already (curl issue 10634). So a request is first tried
/// on a connection that is there, without asking for prior knowledge; if there is none it makes one, and those that come
/// meanwhile wait until that stands.
struct PriorKnowledge {
    private var waiting: [String: [Transfer]] = [:]

    /// Whether a version of libcurl has the fault.
    static func isNeeded(version: UInt32) -> Bool {
        (0x075700..<0x080000).contains(version)
    }

    /// Keeps a transfer if a connection to its origin is being made.
    mutating func wait(_ transfer: Transfer) -> Bool {
        waiting[transfer.origin]?.append(transfer) != nil
    }

    /// A transfer begins to make a connection.
    mutating func lead(_ transfer: Transfer) {
        waiting[transfer.origin] = []
    }

    /// A connection stands, or never will.
    ///
    /// - Returns: those that have waited for it.
    mutating func release(_ origin: String) -> [Transfer] {
        waiting.removeValue(forKey: origin) ?? []
    }
}
