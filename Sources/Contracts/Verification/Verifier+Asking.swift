// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiContentCodings
import MockapiDrift
import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiProxy
import MockapiRecording
import MockapiSecrets
import MockapiUpstream
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

// The requests for a fixture, and the responses to them.
extension Verifier {
    struct NotAsked: Error {
        let state: FixtureVerdict.State
    }

    /// The request of a fixture, or why there is none.
    func plan(_ fixture: VerifiedFixture) -> Result<AskedRequest, NotAsked> {
        if fixture.verify == false { return .failure(NotAsked(state: .skipped("not to be verified"))) }
        switch fixture.source {
        case .file(let file):
            let paths = file.requestPaths.map(Self.encodedPath)
            guard let first = paths.first else { return .failure(NotAsked(state: .skipped("not served"))) }
            var request = AskedRequest(method: "GET", target: first, fields: [])
            request.otherTargets = Array(paths.dropFirst())
            return .success(request)
        case .stub(let stub):
            if let reason = fixture.noResponseReason { return .failure(NotAsked(state: .skipped(reason))) }
            let method =
                fixture.recorded?["request"]?.string.flatMap { $0.split(separator: " ").first.map(String.init) }
                ?? stub.request.method ?? "GET"
            if !AskedRequest.isSafe(method), !options.allowsUnsafe, fixture.verify != true {
                return .failure(NotAsked(state: .skipped("unsafe methods")))
            }
            let builder = RequestBuilder(
                stub: stub, recorded: fixture.recorded, root: root, secrets: secrets.withLock { $0 },
                captures: captureNames)
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

    func origin(of fixture: VerifiedFixture) -> UpstreamOrigin {
        origins.dropFirst().first { $0.text == fixture.origin } ?? origins[0]
    }

    func add(to request: inout AskedRequest, _ origin: UpstreamOrigin) {
        let authorization = origin.authorization.map { [UpstreamField("Authorization", $0)] } ?? []
        for field in origin.fields + authorization + options.defaultFields {
            let name = field.name.lowercased()
            if !request.fields.contains(where: { $0.name.lowercased() == name }) { request.fields.append(field) }
        }
    }

    static func encodedPath(_ path: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false).map { PercentCoding.encode(String($0)) }
            .joined(separator: "/")
    }

    // MARK: Responses

    /// The first response; a plain file is asked for by each of its paths until one is known.
    func first(
        _ request: inout AskedRequest, _ origin: UpstreamOrigin, _ statuses: Set<Int>
    ) async throws(Unclear) -> ResponseSample {
        let response = try await response(to: request, request.target, origin, statuses)
        guard response.status == 404, !statuses.contains(404) else { return response }
        for target in request.otherTargets {
            let other = try await self.response(to: request, target, origin, statuses)
            if other.status != 404 {
                request.target = target
                return other
            }
        }
        return response
    }

    /// Has a conditional request ask for what the service has now (RFC 9110 §13.1): the recorded validators may be those of other content.
    func refreshValidators(of request: inout AskedRequest, _ origin: UpstreamOrigin) async throws(Unclear) {
        let validators = ["if-none-match": "etag", "if-modified-since": "last-modified"]
        guard request.fields.contains(where: { validators[$0.name.lowercased()] != nil }) else { return }
        var plain = request
        plain.fields.removeAll { validators[$0.name.lowercased()] != nil }
        let response = try await response(to: plain, plain.target, origin, [200])
        for index in request.fields.indices {
            guard let name = validators[request.fields[index].name.lowercased()],
                let value = response.headers.first(where: { $0.name.lowercased() == name })?.value
            else { continue }
            request.fields[index] = UpstreamField(request.fields[index].name, value)
        }
    }

    func response(
        to request: AskedRequest, _ target: String, _ origin: UpstreamOrigin, _ statuses: Set<Int>
    ) async throws(Unclear) -> ResponseSample {
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

    func sample(_ response: UpstreamResponse, _ request: AskedRequest, _ origin: UpstreamOrigin) -> ResponseSample {
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
                // A body that is not of its coding is judged as it came.
            }
        }
        var sample = ResponseSample(
            status: response.status, headers: response.head.fields.map { ($0.name, Latin1.read($0.bytes).text) },
            body: body)
        sample.isWithoutBody = request.method == "HEAD" || [204, 304].contains(response.status)
        sample.origin = origin.text
        return sample
    }

    // MARK: Values of responses

    /// Keeps the values of a response that later requests need: those that the stub captures, and those in the places of placeholders.
    func learn(from response: ResponseSample, _ fixture: VerifiedFixture, _ recorded: [ResponseSample]) {
        let captures = fixture.captures
        let hidden = recorded.first { $0.status == response.status && $0.hasPlaceholder }
        let gives = followed.withLock { $0.sources[fixture.name] != nil }
        guard !captures.isEmpty || hidden != nil || gives, let live = try? JSONParser.parse(response.body) else {
            return
        }
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
}
