// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiContentCodings
import MockapiFixtures
import MockapiJSONText

/// Values of the model that together have every condition, every matcher and every option of the format.
enum PatternSamples {
    static let values: [ValueMatcher] =
        [
            .equalTo("a", caseInsensitive: false), .equalTo("", caseInsensitive: true), .contains("\u{1}\u{7F}\"\\\n"),
            .contains(""), .doesNotContain("é\u{301}"), .matches(Pattern("[0-9]+|(")), .doesNotMatch(Pattern("")),
            .absent,
            .anything,
            .equalToJSON(
                json(#"{"a": [1, 1.0, 1e400, -0], "é": null}"#), ignoreArrayOrder: true, ignoreExtraElements: true),
            .equalToJSON(.string("a text"), ignoreArrayOrder: false, ignoreExtraElements: false),
            .equalToJSON(.string("1"), ignoreArrayOrder: false, ignoreExtraElements: true),
            .equalToJSON(.null, ignoreArrayOrder: false, ignoreExtraElements: false),
            .jsonPath(Expression("$.a"), nil), .jsonPath(Expression("$.a"), .equalTo("1", caseInsensitive: true)),
            .jsonPath(Expression("$.a"), .not(.jsonPath(Expression("$.b"), .absent))),
            .xPath(Expression("/a"), namespaces: [], nil),
            .xPath(
                Expression("/p:a"), namespaces: [.init("p", "urn:a"), .init("", "urn:b")],
                .and([.contains("x"), .absent])),
            .and([.contains("a"), .or([.absent, .not(.equalTo("b", caseInsensitive: false))])]),
        ] + leaves.map { .leaf($0) }

    static let leaves: [any LeafMatcher] =
        NumberPattern.Relation.allCases.map { NumberPattern($0, JSONNumber(literal: "1.50")) }
        + [NumberPattern(.equal, JSONNumber(literal: "-1e400"))]
        + DateTimePattern.Relation.allCases.map { DateTimePattern($0, Expression("now -3 days")) }
        + [
            dates, PathTemplatePattern("/a/{id}/**"), CaselessPattern(Pattern("a[")),
            DigestPattern(String(repeating: "0f", count: 32)),
            SchemaPattern(json(#"{"type": "object", "minProperties": 1.0}"#), version: nil, at: .nowhere),
            SchemaPattern(.bool(false), version: "V7", at: .nowhere),
            SchemaPattern(.integer(5), version: nil, at: .nowhere), XMLPattern(Expression("<a/>")), xml,
        ]

    private static let dates: DateTimePattern = {
        var pattern = DateTimePattern(.equal, Expression("2026-01-02T00:00:00Z"))
        pattern.actualFormat = Expression("unix")
        pattern.offset = -2
        pattern.offsetUnit = "hours"
        pattern.truncateExpected = Expression("first hour of day")
        pattern.truncateActual = Expression("first hour of day")
        pattern.truncatesLast = true
        return pattern
    }()

    private static let xml: XMLPattern = {
        var pattern = XMLPattern(Expression("<a>[[x]]</a>"))
        pattern.enablesPlaceholders = true
        pattern.openingDelimiter = Expression("\\[\\[")
        pattern.closingDelimiter = Expression("\\]\\]")
        pattern.exemptedComparisons = ["NAMESPACE_PREFIX", "ATTR_VALUE"]
        pattern.ignoresOrderOfSameNode = true
        pattern.namespaceAwareness = "LEGACY"
        return pattern
    }()

    static let several: [MultiValueMatcher] =
        values.map { .single($0) } + [.hasExactly(Array(values[..<3])), .includes([.absent])]

    static let bodies: [BodyMatcher] =
        values.map { .value($0) } + [
            .binaryEqualTo([]), .binaryEqualTo([0, 0xFF, 0x61]), .value(.graphQL(GraphQLPattern(Expression("{ a }")))),
            .value(
                .graphQL(
                    GraphQLPattern(
                        Expression("query A { a }"), operationName: "A", variables: json(#"{"n": 1.0, "m": []}"#)))),
        ]

    static let targets: [URLMatcher] = [
        .any, .url("/a?b=%31"), .path("/a"), .pattern(Pattern("/a\\?.*")), .pathPattern(Pattern("/(a|b)")),
        .pathTemplate("/n1/{n2}/**"),
    ]

    /// Each part of a request with each matcher that it takes, and one request with all parts.
    static let patterns: [RequestPattern] =
        targets.map { RequestPattern(method: "GET", url: $0) }
        + values.flatMap { matcher in
            let conditions: [RequestPattern.Condition] = [
                .host(.not(matcher)), .clientIP(matcher), .pathParameter(.init("n2", matcher)),
                .cookie(.init("n3", matcher)),
            ]
            return conditions.map { of([$0]) }
        }
        + several.flatMap { matcher in
            let conditions: [RequestPattern.Condition] = [
                .queryParameter(.init("", matcher)), .header(.init("n4", matcher)),
                .formParameter(.init("n[5]", matcher)),
                .multipart(MultipartPattern(name: "n6", headers: [.init("n7", matcher)])),
            ]
            return conditions.map { of([$0]) }
        }
        + bodies.flatMap { matcher in
            [of([.body(matcher)]), of([.multipart(MultipartPattern(asksAll: true, fileName: "", body: [matcher]))])]
        }
        + [
            of([]),
            RequestPattern(
                method: "X-ANY", url: .pathTemplate("/{n2}"), host: .equalTo("a.test", caseInsensitive: false),
                port: 8080,
                scheme: "https", clientIP: .contains("1"), pathParameters: [.init("n2", .absent)],
                queryParameters: [.init("n8", several[0]), .init("n9", several[1])], allowsOtherQueryParameters: false,
                headers: [.init("n4", several[2]), .init("n10", several[3])], cookies: [.init("n3", values[4])],
                basicAuth: .init(username: "", password: "a:b"), formParameters: [.init("n5", several[5])],
                body: Array(bodies[..<3]),
                multipart: [MultipartPattern(), MultipartPattern(asksAll: true, name: "", fileName: "f")]),
        ]

    private static func of(_ conditions: [RequestPattern.Condition]) -> RequestPattern {
        var pattern = RequestPattern(url: .pathTemplate("/{n2}"))
        pattern.conditions = conditions
        return pattern
    }

    /// Responses that together have every key that a definition has.
    static let responses: [ResponseDefinition] = {
        let contents: [ResponseDefinition.Content] = [
            .none, .text(""), .text("é\u{0}"), .json(json("[1e400, {}]")), .json(.null), .bytes([]), .bytes([0xFF]),
            .file("a/../b.json"),
        ]
        var all = contents.map { ResponseDefinition(content: $0) }
        let faults: [Fault] = [
            .emptyResponse, .connectionResetByPeer, .malformedResponseChunk, .randomDataThenClose,
            .truncateBody(afterBytes: 3), .slowBody(bytesPerSecond: 9), .wrongContentLength, .badGzip,
            .resetStream(code: 8, afterBytes: nil), .resetStream(code: 99, afterBytes: 1), .refusedStream,
            .goAway(code: 0, afterThisStream: false), .stall(afterBytes: nil), .stall(afterBytes: 0),
        ]
        all += faults.map { fault in
            var response = ResponseDefinition(status: 418)
            response.fault = fault
            response.faultEndsConnection = fault == .emptyResponse
            return response
        }
        let distributions: [ResponseDelay.Distribution] = [
            .fixed(5), .uniform(lower: 1, upper: 2), .lognormal(median: 80, sigma: 0.4, maximum: nil),
            .lognormal(median: 0.1, sigma: 1e-7, maximum: 1e9),
        ]
        all += distributions.map { distribution in
            var response = ResponseDefinition()
            response.delay.distribution = distribution
            return response
        }
        var full = ResponseDefinition(
            status: 999, headers: [HeaderLine("A", ""), HeaderLine("a", "b: c"), HeaderLine("Set-Cookie", "a=1")])
        full.reason = ""
        full.isLatin1 = true
        full.contentEncoding = .gzip
        full.isTyped = false
        full.contentLength = 12
        full.trailers = [HeaderLine("X-Sum", "é")]
        full.rewriteOrigins = ["https://a.test", "http://b.test:8080"]
        full.hasRanges = false
        full.delay.fixedMilliseconds = 1
        full.delay.dribble = .init(chunks: 2, milliseconds: 30)
        return all + [full]
    }()

    static func json(_ text: String) -> JSONNode { (try? JSONParser.parse(text)) ?? .string("(\(text) is not JSON)") }
}
