// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPTypes
import MockServer

/// Which responses a client with a cache reuses, and which it asks for again (RFC 9111). Each case is a few requests of one URL, one after the other.
extension ContractRequirements {
    private typealias Turn = Step.Turn

    private static let fresh: KeyValuePairs = ["Cache-Control": "max-age=100"]
    private static let first = Array("first".utf8)

    static let caches = [
        cached(
            "fresh", "what is fresh is given again (RFC 9111 §4.2)", expected: "one request", answers(fresh)
        ) { evidence in
            if evidence.entries.count == 2 { return .notApplicable("the client asks again, as it may") }
            return given(evidence, [1, 1])
        },
        cached(
            "expires", "what expires later is given again (§5.3)", expected: "one request",
            answers(["Expires": "Wed, 01 Jan 2070 00:00:00 GMT"])
        ) { evidence in
            if evidence.entries.count == 2 { return .notApplicable("the client asks again, as it may") }
            return given(evidence, [1, 1])
        },
        askedAgain(
            "expired", "what has expired is asked for again (§5.3)", ["Expires": "Thu, 01 Jan 1970 00:00:00 GMT"]),
        askedAgain("expires.text", "an Expires that is not a date has expired (§5.3)", ["Expires": "0"]),
        askedAgain(
            "stale", "what is stale is asked for again (§4.2)", ["Cache-Control": "max-age=1"],
            turns: [Turn(), Turn(delay: 2_100)]),
        askedAgain("zero", "max-age=0 is stale (§5.2.2.1)", ["Cache-Control": "max-age=0"]),
        askedAgain(
            "first", "max-age takes precedence over Expires (§5.3)",
            [
                "Cache-Control": "max-age=0", "Expires": "Wed, 01 Jan 2070 00:00:00 GMT",
            ]),
        askedAgain(
            "age", "what is older than its max-age is stale (§4.2.3)", ["Cache-Control": "max-age=50", "Age": "100"]),
        askedAgain("no-store", "no-store is not stored (§5.2.2.5)", ["Cache-Control": "no-store, max-age=100"]),
        askedAgain("no-cache", "no-cache is asked for again (§5.2.2.4)", ["Cache-Control": "no-cache, max-age=100"]),
        askedAgain("letters", "directives are case-insensitive (§5.2)", ["Cache-Control": "max-age=100, No-Store"]),
        cached(
            "request.no-cache", "a request with no-cache is asked (§5.2.1.4)", expected: "two requests",
            turns: [Turn(), Turn(headers: [("Cache-Control", "no-cache")])], answers(fresh)
        ) { evidence in
            evidence.entries.count == 1
                ? .advice("no-cache of a request is passed over, as it may be (RFC 9111 §5.2.1)")
                : given(evidence, [1, 2])
        },
        askedAgain(
            "query", "another query is another resource (§4)", fresh,
            turns: [Turn(suffix: "?n=1"), Turn(suffix: "?n=2")]),
        askedAgain(
            "post", "the response to GET is none to POST (§4)", fresh,
            turns: [Turn(), Turn(method: "POST", body: Array("order".utf8))]),
        cached(
            "invalidated", "a POST makes what was stored invalid (§4.4)", expected: "three requests",
            turns: [Turn(), Turn(method: "POST", body: Array("order".utf8)), Turn()], answers(fresh)
        ) { given($0, [1, 2, 3]) },
        askedAgain(
            "vary", "what varies with a field is given for its value alone (§4.1)",
            ["Cache-Control": "max-age=100", "Vary": "Accept-Language"],
            turns: [Turn(headers: [("Accept-Language", "en")]), Turn(headers: [("Accept-Language", "de")])]),
        askedAgain("vary.all", "Vary: * is always asked for (§4.1)", ["Cache-Control": "max-age=100", "Vary": "*"]),
        withoutContent, authorized, revalidated, weak, updated, since, mustRevalidate, cut,
    ]

    private static func answers(_ fields: KeyValuePairs<String, String>) -> [MockResponse] {
        ["first", "second", "third"].map { MockResponse(headers: fields, body: .text($0)) }
    }

    private static func cached(
        _ id: String, _ title: String, expected: String, turns: [Step.Turn] = [Turn(), Turn()],
        _ responses: [MockResponse], judge: @escaping @Sendable (StepEvidence) -> Judgement
    ) -> Requirement {
        var requirement = Requirement(
            "cache.\(id)", title, expected: expected,
            { step in
                step.suffix = turns.first?.suffix ?? ""
                step.headers = turns.first?.headers ?? []
                step.turns = turns
            },
            stubs: { [RequestMatch.any($0.path).respond(inTurn: responses)] }
        ) { evidence in
            guard !evidence.entries.isEmpty else { return Judging.none(evidence) }
            if let silence = Judging.silence(evidence) { return silence }
            guard evidence.outcomes.count == turns.count else {
                return .fail("\(evidence.outcomes.count) reports of \(turns.count) turns")
            }
            return judge(evidence)
        }
        requirement.ability = .cache
        requirement.isOfOtherProcesses = true
        return requirement
    }

    /// One whose second request has to come, and to have its own response.
    private static func askedAgain(
        _ id: String, _ title: String, _ fields: KeyValuePairs<String, String>,
        turns: [Step.Turn] = [Turn(), Turn()]
    ) -> Requirement {
        cached(id, title, expected: "two requests, and the second response", turns: turns, answers(fields)) {
            given($0, [1, 2])
        }
    }

    /// Which of the responses each turn was given.
    private static func given(_ evidence: StepEvidence, _ numbers: [Int]) -> Judgement {
        let texts = ["first", "second", "third"]
        for (turn, number) in numbers.enumerated() {
            guard let outcome = outcome(evidence, turn) else { return .fail("no report of turn \(turn)") }
            guard outcome.hasStatus(200), outcome.body == Array(texts[number - 1].utf8) else {
                let given = texts.firstIndex { Array($0.utf8) == outcome.body }
                return .fail(
                    given.map { "turn \(turn) has response \($0 + 1)" } ?? "turn \(turn): \(outcome.summary)")
            }
        }
        let most = numbers.max() ?? 0
        return evidence.entries.count == most ? .pass : .fail(Judging.count(evidence.entries))
    }

    private static func outcome(_ evidence: StepEvidence, _ turn: Int) -> StepOutcome? {
        evidence.outcomes.first { $0.index == turn }
    }

    /// A cache of one user may give it (RFC 9111 §3.5 is of shared ones), but a user who changes accounts does not expect that.
    private static let authorized = cached(
        "authorization", "what one Authorization is given is not given to another (§3.5)", expected: "two requests",
        turns: [
            Turn(headers: [("Authorization", "Bearer One")]), Turn(headers: [("Authorization", "Bearer Two")]),
        ], answers(fresh)
    ) { evidence in
        evidence.entries.count == 1 ? .advice("one user's response is given to another") : given(evidence, [1, 2])
    }

    /// GET has content, which a response to HEAD lacks. HEAD takes no step of a sequence, so that the first response is that of GET, too.
    private static let withoutContent = cached(
        "head", "the response to HEAD is not given to GET (§4)", expected: "200, 5 bytes",
        turns: [Turn(method: "HEAD"), Turn()], answers(fresh)
    ) { evidence in
        guard let outcome = outcome(evidence, 1) else { return .fail("no report of turn 1") }
        return outcome.hasStatus(200) && outcome.body == Array("first".utf8) ? .pass : .fail(outcome.summary)
    }

    private static let revalidated = cached(
        "etag", "what is stale is asked for with its ETag, and 304 gives it again (§4.3)",
        expected: "If-None-Match: \"v1\", and 200 with the first content",
        [
            MockResponse(headers: ["Cache-Control": "max-age=0", "ETag": "\"v1\""], body: "first"),
            MockResponse(304, headers: ["ETag": "\"v1\""]),
        ]
    ) { evidence in
        conditional(evidence, "If-None-Match", "\"v1\"") { _ in .pass }
    }

    /// A tag that is weak on one side is compared as a weak one (RFC 9110 §8.8.3.2; karpetrosyan/hishel#466).
    private static let weak = cached(
        "etag.weak", "304 with the tag of a weak ETag gives the stored content again (RFC 9110 §8.8.3.2)",
        expected: "200 with the first content",
        [
            MockResponse(headers: ["Cache-Control": "max-age=0", "ETag": "W/\"v1\""], body: "first"),
            MockResponse(304, headers: ["ETag": "\"v1\""]), MockResponse(body: "second"),
        ]
    ) { evidence in
        // A strong tag does not identify a stored response with a weak tag: to ask again without a condition is right, too.
        if evidence.entries.count == 3, outcome(evidence, 1)?.body == Array("second".utf8) {
            return .advice("asks again in full, since 304 has a strong tag (RFC 9111 §4.3.4)")
        }
        return conditional(evidence, "If-None-Match", "W/\"v1\"") { _ in .pass }
    }

    private static let updated = cached(
        "etag.fields", "304 brings fields up to date (§3.2)", expected: "X-Contract: new",
        [
            MockResponse(
                headers: ["Cache-Control": "max-age=0", "ETag": "\"v1\"", "X-Contract": "old"], body: "first"),
            MockResponse(304, headers: ["ETag": "\"v1\"", "X-Contract": "new"]),
        ]
    ) { evidence in
        conditional(evidence, "If-None-Match", "\"v1\"") { Judging.equal($0.values("X-Contract"), "new") }
    }

    private static let since = cached(
        "last-modified", "what is stale is asked for with its date (§4.3.1)",
        expected: "If-Modified-Since, and 200 with the first content",
        [
            MockResponse(
                headers: ["Cache-Control": "max-age=0", "Last-Modified": "Thu, 01 Jan 2004 00:00:00 GMT"],
                body: "first"), MockResponse(304),
        ]
    ) { evidence in
        conditional(evidence, "If-Modified-Since", "Thu, 01 Jan 2004 00:00:00 GMT") { _ in .pass }
    }

    private static func conditional(
        _ evidence: StepEvidence, _ field: String, _ value: String, _ judge: (StepOutcome) -> Judgement
    ) -> Judgement {
        guard evidence.entries.count == 2 else { return .fail(Judging.count(evidence.entries)) }
        let values = evidence.entries[1].values(field)
        if values.isEmpty { return .notApplicable("the client asks without \(field), as it may") }
        guard values == [value] else { return .fail("\(field): \(values.joined(separator: "; "))") }
        guard let outcome = outcome(evidence, 1) else { return .fail("no report of turn 1") }
        guard outcome.hasStatus(200), outcome.body == first else { return .fail(outcome.summary) }
        return judge(outcome)
    }

    private static let mustRevalidate = cached(
        "must-revalidate", "what must be asked for again is not given when that fails (§5.2.2.2)",
        expected: "500, or an error", turns: [Turn(), Turn(delay: 2_100)],
        [
            MockResponse(headers: ["Cache-Control": "max-age=1, must-revalidate"], body: "first"),
            MockResponse(500, body: "second"),
        ]
    ) { evidence in
        guard let outcome = outcome(evidence, 1) else { return .fail("no report of turn 1") }
        if outcome.body == first { return .fail("what is stale") }
        return outcome.failure != nil || outcome.status == 500 || outcome.status == 504 ? .pass : .fail(outcome.summary)
    }

    /// A part that is kept for the whole is given for ever.
    private static let cut = cached(
        "truncated", "what came in part is not given for the whole (§3.3)", expected: "the second response",
        [
            MockResponse(headers: fresh, body: "first", fault: .truncatedBody(afterBytes: 2)),
            MockResponse(headers: fresh, body: "second"),
        ]
    ) { evidence in
        guard let outcome = outcome(evidence, 1) else { return .fail("no report of turn 1") }
        return outcome.hasStatus(200) && outcome.body == Array("second".utf8) ? .pass : .fail(outcome.summary)
    }
}
