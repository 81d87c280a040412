// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch
import MockapiEventLoops
import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiUpstream
import Synchronization

/// The connections to services that belong to one client's connection alone.
///
/// NTLM and Negotiate sign a connection in, and not a request (RFC 4559 §6): the next request on it would get the responses of the user that signed
/// in. So from its first such request on, a client's connection gets connections to services of its own.
final class BoundClients: Sendable {
    /// Those of one client's connection, on the event loop that it lives on.
    struct Clients: Sendable {
        let plain: HTTPClient
        let secure: UpstreamClient
    }

    private struct State {
        var clients: [UInt64: Clients] = [:]
        /// The numbers of the clients' connections, the oldest first.
        var order: [UInt64] = []
    }

    /// Connections of clients that have some of their own; the oldest loses them. 128.
    private static let limit = 128

    private let state = Mutex(State())

    /// Those of a request's connection; nil if it has none, and signs nothing in.
    ///
    /// - Parameter make: makes them for a connection that signs in.
    func clients(of request: UnmatchedRequest, make: () -> Clients) -> Clients? {
        let signsIn = Self.signsIn(request.head)
        return state.withLock { state in
            if let known = state.clients[request.connection.id] { return known }
            guard signsIn else { return nil }
            if state.order.count >= Self.limit { state.clients[state.order.removeFirst()] = nil }
            let made = make()
            state.clients[request.connection.id] = made
            state.order.append(request.connection.id)
            return made
        }
    }

    private static func signsIn(_ head: RequestHead) -> Bool {
        head.fields.contains { field in
            guard field.name.count == 13, head.equalsIgnoringCase(field.name, "authorization") else { return false }
            let scheme = head.string(field.value).prefix { $0 != " " }.lowercased()
            return scheme == "ntlm" || scheme == "negotiate"
        }
    }
}
