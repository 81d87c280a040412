// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// How many bytes of a request and its answer have gone over the wire.
public struct TransferProgress: Hashable, Sendable {
    public let completed: Int64
    /// Nil where it is not known.
    public let total: Int64?

    public init(completed: Int64, total: Int64?) {
        self.completed = completed
        self.total = total
    }

    /// From 0 to 1; nil where the total is not known.
    public var fraction: Double? {
        guard let total, total > 0 else { return nil }
        return min(1, Double(completed) / Double(total))
    }
}
