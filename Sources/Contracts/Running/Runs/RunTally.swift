// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockServer
import Synchronization

/// Counts the sources of the responses in a run, however many they are.
package final class RunTally: ResponseObserver {
    /// The requests of one protocol.
    package struct Traffic: Hashable, Sendable {
        /// `HTTP/1.1`, `HTTP/1.0` or `HTTP/2`.
        package let protocolName: String
        package let isEncrypted: Bool
        package var requests = 0
        package var connections = 0
    }

    private struct State {
        var hits: [ServedRequest.Source: Int] = [:]
        var traffic: [Traffic] = []
        /// For each protocol, the connections seen; `connectionLimit` bounds how many are remembered.
        var connections: [Set<UInt64>] = []
    }

    /// Connections of a protocol that are told apart; those beyond are one each. 100,000.
    private static let connectionLimit = 100_000

    private let state = Mutex(State())

    package init() {}

    package func didServe(_ request: ServedRequest) {
        state.withLock { state in
            state.hits[request.source, default: 0] += 1
            let name = request.protocolName == "HTTP/2.0" ? "HTTP/2" : request.protocolName
            let known = state.traffic.firstIndex { $0.protocolName == name && $0.isEncrypted == request.isEncrypted }
            let index = known ?? state.traffic.endIndex
            if known == nil {
                state.traffic.append(Traffic(protocolName: name, isEncrypted: request.isEncrypted))
                state.connections.append([])
            }
            state.traffic[index].requests += 1
            guard !state.connections[index].contains(request.connection) else { return }
            state.traffic[index].connections += 1
            if state.connections[index].count < Self.connectionLimit {
                state.connections[index].insert(request.connection)
            }
        }
    }

    package func hits(of source: ServedRequest.Source) -> Int { state.withLock { $0.hits[source] ?? 0 } }

    /// The number of all requests.
    package var requests: Int { state.withLock { $0.hits.values.reduce(0, +) } }

    /// The number of unmatched requests.
    package var misses: Int { hits(of: .miss) }

    /// The number of messages that were refused before they were matched.
    package var refusals: Int { hits(of: .refused) }

    /// In the order in which the protocols were first spoken.
    package var traffic: [Traffic] { state.withLock { $0.traffic } }
}
