// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Which statuses a fetch takes for a success.
public struct AcceptedStatuses: Sendable {
    /// 2xx.
    public static let successful = AcceptedStatuses(200..<300)
    /// Whatever comes: the data of an error is data too.
    public static let any = AcceptedStatuses { _ in true }

    private let accepts: @Sendable (Int) -> Bool

    public init(_ accepts: @escaping @Sendable (Int) -> Bool) {
        self.accepts = accepts
    }

    public init(_ statuses: Range<Int>) {
        accepts = statuses.contains
    }

    public func contains(_ status: Int) -> Bool {
        accepts(status)
    }
}
