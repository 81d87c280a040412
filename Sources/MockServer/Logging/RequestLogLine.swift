// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Fixtures
import HTTPSyntax
import StubMatching

/// What a log says of one request.
struct RequestLogLine {
    let record: JournalRecord
    let method: String
    /// Without the values of parameters that are named like secrets.
    let target: String
    /// The file that answered; nil where none did.
    let file: String?
    /// What became of a request that was passed on; nil where it was not.
    let passed: ProxiedSummary?
    /// What came of the scenario of the stub that answered; nil where it has no part in any.
    let move: ScenarioMove?
    /// Why nothing answered, on one line.
    let explanation: String?

    init(
        _ record: JournalRecord, _ head: borrowing RequestHead, _ answer: Responder.Answer, _ set: FixtureSet,
        reason: String?, passed: ProxiedSummary?
    ) {
        self.record = record
        method = head.string(head.method)
        target = Confidential.target(head.string(head.target))
        switch answer.outcome {
        case .stub: file = set.stubs[answer.ordinal].place.path
        case .file: file = set.files[answer.ordinal].path
        case .miss, .refused, .passed, .preflight: file = nil
        }
        self.passed = passed
        move = answer.move
        explanation = reason ?? answer.miss.map { MissReport($0).short }
    }
}
