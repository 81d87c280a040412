// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServer
import MockapiContract
import NetworkingCore

/// The stage of a requirement: a networking that has sent nothing yet, and the server or responder of its requests.
struct ContractStage: Sendable {
    var networking: any Networking
    let base: URL
    /// The requests that came, oldest first.
    let journals: [Journal]
    /// Whether requests go over connections; else the responses come from the process.
    let hasConnections: Bool
    /// The URL that is fetched first, so that it is known whether the networking can do that much.
    var control: URL?

    init(networking: any Networking, base: URL, journals: [Journal], hasConnections: Bool, control: URL? = nil) {
        self.networking = networking
        self.base = base
        self.journals = journals
        self.hasConnections = hasConnections
        self.control = control
    }

    var journal: [JournalEntry] { journals.entries }

    /// - Parameter target: path and query, percent-encoded.
    func url(_ target: String) throws -> URL {
        guard let url = URL(string: base.absoluteString + target) else { throw URLError(.badURL) }
        return url
    }

    /// The requests that came to a path, whatever their query, oldest first.
    func entries(_ path: String) -> [JournalEntry] {
        journal.filter { $0.target == path || $0.target.hasPrefix("\(path)?") }
    }

    /// Waits until the journal meets a condition.
    ///
    /// - Returns: false if it does not within the limit.
    func journal(within limit: Duration, has isThere: @Sendable ([JournalEntry]) -> Bool) async -> Bool {
        var patience = Patience(limit)
        while !isThere(journal) {
            guard await patience.pause() else { return false }
        }
        return true
    }

    /// Waits until the server sees that the client has given up the request to a target.
    ///
    /// - Parameter sockets: the sockets that this process had open when the request had come.
    /// - Returns: whether it sees that, or cannot, as it is closed here and open in a process that was started meanwhile.
    func seesEnd(of target: String, _ sockets: HeldSockets) async -> Bool {
        let isSeen: @Sendable ([JournalEntry]) -> Bool = { journal in
            journal.contains { $0.target == target && $0.abandonment != nil }
        }
        if await journal(within: StepPlayer.soon, has: isSeen) { return true }
        if sockets.isClosed(journal, target) { return true }
        return await journal(within: StepPlayer.notice, has: isSeen) || sockets.isClosed(journal, target)
    }
}
