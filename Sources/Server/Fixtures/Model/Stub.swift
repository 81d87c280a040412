// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
package import MockapiJSONText

/// A rule: the requests that it matches, and its responses.
package final class Stub: Sendable {
    /// The file's `id`, else one derived from the file's path and the stub's place in it, so that it is the same at every load.
    package let uuid: StubID
    /// Where the stub stands; its path is the stub's name in messages.
    package let place: Place
    /// 1 first; 5 if the file says nothing.
    package let priority: Int
    package let request: RequestPattern
    /// The response of a stub with one, which nearly every stub is: here rather than in a list, as that would take half as much again.
    private let single: StubResponse?
    private let steps: [StubResponse]
    package let afterLast: SequenceEnd
    /// The stub as it was written.
    package let written: StubSource
    /// Whether the stub was added at run time; an added stub goes before those of files at equal priority, the newest first.
    package let isAdded: Bool
    /// Whether the stub came by the admin API, which can take it away again.
    package let isOfAdmin: Bool
    /// The properties that few stubs have; nil if there are none.
    private let extras: Extras?

    private final class Extras: Sendable {
        let name: String?
        let scenario: ScenarioPart?
        let hold: String?
        let resource: Resource?
        let access: StubAccess?
        let webhooks: [Webhook]
        let sent: SentDigests?

        init?(
            name: String?, scenario: ScenarioPart?, hold: String?, resource: Resource?, access: StubAccess?,
            webhooks: [Webhook], sent: SentDigests?
        ) {
            let isNothing = name == nil && scenario == nil && hold == nil && resource == nil
            if isNothing, access == nil, webhooks.isEmpty, sent == nil { return nil }
            self.name = name
            self.scenario = scenario
            self.hold = hold
            self.resource = resource
            self.access = access
            self.webhooks = webhooks
            self.sent = sent
        }
    }

    /// The UUID in lower case.
    package var id: String { uuid.text }
    package var name: String? { extras?.name }
    /// The steps in order; one for a stub with a plain `response`.
    package var responses: [StubResponse] { single.map { [$0] } ?? steps }
    /// The part that the stub has in a scenario; nil for a stub that matches in every state.
    package var scenario: ScenarioPart? { extras?.scenario }
    /// The name of the hold that its responses wait for; nil if they wait for nothing.
    package var hold: String? { extras?.hold }
    /// The collection that the stub serves; nil for a stub with responses of its own.
    package var resource: Resource? { extras?.resource }
    /// The checks between a request and the response; nil if there are none.
    package var access: StubAccess? { extras?.access }
    /// The requests that are sent after the stub's response.
    package var webhooks: [Webhook] { extras?.webhooks ?? [] }
    /// The digests of its recorded requests where no matcher asks; nil if there are none.
    package var sent: SentDigests? { extras?.sent }
    /// The stub as it was written: read again each time.
    package var source: JSONNode { written.node }
    /// Whether it says that it was recorded.
    package var isRecorded: Bool { written.isRecorded }

    /// How a sequence goes on when every step has been given out.
    package enum SequenceEnd: String, Sendable {
        case repeatLast = "repeat"
        case restart
        case unmatched
    }

    package init(
        uuid: StubID, name: String? = nil, place: Place, priority: Int = 5, request: RequestPattern,
        responses: [StubResponse], afterLast: SequenceEnd = .repeatLast, scenario: ScenarioPart? = nil,
        hold: String? = nil, resource: Resource? = nil, sent: SentDigests? = nil, written: StubSource = .empty,
        isAdded: Bool = false, isOfAdmin: Bool = false, access: StubAccess? = nil, webhooks: [Webhook] = []
    ) {
        self.uuid = uuid
        self.place = place
        self.priority = priority
        self.request = request
        single = responses.count == 1 ? responses.first : nil
        steps = responses.count == 1 ? [] : responses
        self.afterLast = afterLast
        self.written = written
        self.isAdded = isAdded
        self.isOfAdmin = isOfAdmin
        extras = Extras(
            name: name, scenario: scenario, hold: hold, resource: resource, access: access, webhooks: webhooks,
            sent: sent)
    }

    /// Whether it serves only requests that it refuses, or that ask for tokens.
    package var isGuard: Bool { access?.isGuard ?? false }

    /// Whether the stub has more than one step, or stops matching after the last.
    package var isSequence: Bool { steps.count > 1 || afterLast == .unmatched }

    /// Whether it has one response, for everyone and in every state, which is sent as it stands.
    package var isPlain: Bool {
        guard let single, scenario == nil, hold == nil, resource == nil, access == nil, webhooks.isEmpty, !isSequence,
            sent == nil
        else { return false }
        return single.isPlain
    }
}

/// The part that a stub has in a scenario: a state that several stubs share and move on.
package final class ScenarioPart: Sendable {
    /// The state that every scenario begins in.
    package static let start = "Started"

    package let name: String
    /// The state in which the stub matches; nil for any.
    package let required: String?
    /// The state that a response of the stub leaves; nil if it stays.
    package let next: String?
    /// Where the required state stands.
    package let requiredPlace: Place

    init(name: String, required: String?, next: String?, requiredPlace: Place) {
        self.name = name
        self.required = required
        self.next = next
        self.requiredPlace = requiredPlace
    }

    /// The same part, but for the state that a response leaves: that stays.
    package var staying: ScenarioPart {
        ScenarioPart(name: name, required: required, next: nil, requiredPlace: requiredPlace)
    }
}

extension FixtureSet {
    /// A state that several stubs share.
    package struct Scenario: Sendable {
        package let name: String
        /// The state that it begins in, then those that its stubs require and set, in the order of the stubs.
        package var states = [ScenarioPart.start]
        /// The places of its stubs in the set.
        package var stubs: [Int] = []
    }

    /// The scenarios that stubs have parts in, in byte order of their names.
    package var scenarios: [Scenario] {
        var places: [ExactText: Int] = [:]
        var known: [Set<ExactText>] = []
        var scenarios: [Scenario] = []
        for (ordinal, stub) in stubs.enumerated() {
            guard let part = stub.scenario else { continue }
            let place = places[ExactText(part.name)] ?? scenarios.count
            if place == scenarios.count {
                scenarios.append(Scenario(name: part.name))
                known.append([ExactText(ScenarioPart.start)])
            }
            places[ExactText(part.name)] = place
            scenarios[place].stubs.append(ordinal)
            for state in [part.required, part.next] {
                if let state, known[place].insert(ExactText(state)).inserted { scenarios[place].states.append(state) }
            }
        }
        return scenarios.sorted { $0.name.precedesInBytes($1.name) }
    }

    /// The names of the holds that stubs have, in byte order.
    package var holds: [String] {
        Set(stubs.lazy.compactMap { $0.hold.map { ExactText($0) } }).map(\.text).sorted { $0.precedesInBytes($1) }
    }
}

extension Stub {
    /// The key of the recorded stubs that are told apart by digests; recordings may be copied to another directory with their keys.
    package var toldGroup: String? {
        guard let sent, scenario == nil, access == nil, hold == nil else { return nil }
        return
            "\(sent.group)\n\(request.method ?? "")\n\(place.path.prefix(upTo: place.path.lastIndex(ascii: "/") ?? place.path.startIndex))"
    }
}
