// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiMatchingSupport
import MockapiMetering
import MockapiTestSupport
import Testing

@testable import MockapiStubMatching

/// What a matcher reads of a request it pays for, in each stub that has it and wherever it stands.
@Suite(.supervised) struct PaidReadingTests {
    /// Bytes of a value. 64 KiB.
    private static let size = 64 * 1024
    private static let text = String(repeating: "a", count: size)

    /// Matchers, of which each stub has another, that read a value to its end; `#N#` is the stub's number.
    private static let matchers: [(matcher: String, value: String)] = [
        (##""contains": "b#N#""##, text), (##""doesNotContain": "aa""##, text), (##""matches": "a+#N#""##, text),
        (##""matchesIgnoringCase": "A+#N#""##, text),
        (##""equalTo": "\##(text)", "caseInsensitive": true"##, "\(text)b"),
        (##""equalToJson": "[#N#]""##, ##"["\##(text)"]"##),
        (##""equalToJson": "[#N#]", "ignoreExtraElements": true"##, ##"["\##(text)"]"##),
        (##""matchesJsonPath": {"expression": "$[#N#]", "contains": "b"}"##, ##"["\##(text)"]"##),
        (##""matchesJsonSchema": {"maxLength": #N#}"##, ##""\##(text)""##),
        (##""equalToXml": "<a>#N#</a>""##, "<a>\(text)</a>"),
        (##""matchesXPath": "/b#N#""##, "<a>\(text)</a>"), (##""matchesPathTemplate": "/**/{v#N#}/b""##, "/\(text)/a"),
        (##""matchesPathTemplate": "/{v#N#}b""##, "/\(text)"),
    ]

    private static func stubs(_ count: Int, _ request: (Int) -> String) throws -> StubIndex {
        let stubs = try (0..<count).map { number in
            let text = #"{"request": \#(request(number)), "response": {}}"#
            let added = AddedStub(Array(text.utf8), label: "\(number)", number: number, root: "")
            return try #require(added.stub, "\(text.prefix(200)): \(added.findings)")
        }
        return StubIndex(FixtureSet(root: "/", stubs: stubs))
    }

    /// Units that some stubs take of a request, of which none answers.
    private static func paid(_ count: Int, _ head: RequestHead, _ body: String, _ request: (Int) -> String) throws
        -> Int
    {
        let scratch = MatchScratch()
        let result = try stubs(count, request).match(head, body: Array(body.utf8), scratch: scratch)
        #expect(result.outcome == .none)
        return scratch.state.budget.meter.paid
    }

    @Test(arguments: matchers.indices)
    func `a value of a line or a part is paid for by each stub that reads it`(number: Int) throws {
        let (matcher, value) = Self.matchers[number]
        func numbered(_ number: Int) -> String { matcher.replacing("#N#", with: "\(number)") }
        let line = RequestHead.make("POST", "/", headers: [("x", value)])
        let type = "multipart/form-data; boundary=B"
        let parts = RequestHead.make("POST", "/", headers: [("content-type", type)])
        let body = "--B\r\nContent-Disposition: form-data; name=n\r\n\r\n\(value)\r\n--B--\r\n"
        for count in [1, 20] {
            let ofLine = try Self.paid(count, line, "") { #"{"headers": {"X": {\#(numbered($0))}}}"# }
            #expect(ofLine >= count * Self.size / 4, "\(matcher.prefix(60)), a line, \(count) stubs: \(ofLine)")
            let ofPart = try Self.paid(count, parts, body) {
                #"{"multipartPatterns": [{"bodyPatterns": [{\#(numbered($0))}]}]}"#
            }
            #expect(ofPart >= count * Self.size / 4, "\(matcher.prefix(60)), a part, \(count) stubs: \(ofPart)")
        }
    }

    @Test(arguments: [
        (##""equalToJson": "[1]""##, "[\"", "\"]"), (##""matchesJsonPath": "$.a""##, "[\"", "\"]"),
        (##""equalToXml": "<b/>""##, "<a>", "</a>"), (##""matchesXPath": "/b""##, "<a>", "</a>"),
    ])
    func `a large body is not read for the explanation of a miss`(
        matcher: String, start: String, end: String
    ) throws {
        let index = try Self.stubs(1) { _ in #"{"method": "POST", "urlPath": "/a", "bodyPatterns": [{\#(matcher)}]}"# }
        for (count, isRead) in [(NearMissLimits.bodyBytes, true), (NearMissLimits.bodyBytes + 1, false)] {
            let text = String(repeating: "a", count: count - start.utf8.count - end.utf8.count)
            let scratch = MatchScratch()
            let misses = index.nearMisses(
                for: .make("POST", "/a"), body: Array((start + text + end).utf8), scratch: scratch)
            #expect(misses.first?.differences.count == 1)
            #expect((scratch.state.budget.meter.paid >= count) == isRead)
        }
    }

    @Test func `the fields of a form are paid for by each stub that asks for one`() throws {
        let head = RequestHead.make("POST", "/", headers: [("content-type", "application/x-www-form-urlencoded")])
        let body = String(repeating: "a=1&", count: 100_000)
        for matcher in [
            #"{"equalTo": "2"}"#, #"{"hasExactly": [{"equalTo": "2"}]}"#, #"{"includes": [{"equalTo": "2"}]}"#,
        ] {
            let paid = try [1, 20].map { count in
                try Self.paid(count, head, body) { _ in #"{"formParameters": {"a": \#(matcher)}}"# }
            }
            #expect(paid[1] - paid[0] >= 19 * 100_000, "\(matcher): \(paid)")
        }
        // A form of more than 500,000 fields is not read: they would take six times the memory of the body.
        let scratch = MatchScratch()
        let index = try Self.stubs(1) { _ in #"{"formParameters": {"a": {"equalTo": "1"}}}"# }
        let result = index.match(head, body: Array(String(repeating: "&", count: 600_000).utf8), scratch: scratch)
        #expect(result == MatchResult(outcome: .none, exceeding: [.init(stub: 0, .form)]))
        #expect(index.match(head, body: Array(body.utf8), scratch: scratch).outcome == .stub(0))
    }

    @Test(arguments: ["$..*", "$..a", "$[*]"], [#""contains": "b""#, #""equalToJson": "[1]""#])
    func `values that stand in each other are written within the memory that a request may take`(
        path: String, nested: String
    ) throws {
        let depth = 400
        let core = path == "$[*]" ? "" : String(repeating: "x", count: 500_000)
        let body =
            path == "$[*]"
            ? #"["a", {"a": 1}]"#
            : String(repeating: #"{"a":"#, count: depth) + #""\#(core)""# + String(repeating: "}", count: depth)
        let index = try Self.stubs(1) { _ in
            #"{"bodyPatterns": [{"matchesJsonPath": {"expression": "\#(path)", \#(nested)}}]}"#
        }
        let scratch = MatchScratch()
        let result = index.match(.make("POST", "/"), body: Array(body.utf8), scratch: scratch)
        let exceeding = core.isEmpty ? [] : [ExceedingStub(stub: 0, .path)]
        #expect(result == MatchResult(outcome: .none, exceeding: exceeding))
        #expect(scratch.state.budget.meter.bytesLeft >= 0)
    }

    /// The pieces of templates, of which every two, three and four are tried.
    private static let pieces = ["/", "a", "/a", "{x}", "{y}", "**"]

    @Test func `a value fits a path template as it does piece by piece`() throws {
        var templates = Self.pieces
        for _ in 0..<3 { templates += templates.suffix(216).flatMap { template in Self.pieces.map { template + $0 } } }
        let values = ["/", "/a", "/a/b", "/b/a", "//", "/a/a/a", "a", "/ab/a", "/aa"]
        for template in templates.prefix(1_000) where !template.contains("}{") && !template.contains("***") {
            let parsed = PathTemplate(template)
            let tester = PathTemplateTester(parsed)
            let program = StubIndex(FixtureSet(root: "/")).program
            for value in values {
                var state = RequestState()
                defer { state.deallocate() }
                let fits = Array(value.utf8).withUnsafeBufferPointer {
                    tester.passes($0, isBody: false, program, &state)
                }
                #expect(fits == Self.fits(Array(value.utf8)[...], parsed.pieces[...]), "\(template): \(value)")
            }
        }
    }

    /// The meaning of a template, without regard to what it costs.
    private static func fits(_ value: ArraySlice<UInt8>, _ pieces: ArraySlice<PathTemplate.Piece>) -> Bool {
        guard let piece = pieces.first else { return value.isEmpty }
        let rest = pieces.dropFirst()
        switch piece {
        case .literal(let bytes): return value.starts(with: bytes) && fits(value.dropFirst(bytes.count), rest)
        case .variable:
            let reach = value.firstIndex(of: UInt8(ascii: "/")).map { $0 - value.startIndex } ?? value.count
            return reach >= 1 && (1...reach).contains { fits(value.dropFirst($0), rest) }
        case .rest: return (0...value.count).contains { fits(value.dropFirst($0), rest) }
        }
    }

    @Test func `letters that take other bytes in the other case are compared as before`() throws {
        let values = ["", "a", "A", "é", "É", "İ", "i̇", "ß", "ẞ", "K", "k", "Ω", "ω", "ΑΣ", "ας", "ｅ", "Ｅ"]
        for left in values {
            for right in values {
                let isEqual = left.lowercased() == right.lowercased()
                let passes = Array(left.utf8).withUnsafeBufferPointer { left in
                    Array(right.utf8).withUnsafeBufferPointer { left.mayEqualIgnoringCase($0) }
                }
                #expect(passes || !isEqual, "\(left) \(right)")
            }
        }
    }
}
