// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiSecrets
import MockapiSecretsSupport
import MockapiTestSupport
import Testing

/// What becomes of a content that is recorded once more.
@Suite(.supervised) struct RecordedTextTests {
    private static let token = "gh" + "p_" + Planted.random(36)
    private static let other = "gh" + "p_" + Planted.random(36, seed: 2)

    private func json(_ text: String, recorded: String? = nil, redactor: Redactor = Redactor()) -> String {
        let recorded = recorded.map { RecordedText(Array($0.utf8)) }
        let redaction = redactor.text(
            Array(text.utf8), mediaType: "application/json", of: .response, recorded: recorded)
        return String(decoding: redaction.value, as: UTF8.self)
    }

    @Test(arguments: [
        (
            #"{"list":["TOKEN","plain",5,null,true,{"a":1}]}"#,
            #"{"list":["redacted.response.list.0","plain",5,null,true,{"a":1}]}"#
        ),
        (
            #"[{"key":"API","value":"TOKEN"},{"key":"COLOR","value":"red"},{"key":"SIZE","value":12},{"key":"ON","value":true}]"#,
            #"[{"key":"API","value":"redacted.response.0.value"},{"key":"COLOR","value":"red"},{"key":"SIZE","value":12},{"key":"ON","value":true}]"#
        ),
        (
            #"{"a":[["x",["TOKEN"]],["y",[3]]],"b":{"a":[["z"]]}}"#,
            #"{"a":[["x",["redacted.response.a.0.1.0"]],["y",[3]]],"b":{"a":[["z"]]}}"#
        ),
    ])
    func `a secret at an element pulls no neighbour in`(text: String, expected: String) {
        let text = text.replacing("TOKEN", with: Self.token)
        let once = json(text)
        #expect(once == expected)
        #expect(json(text, recorded: once) == once)
    }

    @Test func `elements in another order stay what they are`() {
        let recorded = json(#"["\#(Self.token)","plain","other"]"#)
        #expect(json(#"["plain","other","\#(Self.token)"]"#, recorded: recorded).hasPrefix(#"["plain","other","red"#))
        #expect(json(#"["plain","other"]"#, recorded: recorded) == #"["plain","other"]"#)
        #expect(json(#"["new","\#(Self.token)"]"#, recorded: recorded).hasPrefix(#"["new","#))
    }

    @Test func `another element of a list in which a secret is found by itself is none`() {
        let recorded = json(#"[{"key":"API","value":"\#(Self.token)"}]"#)
        #expect(
            json(#"[{"key":"API","value":"\#(Self.other)"},{"key":"COLOR","value":"red"}]"#, recorded: recorded)
                == #"[{"key":"API","value":"redacted.response.0.value"},{"key":"COLOR","value":"red"}]"#)
    }

    @Test func `a rule that is forgotten holds for all elements where it did, and for one where it chose one`() {
        var rules = RedactionRules()
        rules.jsonPaths = ["$.users[*].email", "$.users[*].phone", "$.list[1]", "$.note"]
        let text = { (user: String, more: String) in
            #"{"users":[{"email":"\#(user)@example.com","phone":5550100}\#(more)],"list":["a","\#(user)","c"],"note":{"of":"\#(user)"}}"#
        }
        let recorded = json(text("ann", ""), redactor: Redactor(rules))
        #expect(!recorded.contains("ann"))
        #expect(json(text("bea", ""), recorded: recorded) == recorded)
        let longer = json(text("ann", #",{"email":"cid@example.com","phone":5550101}"#), recorded: recorded)
        #expect(
            longer.contains(#"{"email":"redacted.response.users.1.email","phone":"redacted.response.users.1.phone"}"#))
        #expect(!longer.contains("ann"))
    }

    @Test func `a part of a text that was redacted since it was learnt elsewhere is so again, learnt or not`() {
        let (value, other) = ("k9Trw4-Zq81mB", "x7Lp2Zq81mBx")
        let redactor = Redactor()
        redactor.learn([("Authorization", "Bearer \(value)")])
        let text = #"{"a":["of VALUE, or \"VALUE\".","of no one","of x1-y2-z3-w4"],"b":"VALUE"}"#.replacing(
            "VALUE", with: value)
        let recorded = json(text, redactor: redactor)
        #expect(!recorded.contains(value))
        #expect(json(text, recorded: recorded) == recorded)
        #expect(json(text.replacing(value, with: other), recorded: recorded) == recorded)
        let moved = #"{"a":["of no one","of x1-y2-z3-w4"]}"#
        #expect(json(moved, recorded: recorded) == moved)
        let page = Array("<p>of \(value)</p>\n".utf8)
        let left = RecordedText(redactor.text(page, mediaType: "text/html", of: .response).value)
        let again = Redactor().text(page, mediaType: "text/html", of: .response, recorded: left)
        #expect(again.value == Array("<p>of redacted.header.Authorization</p>\n".utf8))
        let line = ["of redacted.header.Authorization"]
        #expect(Redactor().header("X-Note", "of \(value)", recorded: line).value == line[0])
        #expect(Redactor().header("X-Note", "of nobody", recorded: line).value == "of nobody")
    }

    @Test func `JSON with secrets at random places is the same when it is recorded again, and nothing else changes`()
        throws
    {
        for seed in 1...UInt64(Thoroughness.rounds(300, thorough: 30_000)) {
            var source = RandomJSON(seed: seed)
            let text = source.text()
            let once = json(text)
            let redactor = Redactor()
            var recorded = once
            for _ in 1...3 {
                recorded = json(text, recorded: recorded, redactor: redactor)
                #expect(recorded == once, "seed \(seed): \(text)")
            }
            let before = try JSONParser.parse(text)
            let after = try JSONParser.parse(once)
            #expect(hasOnlySecretsReplaced(before, after, source.secrets), "seed \(seed): \(text) became \(once)")
        }
    }

    /// Whether each secret is a placeholder now, and all else as it was.
    private func hasOnlySecretsReplaced(_ old: JSONNode, _ new: JSONNode, _ secrets: Set<String>) -> Bool {
        switch (old.value, new.value) {
        case (.string(let left), .string(let right)):
            return secrets.contains(left) ? right.hasPrefix("redacted.response.") : left == right
        case (.array(let left), .array(let right)):
            return left.count == right.count
                && zip(left, right).allSatisfy { hasOnlySecretsReplaced($0, $1, secrets) }
        case (.object(let left), .object(let right)):
            return left.members.map(\.name) == right.members.map(\.name)
                && zip(left.members, right.members).allSatisfy { hasOnlySecretsReplaced($0.value, $1.value, secrets) }
        default: return old == new
        }
    }

    @Test func `a value that was put back by hand stays, and another one in its place does not`() {
        let text = #"{"key":{"id":"1","note":"TOKEN"},"list":["a TOKEN b"]}"#.replacing("TOKEN", with: Self.token)
        let redacted = json(text)
        #expect(!redacted.contains(Self.token))
        let edited = redacted.replacing("\"redacted.response.key.note\"", with: "\"\(Self.token)\"")
        let redactor = Redactor()
        let again = json(text, recorded: edited, redactor: redactor)
        #expect(again == edited.replacing("a redacted.response.key.note b", with: "a redacted.response.list.0 b"))
        #expect(redactor.scan(Array(edited.utf8), isText: true) == [])
        #expect(json(text.replacing(Self.token, with: Self.other), recorded: edited) == redacted)
        let page = "<p title=\"\(Self.token)\">"
        let left = RecordedText(Array(page.utf8))
        #expect(
            Redactor().text(Array(page.utf8), mediaType: "text/html", of: .response, recorded: left).placeholders == [])
        #expect(Redactor().header("Location", "/x?token=abc", recorded: ["/x?token=abc"]).placeholders == [])
    }

    @Test
    func `what a client shows itself by goes though it stands in what is recorded, and so does what a rule names`() {
        let redactor = Redactor()
        redactor.learn([("Authorization", "Bearer \(Self.token)")])
        let text = #"{"note":"\#(Self.token)"}"#
        #expect(json(text, recorded: text, redactor: redactor) == #"{"note":"redacted.header.Authorization"}"#)
        var rules = RedactionRules()
        rules.jsonPaths = ["$.note"]
        #expect(json(text, recorded: text, redactor: Redactor(rules)) == #"{"note":"redacted.response.note"}"#)
    }

    @Test func `values at the paths that are allowed stay, and are no secrets of the file`() {
        var rules = RedactionRules()
        rules.allowedPaths = ["$.public", "$..site_secret"]
        let redactor = Redactor(rules)
        let text =
            #"{"public":{"token":"\#(Self.token)","pin":1234},"a":[{"site_secret":"k9Trw4Zq81mBx7Lp"}],"token":"\#(Self.other)"}"#
        let shown = json(text, redactor: redactor)
        #expect(shown == text.replacing(Self.other, with: "redacted.response.token"))
        #expect(redactor.scan(Array(shown.utf8), isText: true) == [])
        rules.allowedPaths = ["$.a["]
        #expect(Redactor(rules).scan([], isText: true).count == 1)
    }

    @Test func `kinds that are allowed in a file stay there`() {
        let redactor = Redactor()
        let text = Array(#"{"a":"\#(Self.token)","password":"open it"}"#.utf8)
        let left = redactor.text(text, mediaType: "application/json", of: .response, allowing: ["a github token"])
        #expect(left.placeholders == ["redacted.response.password"])
        #expect(redactor.scan(left.value, isText: true) == [])
        let line = "sid=k9Trw4Zq81mB; Path=/"
        #expect(redactor.header("Set-Cookie", line, allowing: ["the value of a cookie"]).value == line)
    }

    @Test func `what was redacted in a header line is so again beside a kind that is allowed`() {
        let line = "\(Self.token) for k9Trw4Zq81mBx7Lp2"
        let recorded = "\(Self.token) for redacted.cookie.sid"
        func shown(_ recorded: String) -> String {
            Redactor().header("X-Of", line, recorded: [recorded], allowing: ["a github token"]).value
        }
        #expect(shown(recorded) == recorded)
        #expect(shown("redacted.header.X-Of for redacted.cookie.sid") == recorded)
        #expect(shown(line) == line)
    }
}

/// JSON of members and values at random, with secrets among them.
private struct RandomJSON {
    private var state: UInt64
    private(set) var secrets: Set<String> = []

    init(seed: UInt64) {
        state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    }

    mutating func text() -> String {
        next(2) == 0 ? list(depth: 0) : object(depth: 0)
    }

    private mutating func next(_ count: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state >> 33) % count
    }

    private mutating func value(depth: Int) -> String {
        switch next(depth > 3 ? 7 : 10) {
        case 0: return "null"
        case 1: return next(2) == 0 ? "true" : "false"
        case 2: return String(next(100_000_000))
        case 3: return "\"\""
        case 4, 5: return "\"\(["red", "a plain sentence", "12345678", "projects", "é"][next(5)])\""
        case 6:
            let secret = "gh" + "p_" + Planted.random(36, seed: UInt64(next(20) + 1))
            secrets.insert(secret)
            return "\"\(secret)\""
        case 7: return object(depth: depth + 1)
        default: return list(depth: depth + 1)
        }
    }

    private mutating func list(depth: Int) -> String {
        var values: [String] = []
        for _ in 0..<next(6) { values.append(value(depth: depth)) }
        return "[" + values.joined(separator: ",") + "]"
    }

    private mutating func object(depth: Int) -> String {
        let names = ["name", "value", "items", "label", "note", "extra"].shuffled(by: next(6)).prefix(next(5))
        var members: [String] = []
        for name in names { members.append("\"\(name)\":\(value(depth: depth))") }
        return "{" + members.joined(separator: ",") + "}"
    }
}

extension [String] {
    fileprivate func shuffled(by count: Int) -> [String] { Array(self[count...] + self[..<count]) }
}
