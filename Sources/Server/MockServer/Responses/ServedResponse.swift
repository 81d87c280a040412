// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPWire

/// A response and its source, for journal and log.
struct ServedResponse: Sendable {
    var response: Response
    var outcome: JournalRecord.Outcome
    // Numbers of 32 bits, so that the whole takes four words: larger values are copied in memory, with counting, wherever they are passed.
    private let narrowOrdinal: Int32
    private let narrowStep: Int32
    var fault: Fault.Kind?
    var isNoted = true
    /// Whether the stub has turned the request away.
    var isRefusal = false
    /// Whether the client went away before there was a response.
    var isGivenUp = false
    /// The data that few responses have, kept apart: a `ServedResponse` is copied several times.
    private var told: Told?

    private final class Told: Sendable {
        let miss: Miss?
        let reason: String?
        let move: ScenarioMove?

        init(_ miss: Miss?, _ reason: String?, _ move: ScenarioMove?) {
            self.miss = miss
            self.reason = reason
            self.move = move
        }
    }

    /// A response with nothing to say about it.
    init(_ response: Response, _ outcome: JournalRecord.Outcome, _ ordinal: Int, step: Int) {
        self.response = response
        self.outcome = outcome
        narrowOrdinal = Int32(clamping: ordinal)
        narrowStep = Int32(clamping: step)
    }

    init(
        response: Response, outcome: JournalRecord.Outcome, ordinal: Int = -1, step: Int = 0,
        fault: Fault.Kind? = nil, miss: Miss? = nil, reason: String? = nil, isNoted: Bool = true,
        isRefusal: Bool = false, move: ScenarioMove? = nil
    ) {
        self.init(response, outcome, ordinal, step: step)
        self.fault = fault
        self.isNoted = isNoted
        self.isRefusal = isRefusal
        if miss != nil || reason != nil || move != nil { told = Told(miss, reason, move) }
    }

    /// The place of the stub or file in the set; -1 for neither.
    var ordinal: Int { Int(narrowOrdinal) }
    /// Which step of the stub, from 0.
    var step: Int { Int(narrowStep) }
    var miss: Miss? { told?.miss }
    /// Why it was refused, or why its source may not be the right one, for journal, verdict and log.
    var reason: String? { told?.reason }
    /// Gives the log and the verdict a reason if there is none.
    mutating func doubt(_ reason: String) {
        if told?.reason == nil { told = Told(miss, reason, move) }
    }

    /// The move of the stub's scenario.
    var move: ScenarioMove? { told?.move }
}
