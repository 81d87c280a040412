// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPTypes
package import MockServer
import MockapiHTTPSyntax

/// The evidence of a step when it is over: the client's observations, and the server's.
package struct StepEvidence: Sendable {
    package let step: Step
    /// Whether the client is a `Networking`, whose errors are of kinds that are agreed on; other clients may not distinguish kinds of errors.
    package let tellsKinds: Bool
    /// In the order they were reported; a client may give up some.
    package let outcomes: [StepOutcome]
    /// The requests to the step's path and below it, oldest first.
    package let entries: [JournalEntry]
    /// The requests of all steps.
    package let run: [JournalEntry]
    /// Scheme, host and port of the step's URL; empty if that is not known.
    package let base: String
    /// Whether the server had seen nothing of the request's end when the client had said for long that it was cancelled.
    package var endsLate = false
    /// Whether the client has closed its end of the connection, and the server does not see that because a process that was started meanwhile has
    /// the socket, too.
    package var isClosedByClient = false
    /// When the client was done with the step at the latest, in seconds since 1970; nil if that is not known.
    package var endedAt: Double?

    package init(
        _ step: Step, outcomes: [StepOutcome], journal: [JournalEntry], base: String = "", tellsKinds: Bool = false
    ) {
        self.step = step
        self.tellsKinds = tellsKinds
        self.outcomes = outcomes
        self.base = base
        run = journal
        entries = journal.filter { step.owns($0) }
    }

    /// Whether a request asks for a content coding (RFC 9110 §12.5.3).
    package func asks(for coding: String) -> Bool {
        entries.contains { entry in
            var isNamed: Bool?
            var takesAny = false
            for value in entry.values("Accept-Encoding") {
                for item in value.lowercased().split(ascii: ",") {
                    let parts = item.filter { $0 != " " && $0 != "\t" }.split(ascii: ";")
                    let takes = !parts.dropFirst().contains { $0.wholeMatch(of: /q=0(\.0*)?/) != nil }
                    if let name = parts.first, name == coding { isNamed = takes }
                    if parts.first == "*" { takesAny = takes }
                }
            }
            return isNamed ?? takesAny
        }
    }

    /// Whether a request names a host and the port of the step's URL; a driver may call the server by another of its names.
    func reaches(_ entry: JournalEntry) -> Bool {
        let authority = entry.request.authority ?? ""
        guard let port = base.split(ascii: ":").dropFirst(2).last else { return !authority.isEmpty }
        return authority.hasSuffix(":\(port)") && authority.count > port.count + 1
    }

    /// Whether the step's request came on a connection that had carried another request before.
    var isOfConnectionInUse: Bool {
        guard let entry = entries.first else { return false }
        return run.contains { $0.connection == entry.connection && $0.receivedAt < entry.receivedAt }
    }

    /// The first request of each step of the run that went to the same server as this step.
    var firstOfSteps: [JournalEntry] {
        guard let authority = entries.first?.request.authority else { return [] }
        var seen: Set<Substring> = []
        return run.filter { entry in
            guard entry.request.authority == authority, entry.origin.hasPrefix(Step.root) else { return false }
            return seen.insert(entry.origin.dropFirst(Step.root.count).prefix { $0 != "/" && $0 != "?" }).inserted
        }
    }

    /// Whether the response to one of these requests is still being sent.
    func isStillOpen(_ entries: [JournalEntry]) -> Bool {
        endsLate || !isClosedByClient && entries.contains { $0.abandonment == nil }
    }

    /// Whether the step's requests came over HTTP/2; if none came, whether any of the run did.
    package var speaksHTTP2: Bool {
        (entries.isEmpty ? run : entries).contains { $0.protocolName == WireProtocol.http2.rawValue }
    }
}

extension Step {
    /// Whether a request is to the step's path or below it.
    func owns(_ entry: JournalEntry) -> Bool {
        let target = entry.origin
        guard target.hasPrefix(path) else { return false }
        let next = target.dropFirst(path.count).first
        return next == nil || next == "/" || next == "?"
    }
}

extension JournalEntry {
    /// The values of the lines with a name, in any case.
    package func values(_ name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }
}
