// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText
import MockapiMatchingSupport
import MockapiTestSupport

/// Stubs and requests from a small alphabet, so that they overlap in every way.
struct RandomFixtures {
    var random: SplitMix

    private let paths = ["/api/a", "/api/b", "/api/a/", "/api/a/b", "/", "/api/a%20b", "/api/1", "/x"]
    private let templates = [
        "/api/{id}", "/{x}/a", "/api/{id}/b", "/api/**", "/**", "/api/{a}{b}", "/{x}/{y}", "/api/{id}/**", "**/b",
    ]
    private let names = ["p", "q", "f[a]"]
    private let credentials = [
        "BASIC dTpw", "Basic YTpi", "basic   dTpw", "Basic x dTpw", "Basic dTpwdTpw", "Basicx dTpw", "Basic ", "dTpw",
    ]
    private let values = ["1", "2", "x", "X", "a b", "", "2026-01-01T00:00:00Z", "2026-01-02T01:00:00+01:00"]

    mutating func set(_ count: Int, _ dialect: FixtureSet.Dialect, addedFrom first: Int = .max) -> FixtureSet {
        let stubs = (0..<count).map { number in
            Stub.make(
                "\(number).stub.json", pattern(), priority: random.pick([5, 5, 5, 1, 9]), isAdded: number >= first)
        }
        let files = [
            PlainFile.make("api/a.json", ["/api/a.json", "/api/a"]), PlainFile.make("a b", ["/api/a b"]),
        ]
        return FixtureSet(root: "/", dialect: dialect, stubs: stubs, files: files)
    }

    private mutating func pattern() -> RequestPattern {
        let method = random.pick(["GET", "GET", "POST", "HEAD", nil])
        let url: URLMatcher =
            switch Int.random(in: 0..<12, using: &random) {
            case 0: .any
            case 1, 2: .url(target())
            case 3: .pattern(Pattern(random.pick(PatternOracle.patterns)))
            case 4: .pathPattern(Pattern(random.pick(PatternOracle.patterns)))
            case 5, 6: .pathTemplate(random.pick(templates))
            default: .path(random.pick(paths))
            }
        var pathParameters: [RequestPattern.Named<ValueMatcher>] = []
        if case .pathTemplate = url, random.chance(50) {
            pathParameters = [.init(random.pick(["id", "x", "a", "0", "zz"]), matcher())]
        }
        let query = names.filter { _ in random.chance(35) }.map { RequestPattern.Named($0, multiple()) }
        let headers = ["accept", "x-a"].filter { _ in random.chance(20) }.map { RequestPattern.Named($0, multiple()) }
        return RequestPattern(
            method: method, url: url,
            host: random.chance(15)
                ? .equalTo(random.pick(["a.example", "b.example"]), caseInsensitive: false) : nil,
            port: random.chance(4) ? random.pick([80, 443, 8080]) : nil,
            scheme: random.chance(4) ? random.pick(["http", "https"]) : nil,
            clientIP: random.chance(4)
                ? .equalTo(random.pick(["192.0.2.1", "192.0.2.2"]), caseInsensitive: false) : nil,
            pathParameters: pathParameters, queryParameters: query,
            allowsOtherQueryParameters: random.chance(75), headers: headers,
            cookies: random.chance(15) ? [.init(random.pick(["c", "d"]), matcher())] : [],
            basicAuth: random.chance(12) ? .init(username: "u", password: "p") : nil,
            formParameters: random.chance(8) ? [.init(random.pick(names), multiple())] : [],
            body: random.chance(30) ? [body()] : [], multipart: random.chance(6) ? [multipart()] : [])
    }

    private mutating func body() -> BodyMatcher {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: .value(matcher())
        case 1: .binaryEqualTo(Array(random.pick(values).utf8))
        case 2: .value(.equalToJSON(.integer(1), ignoreArrayOrder: false, ignoreExtraElements: false))
        case 3: .value(.and([engine(), engine()]))
        default: .value(engine())
        }
    }

    /// A matcher of a body, most of them the same JSON path with another value.
    private mutating func engine() -> ValueMatcher {
        switch Int.random(in: 0..<14, using: &random) {
        case 0: .leaf(SchemaPattern(random.pick(EngineOracle.schemas), version: "V7", at: EngineOracle.place))
        case 1:
            .leaf(XMLPattern(Expression(random.pick(Array(EngineOracle.documents[..<4])), at: EngineOracle.place)))
        case 2: .xPath(Expression("/a/b/text()", at: EngineOracle.place), namespaces: [], random.pick([nil, found()]))
        case 3, 4: .graphQL(graphQL())
        case 5: .jsonPath(Expression(random.pick(EngineOracle.paths), at: EngineOracle.place), nil)
        case 6: .not(.jsonPath(Expression("$.a", at: EngineOracle.place), found()))
        case 7:
            .jsonPath(
                Expression("$.o", at: EngineOracle.place),
                .equalToJSON(.object([:]), ignoreArrayOrder: false, ignoreExtraElements: true))
        default: .jsonPath(Expression(random.pick(EngineOracle.paths), at: EngineOracle.place), found())
        }
    }

    private mutating func found() -> ValueMatcher {
        random.chance(70) ? .equalTo(random.pick(["1", "2", "x"]), caseInsensitive: false) : matcher(depth: 1)
    }

    private mutating func graphQL() -> GraphQLPattern {
        GraphQLPattern(
            Expression(random.pick(Array(EngineOracle.queries[..<4])), at: EngineOracle.place),
            operationName: random.pick([nil, "A", "B"]),
            variables: random.pick([nil, nil, .object(["n": .integer(1)])]))
    }

    private mutating func multipart() -> MultipartPattern {
        MultipartPattern(
            asksAll: random.chance(30), name: random.pick([nil, "f", "g"]), fileName: random.pick([nil, nil, "n.txt"]),
            headers: random.chance(30) ? [.init("content-type", multiple())] : [],
            body: random.chance(70) ? [.value(matcher())] : [])
    }

    private mutating func multiple() -> MultiValueMatcher {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: .hasExactly((0..<random.pick([1, 2, 3])).map { _ in matcher() })
        case 1: .includes((0..<random.pick([1, 2])).map { _ in matcher() })
        default: .single(matcher())
        }
    }

    private mutating func matcher(depth: Int = 0) -> ValueMatcher {
        switch Int.random(in: 0..<(depth < 2 ? 20 : 13), using: &random) {
        case 0: .absent
        case 1: .contains(random.pick(["1", "x", "a"]))
        case 2: .doesNotContain(random.pick(["1", "x", "a"]))
        case 3: .matches(Pattern(random.pick(["[0-9]+", ".*a.*", "(?i)X|1", ""])))
        case 4: .doesNotMatch(Pattern(random.pick(["[0-9]+", ".*a.*", "(?i)X|1", ""])))
        case 5: .equalTo(random.pick(values), caseInsensitive: true)
        case 13: .and([matcher(depth: depth + 1), matcher(depth: depth + 1)])
        case 14: .or([matcher(depth: depth + 1), matcher(depth: depth + 1)])
        case 15: .not(matcher(depth: depth + 1))
        case 16: .anything
        case 17:
            .leaf(
                NumberPattern(
                    random.pick(NumberPattern.Relation.allCases), JSONNumber(literal: random.pick(["1", "1.5", "2.0"])))
            )
        case 18: .leaf(PathTemplatePattern(random.pick(templates)))
        case 19:
            .leaf(
                DateTimePattern(
                    random.pick(DateTimePattern.Relation.allCases),
                    Expression("2026-01-02T00:00:00Z", at: EngineOracle.place)))
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
        if random.chance(30) { headers.append(("authorization", random.pick(credentials))) }
        if random.chance(10) { headers.append(("X-Forwarded-For", "192.0.2.2")) }
        let (body, type) = content()
        if let type { headers.append(("Content-Type", type)) }
        return LinearMatcher.Request(
            method: random.pick(["GET", "GET", "GET", "POST", "HEAD", "PUT"]), target: target(), headers: headers,
            host: random.pick(["A.example:80", "b.example", "b.example:8080", nil]), isSecure: random.chance(20),
            client: random.pick([nil, "192.0.2.1"]), body: body, matchesAnyHost: random.chance(70))
    }

    private mutating func content() -> (body: String, type: String?) {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4: return ("", nil)
        case 4: return (random.pick(["1", "1.0", "x", "{"]), nil)
        case 5:
            let pairs = names.filter { _ in random.chance(60) }.map { $0 + "=" + random.pick(["1", "x", "a+b"]) }
            return (pairs.joined(separator: "&"), random.pick(["application/x-www-form-urlencoded", "text/plain"]))
        case 6: return (multipartBody(), random.pick(["multipart/form-data; boundary=b", "text/plain"]))
        case 7: return (random.pick(EngineOracle.documents), "application/xml")
        case 8:
            let name = random.pick([#","operationName":"A""#, #","operationName":"B""#, ""])
            let variables = random.pick([#","variables":{"n":1.0}"#, ""])
            return (#"{"query":"\#(random.pick(EngineOracle.queries))"\#(name)\#(variables)}"#, "application/json")
        default:
            let value = random.pick([#""1""#, "1", #""x""#, "null", "[]", #"["x","1"]"#, #"{"k":"x"}"#])
            return (
                random.pick([
                    #"{"a":\#(value),"o":{"p":1}}"#, #"{"a":"2","l":[{"v":\#(value)},{"v":"x"}]}"#, "[\(value)]",
                ]), random.pick(["application/json", nil])
            )
        }
    }

    private mutating func multipartBody() -> String {
        var text = ""
        for _ in 0..<random.pick([0, 1, 2, 3]) {
            let file = random.pick(["", "; filename=\"n.txt\""])
            text += "--b\r\nContent-Disposition: form-data; name=\"\(random.pick(["f", "g"]))\"\(file)\r\n"
            text += random.pick(["", "content-type: 1\r\n", "Content-Type: x\r\n"])
            text += "\r\n" + random.pick(["1", "x", "", "a b"]) + "\r\n"
        }
        return text + "--b--\r\n"
    }
}

extension Pattern {
    /// One that stands in a file, so that findings have a place.
    init(_ text: String) { self.init(text, at: Place(path: "a.stub.json", line: 3, column: 7, pointer: "/request")) }
}
