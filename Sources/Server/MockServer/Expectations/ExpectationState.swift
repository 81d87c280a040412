// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// How far an expectation has come true, by the requests of one server.
///
/// Each is counted when it comes; requests that the journal had lost already when the expectation was made are counted as open.
struct ExpectationState {
    private enum Answer {
        case yes, no, unknown
    }

    /// Connections that are told apart; more are more than one. 1,000.
    private static let connectionLimit = 1_000

    var expectation: Expectation
    /// Why nothing can be expected so; nil if it can.
    let error: MockServerError?
    private let searches: [RequestSearch]
    /// The same requests whatever their bodies; nil if bodies are not looked at.
    private let bodiless: [RequestSearch?]
    /// The requests that it was given out of the journal, which may come once more.
    var seen: Set<UInt64> = []
    /// Whether the test that waited for it has given up waiting.
    var isWithdrawn = false
    /// The number of requests of any protocol that it asks for.
    private(set) var found = 0
    /// Those of its protocol.
    private(set) var counted = 0
    /// How many of its requests have come in their order.
    private(set) var progress = 0
    private(set) var connections: Set<UInt64> = []
    /// The requests that came before and are gone, and those whose bodies are not there whole.
    var lost = 0
    private(set) var partial = 0

    init(_ expectation: Expectation) {
        self.expectation = expectation
        let matches: [RequestMatch] =
            switch expectation.kind {
            case .count(let match, _, _): [match]
            case .order(let matches): matches
            case .oneConnection(let match): match.map { [$0] } ?? []
            }
        var searches: [RequestSearch] = []
        var bodiless: [RequestSearch?] = []
        var failure: MockServerError?
        do throws(MockServerError) {
            for match in matches {
                searches.append(try RequestSearch(match))
                let other: RequestSearch? = if let match = match.bodiless { try RequestSearch(match) } else { nil }
                bodiless.append(other)
            }
        } catch {
            failure = error
        }
        self.searches = searches
        self.bodiless = bodiless
        error = failure
    }

    /// The same without its searches and the requests.
    var summary: ExpectationSummary {
        ExpectationSummary(
            expectation: expectation, isImpossible: error != nil, isWithdrawn: isWithdrawn, found: found,
            counted: counted, connections: connections,
            lost: lost, partial: partial, isInOrder: !searches.isEmpty && progress == searches.count)
    }

    /// The requests that it may ask for or not.
    var open: Int { lost + partial }

    /// Counts a request.
    ///
    /// - Returns: whether it is asked for.
    mutating func judge(_ request: ArrivedRequest) -> Bool {
        guard error == nil else { return false }
        switch expectation.kind {
        case .count(_, _, let wire):
            guard isAsked(0, request) else { return false }
            found += 1
            guard wire == nil || request.protocolName == wire?.rawValue else { return false }
            counted += 1
            return true
        case .order:
            if searches.indices.contains(where: { answer($0, request) == .yes }) { found += 1 }
            guard progress < searches.count, isAsked(progress, request) else { return false }
            progress += 1
            return true
        case .oneConnection:
            guard searches.isEmpty || isAsked(0, request) else { return false }
            found += 1
            if connections.count < Self.connectionLimit { connections.insert(request.connection) }
            return !searches.isEmpty
        }
    }

    private mutating func isAsked(_ index: Int, _ request: ArrivedRequest) -> Bool {
        let answer = answer(index, request)
        if answer == .unknown { partial += 1 }
        return answer == .yes
    }

    private func answer(_ index: Int, _ request: ArrivedRequest) -> Answer {
        guard request.lacksBody, let bodiless = bodiless[index] else {
            return searches[index].matches(request) ? .yes : .no
        }
        return bodiless.matches(request) ? .unknown : .no
    }
}

/// The counts of an expectation, by which it is judged.
struct ExpectationSummary: Sendable {
    enum Verdict {
        case met
        case broken
        /// It depends on requests that nobody has any more.
        case undecided
    }

    let expectation: Expectation
    let isImpossible: Bool
    /// Whether the test that waited for it has given up waiting.
    let isWithdrawn: Bool
    let found: Int
    let counted: Int
    let connections: Set<UInt64>
    let lost: Int
    let partial: Int
    let isInOrder: Bool

    private var open: Int { lost + partial }

    /// The result over several servers: counts together, orders and connections server by server.
    ///
    /// A server that none of the requests came to has no say, as long as they came to another.
    static func verdict(_ states: [ExpectationSummary]) -> Verdict {
        guard let first = states.first, !first.isImpossible else { return .broken }
        if case .count(_, let count, _) = first.expectation.kind {
            let counted = states.reduce(0) { $0 + $1.counted }
            let open = states.reduce(0) { $0 + $1.open }
            let (least, most) = (count.contains(counted), count.contains(counted + open))
            if least, most { return .met }
            return count.mayBe(from: counted, to: counted + open) ? .undecided : .broken
        }
        let verdicts = states.filter { states.count == 1 || $0.found + $0.open > 0 }.map(\.verdict)
        if verdicts.isEmpty || verdicts.contains(.broken) { return .broken }
        return verdicts.contains(.undecided) ? .undecided : .met
    }

    /// The verdict on an order and on connections.
    var verdict: Verdict {
        switch expectation.kind {
        case .count: Self.verdict([self])
        case .order: isInOrder ? .met : open > 0 ? .undecided : .broken
        case .oneConnection:
            if connections.count > 1 {
                .broken
            } else if open > 0 {
                .undecided
            } else {
                connections.count == 1 ? .met : .broken
            }
        }
    }
}
