// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONSchema
import MockapiJSONText
import MockapiTestSupport
import Testing

@Suite(.supervised) struct KeywordTests {
    private static let scalars: [SchemaCase] = [
        SchemaCase("{}", valid: ["null", "1", "\"a\"", "[]", "{}"]),
        SchemaCase("true", valid: ["1"], in: .draft6 ... .draft2020),
        SchemaCase("false", invalid: ["1", "null"], in: .draft6 ... .draft2020),
        SchemaCase(#"{"type":"string"}"#, valid: ["\"\""], invalid: ["1", "null", "{}"]),
        SchemaCase(#"{"type":["null","array"]}"#, valid: ["null", "[1]"], invalid: ["0", "{}"]),
        SchemaCase(#"{"type":"number"}"#, valid: ["1", "1.5", "1e400"], invalid: ["\"1\"", "true"]),
        SchemaCase(#"{"type":"integer"}"#, valid: ["1", "-7", "123456789012345678901234567890"], invalid: ["1.5"]),
        SchemaCase(
            #"{"type":"integer"}"#, valid: ["1.0", "1e2", "12.50e1"], invalid: ["1e-1"], in: .draft6 ... .draft2020),
        SchemaCase(#"{"type":"integer"}"#, invalid: ["1.0", "1e2"], in: .draft4 ... .draft4),
        SchemaCase(#"{"type":"string","nullable":true}"#, valid: ["null", "\"a\""], invalid: ["1"]),
        SchemaCase(
            #"{"enum":[1,"a",null,{"b":[2]}]}"#, valid: ["1.0", "\"a\"", "null", #"{"b":[2e0]}"#],
            invalid: ["2", "\"b\"", "{}"]),
        SchemaCase(
            #"{"const":{"a":1,"b":2}}"#, valid: [#"{"b":2.0,"a":1}"#], invalid: [#"{"a":1}"#],
            in: .draft6 ... .draft2020),
        SchemaCase(#"{"const":false}"#, valid: ["false"], invalid: ["0", "null"], in: .draft6 ... .draft2020),
        SchemaCase(#"{"enum":["\u00e9"]}"#, valid: [#""é""#], invalid: [#""e\u0301""#]),
        SchemaCase(#"{"minimum":2,"maximum":4}"#, valid: ["2", "4", "3.5", "\"1\""], invalid: ["1.999", "4.0001"]),
        SchemaCase(#"{"minimum":9007199254740993}"#, valid: ["9007199254740993"], invalid: ["9007199254740992"]),
        SchemaCase(#"{"maximum":1e400}"#, valid: ["9.99e399", "-1e500"], invalid: ["1.1e400"]),
        SchemaCase(
            #"{"exclusiveMinimum":2,"exclusiveMaximum":4}"#, valid: ["2.1", "3"], invalid: ["2", "4.0"],
            in: .draft6 ... .draft2020),
        SchemaCase(#"{"minimum":2,"exclusiveMinimum":true}"#, valid: ["2.1"], invalid: ["2"], in: .draft4 ... .draft4),
        SchemaCase(#"{"multipleOf":0.01}"#, valid: ["4.35", "0", "-0.07", "1e300"], invalid: ["4.351", "0.001"]),
        SchemaCase(#"{"multipleOf":3}"#, valid: ["9", "3e20", "30.0"], invalid: ["10", "1e20", "4.5"]),
        SchemaCase(
            #"{"multipleOf":12345678901234567890}"#, valid: ["24691357802469135780"], invalid: ["24691357802469135781"]),
        SchemaCase(
            #"{"minLength":2,"maxLength":3}"#, valid: ["\"ab\"", "\"😀😀😀\"", "1"], invalid: ["\"a\"", "\"abcd\""]),
        SchemaCase(#"{"pattern":"^a+$"}"#, valid: ["\"aa\"", "1"], invalid: ["\"aab\"", "\"aa\\n\""]),
        SchemaCase(#"{"pattern":"b"}"#, valid: ["\"abc\""], invalid: ["\"ac\""]),
        SchemaCase(#"{"pattern":"^\\D\\W\\S$"}"#, valid: ["\"éé€\""], invalid: ["\"1éé\"", "\"éé \""]),
        SchemaCase(#"{"pattern":"^\\s\\u0041[^]\\p{Letter}$"}"#, valid: ["\"\u{FEFF}A\\né\""], invalid: ["\"xA\\né\""]),
    ]

    @Test(arguments: scalars) func `scalars are judged by their keywords`(_ schema: SchemaCase) throws {
        try schema.check()
    }

    private static let arrays: [SchemaCase] = [
        SchemaCase(#"{"minItems":1,"maxItems":2}"#, valid: ["[1]", "[1,2]", "{}"], invalid: ["[]", "[1,2,3]"]),
        SchemaCase(
            #"{"uniqueItems":true}"#, valid: ["[1,2]", #"[1,true]"#, #"["1",1]"#],
            invalid: ["[1,1.0]", #"[{"a":1,"b":2},{"b":2,"a":1}]"#]),
        SchemaCase(#"{"items":{"type":"integer"}}"#, valid: ["[]", "[1,2]"], invalid: ["[1,\"a\"]"]),
        SchemaCase(
            #"{"items":[{"type":"integer"}],"additionalItems":{"type":"string"}}"#, valid: ["[]", "[1]", "[1,\"a\"]"],
            invalid: ["[\"a\"]", "[1,2]"], in: .draft4 ... .draft2019),
        SchemaCase(
            #"{"items":[{}],"additionalItems":false}"#, valid: ["[1]"], invalid: ["[1,2]"], in: .draft4 ... .draft2019),
        SchemaCase(
            #"{"prefixItems":[{"type":"integer"}],"items":{"type":"string"}}"#, valid: ["[]", "[1]", "[1,\"a\"]"],
            invalid: ["[\"a\"]", "[1,2]"], in: .draft2020 ... .draft2020),
        SchemaCase(
            #"{"contains":{"minimum":5}}"#, valid: ["[1,5]", "{}"], invalid: ["[]", "[1,2]"], in: .draft6 ... .draft2020
        ),
        SchemaCase(
            #"{"contains":{"const":1},"minContains":2,"maxContains":3}"#, valid: ["[1,1]", "[1,2,1,1]"],
            invalid: ["[1]", "[1,1,1,1]"], in: .draft2019 ... .draft2020),
        SchemaCase(#"{"contains":{"const":1},"minContains":0}"#, valid: ["[]"], in: .draft2019 ... .draft2020),
        SchemaCase(
            #"{"prefixItems":[true],"contains":{"type":"string"},"unevaluatedItems":false}"#, valid: ["[1,\"a\"]"],
            invalid: ["[1,\"a\",2]"], in: .draft2020 ... .draft2020),
        SchemaCase(
            #"{"items":[true],"unevaluatedItems":{"type":"string"}}"#, valid: ["[1,\"a\"]"], invalid: ["[1,2]"],
            in: .draft2019 ... .draft2019),
    ]

    @Test(arguments: arrays) func `arrays are judged by their keywords`(_ schema: SchemaCase) throws {
        try schema.check()
    }

    private static let objects: [SchemaCase] = [
        SchemaCase(#"{"required":["a","b"]}"#, valid: [#"{"a":1,"b":null}"#, "[]"], invalid: [#"{"a":1}"#]),
        SchemaCase(#"{"properties":{"a":{"type":"string"}},"required":true}"#, valid: ["{}"], invalid: [#"{"a":1}"#]),
        SchemaCase(
            #"{"minProperties":1,"maxProperties":2}"#, valid: [#"{"a":1}"#, #"{"a":1,"a":2,"b":3}"#],
            invalid: ["{}", #"{"a":1,"b":2,"c":3}"#]),
        SchemaCase(
            #"{"properties":{"a":{"type":"integer"}},"patternProperties":{"^x":{"type":"string"}},"additionalProperties":false}"#,
            valid: [#"{"a":1,"xy":"z"}"#], invalid: [#"{"a":"1"}"#, #"{"xy":1}"#, #"{"b":1}"#]),
        SchemaCase(
            #"{"properties":{"a":{"type":"integer"}}}"#, valid: [#"{"a":"no","a":1}"#], invalid: [#"{"a":1,"a":"no"}"#]),
        // Two names that look the same.
        SchemaCase(
            #"{"properties":{"\u00e9":{"type":"integer"},"e\u0301":{"type":"string"}}}"#,
            valid: [#"{"\u00e9":1,"e\u0301":"a"}"#], invalid: [#"{"\u00e9":"a"}"#, #"{"e\u0301":1}"#]),
        SchemaCase(#"{"additionalProperties":{"type":"boolean"}}"#, valid: [#"{"a":true}"#], invalid: [#"{"a":1}"#]),
        SchemaCase(
            #"{"propertyNames":{"maxLength":1}}"#, valid: [#"{"a":1}"#], invalid: [#"{"ab":1}"#],
            in: .draft6 ... .draft2020),
        SchemaCase(
            #"{"dependencies":{"a":["b"],"c":{"required":["d"]}}}"#,
            valid: ["{}", #"{"a":1,"b":2}"#, #"{"c":1,"d":2}"#], invalid: [#"{"a":1}"#, #"{"c":1}"#]),
        SchemaCase(
            #"{"dependentRequired":{"a":["b"]},"dependentSchemas":{"c":{"required":["d"]}}}"#,
            valid: ["{}", #"{"a":1,"b":2}"#], invalid: [#"{"a":1}"#, #"{"c":1}"#], in: .draft2019 ... .draft2020),
        SchemaCase(
            #"{"allOf":[{"properties":{"a":true}}],"anyOf":[{"required":["b"],"properties":{"b":true}},{}],"unevaluatedProperties":false}"#,
            valid: [#"{"a":1}"#, #"{"a":1,"b":2}"#], invalid: [#"{"c":1}"#], in: .draft2019 ... .draft2020),
        SchemaCase(
            #"{"if":{"required":["a"],"properties":{"a":true}},"then":{"properties":{"b":true}},"unevaluatedProperties":{"type":"null"}}"#,
            valid: [#"{"a":1,"b":2,"c":null}"#], invalid: [#"{"b":2}"#], in: .draft2019 ... .draft2020),
    ]

    @Test(arguments: objects) func `objects are judged by their keywords`(_ schema: SchemaCase) throws {
        try schema.check()
    }

    private static let logic: [SchemaCase] = [
        SchemaCase(#"{"allOf":[{"minimum":1},{"maximum":3}]}"#, valid: ["2"], invalid: ["0", "4"]),
        SchemaCase(#"{"anyOf":[{"type":"string"},{"minimum":3}]}"#, valid: ["\"a\"", "3"], invalid: ["2"]),
        SchemaCase(#"{"oneOf":[{"minimum":1},{"multipleOf":2}]}"#, valid: ["1", "0"], invalid: ["2", "-1"]),
        SchemaCase(#"{"not":{"type":"string"}}"#, valid: ["1"], invalid: ["\"a\""]),
        SchemaCase(
            #"{"if":{"minimum":10},"then":{"multipleOf":10},"else":{"multipleOf":2}}"#, valid: ["20", "4"],
            invalid: ["11", "3"], in: .draft7 ... .draft2020),
        // What a draft does not know asks for nothing.
        SchemaCase(
            #"{"if":{"minimum":10},"then":false,"const":1,"contains":false}"#, valid: ["20", "[]"],
            in: .draft4 ... .draft4),
        SchemaCase(
            #"{"dependentRequired":{"a":["b"]},"prefixItems":[false]}"#, valid: [#"{"a":1}"#, "[1]"],
            in: .draft4 ... .draft7),
        SchemaCase(#"{"contentEncoding":"base64","contentMediaType":"application/json"}"#, valid: ["\"%\""]),
    ]

    @Test(arguments: logic) func `schemas are combined`(_ schema: SchemaCase) throws { try schema.check() }

    private static let formats: [SchemaCase] = [
        SchemaCase(
            #"{"format":"date-time"}"#, valid: [#""2024-02-29T23:59:60Z""#, #""2020-01-01t00:00:00.5+02:00""#, "1"],
            invalid: [#""2023-02-29T00:00:00Z""#, #""2020-01-01T24:00:00Z""#, #""2020-01-01""#]),
        SchemaCase(
            #"{"format":"email"}"#, valid: [#""a.b@c.de""#, #""\"a b\"@c.de""#],
            invalid: [#""a""#, #"".a@c.de""#, #""a@-c.de""#]),
        SchemaCase(#"{"format":"hostname"}"#, valid: [#""a-b.example""#], invalid: [#""-a""#, #""a_b""#, #""""#]),
        SchemaCase(
            #"{"format":"ipv4"}"#, valid: [#""127.0.0.1""#], invalid: [#""256.0.0.1""#, #""1.2.3""#, #""01.2.3.4""#]),
        SchemaCase(
            #"{"format":"ipv6"}"#, valid: [#""::1""#, #""1::ffff:1.2.3.4""#],
            invalid: [#""1:2:3""#, #""::1::2""#, #""12345::""#]),
        SchemaCase(
            #"{"format":"uri"}"#, valid: [#""http://a.b/c?d#e""#, #""urn:x:y""#],
            invalid: [#""/a""#, #""http://a b""#, #""http://a/%zz""#]),
        SchemaCase(
            #"{"format":"uri-reference"}"#, valid: [#""../a?b""#], invalid: [#""a\\b""#], in: .draft6 ... .draft7),
        SchemaCase(
            #"{"format":"uri-template"}"#, valid: [#""/a/{b}{?c*,d:3}""#], invalid: [#""/a/{b""#],
            in: .draft6 ... .draft7),
        SchemaCase(
            #"{"format":"json-pointer"}"#, valid: [#""/a~1b/~0""#, #""""#], invalid: [#""a""#, #""/~2""#],
            in: .draft6 ... .draft7),
        SchemaCase(
            #"{"format":"date"}"#, valid: [#""2020-02-29""#], invalid: [#""2020-13-01""#], in: .draft7 ... .draft7),
        SchemaCase(#"{"format":"time"}"#, valid: [#""08:30:06Z""#], invalid: [#""08:30""#], in: .draft7 ... .draft7),
        SchemaCase(
            #"{"format":"duration"}"#, valid: [#""P4DT12H30M5S""#, #""P2W""#],
            invalid: [#""P""#, #""P1YT""#, #""PT1D""#], in: .draft7 ... .draft7),
        SchemaCase(
            #"{"format":"uuid"}"#, valid: [#""2eb8aa08-aa98-11ea-b4aa-73b441d16380""#], invalid: [#""2eb8aa08""#],
            in: .draft7 ... .draft7),
        SchemaCase(
            #"{"format":"regex"}"#, valid: [#""a(b|c)*""#], invalid: [#""a(""#, #""\\Z""#], in: .draft7 ... .draft7),
        SchemaCase(
            #"{"format":"relative-json-pointer"}"#, valid: [#""1/a""#, #""0#""#], invalid: [#""/a""#, #""01""#],
            in: .draft7 ... .draft7),
        SchemaCase(
            #"{"format":"idn-hostname"}"#, valid: [#""bücher.example""#], invalid: [#""a..b""#], in: .draft7 ... .draft7
        ),
        SchemaCase(#"{"format":"no-such"}"#, valid: [#""""#]),
    ]

    @Test(arguments: formats) func `formats are asserted through draft 7, and annotate from 2019-09 on`(
        _ schema: SchemaCase
    ) throws {
        var old = schema
        old.versions = schema.versions.lowerBound...min(schema.versions.upperBound, .draft7)
        try old.check()
        let annotating = SchemaCase(schema.schema, valid: schema.valid + schema.invalid, in: .draft2019 ... .draft2020)
        try annotating.check()
    }
}
