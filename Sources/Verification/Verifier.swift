// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ContentCodings
import Drift
import Fixtures
import HTTPMessage
import JSONText
package import Recording
import Secrets
import Synchronization
package import Upstream

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// How the fixtures of a directory are put to a live service.
package struct VerifierOptions: Sendable {
    /// Requests that are under way at once; nil for one where an answer may be needed by a later request, else four.
    package var concurrency: Int?
    package var perSecond: Double?
    /// How often each is asked for, 1 to 5.
    package var samples = 1
    package var allowsUnsafe = false
    package var secrets = SecretValues()
    /// What was learnt of earlier answers.
    package var history = FixtureHistory()
    /// Whether the answers that come are learnt, too.
    package var learns = false
    package var session = SessionOptions()
    /// Sent where neither the fixture nor the command line has a line of the name.
    package var defaultFields: [UpstreamField] = []

    package init() {}
}

/// Asks a live service for what fixtures say it answers, and judges.
package final class Verifier: Sendable {
    /// Bytes of a live answer. 256 MiB.
    private static let bodyLimit = 256 * 1024 * 1024
    /// Times that a request is made again after 429 or 503. 3.
    private static let retryLimit = 3

    private let root: String
    /// The first is the one that is verified against; the others are for what was recorded from them.
    private let origins: [UpstreamOrigin]
    private let options: VerifierOptions
    private let client: UpstreamClient
    private let secrets: Mutex<SecretValues>
    private let followed: Mutex<FollowedValues>
    private let captureNames: Set<String>
    private let redactor = Redactor(RedactionRules())
    private let learnt: Mutex<FixtureHistory>

    /// - Parameter all: all fixtures of the directory, those too that are not verified.
    package init(root: String, all: [VerifiedFixture], origins: [UpstreamOrigin], options: VerifierOptions) {
        self.root = root
        self.origins = origins
        self.options = options
        var configuration = options.session.upstream
        configuration.maxBody = Self.bodyLimit
        client = UpstreamClient(configuration)
        secrets = Mutex(options.secrets)
        followed = Mutex(FollowedValues(all))
        learnt = Mutex(options.history)
        for (placeholder, value) in options.secrets.known { redactor.remember(value, as: placeholder) }
        captureNames = Set(all.flatMap { $0.captures.map(\.name) })
    }

    /// Verifies fixtures, started in their order.
    ///
    /// - Parameter done: called for each that is done, in any order.
    /// - Returns: the verdicts in the order of the fixtures.
    package func verify(
        _ fixtures: [VerifiedFixture], done: @escaping @Sendable (FixtureVerdict) -> Void = { _ in }
    ) async -> [FixtureVerdict] {
        let isChained =
            fixtures.contains { !$0.captures.isEmpty } || options.allowsUnsafe
            || followed.withLock { !$0.sources.isEmpty }
        let width = max(1, options.concurrency ?? (isChained ? 1 : 4))
        var limiter = RateLimiter(perSecond: options.perSecond)
        return await withTaskGroup(of: (Int, FixtureVerdict).self) { group in
            var verdicts: [FixtureVerdict?] = Array(repeating: nil, count: fixtures.count)
            var running = 0
            for (index, fixture) in fixtures.enumerated() {
                if running == width, let (place, verdict) = await group.next() {
                    verdicts[place] = verdict
                    running -= 1
                    done(verdict)
                }
                let plan = plan(fixture)
                guard case .success(let request) = plan else {
                    if case .failure(let state) = plan {
                        let verdict = FixtureVerdict(fixture, state: state.state)
                        verdicts[index] = verdict
                        done(verdict)
                    }
                    continue
                }
                try? await limiter.turn()
                group.addTask { [self] in (index, await self.verify(fixture, request)) }
                running += 1
            }
            for await (place, verdict) in group {
                verdicts[place] = verdict
                done(verdict)
            }
            return verdicts.compactMap { $0 }
        }
    }

    private struct NotAsked: Error {
        let state: FixtureVerdict.State
    }

    /// The request of a fixture, or why there is none.
    private func plan(_ fixture: VerifiedFixture) -> Result<AskedRequest, NotAsked> {
        if fixture.verify == false { return .failure(NotAsked(state: .skipped("not to be verified"))) }
        switch fixture.source {
        case .file(let file):
            let paths = file.requestPaths.map(Self.encodedPath)
            guard let first = paths.first else { return .failure(NotAsked(state: .skipped("not served"))) }
            var request = AskedRequest(method: "GET", target: first, fields: [])
            request.otherTargets = Array(paths.dropFirst())
            return .success(request)
        case .stub(let stub):
            if let reason = fixture.unanswered { return .failure(NotAsked(state: .skipped(reason))) }
            let method =
                stub.source["recorded"]?["request"]?.string.flatMap { $0.split(separator: " ").first.map(String.init) }
                ?? stub.request.method ?? "GET"
            if !AskedRequest.isSafe(method), !options.allowsUnsafe, fixture.verify != true {
                return .failure(NotAsked(state: .skipped("unsafe methods")))
            }
            let builder = RequestBuilder(
                stub: stub, root: root, secrets: secrets.withLock { $0 }, captures: captureNames)
            do throws(Unclear) {
                var request = try builder.request()
                request.target = followed.withLock { $0.followed(request.target) }
                add(to: &request, origin(of: fixture))
                if let name = builder.missingCredentials(request.fields) {
                    throw Unclear(
                        text: "it needs a line \(name); give --header or --secret header.\(name)=env:VARIABLE")
                }
                return .success(request)
            } catch {
                return .failure(NotAsked(state: .unchecked(error.text)))
            }
        }
    }

    /// The request of a fixture as it is made; nil where there is none.
    package func request(of fixture: VerifiedFixture) -> AskedRequest? {
        guard case .success(let request) = plan(fixture) else { return nil }
        return request
    }

    private func origin(of fixture: VerifiedFixture) -> UpstreamOrigin {
        origins.dropFirst().first { $0.text == fixture.origin } ?? origins[0]
    }

    private func add(to request: inout AskedRequest, _ origin: UpstreamOrigin) {
        let authorization = origin.authorization.map { [UpstreamField("Authorization", $0)] } ?? []
        for field in origin.fields + authorization + options.defaultFields {
            let name = field.name.lowercased()
            if !request.fields.contains(where: { $0.name.lowercased() == name }) { request.fields.append(field) }
        }
    }

    private static func encodedPath(_ path: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false).map { SecretValues.percentEncoded(String($0)) }
            .joined(separator: "/")
    }

    // MARK: One fixture

    private func verify(_ fixture: VerifiedFixture, _ asked: AskedRequest) async -> FixtureVerdict {
        let start = ContinuousClock.now
        var request = asked
        let origin = origin(of: fixture)
        if fixture.stub == nil { add(to: &request, origin) }
        let shown = secrets.withLock { $0 }.hidden("\(request.method) \(request.target)")
        var verdict = FixtureVerdict(fixture, request: shown, state: .honoured)
        guard var comparison = fixture.comparison(root: root) else {
            verdict.state = .unchecked("a body of the fixture cannot be read")
            return verdict
        }
        var statuses = Set(comparison.recorded.map(\.status))
        if let pin = fixture.stub?.source["contract"]?["status"] {
            statuses.formUnion((pin["enum"]?.array ?? []).compactMap { $0.number?.integer })
            if let status = pin["equals"]?.number?.integer { statuses.insert(status) }
        }
        var live: [AnswerSample] = []
        for index in 0..<options.samples {
            do throws(Unclear) {
                if index == 0 {
                    if statuses.contains(304) { try await refreshValidators(of: &request, origin) }
                    live.append(try await first(&request, origin, statuses))
                } else {
                    live.append(try await answer(to: request, request.target, origin, statuses))
                }
            } catch {
                verdict.state = .unchecked(error.text)
                verdict.duration = Self.seconds(since: start)
                return verdict
            }
        }
        learn(from: live[0], fixture, comparison.recorded)
        comparison.recorded += options.history.samples(of: fixture)
        verdict.samples = (comparison.recorded.count, live.count)
        var sites = FixtureSites(root: root, fixture)
        let secrets = secrets.withLock { $0 }
        verdict.judge(
            comparison.findings(in: live).map { finding in
                let (file, line) = sites.place(of: finding)
                return LocatedFinding(safe(finding, secrets), file: file, line: line)
            })
        if options.learns { remember(live, fixture, verdict) }
        verdict.duration = Self.seconds(since: start)
        return verdict
    }

    /// What was learnt before and now.
    package var history: FixtureHistory { learnt.withLock { $0 } }

    private func remember(_ live: [AnswerSample], _ fixture: VerifiedFixture, _ verdict: FixtureVerdict) {
        // What is no answer of the kind teaches nothing.
        let isStrange = verdict.findings.contains {
            [.statusChanged, .contentTypeChanged, .bodyMalformed, .encodingChanged, .mediaTypeMismatch].contains(
                $0.finding.id)
        }
        if isStrange { return }
        let paths = fixture.redactedPaths
        var rules = RedactionRules()
        rules.jsonPaths = paths.sorted()
        rules.headers = fixture.redactedHeaders.sorted()
        let redactor = paths.isEmpty && rules.headers.isEmpty ? redactor : Redactor(rules)
        for (placeholder, value) in options.secrets.known { redactor.remember(value, as: placeholder) }
        learnt.withLock { history in
            for answer in live {
                history.learn(answer, of: fixture, teaches: !verdict.findings.isEmpty, redactor)
            }
        }
    }

    private static func seconds(since start: ContinuousClock.Instant) -> Double {
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        return Double(seconds) + Double(attoseconds) / 1e18
    }

    /// The first answer; a plain file is asked for by each of its paths until one is known.
    private func first(
        _ request: inout AskedRequest, _ origin: UpstreamOrigin, _ statuses: Set<Int>
    ) async throws(Unclear) -> AnswerSample {
        let answer = try await answer(to: request, request.target, origin, statuses)
        guard answer.status == 404, !statuses.contains(404) else { return answer }
        for target in request.otherTargets {
            let other = try await self.answer(to: request, target, origin, statuses)
            if other.status != 404 {
                request.target = target
                return other
            }
        }
        return answer
    }

    /// Has a conditional request ask for what the service has now (RFC 9110 §13.1): the recorded validators may be those of other content.
    private func refreshValidators(of request: inout AskedRequest, _ origin: UpstreamOrigin) async throws(Unclear) {
        let validators = ["if-none-match": "etag", "if-modified-since": "last-modified"]
        guard request.fields.contains(where: { validators[$0.name.lowercased()] != nil }) else { return }
        var plain = request
        plain.fields.removeAll { validators[$0.name.lowercased()] != nil }
        let answer = try await answer(to: plain, plain.target, origin, [200])
        for index in request.fields.indices {
            guard let name = validators[request.fields[index].name.lowercased()],
                let value = answer.headers.first(where: { $0.name.lowercased() == name })?.value
            else { continue }
            request.fields[index] = UpstreamField(request.fields[index].name, value)
        }
    }

    private func answer(
        to request: AskedRequest, _ target: String, _ origin: UpstreamOrigin, _ statuses: Set<Int>
    ) async throws(Unclear) -> AnswerSample {
        let version = options.session.protocol(for: origin)
        var attempt = 0
        while true {
            let response: UpstreamResponse
            do throws(UpstreamError) {
                response = try await client.send(
                    UpstreamRequest(
                        request.method, origin.text + target, fields: request.fields,
                        body: request.body.map { .bytes($0) } ?? .none, version: version))
            } catch {
                throw Unclear(text: "no answer: \(error.told)")
            }
            let status = response.status
            if statuses.contains(status) { return sample(response, request, origin) }
            let delay = response.head["Retry-After"]
            let mayRetry = status == 429 || status == 503 && delay != nil
            guard mayRetry else {
                if status == 401 || status == 403 {
                    throw Unclear(
                        text: "it answered \(status): give what it asks for with --header or --secret")
                }
                return sample(response, request, origin)
            }
            let now = Int(time(nil))
            guard attempt < Self.retryLimit,
                let pause = RetryDelay.of(delay, attempt: attempt, now: now, date: { HTTPDate.parse($0, now: now) }),
                (try? await Task.sleep(for: pause)) != nil
            else {
                throw Unclear(text: "it answered \(status) again and again: give --rate, or try later")
            }
            attempt += 1
        }
    }

    private func sample(_ response: UpstreamResponse, _ request: AskedRequest, _ origin: UpstreamOrigin) -> AnswerSample
    {
        let codings = response.head.fields.filter { $0.name.lowercased() == "content-encoding" }.map(\.value)
        var body = response.body
        if !codings.isEmpty, !body.isEmpty,
            let decoder = StreamDecoder(codings: codings.joined(separator: ","), limit: Self.bodyLimit)
        {
            do throws(DecodingFailure) {
                let decoded = try decoder.decode(body)
                try decoder.finish()
                body = decoded
            } catch {
                // What is not of its coding is judged as it came.
            }
        }
        var sample = AnswerSample(
            status: response.status, headers: response.head.fields.map { ($0.name, Latin1.read($0.bytes).text) }, body: body)
        sample.isWithoutBody = request.method == "HEAD" || [204, 304].contains(response.status)
        sample.origin = origin.text
        return sample
    }

    // MARK: Values of answers

    /// Keeps the values of an answer that later requests need: those that the stub captures, and those in the places of placeholders.
    private func learn(from answer: AnswerSample, _ fixture: VerifiedFixture, _ recorded: [AnswerSample]) {
        let captures = fixture.captures
        let hidden = recorded.first { $0.status == answer.status && $0.hasPlaceholder }
        let gives = followed.withLock { $0.sources[fixture.name] != nil }
        guard !captures.isEmpty || hidden != nil || gives, let live = try? JSONParser.parse(answer.body) else { return }
        if gives { followed.withLock { $0.learn(from: live, of: fixture.name) } }
        secrets.withLock { secrets in
            for (name, pointer) in captures {
                if let value = Self.text(JSONPlace.value(at: pointer, in: live)) { secrets.capture(name, value) }
            }
            guard let hidden, let known = try? JSONParser.parse(hidden.body) else { return }
            for (name, value) in JSONPlace.placeholders(in: known, filledBy: live) where secrets.value(name) == nil {
                secrets.set(name, value)
            }
        }
    }

    static func text(_ node: JSONNode?) -> String? {
        switch node?.value {
        case .string(let text): text
        case .number(let number): number.literal
        default: nil
        }
    }

    /// A finding in which no secret is shown.
    private func safe(_ finding: DriftFinding, _ secrets: SecretValues) -> DriftFinding {
        var finding = finding
        guard let received = finding.received else { return finding }
        let name = String(finding.pointer.split { $0 == "/" || $0 == ":" }.last ?? "")
        if CredentialNames.isParameter(name, values: [received]) || CredentialNames.isHeader(name) {
            finding.received = "…"
            return finding
        }
        let shown = redactor.text(Array(secrets.hidden(received).utf8), mediaType: "text/plain", of: .response).value
        finding.received = String(decoding: shown, as: UTF8.self)
        return finding
    }
}
