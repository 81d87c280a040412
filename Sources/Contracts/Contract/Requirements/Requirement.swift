// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockServer

/// Something that a client has to do right, and how that is found out.
package struct Requirement: Sendable {
    /// Such as `method.patch`.
    package let id: String
    package let title: String
    /// The expectation, in words.
    package let expected: String
    package let step: Step
    /// The stubs that the server uses for the step.
    package let stubs: [MockStub]
    package let judge: @Sendable (StepEvidence) -> Judgement
    /// If an error is expected: its possible kinds.
    package var failures: Set<StepOutcome.Failure> = []
    /// Whether nothing but one of these errors is expected.
    package var isErrorAlone: Bool { expected == "an error: \(Judging.names(failures))" }
    /// Whether an error alone meets it, as a client that can do nothing reports it too.
    var isMetByError: Bool { !failures.isEmpty || step.cancellation != nil }
    /// Whether neither a pass nor a failure shows the client's abilities at all.
    private var tellsLittle: Bool { isMetByError || !step.cancelledRounds.isEmpty }
    /// Whether it is about connections and streams, so that a client without any is not concerned.
    package var isOfTheWire = false
    /// Whether it is put only to clients in a process of their own: it needs an environment of theirs, or may end them.
    package var isOfOtherProcesses = false
    /// Where its request goes.
    package var place = Place.main
    /// The ability that the requirement concerns; nil if it concerns every client.
    package var ability: Ability?
    /// Whether it is put to a client whose environment names a file of credentials.
    package var isOfNetrc = false
    /// Whether it is put to a client whose environment names a proxy, although its request is not for that.
    package var isOfProxy = false
    /// The requirement whose requests show whether this one can be judged, so that it is asked, too: whether a client takes anything from NETRC,
    /// the proxy of its environment, or the plan's authority.
    package var restsOn: String?
    /// The stubs with URLs of another origin, which is known when its server is there.
    package var redirecting: (@Sendable (OtherOrigins) -> [MockStub])?
    /// The same of the server at another host.
    package var redirectingElsewhere: (@Sendable (OtherOrigins) -> [MockStub])?

    /// Something that only some clients have; a driver says so.
    package enum Ability: String, Sendable, CaseIterable {
        /// Cookies that are kept and sent again.
        case cookies
        case cache

        package var words: String { self == .cache ? "a cache" : rawValue }
    }

    /// Where a step's request goes.
    package enum Place: Sendable {
        /// To the server of the run.
        case main
        /// To a server that has the step alone, so that a response that the client misreads does not disturb another step.
        ///
        /// - Parameter there: the response to a request below the step's path; nil for the same.
        case wire(RawResponse, there: RawResponse? = nil)
        /// To a server of its own, to which a client has no connection yet.
        case own
        /// Over https, to a server with a certificate of the development authority.
        case secure(MockServer.Configuration.TLS.Defect?)
        /// To a host that nobody serves, except through a proxy.
        case proxied(String)
        /// To the server at another host.
        case elsewhere
    }

    /// Whether it asks for a proxy that the client's environment names.
    var isProxied: Bool {
        if case .proxied = place { true } else { isOfProxy }
    }

    /// The environment that its client is put into.
    var surroundings: Surroundings { isProxied ? .proxy : isOfNetrc ? .netrc : .plain }

    enum Surroundings: CaseIterable {
        case plain
        case proxy
        case netrc
    }

    package init(
        _ id: String, _ title: String, expected: String, _ change: (inout Step) -> Void = { _ in },
        stubs: (Step) -> [MockStub] = { [RequestMatch.any($0.path).respond(body: "ok")] },
        judge: @escaping @Sendable (StepEvidence) -> Judgement
    ) {
        self.id = id
        self.title = title
        self.expected = expected
        var step = Step(id)
        change(&step)
        self.step = step
        self.stubs = stubs(step)
        self.judge = judge
    }

    /// How many times as many failures as passes say that a client can do nothing. 3.
    private static let overwhelming = 3

    /// The verdicts on a whole run: of a client that has an error in the place of most responses, an error says nothing.
    ///
    /// - Parameter verdicts: by the requirements' ids.
    package static func whole(_ verdicts: [Verdict], of requirements: [Requirement]) -> [Verdict] {
        let tellingLittle = Set(requirements.filter(\.tellsLittle).map(\.id))
        let others = verdicts.filter { !tellingLittle.contains($0.id) }
        let failures = others.count { $0.result == .fail }
        let passes = others.count { $0.result == .pass }
        guard passes == 0 ? failures > 0 : failures / overwhelming > passes else { return verdicts }
        return verdicts.map { verdict in
            guard verdict.result == .pass, verdict.restsOnError else { return verdict }
            return Verdict(
                verdict.id, verdict.title, .fail, expected: verdict.expected,
                seen: "an error, as to most other requests")
        }
    }

    /// The requirements that are asked by names: all but some, or some alone.
    ///
    /// Those that they rest on are asked, too, unless they are excepted. Where errors alone would meet all of them, the plainest one is asked, too:
    /// it shows a client that can do nothing.
    package static func chosen(
        _ all: [Requirement] = ContractRequirements.all, only: [String], except: [String]
    ) -> [Requirement] {
        var chosen = all.filter { requirement in
            (only.isEmpty || only.contains(where: requirement.is)) && !except.contains(where: requirement.is)
        }
        let missing = Set(chosen.compactMap(\.restsOn)).subtracting(chosen.map(\.id))
        chosen = all.filter { missing.contains($0.id) && !except.contains(where: $0.is) } + chosen
        guard chosen.allSatisfy(\.tellsLittle) else { return chosen }
        return all.filter { $0.id == plainest } + chosen
    }

    private static let plainest = "method.get"

    func resting(on id: String) -> Requirement {
        var requirement = self
        requirement.restsOn = id
        return requirement
    }

    /// Whether an id, or the part of one before its dot, means this requirement.
    package func `is`(_ name: String) -> Bool { Self.is(id, name) }

    /// Whether an id is meant by a name: the whole of it, or the part before its dot.
    package static func `is`(_ id: String, _ name: String) -> Bool { id == name || id.hasPrefix(name + ".") }

    private func met(_ evidence: StepEvidence, note: String = "") -> Verdict {
        var verdict = Verdict(id, title, .pass, expected: expected, note: note)
        verdict.restsOnError = isMetByError && evidence.outcomes.contains { $0.failure != nil }
        return verdict
    }

    package func verdict(_ evidence: StepEvidence) -> Verdict {
        switch judge(evidence) {
        case .pass: met(evidence)
        case .advice(let text): met(evidence, note: text)
        case .fail(let seen): Verdict(id, title, .fail, expected: expected, seen: seen).with(evidence)
        case .notApplicable(let why): Verdict(id, title, .notApplicable, expected: expected, seen: why)
        }
    }
}
