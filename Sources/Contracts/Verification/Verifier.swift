// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiContentCodings
import MockapiDrift
import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
package import MockapiProxy
package import MockapiRecording
import MockapiSecrets
package import MockapiUpstream
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// How the fixtures of a directory are put to a live service.
package struct VerifierOptions: Sendable {
    /// Requests that are under way at once; nil for one if a later request may need a response, else four.
    package var concurrency: Int?
    package var perSecond: Double?
    /// How often each is asked for, 1 to 5.
    package var samples = 1
    package var allowsUnsafe = false
    /// How often a request is made again after a status that passes: 408, 425, 5xx.
    package var retries = 2
    /// Whether the responses that were judged are kept.
    package var keepsAnswers = false
    /// Fixtures that were asked for by name, so that whatever comes is learnt.
    package var learnsAnything = false
    package var secrets = SecretValues()
    /// The history learnt from earlier responses.
    package var history = FixtureHistory()
    /// Whether the responses that come are learnt, too.
    package var learns = false
    package var session = SessionOptions()
    /// Sent if neither the fixture nor the command line has a line of the name.
    package var defaultFields: [UpstreamField] = []

    package init() {}
}

/// Sends a live service the requests of fixtures, and judges its responses.
package final class Verifier: Sendable {
    /// Bytes of a live response. 256 MiB.
    static let bodyLimit = 256 * 1024 * 1024
    /// Times that a request is made again after 429. 3.
    static let retryLimit = 3
    /// The longest that a response may take as a whole. 5 min.
    static let longest = Duration.seconds(300)
    /// The longest that a stream is listened to. 10 s.
    static let longestStream = Duration.seconds(10)

    let root: String
    /// The first is the one that is verified against; the others are the sources of further recordings.
    let origins: [UpstreamOrigin]
    let options: VerifierOptions
    let client: UpstreamClient
    let secrets: Mutex<SecretValues>
    let followed: Mutex<FollowedValues>
    let captureNames: Set<String>
    let redactor = Redactor(RedactionRules())
    let learnt: Mutex<FixtureHistory>
    private let answers = Mutex<[String: JudgedAnswer]>([:])
    /// The stubs for one request that differ in their states or priorities.
    private let siblings: [String: [VerifiedFixture]]

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
        Self.teach(redactor, options, origins)
        siblings = Dictionary(grouping: all.filter { $0.stub != nil }) { $0.writtenRequest }
            .filter { $0.value.count > 1 }
        captureNames = Set(all.flatMap { $0.captures.map(\.name) })
    }

    /// Verifies fixtures, started in their order. Those that are not done when the task is cancelled are not checked.
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
                if Task.isCancelled {
                    verdicts[index] = FixtureVerdict(fixture, state: .unchecked("the command was stopped before"))
                    continue
                }
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

    // MARK: One fixture

    func verify(_ fixture: VerifiedFixture, _ asked: AskedRequest) async -> FixtureVerdict {
        let start = ContinuousClock.now
        var request = asked
        let origin = origin(of: fixture)
        if fixture.stub == nil { add(to: &request, origin, statuses: []) }
        var verdict = FixtureVerdict(fixture, request: shown(request, asked), state: .unchecked("it was not asked for"))
        guard var comparison = fixture.comparison(root: root) else {
            verdict.state = .unchecked("a body of the fixture cannot be read")
            return verdict
        }
        var allowed: [Int] = []
        if let pin = fixture.written?["contract"]?["status"] {
            allowed = (pin["enum"]?.array ?? []).compactMap { $0.number?.integer }
            if let status = pin["equals"]?.number?.integer { allowed.append(status) }
        }
        let recorded = comparison.recorded
        let expected = ExpectedAnswer(recorded, contract: allowed)
        comparison.recorded += options.history.samples(of: fixture)
        var live: [ResponseSample] = []
        do throws(Unclear) {
            if expected.statuses.contains(304) { try await refreshValidators(of: &request, origin) }
            let (sample, answer) = try await first(&request, origin, expected, comparison)
            live.append(sample)
            if options.keepsAnswers {
                let judged = JudgedAnswer(request: request, origin: origin, response: answer, sample: sample)
                answers.withLock { $0[fixture.name] = judged }
            }
            // A request that changes something is sent once.
            for _ in 1..<(request.isSafe ? options.samples : 1) {
                live.append(try await response(to: request, request.target, origin, expected).sample)
            }
        } catch {
            verdict.state = .unchecked(error.text)
            verdict.duration = Self.seconds(since: start)
            return verdict
        }
        verdict.request = shown(request, asked)
        learn(from: live[0], fixture, recorded)
        verdict.samples = (comparison.recorded.count, live.count)
        var sites = FixtureSites(root: root, fixture)
        let secrets = secrets.withLock { $0 }
        let result = comparison.compare(live)
        verdict.judge(
            result.findings.map { finding in
                let (file, line) = sites.place(of: finding)
                return LocatedFinding(safe(finding, secrets), file: file, line: line)
            }, of: result.compared, obstacle: result.obstacle)
        if verdict.state == .broken, let other = sibling(of: fixture, fitting: live) {
            verdict.judge(
                [], of: ComparedParts(),
                obstacle: "the service answers as \(other) says, which is for another "
                    + "state or priority: lead it there, or leave this one out with \"verify\": false")
        } else if options.learns {
            remember(live, fixture, verdict)
        }
        verdict.duration = Self.seconds(since: start)
        return verdict
    }

    /// The request as reports have it, and its recorded form if it followed a value.
    private func shown(_ request: AskedRequest, _ asked: AskedRequest) -> String {
        let secrets = secrets.withLock { $0 }
        let text = "\(request.method) \(request.target)"
        let isFollowed = request.target == asked.followedTarget
        return secrets.hidden(isFollowed ? "\(text) (recorded as \(asked.target))" : text)
    }

    /// The name of another stub for the same request that fits the live response.
    private func sibling(of fixture: VerifiedFixture, fitting live: [ResponseSample]) -> String? {
        guard fixture.stub != nil, let all = siblings[fixture.writtenRequest] else { return nil }
        return all.first { other in
            guard other.name != fixture.name, other.situation != fixture.situation,
                let result = other.comparison(root: root)?.compare(live), result.obstacle == nil
            else { return false }
            return !result.findings.contains { $0.level == .breaking }
        }?.name
    }

    /// The response that a fixture was judged by; nil if none came, or none is kept.
    package func answer(to fixture: VerifiedFixture) -> JudgedAnswer? { answers.withLock { $0[fixture.name] } }

    /// The history learnt before and now.
    package var history: FixtureHistory { learnt.withLock { $0 } }

    func remember(_ live: [ResponseSample], _ fixture: VerifiedFixture, _ verdict: FixtureVerdict) {
        // A response of another kind teaches nothing.
        let isStrange = verdict.findings.contains {
            [.statusChanged, .contentTypeChanged, .bodyMalformed, .encodingChanged, .mediaTypeMismatch].contains(
                $0.finding.id)
        }
        if isStrange || !options.learnsAnything && live.contains(where: fixture.isAccident) { return }
        let paths = fixture.redactedPaths
        var rules = RedactionRules()
        rules.jsonPaths = paths.sorted()
        rules.headers = fixture.redactedHeaders.sorted()
        let redactor = paths.isEmpty && rules.headers.isEmpty ? redactor : Redactor(rules)
        Self.teach(redactor, options, origins)
        learnt.withLock { history in
            for response in live {
                history.learn(response, of: fixture, teaches: !verdict.findings.isEmpty, redactor)
            }
        }
    }

    /// Gives a redactor the secrets that the user has named: such values may come back in responses.
    private static func teach(_ redactor: Redactor, _ options: VerifierOptions, _ origins: [UpstreamOrigin]) {
        for (placeholder, value) in options.secrets.known { redactor.remember(value, as: placeholder) }
        for origin in origins {
            for field in origin.fields where CredentialNames.isHeader(field.name) {
                let value = field.value.split(ascii: " ").last.map(String.init) ?? field.value
                if value.utf8.count >= secretLength { redactor.remember(value, as: "redacted.header.\(field.name)") }
            }
        }
    }

    /// The least bytes of a line's value that is looked for in responses. 6.
    private static let secretLength = 6

    static func seconds(since start: ContinuousClock.Instant) -> Double {
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        return Double(seconds) + Double(attoseconds) / 1e18
    }

    /// A finding without secrets.
    func safe(_ finding: DriftFinding, _ secrets: SecretValues) -> DriftFinding {
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
