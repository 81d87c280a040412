// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import NetworkingKit
import UpstreamNetworking

/// A networking that sends in its own way, by a networker that does right.
final class AlteredNetworking: WireNetworking {
    typealias Sending =
        @Sendable (URLRequest, URL?, TransferOptions, UpstreamNetworker) async throws(URLError) -> DataResponse

    let acceptedStatuses: AcceptedStatuses
    private let reference = DelegateReference()
    private let networker: UpstreamNetworker
    private let sending: Sending

    init(
        _ networker: UpstreamNetworker = ContractClient.upstream(.http1), statuses: AcceptedStatuses = .successful,
        _ sending: @escaping Sending
    ) {
        acceptedStatuses = statuses
        self.networker = networker
        self.sending = sending
    }

    var delegate: (any NetworkingDelegate)? {
        get { reference.delegate }
        set { reference.delegate = newValue }
    }

    func send(
        _ request: URLRequest, file: URL?, options: TransferOptions
    ) async throws(URLError) -> DataResponse {
        try await sending(request, file, options, networker)
    }
}
