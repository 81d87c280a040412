// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// One thing that a client is asked to do: send a request, and say what came of it.
package struct Step: Sendable {
    /// When a request is cancelled that is not to be waited for.
    package enum Cancellation: Sendable {
        /// As soon as the server has it.
        case whenItHasArrived
    }

    /// What reports are told apart by; the path of the request has it too.
    package let id: String
    package var method = "GET"
    /// Path and query behind the step's own path, percent-encoded.
    package var suffix = ""
    package var headers: [(name: String, value: String)] = []
    package var body: [UInt8]?
    /// How long the client may take for it, in whole seconds.
    package var timeout = 10
    /// How many requests of the kind are sent, all at once.
    package var times = 1
    package var cancellation: Cancellation?

    package init(_ id: String) {
        self.id = id
    }

    /// Where every step's path starts.
    package static let root = "/contract/"

    package var path: String { Self.root + id }
    package var target: String { path + suffix }
}
