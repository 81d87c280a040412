// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiProxy
import MockapiUpstream
import Synchronization

/// Requests that are the same as one that is under way: they wait until its response is served, so that a service is asked once.
final class JoinedRequests: Sendable {
    /// A 128-bit hash of a request, without the header fields that differ from request to request.
    struct Key: Hashable {
        private let first: UInt64
        private let second: UInt64

        init(_ request: OutgoingRequest) {
            var bytes = Array("\(request.origin.text)\n\(request.method)\n\(request.target)\n".utf8)
            for field in request.fields where ResponseHeaders.treatment(of: field.name.lowercased()) != .dropped {
                bytes += Array("\(field.name.lowercased()):".utf8) + field.bytes + [UInt8(ascii: "\n")]
            }
            bytes += request.body ?? []
            first = ContentHash.of(bytes)
            second = ContentHash.of(bytes, seed: 0x9B05_688C_2B3E_6C1F)
        }
    }

    private struct State {
        /// The callbacks of those that wait for a request's response, by that request.
        var waiting: [Key: [@Sendable () -> Void]] = [:]
        /// Requests whose responses are recorded, and served as soon as the fixtures are loaded anew.
        var recorded: [Key] = []
    }

    private let state = Mutex(State())

    /// - Parameter again: called once the response is served, or there is none.
    /// - Returns: whether the request is the first, and has to be sent.
    func join(_ key: Key, _ again: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            guard state.waiting[key] != nil else {
                state.waiting[key] = []
                return true
            }
            state.waiting[key]?.append(again)
            return false
        }
    }

    /// The response to a request is in the fixtures.
    func note(recorded key: Key) {
        state.withLock { $0.recorded.append(key) }
    }

    /// Lets those go on that wait for what was recorded before `load`, which has it served.
    func load(_ load: () -> Void) {
        let recorded = state.withLock { state in
            defer { state.recorded = [] }
            return state.recorded
        }
        load()
        for key in recorded { release(key) }
    }

    /// Lets those go on that wait for a request.
    func release(_ key: Key) {
        for again in state.withLock({ $0.waiting.removeValue(forKey: key) ?? [] }) { again() }
    }
}
