// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONSchema
import MockapiJSONText
import MockapiTestSupport
import Testing

@Suite(.supervised) struct ReferenceTests {
    private static let cases: [SchemaCase] = [
        SchemaCase(
            ##"{"definitions":{"a~b/c %":{"type":"integer"}},"properties":{"x":{"$ref":"#/definitions/a~0b~1c%20%25"}}}"##,
            valid: [#"{"x":1}"#], invalid: [#"{"x":"a"}"#]),
        SchemaCase(
            ##"{"properties":{"child":{"$ref":"#"}},"additionalProperties":false}"##,
            valid: [#"{"child":{"child":{}}}"#], invalid: [#"{"child":{"other":1}}"#]),
        SchemaCase(
            ##"{"definitions":{"a":{"type":"integer"}},"$ref":"#/definitions/a","minimum":5}"##, valid: ["1"],
            invalid: ["\"a\""], in: .draft4 ... .draft7),
        SchemaCase(
            ##"{"$defs":{"a":{"type":"integer"}},"$ref":"#/$defs/a","minimum":5}"##, valid: ["5"], invalid: ["1"],
            in: .draft2019 ... .draft2020),
        SchemaCase(
            ##"{"definitions":{"a":{"id":"#int","type":"integer"}},"$ref":"#int"}"##, valid: ["1"], invalid: ["\"a\""],
            in: .draft4 ... .draft4),
        SchemaCase(
            ##"{"definitions":{"a":{"$id":"#int","type":"integer"}},"$ref":"#int"}"##, valid: ["1"], invalid: ["\"a\""],
            in: .draft6 ... .draft7),
        SchemaCase(
            ##"{"$defs":{"a":{"$anchor":"int","type":"integer"}},"$ref":"#int"}"##, valid: ["1"], invalid: ["\"a\""],
            in: .draft2019 ... .draft2020),
        SchemaCase(
            ##"{"$id":"http://a.example/root.json","$defs":{"x":{"$id":"inner/b.json","$defs":{"i":{"type":"integer"}},"$ref":"#/$defs/i"}},"$ref":"inner/./b.json"}"##,
            valid: ["1"], invalid: ["\"a\""], in: .draft2019 ... .draft2020),
        SchemaCase(
            ##"{"$id":"http://a.example/root.json","definitions":{"x":{"$id":"/b.json","type":"integer"}},"allOf":[{"$ref":"http://a.example/b.json"}]}"##,
            valid: ["1"], invalid: ["\"a\""], in: .draft6 ... .draft2020),
        SchemaCase(
            ##"{"$id":"urn:a:b","definitions":{"x":{"type":"integer"}},"allOf":[{"$ref":"urn:a:b#/definitions/x"}]}"##,
            valid: ["1"], invalid: ["\"a\""], in: .draft6 ... .draft2020),
        SchemaCase(
            ##"{"const":{"$ref":"#/nowhere"}}"##, valid: [##"{"$ref":"#/nowhere"}"##], in: .draft6 ... .draft2020),
        SchemaCase(
            ##"{"$id":"tree","$recursiveAnchor":true,"$defs":{"node":{"$id":"node","$recursiveAnchor":true,"type":"object","properties":{"next":{"$recursiveRef":"#"}}}},"$ref":"node","required":["v"]}"##,
            valid: [#"{"v":1,"next":{"v":2}}"#], invalid: [#"{"v":1,"next":{}}"#], in: .draft2019 ... .draft2019),
        SchemaCase(
            ##"{"$id":"http://a.example/tree","$defs":{"node":{"$id":"node","properties":{"next":{"$recursiveRef":"#"}}}},"properties":{"a":{"$ref":"node"}},"required":["a"]}"##,
            valid: [#"{"a":{"next":{}}}"#], invalid: ["{}"], in: .draft2019 ... .draft2019),
        SchemaCase(
            ##"{"$id":"strings","$ref":"list","$defs":{"of":{"$dynamicAnchor":"of","type":"string"},"list":{"$id":"list","items":{"$dynamicRef":"#of"},"$defs":{"any":{"$dynamicAnchor":"of"}}}}}"##,
            valid: [#"["a"]"#], invalid: ["[1]"], in: .draft2020 ... .draft2020),
        SchemaCase(
            #"{"$ref":"http://json-schema.org/draft-04/schema#"}"#, valid: [#"{"minimum":1,"exclusiveMinimum":true}"#],
            invalid: [#"{"exclusiveMinimum":true}"#, #"{"type":"int"}"#, #"{"required":[]}"#]),
        SchemaCase(
            #"{"$ref":"http://json-schema.org/draft-07/schema#"}"#, valid: ["true", #"{"if":{"minLength":1}}"#],
            invalid: [#"{"if":1}"#, #"{"minLength":-1}"#]),
        SchemaCase(
            #"{"$ref":"https://json-schema.org/draft/2020-12/schema"}"#, valid: [#"{"prefixItems":[true]}"#],
            invalid: [#"{"prefixItems":[]}"#, #"{"properties":{"a":{"type":"x"}}}"#]),
    ]

    @Test(arguments: cases) func `references lead within the document and to metaschemas`(_ schema: SchemaCase) throws {
        try schema.check()
    }

    @Test func `what the document says of its draft goes over what is asked for`() throws {
        let schema = #"{"$schema":"http://json-schema.org/draft-04/schema#","const":1}"#
        #expect(try compile(schema, .draft2020).isValid(try json("2")))
        #expect(
            try compile(#"{"$schema":"http://json-schema.org/draft-06/schema","const":1}"#, .draft4).isValid(
                try json("2")) == false)
    }

    @Test(arguments: [
        ("3", "a schema is an object or a boolean, not number"),
        (
            #"{"type":"int"}"#,
            #"/type: "int" is not a type; there are array, boolean, integer, null, number, object, string"#
        ),
        (
            #"{"properties":{"a/b":{"minLength":-1}}}"#,
            "/properties/a~1b/minLength: minLength needs a whole number from 0 on, not -1"
        ),
        (#"{"allOf":{}}"#, "/allOf: allOf needs a list of schemas, not object"),
        (#"{"items":3}"#, "/items: a schema is an object or a boolean, not number"),
        (#"{"$defs":{"unused":{"enum":1}}}"#, "/$defs/unused/enum: enum needs a list, not number"),
        (#"{"pattern":"a("}"#, #"/pattern: the pattern "a(" is broken: missing closing parenthesis"#),
        (#"{"multipleOf":0}"#, "/multipleOf: multipleOf needs a number above 0, not 0"),
        (##"{"not":{"$ref":"#/a"}}"##, ##"/not/$ref: "#/a" leads nowhere"##),
        (##"{"a":1,"$ref":"#/a"}"##, ##"/$ref: "#/a" leads to number, which is not a schema"##),
        (##"{"$ref":"#a"}"##, #"/$ref: there is no anchor "a" here"#),
        (
            ##"{"$schema":"https://json-schema.org/draft/2019-09/schema","$ref":"#a","$defs":{"x":{"$id":"#a"}}}"##,
            #"/$ref: there is no anchor "a" here"#
        ),
        (
            #"{"$ref":"http://a.example/b"}"#,
            #"/$ref: "http://a.example/b" is not in this document, and nothing is fetched: put that schema into $defs"#
        ),
        (
            #"{"$schema":"http://a.example/"}"#,
            #"/$schema: "http://a.example/" is not a draft of JSON Schema that is known: there are draft-04, draft-06, draft-07, 2019-09 and 2020-12"#
        ),
    ])
    func `a schema that cannot be compiled says where and why`(schema: String, message: String) throws {
        #expect(try failure(schema) == message)
    }

    @Test func `an error knows where in the text it stands`() throws {
        let document = try json(#"{"a":0,"type":"int"}"#)
        #expect(
            throws: JSONSchemaError(
                pointer: "/type",
                message: #""int" is not a type; there are array, boolean, integer, null, number, object, string"#,
                offset: 14)
        ) {
            try JSONSchema(document)
        }
    }
}
