// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockapiRunning

/// The parts of a run that need no process: proxies of the environment, needs in words, contracts in files, and coverage.
@Suite(.supervised) struct RunPartsTests {
    // MARK: Proxies

    private static func variables(_ values: [String: String]) -> ProxyVariables { ProxyVariables { values[$0] } }

    @Test func `a proxy is named by the variable of its scheme, in small letters first, and then by that of all`() {
        let names = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
        for mask in 0..<1 << names.count {
            let set = names.enumerated().filter { mask >> $0.offset & 1 == 1 }.map(\.element)
            // A variable without a value is none.
            for empty in [nil] + set.map(Optional.some) {
                let values = Dictionary(uniqueKeysWithValues: set.map { ($0, $0 == empty ? "" : "p:\($0)") })
                let variables = Self.variables(values)
                let named = names.filter { values[$0].map { !$0.isEmpty } ?? false }
                for (isSecure, prefix) in [(false, "http_"), (true, "https_")] {
                    let expected = named.first {
                        $0.lowercased().hasPrefix(prefix) || $0.lowercased().hasPrefix("all_")
                    }
                    let proxy = variables.proxy(isSecure: isSecure)
                    #expect(proxy?.variable == expected && proxy?.url == expected.map { "p:\($0)" })
                }
                #expect(variables.first == named.first)
            }
        }
    }

    @Test(arguments: [
        ("a.example", "", false), ("127.0.0.1", "", true), ("127.9.9.9", "", true), ("128.0.0.1", "", false),
        ("localhost", "", true), ("a.localhost", "", true), ("notlocalhost", "", false), ("[::1]", "", true),
        ("a.example", "*", true), ("a.example", " * ", true), ("a.example", "*,b", false),
        ("a.example", "a.example", true), ("b.a.example", "a.example", true), ("ba.example", "a.example", false),
        ("a.example", ".a.example", true), ("a.example", "b, A.Example", true), ("a.example", "b a.example", true),
        ("a.example", ".", false), ("a.example", ",,", false), ("[fe80::1]", "fe80::1", true),
    ])
    func `a host is asked directly if it is of this machine, or an exception names it`(
        host: String, exceptions: String, isDirect: Bool
    ) {
        #expect(Self.variables(["no_proxy": exceptions]).isDirect(host) == isDirect)
        #expect(Self.variables(["NO_PROXY": exceptions]).isDirect(host) == isDirect)
        #expect(Self.variables(["no_proxy": "z", "NO_PROXY": exceptions]).direct.hasPrefix("z,127.0.0.1"))
    }

    @Test func `a server is among the exceptions of a command if a proxy is named`() {
        let own = "127.0.0.1,localhost,::1"
        for (small, capital, url, expected) in [
            (nil, nil, "http://127.0.0.1:80", (own, own)), (nil, nil, "http://[::2]:80", ("::2," + own, "::2," + own)),
            ("a, b", nil, "http://127.0.0.1:80", ("a,b," + own, "a,b," + own)),
            ("a", "b c", "http://h:80", ("a,h," + own, "b,c,h," + own)), ("*", "b", "http://h", (nil, "b,h," + own)),
            ("b", "*", "http://h:1", ("b,h," + own, nil)),
            ("localhost", nil, "", ("localhost,127.0.0.1,::1", "localhost,127.0.0.1,::1")),
        ] as [(String?, String?, String, (String?, String?))] {
            var values = ["no_proxy": small, "NO_PROXY": capital].compactMapValues(\.self)
            #expect(Self.variables(values).exceptions(for: url).isEmpty)
            values["https_proxy"] = "http://p"
            let found = Self.variables(values).exceptions(for: url)
            #expect(found["no_proxy"] ?? nil == expected.0 && found["NO_PROXY"] ?? nil == expected.1, "\(found)")
            #expect(found.count == [expected.0, expected.1].compactMap(\.self).count)
        }
    }

    // MARK: Needs

    private static func part(
        _ path: String, _ need: Needs.Need, types: [String] = ["string"], set: Needs.ClosedSet? = nil,
        optional: Bool = false, nullable: Bool = true, items: Int? = nil
    ) -> Needs.Part {
        Needs.Part(
            path: path, types: types, need: need, closedSet: set, isOptional: optional, isNullable: nullable,
            fewestItems: items)
    }

    private static let parts: [(Needs.Part, text: String, json: String?)] = [
        (part("/a", .needed), "/a string", #"{"needed":true,"type":"string"}"#),
        (part("/a", .notNeeded), "/a string", #"{"needed":false}"#),
        (part("/a", .jointly), "/a string", nil), (part("/a", .undecided, set: .numbers([1])), "/a string (1)", nil),
        (
            part("/a", .needed, types: ["integer", "null"]), "/a integer|null",
            #"{"needed":true,"type":["integer","null"]}"#
        ),
        (
            part("/a", .notNeeded, set: .strings(["x", "y"])), "/a string (x, y)",
            #"{"needed":false,"type":"string","enum":["x","y"]}"#
        ),
        (
            part("/a", .needed, set: .strings(["1", "2", "3", "4", "5"])), "/a string (1, 2, 3, 4, 5)",
            #"{"needed":true,"type":"string","enum":["1","2","3","4","5"]}"#
        ),
        (
            part("/a", .needed, set: .strings(["1", "2", "3", "4", "5", "6"])), "/a string (1, 2, 3, 4, 5, …)",
            #"{"needed":true,"type":"string","enum":["1","2","3","4","5","6"]}"#
        ),
        (part("/a", .needed, optional: true), "/a string or none", #"{"needed":true,"type":"string","optional":true}"#),
        (
            part("/a", .needed, optional: true, nullable: false), "/a string or missing",
            #"{"needed":true,"type":"string","optional":true,"nullable":false}"#
        ),
        (part("/a", .needed, nullable: false), "/a string", #"{"needed":true,"type":"string"}"#),
        (
            part("/a", .needed, types: ["array"], items: 2), "/a array of 2",
            #"{"needed":true,"type":"array","minItems":2}"#
        ),
        (
            part("status", .needed, types: ["integer"], set: .numbers([200, 404])), "status = 200, 404",
            #"{"needed":true,"type":"integer","enum":[200,404]}"#
        ),
        (part("header:ETag", .needed), "header:ETag", #"{"needed":true,"type":"string"}"#),
    ]

    @Test func `a part that is needed has its words, and its place in a contract if it is decided`() {
        for (part, text, json) in Self.parts {
            #expect(part.text == text)
            #expect(part.node.map { String(decoding: JSONWriter.compact($0), as: UTF8.self) } == json)
            #expect(part.isField == (part.path == "/a" && part.fewestItems == nil))
        }
    }

    private static func response(_ parts: [Needs.Part]) -> Needs.Response {
        Needs.Response(
            subject: UsedResponse(
                subject: .file(0), file: "a.json", line: 3, name: "n", path: "/a", method: "GET", isHTTP2: false),
            parts: parts)
    }

    @Test(arguments: [
        ([part("/a", .notNeeded)], "needs 0 of 1 field   does not mind: 1"),
        ([part("/a", .needed)], "needs 1 of 1 field: /a string"),
        ([part("/a", .needed), part("/b", .notNeeded)], "needs 1 of 2 fields: /a string   does not mind: 1"),
        (
            [part("/a", .notNeeded, set: .strings(["x"])), part("status", .needed)],
            "needs 1 of 1 field: /a string (x), status"
        ),
        (
            [part("/a", .jointly), part("/b", .undecided), part("/c", .undecided)],
            "needs 0 of 3 fields   only with others: /a   undecided: /b, /c"
        ),
        ([], "needs 0 of 0 fields"),
    ])
    func `what is needed of a response is said in a line`(parts: [Needs.Part], text: String) {
        let response = Self.response(parts)
        #expect(response.text == text)
        #expect(response.contract.object?.members.count == parts.count { $0.need == .needed || $0.need == .notNeeded })
        #expect(["a.json", "a.json:3", "n"].allSatisfy(response.subject.isCalled))
        #expect(!["a.json:4", "a", ""].contains(where: response.subject.isCalled))
    }

    // MARK: Contracts

    /// Whether each value of a document ends where its own text does.
    private static func hasExtents(_ node: JSONNode, _ bytes: [UInt8]) -> Bool {
        let end = JSONExtent.end(of: bytes, from: node.offset)
        let own = try? JSONParser.parse(Array(bytes[node.offset..<end]))
        let children = (node.array ?? []) + (node.object?.members ?? []).map(\.value)
        return own == node && children.allSatisfy { hasExtents($0, bytes) }
    }

    @Test func `a value of JSON ends where a parser ends, however it is written`() throws {
        let values = ["1", "-1.5e3", "true", "null", #""""#, #""a\"b\\""#, #""]},""#, "[]", "{}"]
        var random = SplitMix(seed: 12)
        func text(_ depth: Int) -> String {
            func space() -> String { random.pick(["", "", " ", "\n", "\t", "\r\n"]) }
            guard depth < 3, random.chance(60) else { return random.pick(values) }
            let items = (0..<random.below(3)).map { _ in space() + text(depth + 1) + space() }
            if random.chance(50) { return "[" + items.joined(separator: ",") + "]" }
            return "{" + items.enumerated().map { "\(space())\"\($0)\"\(space()):\($1)" }.joined(separator: ",") + "}"
        }
        for _ in 0..<300 {
            let text = text(0)
            let isRight = Self.hasExtents(try JSONParser.parse(text), Array(text.utf8))
            #expect(isRight, "\(text)")
        }
    }

    @Test(
        arguments: ["\n", "\r\n"], [nil, "{}", #"{"/a": {"needed": false, "minItems": 2}, "/z": {"ignore": true}}"#])
    func `a contract goes into its stub, and no other byte changes`(lineEnd: String, old: String?) throws {
        let member = old.map { "\n  \"contract\": \($0)," } ?? ""
        let stub =
            "{\(member)\n  \"name\": \"one\",\n  \"request\": {\"urlPath\": \"/b\"},\n  \"response\": {\"body\": \"x\"}\n}"
        for (front, back) in [
            ("", "\n"), ("{\"stubs\": [{\"request\": {\"urlPath\": \"/0\"}, \"response\": {}},\n", "]}"),
        ] {
            let text = (front + stub + back).replacing("\n", with: lineEnd)
            let directory = try TemporaryDirectory(["s.stub.json": text])
            let set = try FixtureLoader.load(root: directory.path)
            try #require(!set.stubs.isEmpty, "\(set.findings)")
            let ordinal = set.stubs.count - 1
            let response = Needs.Response(
                subject: UsedResponse(
                    subject: .stub(ordinal), file: "s.stub.json", line: 1, name: nil, path: "/b", method: "GET",
                    isHTTP2: false), parts: [Self.part("/a", .needed)])
            #expect(try ContractFile.write(response, in: set) == "s.stub.json")
            let written = directory.text("s.stub.json")
            let node = try JSONParser.parse(written)
            let contract = (node["stubs"]?.array?.last ?? node)["contract"]
            var expected = #"{"/a":{"needed":true,"type":"string"}}"#
            if old?.contains("/z") == true {
                expected = #"{"/a":{"needed":true,"type":"string","minItems":2},"/z":{"ignore":true}}"#
            }
            #expect(contract.map { String(decoding: JSONWriter.compact($0), as: UTF8.self) } == expected)
            // Without it, or with the old one in its place, the text is what it was.
            let value = try #require(contract)
            let bytes = Array(written.utf8)
            let end = JSONExtent.end(of: bytes, from: value.offset)
            let front = String(decoding: bytes[..<value.offset], as: UTF8.self)
            let rest = String(decoding: bytes[end...], as: UTF8.self)
            let before = old == nil ? front.replacing(",\(lineEnd)  \"contract\": ", with: "") : front + (old ?? "")
            #expect(before + rest == text, "\(written)")
            #expect(!written.replacing("\r\n", with: "").contains("\r"))
            #expect(written.replacing(lineEnd, with: "").contains("\n") == false)
            #expect(try ContractFile.write(response, in: try FixtureLoader.load(root: directory.path)) == nil)
        }
    }
}
