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
