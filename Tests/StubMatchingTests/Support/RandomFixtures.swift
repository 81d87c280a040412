// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Fixtures
import HTTPMessage
import JSONText

/// Stubs and requests from a small alphabet, so that they overlap in every way.
struct RandomFixtures {
    var random: SplitMix

    private let paths = ["/api/a", "/api/b", "/api/a/", "/api/a/b", "/", "/api/a%20b", "/api/1", "/x"]
    private let templates = [
        "/api/{id}", "/{x}/a", "/api/{id}/b", "/api/**", "/**", "/api/{a}{b}", "/{x}/{y}", "/api/{id}/**", "**/b",
    ]
    private let names = ["p", "q", "f[a]"]
    private let values = ["1", "2", "x", "X", "a b", ""]

    mutating func set(_ count: Int, _ dialect: FixtureSet.Dialect) -> FixtureSet {
        let stubs = (0..<count).map { Stub.make("\($0).stub.json", pattern(), priority: random.pick([5, 5, 5, 1, 9])) }
        let files = [
            PlainFile.make("api/a.json", ["/api/a.json", "/api/a"]), PlainFile.make("a b", ["/api/a b"]),
        ]
        return FixtureSet(root: "/", dialect: dialect, stubs: stubs, files: files)
    }

    private mutating func pattern() -> RequestPattern {
        var request = RequestPattern()
        request.method = random.pick(["GET", "GET", "POST", "HEAD", nil])
        switch Int.random(in: 0..<12, using: &random) {
        case 0: request.url = .any
        case 1, 2: request.url = .url(target())
        case 3: request.url = .pattern(Pattern(random.pick(PatternOracle.patterns)))
        case 4: request.url = .pathPattern(Pattern(random.pick(PatternOracle.patterns)))
        case 5, 6: request.url = .pathTemplate(random.pick(templates))
        default: request.url = .path(random.pick(paths))
        }
        if random.chance(10) {
            request.host = .equalTo(random.pick(["a.example", "b.example"]), caseInsensitive: false)
        }
        if case .pathTemplate = request.url, random.chance(50) {
            request.pathParameters = [.init(random.pick(["id", "x", "a", "0", "zz"]), matcher())]
        }
        for name in names where random.chance(35) { request.queryParameters.append(.init(name, multiple())) }
        request.allowsOtherQueryParameters = random.chance(75)
        for name in ["accept", "x-a"] where random.chance(20) { request.headers.append(.init(name, multiple())) }
        if random.chance(15) { request.cookies = [.init(random.pick(["c", "d"]), matcher())] }
        if random.chance(5) { request.basicAuth = .init(username: "u", password: "p") }
        if random.chance(10) { request.body = [body()] }
        return request
    }

    private mutating func body() -> BodyMatcher {
        switch Int.random(in: 0..<3, using: &random) {
        case 0: .value(matcher())
        case 1: .binaryEqualTo(Array(random.pick(values).utf8))
        default: .value(.equalToJSON(.integer(1), ignoreArrayOrder: false, ignoreExtraElements: false))
        }
    }

    private mutating func multiple() -> MultiValueMatcher {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: .hasExactly((0..<random.pick([1, 2, 3])).map { _ in matcher() })
        case 1: .includes((0..<random.pick([1, 2])).map { _ in matcher() })
        default: .single(matcher())
        }
    }

    private mutating func matcher(depth: Int = 0) -> ValueMatcher {
        switch Int.random(in: 0..<(depth < 2 ? 16 : 13), using: &random) {
        case 0: .absent
        case 1: .contains(random.pick(["1", "x", "a"]))
        case 2: .doesNotContain(random.pick(["1", "x", "a"]))
        case 3: .matches(Pattern(random.pick(["[0-9]+", ".*a.*", "(?i)X|1", ""])))
        case 4: .doesNotMatch(Pattern(random.pick(["[0-9]+", ".*a.*", "(?i)X|1", ""])))
        case 5: .equalTo(random.pick(values), caseInsensitive: true)
        case 13: .and([matcher(depth: depth + 1), matcher(depth: depth + 1)])
        case 14: .or([matcher(depth: depth + 1), matcher(depth: depth + 1)])
        case 15: .not(matcher(depth: depth + 1))
        default: .equalTo(random.pick(values), caseInsensitive: false)
        }
    }

    private mutating func target() -> String {
        var pairs: [String] = []
        for name in names + names where random.chance(25) {
            let name = random.chance(30) && name == "f[a]" ? "f%5Ba%5D" : name
            pairs.append(name + "=" + random.pick(["1", "2", "x", "X", "a+b", "a%20b", ""]))
        }
        if random.chance(5) { pairs.append("other=1") }
        let query = pairs.joined(separator: "&")
        return random.pick(paths) + (query.isEmpty ? random.pick(["", "", "?"]) : "?" + query)
    }

    mutating func request() -> LinearMatcher.Request {
        var headers: [(String, String)] = []
        for name in ["Accept", "x-a", "X-A"] where random.chance(35) { headers.append((name, random.pick(values))) }
        if random.chance(30) {
            let second = random.pick([";d=2", "; d=1; c=2", ""])
            headers.append(("Cookie", "c=" + random.pick(["1", "x", "X"]) + second))
        }
        if random.chance(10) { headers.append(("authorization", random.pick(["BASIC dTpw", "Basic YTpi"]))) }
        return LinearMatcher.Request(
            method: random.pick(["GET", "GET", "GET", "POST", "HEAD", "PUT"]), target: target(), headers: headers,
            host: random.pick(["A.example:80", "b.example", nil]),
            body: random.chance(70) ? "" : random.pick(["1", "1.0", "x", "{"]), matchesAnyHost: random.chance(70))
    }
}
