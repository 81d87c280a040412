// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPWire
import MockapiStubMatching

/// A stub's responses, made ready.
final class PreparedStub: Sendable {
    /// The only response, or the first of a sequence: here rather than in a list, since nearly every request needs it.
    let first: PreparedResponse
    /// The names that the journal calls the stub by.
    let names: JournalNames
    /// The parts of the stub besides its response; nil if it has none, as for nearly every stub.
    let extras: Extras?
    /// Whether it has one response, for everyone and in every state, which is sent as it stands.
    let isPlain: Bool
    /// Whether it responds to HEAD alone.
    let isOfHead: Bool
    /// Where its first response lies.
    let addresses: ResponseAddresses

    /// The parts that few stubs have.
    final class Extras: Sendable {
        let sequence: PreparedSequence?
        /// The part that the stub has in a scenario; nil for a stub that matches in every state.
        let scenario: ScenarioPart?
        /// The name of the hold that its responses wait for; nil if they wait for nothing.
        let hold: String?
        /// The collection that the stub serves; nil for a stub with responses of its own.
        let resource: ResourceCollection?
        /// The handler that computes its responses; nil if they are written.
        let handler: StubHandler?
        /// The gate between a request and the responses; nil if there is none.
        let gate: StubGate?
        /// The webhooks that are sent after the stub's response; nil if there are none.
        let webhooks: PreparedWebhooks?
        /// Whether a recorded request may be known by values that no matcher asks for.
        let knowsRequests: Bool

        init?(
            sequence: PreparedSequence?, scenario: ScenarioPart?, hold: String?, resource: ResourceCollection?,
            handler: StubHandler?, gate: StubGate?, webhooks: PreparedWebhooks?, knowsRequests: Bool
        ) {
            let isNothing = sequence == nil && scenario == nil && hold == nil && resource == nil && !knowsRequests
            if isNothing, handler == nil, gate == nil, webhooks == nil { return nil }
            self.sequence = sequence
            self.scenario = scenario
            self.hold = hold
            self.resource = resource
            self.handler = handler
            self.gate = gate
            self.webhooks = webhooks
            self.knowsRequests = knowsRequests
        }
    }

    var sequence: PreparedSequence? { extras?.sequence }
    var scenario: ScenarioPart? { extras?.scenario }
    var resource: ResourceCollection? { extras?.resource }
    var gate: StubGate? { extras?.gate }
    var webhooks: PreparedWebhooks? { extras?.webhooks }

    /// - Parameters:
    ///   - resource: that of the same stub in the load before.
    ///   - gate: that of the same stub in the load before.
    ///   - now: the time of the server's clock, in seconds since 1970; nil for the time of the clock.
    init(
        _ stub: Stub, counter: StepCounter? = nil, handler: StubHandler? = nil, resource: ResourceCollection? = nil,
        gate: StubGate? = nil, now: Int? = nil
    ) {
        var pathTemplate: String?
        if case .pathTemplate(let template) = stub.request.url { pathTemplate = template }
        let webhooks =
            stub.webhooks.isEmpty
            ? nil : PreparedWebhooks(stub.webhooks, salt: Self.salt(stub.id, -2), pathTemplate: pathTemplate)
        let lines = ReplayedLines(stub, now: now)
        let selects = !ConditionalFields.areAsked(of: stub.request)
        let steps = stub.responses.enumerated().map { number, response in
            func prepared(_ response: StubResponse, withoutTLS other: PreparedResponse? = nil) -> PreparedResponse {
                PreparedResponse(
                    response: response, salt: Self.salt(stub.id, number), isOfHead: stub.request.method == "HEAD",
                    step: number, pathTemplate: pathTemplate, selects: selects, withoutTLS: other,
                    dates: lines?.dates(of: response))
            }
            guard let lines else { return prepared(response) }
            let other = lines.dependsOnTLS(response) ? prepared(lines.response(response, isSecure: false)) : nil
            return prepared(lines.response(response, isSecure: true), withoutTLS: other)
        }
        let names = JournalNames(stub)
        let first = steps.first ?? PreparedResponse(response: StubResponse(), salt: 0)
        let extras = Extras(
            sequence: stub.isSequence
                ? PreparedSequence(steps: steps, afterLast: stub.afterLast, counter: counter ?? StepCounter()) : nil,
            scenario: stub.scenario, hold: stub.hold,
            resource: resource ?? stub.resource.map { ResourceCollection($0) },
            handler: handler, gate: gate ?? stub.access.map { StubGate($0, salt: Self.salt(stub.id, -1)) },
            webhooks: webhooks, knowsRequests: stub.sent != nil && stub.scenario == nil)
        (self.names, self.first, self.extras) = (names, first, extras)
        isOfHead = stub.request.method == "HEAD"
        isPlain = extras == nil && first.isPlain
        addresses = ResponseAddresses(first, names)
    }

    /// Whether one of its responses is rendered for each request.
    var hasTemplates: Bool { first.templated != nil || sequence?.hasTemplates ?? false }

    /// Claims the next response for one request; nil if all have been given out and the stub does not match any more.
    ///
    /// - Parameters:
    ///   - peeks: whether the response stays there for the next request.
    ///   - known: the steps that were recorded of the request; nil if it is not known.
    func claim(peeks: Bool, among known: [Int]? = nil) -> PreparedResponse? {
        guard let sequence else { return first }
        return sequence.claim(peeks: peeks, among: known)
    }

    /// Starts all counts again, the steps of a sequence apart.
    func resetEffects() {
        gate?.reset()
        webhooks?.reset()
        first.delivery?.reset()
        for step in sequence?.steps ?? [] { step.delivery?.reset() }
    }

    private static func salt(_ id: String, _ step: Int) -> UInt64 { FNVHash.of("\(id) \(step)") }
}
