// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import NetworkingKit
import Testing
import UpstreamNetworking

/// A networking that is wrong in one way, and the requirements it does not meet for that.
struct PlantedDefect: Sendable, CustomTestStringConvertible {
    let name: String
    /// The ids of the requirements it breaks.
    let breaks: Set<String>
    /// The right networking it is made from.
    let base: ContractClient
    let make: @Sendable () -> any Networking

    var testDescription: String { name }

    init(
        _ name: String, breaks: Set<String>, base: ContractClient = .http1,
        _ make: @escaping @Sendable () -> any Networking
    ) {
        self.name = name
        self.breaks = breaks
        self.base = base
        self.make = make
    }

    /// One that changes requests before they are sent.
    static func request(
        _ name: String, breaks: Set<String>, _ change: @escaping @Sendable (inout URLRequest) -> Void
    ) -> PlantedDefect {
        PlantedDefect(name, breaks: breaks) {
            AlteredNetworking { request, file, options, networker throws(URLError) in
                var request = request
                change(&request)
                return try await networker.send(request, file: file, options: options)
            }
        }
    }

    /// One that does not give its delegate what is its due.
    static func delegate(
        _ name: String, breaks: Set<String>, keepsDelegate: Bool = false,
        _ change: @escaping @Sendable (DelegateProxy) -> Void = { _ in }
    ) -> PlantedDefect {
        PlantedDefect(name, breaks: breaks, base: .networker) {
            ProxiedNetworking(keepsDelegate: keepsDelegate, change)
        }
    }
}
