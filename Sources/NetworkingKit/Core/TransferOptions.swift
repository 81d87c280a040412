// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// What is wanted of a transfer beside its answer.
public struct TransferOptions: Sendable {
    /// Whether the content is put into a file: `DataResponse.file`.
    public var isDownload: Bool
    /// Told how far the transfer is each time some bytes have gone over the wire, and once at its end.
    public var progress: (@Sendable (TransferProgress) -> Void)?

    public init(isDownload: Bool = false, progress: (@Sendable (TransferProgress) -> Void)? = nil) {
        self.isDownload = isDownload
        self.progress = progress
    }
}

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
