// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Fixtures
import HTTPMessage

/// What a log says of one request.
struct RequestLogLine {
    let record: JournalRecord
    let method: String
    let target: String
    /// The file that answered; nil where none did.
    let file: String?
    /// Why nothing answered, on one line.
    let explanation: String?

    init(
        _ record: JournalRecord, _ head: borrowing RequestHead, _ answer: Responder.Answer, _ set: FixtureSet,
        reason: String?
    ) {
        self.record = record
        method = head.string(head.method)
        target = head.string(head.target)
        switch answer.outcome {
        case .stub: file = set.stubs[answer.ordinal].place.path
        case .file: file = set.files[answer.ordinal].path
        case .miss, .refused: file = nil
        }
        explanation = answer.miss.map { MissReport($0).short } ?? reason
    }
}
