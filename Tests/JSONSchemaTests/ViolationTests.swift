// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONSchema
import MockapiJSONText
import MockapiTestSupport
import Testing

@Suite(.supervised) struct ViolationTests {
    @Test(arguments: [
        (#"{"type":["string","null"]}"#, "1", "is the integer 1, should be null or string"),
        (#"{"enum":["a",1]}"#, #""b""#, #"is "b", which is not one of "a", 1"#),
        (#"{"const":"a"}"#, "[1]", #"is [1], should be "a""#),
        (#"{"properties":{"a/b":{"items":{"minimum":2}}}}"#, #"{"a/b":[2,1]}"#, "/a~1b/1: is 1, should be at least 2"),
        (#"{"exclusiveMaximum":2}"#, "2", "is 2, should be less than 2"),
        (#"{"multipleOf":0.01}"#, "0.001", "is 0.001, which is not a multiple of 0.01"),
        (#"{"maxLength":1}"#, #""ab""#, "has 2 characters, should have at most 1"),
        (#"{"pattern":"^a"}"#, #""b""#, #"is "b", which does not match the pattern ^a"#),
        (#"{"minItems":1}"#, "[]", "has 0 items, should have at least 1"),
        (#"{"uniqueItems":true}"#, "[1,2,1]", "has equal items: numbers 0 and 2"),
        (#"{"contains":{"const":1}}"#, "[2]", "has no item that matches contains"),
        (#"{"required":["a"]}"#, "{}", #"has no property "a""#),
        (#"{"additionalProperties":false}"#, #"{"a":1}"#, #"has the property "a", which is not allowed"#),
        (#"{"unevaluatedProperties":false}"#, #"{"a":1}"#, #"has the property "a", which no schema speaks of"#),
        (#"{"propertyNames":{"maxLength":1}}"#, #"{"ab":1}"#, #"has the property "ab", whose name is not allowed"#),
        (#"{"dependentRequired":{"a":["b"]}}"#, #"{"a":1}"#, #"has "a", and so should have "b""#),
        (#"{"anyOf":[false,{"type":"string"}]}"#, "1", "matches none of the 2 schemas of anyOf"),
        (#"{"oneOf":[true,false,true]}"#, "1", "matches more than one schema of oneOf: numbers 0 and 2"),
        (#"{"not":{}}"#, "1", "matches the schema of not"),
        (#"{"properties":{"a":false}}"#, #"{"a":1}"#, "/a: nothing is allowed here"),
    ])
    func `a violation says where it is and what is wrong`(schema: String, value: String, message: String) throws {
        let violations = try compile(schema).validate(try json(value))
        #expect(violations.map(\.description) == [message])
    }

    @Test func `all violations are told, but ten at most`() throws {
        let schema = try compile(#"{"items":{"type":"string"}}"#)
        #expect(schema.validate(try json("[1,\"a\",2]")).map(\.pointer) == ["/0", "/2"])
        let many = "[" + [String](repeating: "1", count: 50).joined(separator: ",") + "]"
        #expect(schema.validate(try json(many)).count == JSONSchemaLimits.violations)
    }
}

/// Schemas and values that would cost without end.
@Suite(.supervised) struct SchemaLimitTests {
    @Test(arguments: [
        ##"{"$ref":"#"}"##, ##"{"not":{"$ref":"#"}}"##, ##"{"anyOf":[{"$ref":"#"},{"$ref":"#"}]}"##,
        ##"{"allOf":[{"$ref":"#/$defs/a"}],"$defs":{"a":{"oneOf":[{"$ref":"#/$defs/b"}]},"b":{"$ref":"#/$defs/a"}}}"##,
    ])
    func `a schema that leads back to itself is given up`(schema: String) throws {
        let violations = try compile(schema).validate(try json("1"))
        #expect(violations.map(\.isGivenUp) == [true])
        #expect(violations[0].message == "the validation was given up: more than 256 schemas apply within one another")
    }

    @Test func `alternatives that multiply are given up`() throws {
        var definitions = ##""d0":{"const":0}"##
        for level in 1...24 {
            definitions +=
                ##","d\##(level)":{"anyOf":[{"$ref":"#/$defs/d\##(level - 1)"},{"$ref":"#/$defs/d\##(level - 1)"}]}"##
        }
        let schema = try compile(##"{"$ref":"#/$defs/d24","$defs":{\##(definitions)}}"##)
        let violations = schema.validate(try json("1"))
        #expect(violations.map(\.message) == ["the validation was given up: it takes more than 100064 steps"])
        #expect(!schema.isValid(try json("1")))
    }

    @Test func `a pattern that tries without end is given up`() throws {
        let schema = try compile(#"{"pattern":"^(a+)+$"}"#)
        let violations = schema.validate(.string(String(repeating: "a", count: 60) + "!"))
        #expect(violations.map(\.message) == [#"the validation was given up: the pattern "^(a+)+$" takes too long"#])
    }

    @Test func `a schema has no more levels and bytes than it may`() throws {
        let deep = String(repeating: #"{"not":"#, count: 129) + "{}" + String(repeating: "}", count: 129)
        #expect(try failure(deep) == "the schema has more than 128 levels")
        let name = String(repeating: "a", count: 2000)
        #expect(
            try failure(#"{"properties":{"\#(name)":{}}}"#)
                == "/properties/\(name.prefix(48))…: the JSON Pointer to this schema has more than 1024 bytes")
        let large = #"{"description":""# + String(repeating: "a", count: 1 << 20) + #""}"#
        #expect(try failure(large) == "the schema has more than 1048576 bytes")
    }

    @Test func `a value of many levels is validated, or given up`() throws {
        let schema = try compile(##"{"items":{"$ref":"#"},"not":{"type":"string"}}"##)
        func nested(_ levels: Int) -> JSONNode {
            (0..<levels).reduce(JSONNode.integer(1)) { value, _ in .array([value]) }
        }
        #expect(schema.isValid(nested(100)))
        #expect(schema.validate(nested(500)).map(\.isGivenUp) == [true])
        let message = schema.validate(nested(5000)).map(\.message)
        #expect(message == ["the validation was given up: the value has more than 512 levels"])
    }

    @Test func `references in a long chain are followed without recursion`() throws {
        var definitions = #""d0":{"type":"string"}"#
        for level in 1...5000 {
            definitions += ##","d\##(level)":{"properties":{"x":{"$ref":"#/$defs/d\##(level - 1)"}}}"##
        }
        let schema = try compile(##"{"$ref":"#/$defs/d1","$defs":{\##(definitions)}}"##)
        #expect(schema.isValid(try json(#"{"x":"a"}"#)))
        #expect(!schema.isValid(try json(#"{"x":1}"#)))
    }

    @Test func `numbers of many digits are exact, or given up`() throws {
        let schema = try compile(#"{"multipleOf":1234567890123456789012}"#)
        #expect(schema.isValid(try json("2469135780246913578024")))
        #expect(!schema.isValid(try json("2469135780246913578025")))
        #expect(schema.validate(try json("1e100000")).map(\.isGivenUp) == [true])
    }
}
