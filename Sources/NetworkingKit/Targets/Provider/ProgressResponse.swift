// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Told how far a transfer is.
public typealias ProgressBlock = @Sendable (ProgressResponse) -> Void

/// How far a transfer is; the last one has its response.
public struct ProgressResponse: Sendable {
    /// The bytes that have gone over the wire; nil beside the response.
    public let transfer: TransferProgress?
    /// The response; nil while it is on its way.
    public let response: Endpoint.Response?

    public init(transfer: TransferProgress? = nil, response: Endpoint.Response? = nil) {
        self.transfer = transfer
        self.response = response
    }

    /// From 0 to 1; 0 as long as the length of the content is not known.
    public var progress: Double { completed ? 1 : transfer?.fraction ?? 0 }
    public var completed: Bool { response != nil }
}
