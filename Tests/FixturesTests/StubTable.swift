// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

@testable import MockapiFixtures

/// A stub for each key of the format with each kind of value: the findings in it, and the leaves of the model that differ from those of a plain stub.
struct StubTable {
    /// Whether the stubs are read as the admin API reads them, in WireMock's words.
    let isWireMock: Bool
    /// An empty directory.
    let root: String

    /// Members without which an object is not read to its end.
    private static let needed: [ObjectShape: String] = [
        .delayDistribution: #""type": "uniform", "lower": 5, "upper": 50"#,
        .chunkedDribbleDelay: #""numberOfChunks": 3, "totalDuration": 90"#,
        .faultRule: #""fault": "STALL""#,
        .delayRule: #""fixedDelayMilliseconds": 5"#, .basic: #""username": "u", "password": "p""#,
        .digest: #""username": "u", "password": "p""#, .credentials: #""username": "u", "password": "p""#,
        .oauth2: #""tokenEndpoint": "/token", "clientId": "c", "clientSecret": "s""#,
        .rateLimit: #""requests": 2, "per": "1m""#, .resource: #""collection": "/things""#,
        .webhook: #""url": "http://127.0.0.1:1/a""#, .expression: #""expression": "$.a""#,
        .sent: #""place": "query:q", "digests": ["00"]"#, .volatile: #""path": "$.a", "kind": "uuid""#,
        .recorded: #""from": "http://a.example""#, .stub: #""response": {"status": 201}"#, .response: #""status": 201"#,
    ]

    /// Members that a key needs beside it to have an effect.
    private static let beside: [String: String] = [
        "caseInsensitive": #""equalTo": "a""#, "ignoreArrayOrder": #""equalToJson": "{}""#,
        "ignoreExtraElements": #""equalToJson": "{}""#, "xPathNamespaces": #""matchesXPath": "/p:a""#,
        "operationName": #""graphqlQuery": "{a}""#, "variables": #""graphqlQuery": "{a}""#,
        "pathParameters": #""urlPathTemplate": "/a/{n}""#, "afterLast": #""responses": [{}, {}]"#,
        "contentEncoding": #""body": "x""#, "requiredScenarioState": #""scenarioName": "s""#,
        "newScenarioState": #""scenarioName": "s""#, "afterBytes": #""fault": "TRUNCATE_BODY", "body": "xyz""#,
        "bytesPerSecond": #""fault": "SLOW_BODY", "body": "xyz""#, "errorCode": #""fault": "RST_STREAM""#,
        "afterThisStream": #""fault": "GOAWAY""#, "scope": #""fault": "EMPTY_RESPONSE""#, "trailers": #""body": "x""#,
    ]

    private static let texts = [
        "", "a", "a b", " a", "A-z_0.9", "/a", "/a/", "/a?b=c", "/a/{b}/:c/{d-e?}/**", "é", #"a\"b"#, #"a\\b"#,
        #"a\u007F"#, #"a\u0000"#,
        "a+b", "ab+cd", "1", "1s", "-1", "500ms", "2026-01-02", "now +1 days", "http://a", "http://a:65536",
        "https://a:1/b", "%41%2f",
        "{{request.path}}", "{{x", "(", "[0-9]+", "$.a", "$.a[", "/a/b[", "<a/>", "{}", "GET", "get", "UTF-8", "$$",
        "Zg==", "header:A",
        "Authorization: Bearer x", "a.json", "/{-}/{.}/{_}/{}/{a:int}/{*b}/{c=1}", "http://[::1]:80", "http://a:0",
        "http://a:x", "http://:1", "http://a b",
    ]

    /// Values of a shape as JSON, right ones and others.
    private func values(of shape: ValueShape) -> [String] {
        switch shape {
        case .anything: return ["null", "1", #""x""#, #"{"a": [1.0]}"#]
        case .string:
            return (isWireMock ? Self.texts.filter { $0.count < 4 } : Self.texts).map { "\"\($0)\"" } + ["5", "[]"]
        case .boolean:
            return ["true", "false", #""true""#, #""True""#, #""TRUE""#, #""false""#, #""False""#, #""FALSE""#, "0"]
        case .number: return ["-1", "0", "0.5", "1", "7", "1e400", #""2""#, "null"]
        case .integer(let range):
            let (low, high) = (range.lowerBound, range.upperBound)
            return (low > .min ? [low - 1, low, low + 1] : [-1, 0, 1]).map(String.init)
                + (high < .max ? [high - 1, high, high + 1].map(String.init) : []) + ["1.5", "-0.5", #""5""#, #""a""#]
        case .choice(let words): return words.map { "\"\($0)\"" } + ["\"\(words[0].lowercased())\"", #""x""#]
        case .object: return ["{}", "[]", #"{"x": 1}"#]
        case .freeObject: return ["{}", #"{"a": 1}"#, #"{"a": 1, "a": 2}"#, "[]"]
        case .map(let value):
            let one = Self.sample(of: value)
            return [
                "{}", #"{"n": \#(one)}"#, #"{"n": \#(one), "N": \#(one)}"#, #"{"n": \#(one), "n": \#(one)}"#,
                #"{"": \#(one)}"#,
                #"{"a b": \#(one)}"#, "[]",
            ] + values(of: value).map { #"{"n": \#($0)}"# }
        case .list(let element, _):
            let one = Self.sample(of: element)
            return ["[]", "[\(one)]", "[\(one), \(one)]", "{}"] + values(of: element).map { "[\($0)]" }
        case .either(let shapes): return shapes.flatMap { values(of: $0) }
        case .template(let shape): return values(of: shape) + [#""{{x}}""#, #""{{x""#]
        }
    }

    /// A right value.
    private static func sample(of shape: ValueShape) -> String {
        switch shape {
        case .anything, .string: #""v""#
        case .boolean: "true"
        case .number: "1"
        case .integer(let range): String(max(range.lowerBound, min(1, range.upperBound)))
        case .choice(let words): "\"\(words[0])\""
        case .object(let object):
            "{\(needed[object] ?? (object.rawValue.lowercased().hasSuffix("matcher") ? #""equalTo": "v""# : ""))}"
        case .freeObject, .map: "{}"
        case .list(let element, let minimum): minimum > 0 ? "[\(sample(of: element))]" : "[]"
        case .either(let shapes): sample(of: shapes[0])
        case .template(let inner): sample(of: inner)
        }
    }

    /// An object with a value of a key, and with the members that it needs or that the key stands beside.
    private static func object(_ shape: ObjectShape, _ key: String, _ value: String) -> String {
        var members = ["\"\(key)\": \(value)"]
        for text in [beside[key], needed[shape]] {
            guard let text, !text.hasPrefix("\"\(key)\":"), !text.contains(", \"\(key)\":") else { continue }
            if shape == .stub, ["responses", "afterLast", "resource"].contains(key), text == needed[shape] { continue }
            members.append(text)
        }
        return "{\(members.joined(separator: ", "))}"
    }

    /// Each object of the format by the shortest way to it: a stub with a text in the place of the object.
    private static var ways: [(shape: ObjectShape, stub: (String) -> String)] {
        var found: [(shape: ObjectShape, stub: (String) -> String)] = [(.stub, { $0 })]
        var next = 0
        while next < found.count {
            let (shape, stub) = found[next]
            next += 1
            for key in shape.keys {
                for (inner, wrap) in objects(in: key.value) where !found.contains(where: { $0.shape == inner }) {
                    found.append((inner, { (text: String) -> String in stub(object(shape, key.name, wrap(text))) }))
                }
            }
        }
        return found
    }

    /// The objects that a value may hold, with the value around each.
    private static func objects(in value: ValueShape) -> [(ObjectShape, (String) -> String)] {
        func around(_ shape: ValueShape, _ front: String, _ back: String) -> [(ObjectShape, (String) -> String)] {
            objects(in: shape).map { inner, wrap in (inner, { (text: String) -> String in front + wrap(text) + back }) }
        }
        switch value {
        case .object(let inner): return [(inner, { $0 })]
        case .map(let inner): return around(inner, #"{"n": "#, "}")
        case .list(let inner, _): return around(inner, "[", "]")
        case .either(let shapes): return shapes.flatMap { objects(in: $0) }
        case .template(let inner): return objects(in: inner)
        default: return []
        }
    }

    private func read(_ text: String) -> AddedStub {
        isWireMock
            ? AddedStub(
                ofAdmin: Array(text.utf8), label: "s", number: 0, root: root, templatesAll: false, replacing: nil)
            : AddedStub(Array(text.utf8), label: "s", number: 0, root: root)
    }

    /// The leaves of a stub's model, without its id, which is made of the text.
    private static func model(_ stub: Stub) -> [(place: String, text: String)] {
        let parts: [(name: String, value: Any?)] = [
            ("request", stub.request), ("priority", stub.priority), ("name", stub.name), ("hold", stub.hold),
            ("afterLast", stub.afterLast), ("responses", stub.responses), ("scenario", stub.scenario),
            ("resource", stub.resource), ("access", stub.access), ("webhooks", stub.webhooks), ("sent", stub.sent),
            ("isPlain", stub.isPlain), ("isOfAdmin", stub.isOfAdmin), ("isAdded", stub.isAdded),
        ]
        return parts.flatMap { part in part.value.map { modelLeaves($0, at: part.name) } ?? [] }
    }

    /// The leaves that a response has as soon as it is more than a plain one, with the texts that most of three such have.
    private func usualLeaves() -> [String: String] {
        var seen: [String: Int] = [:]
        var usual: [String: String] = [:]
        for member in [#""contentLength": 7"#, #""fixedDelayMilliseconds": 7"#, #""fault": "STALL""#] {
            let read = StubTable(isWireMock: false, root: root).read("{\"response\": {\(member)}}")
            for leaf in read.stub.map(Self.model) ?? [] {
                seen["\(leaf.place): \(leaf.text)", default: 0] += 1
                if seen["\(leaf.place): \(leaf.text)"] == 2 { usual[leaf.place] = leaf.text }
            }
        }
        return usual
    }

    /// The findings in a stub, and the leaves of its model that differ from those of a plain one; a value stands there as `‹›`.
    private func outcome(_ stub: String, _ value: String, _ plain: [String: String], _ usual: [String: String])
        -> String
    {
        let read = read(stub)
        var words = read.findings.map { "\($0.severity.rawValue): \($0.message)" }
        if let stub = read.stub {
            let leaves = Self.model(stub)
            words += leaves.filter { plain[$0.place] ?? usual[$0.place] != $0.text }.map { "\($0.place): \($0.text)" }
            let places = Set(leaves.map(\.place))
            let expected =
                places.isDisjoint(with: usual.keys.filter { plain[$0] == nil }) ? plain : plain.merging(usual) { $1 }
            let left = Set(expected.keys).subtracting(places)
            words += left.sorted().map { "no \($0)" }
            if words.isEmpty { words = ["nothing"] }
        } else {
            words.append("no stub")
        }
        let text = words.joined(separator: " | ")
        return value.utf8.count > 2 ? text.replacing(value, with: "‹›") : text
    }

    /// The values of a row; most of them by those of other rows.
    private static func shown(_ values: [String], of all: [String]) -> String {
        let others = all.filter { !values.contains($0) }
        if values.count <= max(4, others.count) { return values.joined(separator: "  ") }
        return others.isEmpty ? "each value" : "each value but \(others.joined(separator: "  "))"
    }

    /// A row for all values of a key with one outcome.
    func rows() -> [String] {
        let stub = read(Self.object(.stub, "metadata", "1")).stub
        let plain = stub.map(Self.model) ?? []
        var rows = ["a plain stub = \(plain.map { "\($0.place): \($0.text)" }.joined(separator: " | "))"]
        let leaves = Dictionary(plain.map { ($0.place, $0.text) }) { first, _ in first }
        let usual = usualLeaves()
        let others = usual.filter { leaves[$0.key] == nil }.sorted { $0.key < $1.key }
        rows.append("a response that is more = \(others.map { "\($0.key): \($0.value)" }.joined(separator: " | "))")
        var seen: Set<String> = []
        for (shape, stub) in Self.ways {
            for key in shape.keys where seen.insert("\(Self.family(shape)) \(key.name)").inserted {
                let values = values(of: key.value)
                var outcomes: [(text: String, values: [String])] = []
                for value in values {
                    let text = outcome(stub(Self.object(shape, key.name, value)), value, leaves, usual)
                    if let place = outcomes.firstIndex(where: { $0.text == text }) {
                        outcomes[place].values.append(value)
                    } else {
                        outcomes.append((text, [value]))
                    }
                }
                rows += outcomes.map { "\(shape) \(key.name) ← \(Self.shown($0.values, of: values)) = \($0.text)" }
            }
        }
        return rows
    }

    /// Objects that have keys in common, which are read by the same code.
    private static func family(_ shape: ObjectShape) -> String {
        switch shape {
        case .multiMatcher, .bodyMatcher, .expression: ObjectShape.matcher.rawValue
        default: shape.rawValue
        }
    }
}
