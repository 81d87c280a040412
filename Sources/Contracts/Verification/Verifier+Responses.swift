// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiContentCodings
import MockapiDrift
import MockapiHTTPSyntax
import MockapiProxy
import MockapiRecording
import MockapiUpstream

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

// The responses to the request of a fixture.
extension Verifier {
    typealias Answer = (sample: ResponseSample, response: ReceivedResponse)

    /// The first response.
    ///
    /// A plain file is asked for by each of its paths until one fits, and judged by that which fits best. A value that a response gave is followed
    /// if the service does not know the recorded one any more; at once if the request changes something.
    func first(
        _ request: inout AskedRequest, _ origin: UpstreamOrigin, _ expected: ExpectedAnswer,
        _ comparison: ResponseComparison
    ) async throws(Unclear) -> Answer {
        if let followed = request.followedTarget {
            guard request.isSafe else {
                request.target = followed
                return try await response(to: request, followed, origin, expected)
            }
            let answer = try await response(to: request, request.target, origin, expected)
            if expected.statuses.contains(answer.sample.status) || ![404, 410].contains(answer.sample.status) {
                return answer
            }
            request.target = followed
            return try await response(to: request, followed, origin, expected)
        }
        if request.otherTargets.isEmpty { return try await response(to: request, request.target, origin, expected) }
        var best: (answer: Answer, target: String, weight: Int)?
        var reason: Unclear?
        for target in [request.target] + request.otherTargets {
            let answer: Answer
            do throws(Unclear) {
                answer = try await response(to: request, target, origin, expected)
            } catch {
                reason = reason ?? error
                continue
            }
            let weight = comparison.compare([answer.sample]).weight
            if best.map({ weight < $0.weight }) ?? true { best = (answer, target, weight) }
            if weight < Comparison.breakingWeight { break }
        }
        guard let best else { throw reason ?? Unclear(text: "no response") }
        // Nobody knows the response behind a refusal.
        if best.weight >= Comparison.breakingWeight, best.answer.sample.status == 404, let reason { throw reason }
        request.target = best.target
        return best.answer
    }

    /// Makes a conditional request ask for the service's present content (RFC 9110 §13.1): the recorded validators may be those of other content.
    func refreshValidators(of request: inout AskedRequest, _ origin: UpstreamOrigin) async throws(Unclear) {
        let validators = ["if-none-match": "etag", "if-modified-since": "last-modified"]
        guard request.fields.contains(where: { validators[$0.name.lowercased()] != nil }) else { return }
        var plain = request
        plain.fields.removeAll { validators[$0.name.lowercased()] != nil }
        let (response, _) = try await self.response(
            to: plain, plain.target, origin, ExpectedAnswer([], contract: [200]))
        for index in request.fields.indices {
            guard let name = validators[request.fields[index].name.lowercased()],
                let value = response.headers.first(where: { $0.name.lowercased() == name })?.value
            else { continue }
            request.fields[index] = UpstreamField(request.fields[index].name, value)
        }
    }

    func response(
        to request: AskedRequest, _ target: String, _ origin: UpstreamOrigin, _ expected: ExpectedAnswer
    ) async throws(Unclear) -> Answer {
        var attempt = 0
        while true {
            let (response, isCut) = try await send(request, target, origin, expected)
            let status = response.status
            if expected.statuses.contains(status) { return (sample(response, request, origin, isCut), response) }
            let delay = response.head["Retry-After"]
            let isLimit = status == 429 || status == 430 || status == 403 && Self.isLimited(response.head)
            // A request that changes something may have been done all the same.
            let isPassing = Self.passing.contains(status) && request.isSafe
            guard isLimit || isPassing else {
                if status == 401 || status == 403 {
                    throw Unclear(text: "it answered \(status): give the credentials with --header or --secret")
                }
                if Self.passing.contains(status) { throw Unclear(text: "it answered \(status)") }
                return (sample(response, request, origin, isCut), response)
            }
            let now = Int(time(nil))
            guard attempt < (isLimit ? Self.retryLimit : options.retries),
                let pause = RetryDelay.of(delay, attempt: attempt, now: now, date: { HTTPDate.parse($0, now: now) }),
                (try? await Task.sleep(for: pause)) != nil
            else {
                throw Unclear(
                    text: isLimit
                        ? "it answered \(status) again and again, its limit of requests: give --rate, or try later"
                        : "it answered \(status) \(attempt + 1) times: it is down, or --retries asks more often")
            }
            attempt += 1
        }
    }

    /// Statuses of a moment: another request may succeed.
    private static let passing: Set<Int> = [408, 425, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529]

    /// Whether a refusal says that there were too many requests.
    private static func isLimited(_ head: UpstreamHead) -> Bool {
        head["Retry-After"] != nil || head["X-RateLimit-Remaining"] == "0" || head["RateLimit-Remaining"] == "0"
    }

    /// Sends a request and reads the response to its end; a stream until as much has come as was recorded.
    private func send(
        _ request: AskedRequest, _ target: String, _ origin: UpstreamOrigin, _ expected: ExpectedAnswer
    ) async throws(Unclear) -> (ReceivedResponse, isCut: Bool) {
        let version = options.session.protocol(for: origin)
        var timeouts = options.session.upstream.timeouts
        timeouts.whole = expected.streamBytes == nil ? Self.longest : Self.longestStream
        var asked = UpstreamRequest(
            request.method, origin.text + target, fields: request.fields,
            body: request.body.map { .bytes($0) } ?? .none, version: version)
        asked.timeouts = timeouts
        guard let wanted = expected.streamBytes else {
            do throws(UpstreamError) {
                let response = try await client.send(asked)
                return (ReceivedResponse(head: response.head, body: response.body), false)
            } catch {
                throw Unclear(text: Self.words(of: error))
            }
        }
        let stream: UpstreamStream
        do throws(UpstreamError) {
            stream = try await client.stream(asked)
        } catch {
            throw Unclear(text: Self.words(of: error))
        }
        var response = ReceivedResponse(head: stream.head)
        do throws(UpstreamError) {
            while let bytes = try await stream.body.next() {
                response.body += bytes
                let isEnough = response.body.count >= wanted && Self.endOfEvents(response.body) != nil
                if isEnough || response.body.count > Self.bodyLimit { break }
            }
            return (response, true)
        } catch {
            // The part that has come is judged.
            guard case .timeout = error.kind, !response.body.isEmpty else { throw Unclear(text: Self.words(of: error)) }
        }
        return (response, true)
    }

    private static func words(of error: UpstreamError) -> String {
        if case .timeout(.whole) = error.kind {
            return "its response goes on for more than \(longest.components.seconds) s"
        }
        return "no response: \(error.told)"
    }

    /// Behind the last whole event of a stream; nil if there is none.
    private static func endOfEvents(_ body: [UInt8]) -> Int? {
        var index = body.count - 1
        while index > 0 {
            if body[index] == 0x0A, body[index - 1] == 0x0A { return index + 1 }
            if index > 2, body[index] == 0x0A, body[index - 1] == 0x0D, body[index - 2] == 0x0A { return index + 1 }
            index -= 1
        }
        return nil
    }

    /// - Parameter isCut: whether it was not read to its end.
    func sample(
        _ response: ReceivedResponse, _ request: AskedRequest, _ origin: UpstreamOrigin, _ isCut: Bool
    ) -> ResponseSample {
        let codings = response.head.fields.filter { $0.name.lowercased() == "content-encoding" }.map(\.value)
            .joined(separator: ",")
        var sample = ResponseSample(
            status: response.status, headers: response.head.fields.map { ($0.name, Latin1.read($0.bytes).text) },
            body: response.body)
        if !codings.isEmpty, !response.body.isEmpty {
            if let decoder = StreamDecoder(codings: codings, limit: Self.bodyLimit) {
                do throws(DecodingFailure) {
                    sample.body = try decoder.decode(response.body)
                    if !isCut { try decoder.finish() }
                } catch {
                    sample.brokenCoding = codings
                }
            } else {
                sample.unknownCoding = codings
            }
        }
        if isCut, sample.isStream, let end = Self.endOfEvents(sample.body) { sample.body.removeSubrange(end...) }
        sample.isWithoutBody = request.method == "HEAD" || [204, 304].contains(response.status)
        sample.origin = origin.text
        return sample
    }
}
