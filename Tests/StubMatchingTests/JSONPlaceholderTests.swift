// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiMatchingSupport
import MockapiStubMatching
import MockapiTestSupport
import Testing

@Suite(.supervised) struct JSONPlaceholderTests {
    private func stub(_ expected: String, order: Bool = false, extra: Bool = false) throws -> Stub {
        let matcher = ValueMatcher.equalToJSON(
            try JSONParser.parse(expected), ignoreArrayOrder: order, ignoreExtraElements: extra)
        return .make("a.stub.json", RequestPattern(url: .path("/a"), body: [.value(matcher)]))
    }

    private func index(_ stubs: [Stub]) -> StubIndex {
        StubIndex(FixtureSet(root: "/", dialect: .mockapi, stubs: stubs))
    }

    private func answers(_ stub: Stub, _ body: String) -> Bool {
        index([stub]).match(.make("POST", "/a"), body: Array(body.utf8), scratch: MatchScratch()).outcome == .stub(0)
    }

    private static let values: [(placeholder: String, matching: [String], others: [String])] = [
        ("any-string}", [#""""#, #""a""#, #""${json-unit.any-number}""#], ["1", "true", "null", "[]", "{}"]),
        ("any-number}", ["0", "-1.5e3", "9223372036854775808"], [#""1""#, "true", "null", "[1]"]),
        ("any-boolean}", ["true", "false"], [#""true""#, "1", "null"]),
        ("ignore}", ["null", "1", #""a""#, "[1]", #"{"a":1}"#], []),
        ("ignore-element}", ["null", "1", #"{"a":1}"#], []),
        ("regex}[A-Z]+", [#""AB""#], [#""ab""#, #""ABc""#, #""""#, "1", "null"]),
        ("regex}(a|b).c", [#""a\nc""#, #""b c""#], [#""c c""#]), ("regex}", [#""""#], [#""a""#]),
    ]

    @Test(arguments: values)
    func `a placeholder matches values of its kind, wherever it stands`(
        placeholder: String, matching: [String], others: [String]
    ) throws {
        for sign in ["$", "#"] {
            let text = "\"\(sign){json-unit.\(placeholder)\""
            for (before, after) in [("", ""), (#"{"a":"#, "}"), ("[1,", "]"), (#"{"b":[{"a":"#, "}]}")] {
                let stub = try stub(before + text + after)
                for value in matching { #expect(answers(stub, before + value + after), "\(value)") }
                for value in others { #expect(!answers(stub, before + value + after), "\(value)") }
            }
        }
    }

    @Test func `a value that is ignored has to be there, an element need not be`() throws {
        let value = try stub(#"{"a":"${json-unit.ignore}","b":1}"#)
        #expect(answers(value, #"{"a":[1],"b":1}"#))
        #expect(!answers(value, #"{"b":1}"#))
        #expect(!answers(value, #"{"a":1,"b":2}"#))
        let element = try stub(#"{"a":"${json-unit.ignore-element}","b":1}"#)
        #expect(answers(element, #"{"a":[1],"b":1}"#))
        #expect(answers(element, #"{"b":1}"#))
        #expect(!answers(element, "{}"))
        #expect(!answers(element, #"{"b":1,"c":1}"#))
    }

    @Test func `elements in any order are paired each with one of its own`() throws {
        let stub = try stub(#"["${json-unit.any-number}",1,"${json-unit.regex}a.*"]"#, order: true)
        #expect(answers(stub, #"[1,"ab",2]"#))
        #expect(answers(stub, #"["a",2,1]"#))
        #expect(!answers(stub, #"["a",2,3]"#))
        #expect(!answers(stub, #"["b",2,1]"#))
        #expect(answers(try self.stub(#"{"a":"${json-unit.any-string}"}"#, extra: true), #"{"b":1,"a":""}"#))
    }

    @Test func `a string that only holds a placeholder is itself`() throws {
        for text in [" ${json-unit.ignore}", "${json-unit.ignore} ", "${json.ignore}"] {
            let stub = try stub("\"\(text)\"")
            #expect(answers(stub, "\"\(text)\""))
            #expect(!answers(stub, "\"x\""))
        }
    }

    @Test func `a miss says what the placeholder asks for`() throws {
        let stub = try stub(
            #"{"s":"${json-unit.any-string}","n":"${json-unit.any-number}","b":"${json-unit.any-boolean}","r":"${json-unit.regex}[0-9]+"}"#
        )
        func differences(_ body: String) -> [String] {
            index([stub]).nearMisses(for: .make("POST", "/a"), body: Array(body.utf8), scratch: MatchScratch())
                .flatMap { $0.differences.map(\.text) }
        }
        #expect(
            differences(#"{"s":1,"n":"1","b":null,"r":"12"}"#) == [
                "body /b: expected true or false, found null", #"body /n: expected any number, found "1""#,
                "body /s: expected any string, found 1",
            ])
        #expect(
            differences(#"{"s":"","b":true,"r":"1a"}"#) == [
                "body /n: expected any number, found nothing",
                #"body /r: expected a string that matches "[0-9]+", found "1a""#,
            ])
        let optional = try self.stub(#"{"a":"${json-unit.ignore-element}","b":"${json-unit.ignore}"}"#)
        let missing = index([optional]).nearMisses(
            for: .make("POST", "/a"), body: Array("{}".utf8), scratch: MatchScratch())
        #expect(missing.flatMap { $0.differences.map(\.text) } == ["body /b: expected any value, found nothing"])
    }

    @Test func `a broken pattern is an error, and the stub never answers`() throws {
        let stub = try stub(#"{"a":"${json-unit.regex}(b"}"#)
        let text = #"the pattern "(b" in equalToJson is broken at its byte 2: missing closing parenthesis"#
        #expect(index([stub]).findings.map(\.description) == ["a.stub.json:1:1: error: \(text)"])
        #expect(!answers(stub, #"{"a":"(b"}"#))
    }

    @Test func `a pattern that takes too long is given up and told`() throws {
        let index = index([try stub(#""${json-unit.regex}(a+)+[bc]""#)])
        let body = Array("\"\(String(repeating: "a", count: 40))\"".utf8)
        let result = index.match(.make("POST", "/a"), body: body, scratch: MatchScratch())
        #expect(result.outcome == .none)
        #expect(result.exceeding == [.init(stub: 0, .pattern)])
    }

    @Test func `stubs whose placeholders may match the same are told as ambiguous`() throws {
        var other = try stub(#"{"a":1}"#)
        other = .make("b.stub.json", other.request)
        let found = index([try stub(#"{"a":"${json-unit.any-number}"}"#), other]).findings.map(\.description)
        let fixed = index([try stub(#"{"a":2}"#), other]).findings.map(\.description)
        #expect(
            found == [
                "a.stub.json:1:1: warning: a request can match this stub and b.stub.json:1, which answers only because it stands later; "
                    + "give one of them a priority or one more condition"
            ])
        #expect(fixed.isEmpty)
        // What stands beside a placeholder tells them apart.
        let logins = try [
            #"{"u":{"n":"ann"},"p":"${json-unit.any-string}"}"#, #"{"u":{"n":"bob"},"p":"${json-unit.any-string}"}"#,
        ]
        .map { try stub($0) }
        #expect(index([logins[0], .make("b.stub.json", logins[1].request)]).findings.isEmpty)
    }
}
