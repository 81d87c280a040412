// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText
import MockapiTestSupport
import Testing

/// The values of a request at each kind of place.
@Suite(.supervised) struct SentDigestsTests {
    private static func message(_ content: String, authorization: String = "Bearer x", reads: Bool = true)
        -> SentDigests.Message
    {
        let fields = [
            ("Authorization", authorization), ("X-A", "1"), ("x-a", "2"), ("Cookie", "a=1; b=2; a=3"),
            ("cookie", "c=4"),
        ]
        return SentDigests.Message(
            fields: fields.map { ($0.0, Array($0.1.utf8)) }, target: Array("/p?a=1&b&a=%202".utf8),
            content: Array(content.utf8), readsContent: reads)
    }

    private static func values(_ message: SentDigests.Message, _ place: String) throws -> [String] {
        message[try #require(SentDigests.Place(place))].map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [
        ("header:x-a", ["1", "2"]), ("header:X-A", []), ("header:none", []), ("cookie:a", ["1", "3"]),
        ("cookie:c", ["4"]),
        ("query:a", ["1", "%202"]), ("query:b", [""]), ("query:p", []), ("form:f", ["1", "2"]), ("form:g h", ["%41"]),
        ("path", ["/p"]), ("target", ["/p?a=1&b&a=%202"]), ("content", ["f=1&g%20h=%41&f=2"]), ("scheme", ["bearer"]),
        ("$.f", []),
    ])
    func `a place has its values in their order`(place: String, values: [String]) throws {
        #expect(try Self.values(Self.message("f=1&g%20h=%41&f=2"), place) == values)
        #expect(try #require(SentDigests.Place(place)).text == place)
    }

    @Test func `content is JSON or a form, and read only where it is asked for`() throws {
        let json = #"{"a": [{"b": "x\"y"}, {"b": 1.0}]}"#
        let message = Self.message(json)
        #expect(try Self.values(message, "$.a[*].b") == [#""x\"y""#, "1.0"])
        #expect(try Self.values(message, "form:\(json)") == [])
        #expect(message.written(try JSONPlace("$.a[0].b")) == Array(#"x\"y"#.utf8))
        #expect(message.written(try JSONPlace("$.a[1].b")) == nil)
        for place in ["$.a[*].b", "form:f"] {
            #expect(try Self.values(Self.message(place == "form:f" ? "f=1" : json, reads: false), place) == [])
        }
        for (count, isRead) in [(SentDigests.contentLimit, true), (SentDigests.contentLimit + 1, false)] {
            let message = Self.message("f=" + String(repeating: "x", count: count - 2))
            #expect(try Self.values(message, "form:f").isEmpty == !isRead)
        }
    }

    @Test(arguments: [
        ("Basic a", ["basic"]), ("s3cret a", []), ("Bearer", []), ("", []),
        ("AWS4-HMAC-SHA256 x", ["aws4-hmac-sha256"]),
    ])
    func `a scheme is one that is known`(authorization: String, schemes: [String]) throws {
        #expect(try Self.values(Self.message("", authorization: authorization), "scheme") == schemes)
    }

    @Test(arguments: ["", "x", "header", "Header:a", "schemes", "$["])
    func `other texts name no place`(text: String) {
        #expect(SentDigests.Place(text) == nil)
    }

    @Test func `named places are those of the target and of the content`() throws {
        for (text, isNamed, isInContent) in [
            ("query:a", true, false), ("form:a", true, true), ("$.a", true, true), ("path", true, false),
            ("header:a", false, false), ("cookie:a", false, false), ("scheme", false, false), ("target", false, false),
            ("content", false, false),
        ] {
            let place = try #require(SentDigests.Place(text))
            #expect(place.isNamed == isNamed && place.isInContent == isInContent, "\(text)")
        }
    }
}
