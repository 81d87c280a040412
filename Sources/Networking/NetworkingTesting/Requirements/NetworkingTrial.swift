// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServer
import NetworkingCore

/// The means of a requirement of a networking: its stage and its path.
struct NetworkingTrial: Sendable {
    let stage: ContractStage
    /// Where the requirement's requests go.
    let path: String

    var networking: any Networking { stage.networking }

    /// The networking with a delegate, which the caller must keep.
    func networking(_ delegate: any NetworkingDelegate) -> any Networking {
        var networking = stage.networking
        networking.delegate = delegate
        return networking
    }

    func request(_ suffix: String = "") throws -> ContractRequest<Data> {
        ContractRequest(try stage.url(path + suffix))
    }

    func request<Output>(
        _ read: @escaping @Sendable (Data) throws -> Output
    ) throws -> ContractRequest<Output> {
        ContractRequest(try stage.url(path), read: read)
    }

    /// Fetches by the awaited form.
    func fetch(_ request: any Request) async throws -> Data {
        try await fetch(request, networking)
    }

    func fetch(_ request: any Request, _ networking: any Networking) async throws -> Data {
        try await networking.data(for: request)
    }

    /// Fetches by the form that publishes.
    func published(_ request: any Request, _ networking: any Networking) async throws -> Data {
        let publisher: AnyPublisher<Data, URLError> = networking.fetch(request)
        return try await publisher.firstValue()
    }

    var entries: [JournalEntry] { stage.entries(path) }

    /// The values of a field over all requests, nil if a request does not have it.
    func values(_ name: String) -> [String?] {
        entries.map { entry in
            let values = entry.fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
            return values.isEmpty ? nil : values.joined(separator: ", ")
        }
    }
}
