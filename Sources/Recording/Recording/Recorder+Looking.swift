// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiSecrets
import MockapiUpstream

// Compares an exchange with the recorded ones.
extension Recorder {
    /// The request of an exchange as it is derived, and the exchange with the type of its content in the spelling of its stub.
    func derived(_ exchange: Exchange, _ unsteady: UnsteadyValues) -> (request: DerivedRequest, spelled: Exchange) {
        func derived(_ spelled: Exchange) -> (request: DerivedRequest, spelled: Exchange) {
            var derivation = RequestDerivation(
                spelled, sent: exchange.requestFields, redactor: redactor, ruledHeaders: ruledHeaders,
                unsteady: unsteady)
            return (derivation.derive(), spelled)
        }
        func isKnown(_ request: DerivedRequest) -> Bool {
            store.stub(request.key) != nil || !store.family(of: request).isEmpty
        }
        let (first, others) = store.mediaTypes.spelled(exchange)
        let usual = derived(first)
        if others.isEmpty || isKnown(usual.request) { return usual }
        return others.lazy.map(derived).first { isKnown($0.request) } ?? usual
    }

    /// Which stub a request is recorded in, by its sender; another sender's recording is moved if need be.
    func place(
        _ request: DerivedRequest, _ identity: Identity, _ exchange: Exchange, _ sent: SentRequest
    ) -> SenderPlace {
        var derived: RecordedResponse?
        func response(beside known: RecordedResponse?) -> RecordedResponse {
            if let derived { return derived }
            var derivation = ResponseDerivation(
                exchange, of: request, redactor: redactor, options: options, known: known)
            let new = derivation.derive().response
            derived = new
            return new
        }
        let placed = PlacedResponse(
            status: exchange.head.status, origin: exchange.origin, stub: { self.store.stub($0) },
            knows: { $0.sent.flatMap { sent.unasked?.isKnown(to: $0) } ?? false },
            differs: { stub in
                let new = response(beside: stub.steps.first?.response)
                return stub.steps.allSatisfy {
                    !ResponseChanges(from: $0.response, to: new, volatile: stub.volatile, lines: stub.volatileLines)
                        .isEmpty
                }
            }, mark: { response(beside: nil).mark }, words: { self.store.words(behind: $1, of: $0) })
        let place = senders.place(request, identity, placed)
        if place.moves.isEmpty { return place }
        // Recordings that wait are written first, so that names and files are as those leave them.
        commitGroup()
        do throws(RecordingError) {
            for (key, target) in place.moves {
                // At once: if the exchange is looked at again, nothing is to be moved any more.
                contrast.move(key, to: target)
                guard let stub = store.stub(key) else { continue }
                try move(stub, to: target)
            }
        } catch {
            return SenderPlace(request, note: error.description)
        }
        return place
    }

    /// The step of a stub of an earlier recording that is the response to a request with just these values; nil if it is the next one, or the
    /// response has changed.
    func remembered(_ exchange: Exchange, _ request: DerivedRequest, _ sent: SentRequest) -> Int? {
        guard let stub = store.stub(request.key), written[stub.path] == nil, let known = stub.sent,
            let steps = sent.unasked?.steps(in: known), !steps.isEmpty, let last = stub.steps.indices.last
        else { return nil }
        func isSame(_ step: Int) -> Bool {
            self.isSame(exchange, request, as: stub.steps[step].response, of: stub)
        }
        if isSame(min(nextStep(of: request.key), last)) { return nil }
        return steps.first { $0 <= last && isSame($0) }
    }

    /// The step of a stub that the next response is, those of requests that came again left out.
    func nextStep(of key: String) -> Int {
        var step = steps[key, default: 0]
        while remembered[key]?.contains(step) == true { step += 1 }
        return step
    }

    /// Whether a response is that of a stub.
    func isSame(
        _ exchange: Exchange, _ request: DerivedRequest, as known: RecordedResponse, of stub: RecordedStub
    ) -> Bool {
        var derivation = ResponseDerivation(exchange, of: request, redactor: redactor, options: options, known: known)
        var response = derivation.derive().response
        response.addOrigins(of: known)
        return ResponseChanges(from: known, to: response, volatile: stub.volatile, lines: stub.volatileLines).isEmpty
    }

    private func move(_ stub: RecordedStub, to target: DerivedRequest) throws(RecordingError) {
        var move = StubMove(stub, to: target, store: store)
        let moved = try move.move()
        store.move(stub, to: moved.stub)
        steps[target.key] = steps.removeValue(forKey: stub.key)
        repeats.forget(stub.key)
        given.move(stub.path, to: moved.stub.path, as: target)
        note(files: moved.files, removed: moved.removed, texts: moved.files)
    }

    func recording(
        _ exchange: Exchange, _ samples: [Exchange], _ request: DerivedRequest, _ identity: Identity, _ step: Int
    ) -> Recording {
        let existing = store.stub(request.key) ?? former(exchange, request)
        let known = existing?.response(of: step)
        func derive(_ exchange: Exchange) -> DerivedResponse {
            self.derived(request, identity, exchange) {
                var derivation = ResponseDerivation(
                    exchange, of: request, redactor: redactor, options: options, known: known)
                derivation.allow(allowed, of: existing, step: step, request)
                return derivation.derive()
            }
        }
        var derived = derive(exchange)
        // An origin that was added by hand, or by a recording with further upstreams, stays.
        if let known { derived.response.addOrigins(of: known) }
        let others = samples.map { derive($0).response }
        var sampled: [VolatilePath] = []
        var steady: [VolatilePath] = []
        if derived.response.isText, case .bytes(let first) = derived.response.body {
            sampled = options.volatile.places(in: first)
            let bodies = others.compactMap { other -> [UInt8]? in
                if case .bytes(let bytes) = other.body { bytes } else { nil }
            }
            sampled += Volatility.paths(in: [first] + bodies).filter { new in
                !sampled.contains { $0.path == new.path }
            }
            if bodies.count + 1 >= Volatility.steadyCount, let existing, let recorded = known?.body.text {
                steady = Volatility.steady(existing.volatile, in: [recorded, first] + bodies)
            }
        }
        var recording = Recording(
            exchange: exchange, request: request, derived: derived, sampled: sampled,
            sampledLines: options.volatile.headers(of: derived.response)
                + ResponseChanges.lines(thatDifferFrom: derived.response, in: others),
            steady: steady,
            step: step, existing: existing, timestamp: now())
        // Noted once: from then on it is the same, however it is written.
        if recording.changes?.isOfTextAlone == true { recording.sampled.append(VolatilePath("$", .text)) }
        return recording
    }

    /// The response as it is written; placeholders of secrets that it gives to a sender with a name have that name after them.
    func derived(
        _ request: DerivedRequest, _ identity: Identity, _ exchange: Exchange, derive: () -> DerivedResponse
    ) -> DerivedResponse {
        let derived = derive()
        let given = GivenCredentials.all(in: exchange, derived.response, redactor)
        let renamed = senders.give(given, to: identity, of: request, status: exchange.head.status)
        if renamed.isEmpty { return derived }
        for (value, placeholder) in renamed { redactor.rename(value, to: placeholder) }
        return derive()
    }

    /// The stub recorded for the request from an upstream outside this recording, or from an upstream that leads here: it is of this one from now on.
    func former(_ exchange: Exchange, _ request: DerivedRequest) -> RecordedStub? {
        store.stubs(of: request.node, otherThan: exchange.origin).first {
            !options.origins.contains($0.origin) || Self.leads($0, to: exchange)
        }
    }

    /// The outcome if another upstream of this recording has the same request, for which a server has one
    /// response; nil otherwise.
    func rivalled(_ exchange: Exchange, _ request: DerivedRequest) -> RecordingOutcome? {
        guard store.stub(request.key) == nil,
            let rival = store.stubs(of: request.node, otherThan: exchange.origin).first(where: {
                options.origins.contains($0.origin)
            }), !Self.leads(rival, to: exchange), let response = rival.steps.first?.response
        else { return nil }
        if Self.leads(exchange, to: rival.origin) {
            return outcome(
                .unchanged, exchange, request, files: [rival.shownFile(0)],
                notes: ["leads to the same of \(rival.origin), which is served at once"])
        }
        var derivation = ResponseDerivation(
            exchange, of: request, redactor: redactor, options: options, known: response)
        var derived = derivation.derive().response
        derived.addOrigins(of: response)
        guard
            !ResponseChanges(from: response, to: derived, volatile: rival.volatile, lines: rival.volatileLines).isEmpty
        else {
            return outcome(
                .unchanged, exchange, request, files: [rival.shownFile(0)], notes: ["the same as of \(rival.origin)"])
        }
        return outcome(
            .refused, exchange, request,
            notes: [
                "\(rival.origin) answers this request otherwise, but a server has one response to it; record "
                    + "\(exchange.origin) into a directory of its own"
            ])
    }

    /// The outcome of a response that passes and is not a fixture for the request; nil for any other.
    func passed(_ exchange: Exchange, _ request: DerivedRequest) -> RecordingOutcome? {
        guard options.statuses.contains(exchange.head.status) else {
            return outcome(.leftOut, exchange, request, notes: ["its status is not one that is recorded"])
        }
        guard let page = exchange.refusedPage else { return nil }
        var refused = outcome(
            .refused, exchange, request,
            notes: ["the service does not let pages of \(page) send this request (CORS): it will not follow"])
        refused.advice = .answerPreflights
        return refused
    }

    /// The reason why a response is not recorded; nil if it is.
    static func refusal(_ exchange: Exchange) -> String? {
        let status = exchange.head.status
        let isSafe = exchange.method == "GET" || exchange.method == "HEAD"
        switch status {
        case ..<200: return "status \(status) is not a final answer"
        case 1000...: return "status \(status) is none of HTTP"
        case 304 where isSafe: return "304 to a request without conditions: there is no content to record"
        case 206 where isSafe: return "206 to a request without a range: the content is only a part"
        default: return nil
        }
    }
}
