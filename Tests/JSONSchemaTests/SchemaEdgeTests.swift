// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONSchema
import MockapiJSONText
import MockapiTestSupport
import Testing

/// References by the examples of RFC 3986, names by those of RFC 5892, and the last values that are still allowed.
@Suite(.supervised) struct SchemaEdgeTests {
    @Test(arguments: [
        ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
        ("/g", "http://a/g"), ("//g", "http://g"),
        ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), (";x", "http://a/b/c/;x"),
        ("g;x?y", "http://a/b/c/g;x?y"), (".", "http://a/b/c/"),
        ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"),
        ("../..", "http://a/"), ("../../", "http://a/"),
        ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"),
        ("/./g", "http://a/g"), ("/../g", "http://a/g"),
        ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
        ("./g/.", "http://a/b/c/g/"),
        ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
        ("g;x=1/../y", "http://a/b/c/y"),
        ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"), ("http:g", "http:g"),
        ("//x?y", "http://x?y"), ("a:b/c", "a:b/c"),
    ])
    func `a reference is resolved as RFC 3986 does it`(reference: String, target: String) throws {
        let schema =
            #"{"$id":"http://a/b/c/d;p?q","$defs":{"x":{"$id":"\#(target)","type":"integer"}},"allOf":[{"$ref":"\#(reference)"}]}"#
        let compiled = try compile(schema)
        #expect(try compiled.isValid(json("1")) && !compiled.isValid(json("true")))
        // The other way round: an identifier that is relative.
        let other = try compile(
            #"{"$id":"http://a/b/c/d;p?q","$defs":{"x":{"$id":"\#(reference)","type":"integer"}},"allOf":[{"$ref":"\#(target)"}]}"#
        )
        #expect(try other.isValid(json("1")) && !other.isValid(json("true")))
    }

    @Test func `a reference from a base without a path, or without a scheme, is resolved`() throws {
        for (base, reference, target) in [
            ("http://a", "g", "http://a/g"), ("http://a?q", "g", "http://a/g"),
            ("/b/c", "../../g", "/g"), ("/b/c", "g", "/b/g"), ("b", "/g", "/g"), ("http://a/b?q", "?r", "http://a/b?r"),
        ] {
            let schema =
                #"{"$id":"\#(base)","$defs":{"x":{"$id":"\#(reference)","type":"integer"}},"allOf":[{"$ref":"\#(target)"}]}"#
            #expect(try !compile(schema).isValid(json("true")), "\(base) \(reference)")
        }
    }

    @Test func `a fragment is decoded, and led along`() throws {
        for (name, fragment) in [
            ("a b", "a%20b"), ("é", "%c3%A9"), ("%", "%"), ("%2", "%2"), ("%zz", "%zz"), ("a%", "a%25"),
            ("a/b", "a~1b"), ("~", "~0"), ("0", "0"),
        ] {
            let schema = ##"{"$defs":{"\##(name)":{"type":"integer"}},"$ref":"#/$defs/\##(fragment)"}"##
            #expect(try !compile(schema).isValid(json("true")) && compile(schema).isValid(json("1")), "\(fragment)")
        }
        // Along a list.
        let list = ##"{"allOf":[true,{"type":"integer"}],"properties":{"a":{"$ref":"#/allOf/1"}}}"##
        #expect(try compile(list).isValid(json("1")))
    }

    private static let hosts: [(String, Bool)] = [
        ("l\u{B7}l", true), ("a\u{B7}l", false), ("l\u{B7}a", false), ("\u{B7}l", false), ("l\u{B7}", false),
        ("\u{3B1}\u{375}\u{3B2}", true),
        ("\u{3B1}\u{375}S", false), ("\u{3B1}\u{375}", false), ("\u{5D0}\u{5F3}\u{5D1}", true),
        ("a\u{5F3}\u{5D1}", false), ("\u{5F3}\u{5D1}", false),
        ("\u{5D0}\u{5F4}\u{5D1}", true), ("\u{5F4}\u{5D1}", false), ("\u{30FB}\u{3041}", true),
        ("\u{30FB}\u{30A1}", true), ("\u{30FB}\u{4E08}", true),
        ("\u{30FB}\u{30FC}", true), ("def\u{30FB}abc", false), ("\u{30FB}", false), ("\u{628}\u{660}\u{628}", true),
        ("\u{628}\u{660}\u{6F0}", false),
        ("\u{6F0}0", true), ("\u{6F0}\u{660}", false), ("\u{915}\u{94D}\u{200D}\u{937}", true),
        ("\u{915}\u{94D}\u{200C}\u{937}", true),
        ("\u{915}\u{200D}\u{937}", false), ("\u{915}\u{200C}\u{937}", false), ("\u{200D}\u{937}", false),
        ("\u{DF}\u{3C2}\u{F0B}\u{3007}", true),
        ("\u{6FD}\u{6FE}", true), ("\u{640}\u{7FA}", false), ("a\u{640}", false), ("a\u{7FA}", false),
        ("\u{3031}", false), ("\u{3035}", false), ("\u{303B}", false),
        ("\u{C8}\u{302E}", false), ("\u{C8}\u{302F}", false), ("\u{903}hello", false), ("\u{300}hello", false),
        ("\u{488}hello", false),
        ("a\u{300}", true), ("a\u{488}", false), ("\u{C9}a", true), ("\u{1C5}", true), ("\u{2160}", false),
        ("a\u{2C2}", false), ("a\u{20AC}", false),
        ("a\u{2B0}", true), ("a\u{3002}\u{E9}", true), ("a\u{FF0E}\u{E9}", true), ("a\u{FF61}\u{E9}", true),
        ("\u{E9}..a", false), ("ab--\u{E9}", false), ("ab--c", false),
        ("xn--ab", true), ("XN--ab", true), ("xn--a", false), ("xn--", false), ("-\u{E9}", false), ("\u{E9}-", false),
        ("\u{E9}_a", false), ("a--b", true),
    ]

    @Test func `an international host's name has the letters that RFC 5892 allows, each where it may stand`() throws {
        let (wide, plain) = (
            try compile(#"{"format":"idn-hostname"}"#, .draft7), try compile(#"{"format":"hostname"}"#, .draft7)
        )
        for (host, isHost) in Self.hosts {
            #expect(wide.isValid(.string(host)) == isHost, "\(host.unicodeScalars.map { String($0.value, radix: 16) })")
            if !host.utf8.allSatisfy({ $0 < 0x80 }) { #expect(!plain.isValid(.string(host)), "\(host)") }
        }
        let uri = try compile(#"{"format":"uri"}"#, .draft7)
        for (address, isAddress) in [("v1.a", true), ("vF.:", true), ("v1.", false), ("v.a", false), ("w1.a", false)] {
            #expect(uri.isValid(.string("http://[\(address)]/")) == isAddress, "\(address)")
        }
        for host in ["ab--c", "xn--a", "a.b"] { #expect(plain.isValid(.string(host)), "\(host)") }
        let email = try compile(#"{"format":"idn-email"}"#, .draft7)
        #expect(
            email.isValid(.string("éĀ@bücher.example")) && !email.isValid(.string("é@-a"))
                && !email.isValid(.string("é")))
        let regex = try compile(#"{"format":"regex"}"#, .draft7)
        for (text, isRegex) in [
            ("a\\d", true), ("\\\\Z", true), ("\\Z", false), ("\\\\\\Z", false), ("[a", false), ("(?<a>b)", true),
            ("\\a", false),
        ] {
            #expect(regex.isValid(.string(text)) == isRegex, "\(text)")
        }
    }

    @Test(arguments: [
        (#"{"type":["integer","number","null"]}"#, "[]", "is an array, should be null or number or integer"),
        (#"{"type":"string"}"#, "{}", "is an object, should be string"),
        (#"{"type":"string"}"#, "null", "is null, should be string"),
        (#"{"type":"string"}"#, "true", "is a boolean, should be string"),
        (#"{"type":"string"}"#, "1.5", "is a number, should be string"),
        (#"{"type":"string"}"#, "1.0", "is the integer 1.0, should be string"),
        (#"{"type":"null"}"#, #""a""#, "is a string, should be null"),
        (#"{"enum":[1,2,3,4,5]}"#, "6", "is 6, which is not one of 1, 2, 3, 4, 5"),
        (#"{"enum":[1,2,3,4,5,6]}"#, "7", "is 7, which is not one of 1, 2, 3, 4, 5, …"),
        (#"{"minimum":2}"#, "1", "is 1, should be at least 2"),
        (#"{"maximum":2}"#, "3", "is 3, should be at most 2"),
        (#"{"exclusiveMinimum":2}"#, "2", "is 2, should be greater than 2"),
        (#"{"minLength":3}"#, #""ab""#, "has 2 characters, should have at least 3"),
        (#"{"maxItems":1}"#, "[1,2]", "has 2 items, should have at most 1"),
        (#"{"minProperties":1}"#, "{}", "has 0 properties, should have at least 1"),
        (#"{"maxProperties":0}"#, #"{"a":1}"#, "has 1 properties, should have at most 0"),
        (#"{"contains":true,"maxContains":1}"#, "[1,2]", "has 2 items that match contains, should have at most 1"),
        (#"{"contains":true,"minContains":3}"#, "[1,2]", "has 2 items that match contains, should have at least 3"),
        (#"{"contains":true,"minContains":1}"#, "[]", "has no item that matches contains"),
        (#"{"oneOf":[false,false]}"#, "1", "matches none of the 2 schemas of oneOf"),
        (#"{"unevaluatedProperties":{"type":"null"}}"#, #"{"a":1}"#, "/a: is the integer 1, should be null"),
        (#"{"unevaluatedItems":false}"#, "[1]", "/0: nothing is allowed here"),
        (#"{"additionalProperties":{"type":"null"}}"#, #"{"~/":1}"#, "/~0~1: is the integer 1, should be null"),
        (#"{"dependencies":{"a":["b"]}}"#, #"{"a":1}"#, #"has "a", and so should have "b""#),
        (
            #"{"const":1}"#, #""\#(String(repeating: "a", count: 58))""#,
            #"is "\#(String(repeating: "a", count: 58))", should be 1"#
        ),
        (
            #"{"const":1}"#, #""\#(String(repeating: "a", count: 59))""#,
            #"is "\#(String(repeating: "a", count: 59))…, should be 1"#
        ),
    ])
    func `a violation has its words`(schema: String, value: String, message: String) throws {
        #expect(try compile(schema).validate(try json(value)).map(\.description) == [message])
    }

    @Test(arguments: [
        (#"{"type":1}"#, "/type: type needs the name of a type, or a list, not number"),
        (#"{"type":["string",1]}"#, "/type: type needs the name of a type, or a list, not number"),
        (#"{"minimum":"a"}"#, "/minimum: minimum needs a number, not string"),
        (#"{"multipleOf":"a"}"#, "/multipleOf: multipleOf needs a number, not string"),
        (#"{"multipleOf":-1}"#, "/multipleOf: multipleOf needs a number above 0, not -1"),
        (#"{"maxLength":1.5}"#, "/maxLength: maxLength needs a whole number from 0 on, not 1.5"),
        (#"{"uniqueItems":1}"#, "/uniqueItems: uniqueItems needs true or false, not number"),
        (#"{"required":1}"#, "/required: required needs a list of names, not number"),
        (#"{"required":[1]}"#, "/required: required needs a list of names, not number"),
        (
            #"{"dependentRequired":[]}"#,
            "/dependentRequired: dependentRequired needs an object of lists of names, not array"
        ),
        (#"{"dependentRequired":{"a":1}}"#, "/dependentRequired: dependentRequired needs a list of names, not number"),
        (#"{"pattern":1}"#, "/pattern: pattern needs a string, not number"),
        (#"{"properties":[]}"#, "/properties: properties needs an object of schemas, not array"),
        (#"{"properties":{"a":1}}"#, "/properties/a: a schema is an object or a boolean, not number"),
        (
            #"{"patternProperties":{"(":{}}}"#,
            "/patternProperties/(: the pattern \"(\" is broken: missing closing parenthesis"
        ), (#"{"dependencies":1}"#, "/dependencies: dependencies needs an object, not number"),
        (#"{"dependencies":{"a":1}}"#, "/dependencies/a: a schema is an object or a boolean, not number"),
        (#"{"prefixItems":{}}"#, "/prefixItems: prefixItems needs a list of schemas, not object"),
        (#"{"anyOf":[1]}"#, "/anyOf/0: a schema is an object or a boolean, not number"),
        (#"{"contains":true,"minContains":-1}"#, "/minContains: minContains needs a whole number from 0 on, not -1"),
        (#"{"not":1}"#, "/not: a schema is an object or a boolean, not number"),
        (#"{"then":1}"#, "/then: a schema is an object or a boolean, not number"),
        (#"{"else":1}"#, "/else: a schema is an object or a boolean, not number"),
        (
            #"{"definitions":{"a":{"type":"x"}}}"#,
            #"/definitions/a/type: "x" is not a type; there are array, boolean, integer, null, number, object, string"#
        ),
    ])
    func `a keyword with another value is refused where it stands`(schema: String, message: String) throws {
        #expect(try failure(schema) == message)
    }

    @Test func `what a draft does not have is not read`() throws {
        #expect(
            try failure(#"{"exclusiveMaximum":1}"#, .draft4)
                == "/exclusiveMaximum: exclusiveMaximum needs true or false, not number")
        #expect(
            try failure(#"{"exclusiveMaximum":true}"#, .draft6)
                == "/exclusiveMaximum: exclusiveMaximum needs a number, not boolean")
        #expect(
            try failure(#"{"additionalItems":1}"#, .draft2019)
                == "/additionalItems: a schema is an object or a boolean, not number")
        #expect(try failure(#"{"additionalItems":1}"#, .draft2020) == nil)
        #expect(try failure(#"{"format":1}"#, .draft7) == "/format: format needs a string, not number")
        #expect(try failure(#"{"format":1}"#, .draft2020) == nil)
        #expect(try JSONSchema(try json(#"{"format":"ipv4"}"#), assertsFormats: true).isValid(.string("a")) == false)
        for version in JSONSchemaVersion.allCases {
            let message = try failure(#"{"$ref":"http://a/b"}"#, version)
            #expect(message?.hasSuffix(version < .draft2019 ? "into definitions" : "into $defs") == true, "\(version)")
            // A format of a later draft asks for nothing in an earlier one.
            for (name, first) in [
                ("ipv4", JSONSchemaVersion.draft4), ("uri-template", .draft6), ("date", .draft7), ("uuid", .draft7),
            ] {
                let schema = try JSONSchema(try json(#"{"format":"\#(name)"}"#), version: version, assertsFormats: true)
                #expect(schema.isValid(.string("{")) == (version < first), "\(version) \(name)")
            }
        }
        for (name, version) in [
            ("V4", JSONSchemaVersion.draft4), ("V6", .draft6), ("V7", .draft7), ("V201909", .draft2019),
            ("V202012", .draft2020),
        ] {
            #expect(JSONSchemaVersion(name: name) == version)
        }
        #expect(JSONSchemaVersion(name: "V5") == nil)
    }

    @Test func `a draft is named with either scheme, with and without an empty fragment`() throws {
        for (uri, isDraft4) in [
            ("http://json-schema.org/draft-04/schema", true), ("https://json-schema.org/draft-04/schema#", true),
            ("http://json-schema.org/draft-04/schema#", true),
            ("http://json-schema.org/draft-06/schema#", false), ("https://json-schema.org/draft/2020-12/schema", false),
        ] {
            // Draft 4 takes no number with a point for an integer.
            #expect(try compile(#"{"$schema":"\#(uri)","type":"integer"}"#).isValid(json("1.0")) != isDraft4, "\(uri)")
        }
        for uri in ["json-schema.org/draft-04/schema##", "ftp://json-schema.org/draft-04/schema", "draft-04"] {
            #expect(try failure(#"{"$schema":"\#(uri)"}"#) != nil, "\(uri)")
        }
    }

    private static let metaschemas = [
        "http://json-schema.org/draft-04/schema#", "http://json-schema.org/draft-06/schema#",
        "http://json-schema.org/draft-07/schema#",
        "https://json-schema.org/draft/2019-09/schema", "https://json-schema.org/draft/2020-12/schema",
    ]

    @Test func `metaschemas hold a schema to its draft`() throws {
        // Each with the drafts in which it is a schema.
        let schemas: [(String, [Int])] = [
            ("true", [6, 7, 19, 20]), ("{}", [4, 6, 7, 19, 20]), (#"{"required":[]}"#, [6, 7, 19, 20]),
            (#"{"required":["a","a"]}"#, []), (#"{"required":["a"]}"#, [4, 6, 7, 19, 20]),
            (#"{"exclusiveMinimum":1}"#, [6, 7, 19, 20]), (#"{"minimum":1,"exclusiveMinimum":true}"#, [4]),
            (#"{"exclusiveMaximum":true}"#, []), (#"{"maximum":1,"exclusiveMaximum":false}"#, [4]),
            (#"{"if":1}"#, [4, 6]), (#"{"const":{}}"#, [4, 6, 7, 19, 20]), (#"{"contains":1}"#, [4]),
            (#"{"items":[{}]}"#, [4, 6, 7, 19]), (#"{"items":{"type":"x"}}"#, []), (#"{"items":[]}"#, []),
            (#"{"prefixItems":[1]}"#, [4, 6, 7, 19]), (#"{"additionalProperties":true}"#, [4, 6, 7, 19, 20]),
            (#"{"additionalItems":false}"#, [4, 6, 7, 19, 20]), (#"{"additionalItems":1}"#, [20]),
            (#"{"not":true}"#, [6, 7, 19, 20]), (#"{"type":["string","string"]}"#, []), (#"{"type":[]}"#, []),
            (#"{"type":["string"]}"#, [4, 6, 7, 19, 20]), (#"{"multipleOf":0}"#, []),
            (#"{"multipleOf":0.1}"#, [4, 6, 7, 19, 20]),
            (#"{"maxItems":1.5}"#, []), (#"{"maxItems":-1}"#, []), (#"{"maxItems":0}"#, [4, 6, 7, 19, 20]),
            (#"{"dependencies":{"a":["b"],"c":{}}}"#, [4, 6, 7, 19, 20]),
            (#"{"dependencies":{"a":[]}}"#, [6, 7, 19, 20]),
            (#"{"dependencies":{"a":1}}"#, []), (#"{"dependentRequired":{"a":1}}"#, [4, 6, 7]),
            (#"{"$defs":{"a":1}}"#, [4, 6, 7]), (#"{"definitions":{"a":1}}"#, []), (#"{"uniqueItems":1}"#, []),
            (#"{"title":1}"#, []),
            (#"{"enum":1}"#, []), (#"{"examples":1}"#, [4]), (#"{"$anchor":1}"#, [4, 6, 7]),
            (#"{"$recursiveAnchor":1}"#, [4, 6, 7, 20]), (#"{"$dynamicAnchor":1}"#, [4, 6, 7, 19]),
            (#"{"contentSchema":1}"#, [4, 6, 7]),
            (#"{"readOnly":1}"#, [4, 6]), (#"{"deprecated":1}"#, [4, 6, 7]), (#"{"id":1}"#, [6, 7, 19, 20]),
            (#"{"$id":1}"#, [4]), (#"{"allOf":[]}"#, []), (#"{"allOf":[{}]}"#, [4, 6, 7, 19, 20]),
            (#"{"properties":{"a":{"minimum":"1"}}}"#, []),
        ]
        for (place, uri) in Self.metaschemas.enumerated() {
            let schema = try compile(#"{"$ref":"\#(uri)"}"#)
            for (text, drafts) in schemas {
                #expect(try schema.isValid(json(text)) == drafts.contains([4, 6, 7, 19, 20][place]), "\(uri) \(text)")
            }
        }
    }

    @Test func `what is as large as it may be is taken`() throws {
        func nested(_ levels: Int, _ inner: String = "{}") -> String {
            String(repeating: #"{"not":"#, count: levels) + inner + String(repeating: "}", count: levels)
        }
        #expect(try failure(nested(127)) == nil && failure(nested(128)) == "the schema has more than 128 levels")
        #expect(
            try failure(nested(128, "true")) == nil
                && failure(nested(127, #"{"a":[]}"#)) == "the schema has more than 128 levels")
        let frame = #"{"description":""}"#.utf8.count
        func large(_ bytes: Int) -> String { #"{"description":"\#(String(repeating: "a", count: bytes - frame))"}"# }
        #expect(
            try failure(large(1 << 20)) == nil
                && failure(large(1 << 20 + 1)) == "the schema has more than 1048576 bytes")
        func named(_ bytes: Int) -> String {
            #"{"properties":{"\#(String(repeating: "a", count: bytes - 12))":{"minLength":0}}}"#
        }
        #expect(try failure(named(1024)) == nil && failure(named(1025)) != nil)
        func chain(_ count: Int) -> String {
            let definitions =
                (0..<count).map { ##""d\##($0)":{"$ref":"#/$defs/d\##($0 + 1)"}"## } + [
                    #""d\#(count)":{"type":"integer"}"#
                ]
            return ##"{"$ref":"#/$defs/d0","$defs":{\##(definitions.joined(separator: ","))}}"##
        }
        #expect(
            try compile(chain(254)).isValid(json("1"))
                && compile(chain(255)).validate(json("1")).map(\.isGivenUp) == [true])
        func levels(_ count: Int) -> JSONNode {
            (0..<count).reduce(JSONNode.integer(1)) { value, _ in .array([value]) }
        }
        let any = try compile("{}")
        let objects = { count in (0..<count).reduce(JSONNode.integer(1)) { value, _ in .object(["a": value]) } }
        #expect(any.isValid(objects(512)) && !any.isValid(objects(513)))
        let divided = try compile(#"{"multipleOf":1234567890123456789012}"#)
        #expect(try divided.validate(json("1e4096")).map(\.keyword) == ["multipleOf"])
        #expect(try divided.validate(json("1e4097")).map(\.isGivenUp) == [true])
        let nested = try compile(
            #"{"allOf":[{"unevaluatedItems":true,"unevaluatedProperties":true}],"unevaluatedItems":false,"unevaluatedProperties":false}"#
        )
        #expect(try nested.isValid(json("[1]")) && nested.isValid(json(#"{"a":1}"#)))
        #expect(any.isValid(levels(512)) && !any.isValid(levels(513)))
        #expect(any.verdict(on: levels(513), meter: nil) == .givenUp)
        let ten = try compile(#"{"items":{"type":"string"},"minItems":20}"#)
        #expect(try ten.validate(json("[\((0..<10).map(String.init).joined(separator: ","))]")).count == 10)
        let nine = try ten.validate(json("[\((0..<9).map(String.init).joined(separator: ","))]"))
        #expect(nine.count == 10 && nine.contains { $0.keyword == "minItems" })
    }

    @Test func `of a name that comes twice the last counts, however many others there are`() throws {
        for count in [0, 6, 7, 8, 12] {
            let others = (0..<count).map { ",\"x\($0)\":1" }.joined()
            for depth in 0..<3 {
                let (open, close) = (String(repeating: #"{"p":["#, count: depth), String(repeating: "]}", count: depth))
                let schema = try compile(
                    ##"{"properties":{"a":{"type":"integer"},"p":{"items":{"$ref":"#"}}},"maxProperties":\##(count + 1)}"##
                )
                #expect(try schema.isValid(json("\(open){\"a\":\"no\"\(others),\"a\":1}\(close)")), "\(count) \(depth)")
                #expect(
                    try !schema.isValid(json("\(open){\"a\":1\(others),\"a\":\"no\"}\(close)")), "\(count) \(depth)")
                #expect(try !schema.isValid(json("\(open){\"a\":1\(others),\"b\":1}\(close)")), "\(count) \(depth)")
            }
        }
    }
}
