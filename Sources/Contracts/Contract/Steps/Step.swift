// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// One thing that a client is asked to do: send a request, and report the result.
package struct Step: Sendable {
    /// Which request of a step is cancelled, and when.
    package enum Cancellation: Sendable {
        /// The first, as soon as the server has all of them; the others go on.
        case whenAllHaveArrived
    }

    /// The parts of a request, for a driver whose client puts them together. With a whole URL and whole bytes, a client can do least wrong.
    package struct Parts: Sendable {
        /// Names and values of the query, as they are before they are encoded.
        package var query: [(name: String, value: String)] = []
        /// The content in pieces; its length is not known before it ends.
        package var pieces: [[UInt8]] = []
        /// For Basic authentication (RFC 7617).
        package var credentials: (user: String, password: String)?

        /// The members that the plan has for these parts; a report names those that the client used.
        var names: [String] {
            [query.isEmpty ? nil : "query", pieces.isEmpty ? nil : "pieces", credentials == nil ? nil : "user"]
                .compactMap { $0 }
        }
    }

    /// A request among several that are sent one after the other.
    package struct Turn: Sendable {
        package var method = "GET"
        /// Path and query after the step's own path.
        package var suffix = ""
        package var headers: [(name: String, value: String)] = []
        package var body: [UInt8]?
        /// How long after the response to the one before it is sent, in milliseconds.
        package var delay = 0
    }

    /// The name that tells reports apart; the path of the request has it too.
    package let id: String
    package var method = "GET"
    /// Path and query after the step's own path, percent-encoded.
    package var suffix = ""
    package var headers: [(name: String, value: String)] = []
    package var body: [UInt8]?
    package var parts = Parts()
    /// How long the client may take for it, in whole seconds.
    package var timeout = 10
    /// How many requests are sent, all at once.
    package var times = 1
    /// Whether each of them has a URL of its own, `?n=` and its number from 0, so that responses which change places are seen.
    package var isNumbered = false
    package var cancellation: Cancellation?
    /// Rounds of requests that are sent and all cancelled before the step's own, if a driver can do that: after how many milliseconds each.
    package var cancelledRounds: [Int] = []
    /// The number of requests in a round: twice the places in the pools of most clients, since a request that waits for a place loses one. 220.
    package static let roundSize = 220
    /// The requests of a step that sends several in sequence, its own first; empty for a step that sends a single one.
    package var turns: [Turn] = []
    /// A user and a password, with a colon between them, that the step's URL has in front of its host.
    package var userinfo: String?
    /// The target that a driver with a new client for each step fetches first, so that the step's request finds a connection in use. A driver with
    /// one client for all steps has a connection from the steps before.
    package var warmUp: String?
    /// The step whose server this one goes to; nil for the server of the run.
    package var servedWith: String?

    /// How long the step's own server keeps an idle connection; nil for as long as the other servers do. Such a step's report gets its response when
    /// that time is over.
    package var idle: Duration?
    /// How many streams the step's own server allows from the moment on in which all of its requests are open; nil for no change.
    package var fewerStreams: Int?

    package init(_ id: String) {
        self.id = id
    }

    /// Where every step's path starts.
    package static let root = "/contract/"

    package var path: String { Self.root + id }
    package var target: String { path + suffix }
    /// Where the requests go that are cancelled first.
    package var cancelledPath: String { path + "/cancelled" }

    /// Path and query of one of the step's requests.
    ///
    /// - Parameter index: from 0.
    package func target(_ index: Int) -> String { isNumbered ? "\(path)?n=\(index)" : target }
}
