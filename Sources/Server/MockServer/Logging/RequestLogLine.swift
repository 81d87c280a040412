// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiStubMatching

/// A log line about one request.
struct RequestLogLine {
    let record: JournalRecord
    let method: String
    /// Without the values of parameters that are named like secrets.
    let target: String
    /// The file that matched; nil if none did.
    let file: String?
    /// The outcome of a proxied request; nil if it was not proxied.
    let proxied: ProxiedSummary?
    /// The move of the scenario of the stub that matched; nil if the stub takes part in none.
    let move: ScenarioMove?
    /// Why nothing matched, on one line.
    let explanation: String?

    init(
        _ record: JournalRecord, _ head: borrowing RequestHead, _ served: ServedResponse, _ set: FixtureSet,
        reason: String?, proxied: ProxiedSummary?
    ) {
        self.record = record
        method = head.string(head.method)
        target = Confidential.target(head.string(head.target))
        switch served.outcome {
        case .stub: file = set.stubs[served.ordinal].place.path
        case .file: file = set.files[served.ordinal].path
        case .miss, .refused, .proxied, .preflight: file = nil
        }
        self.proxied = proxied
        move = served.move
        explanation = reason ?? served.miss.map { MissReport($0).short }
    }
}
