// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import Testing

@Suite(.supervised) struct JSONPatchTests {
    private func patched(_ text: String, _ patch: String) throws -> String {
        var left = 4_000_000
        let node = try JSONPatch(JSONParser.parse(patch)).applied(to: JSONParser.parse(text)) { steps in
            left -= steps
            return left >= 0
        }
        return String(decoding: JSONWriter.compact(node), as: UTF8.self)
    }

    private func failure(_ text: String, _ patch: String) -> JSONPatch.Failure? {
        do {
            _ = try patched(text, patch)
            return nil
        } catch {
            return error as? JSONPatch.Failure
        }
    }

    // RFC 6902, appendix A.
    @Test(arguments: [
        (#"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux"}]"#, #"{"foo":"bar","baz":"qux"}"#),
        (#"{"foo":["bar","baz"]}"#, #"[{"op":"add","path":"/foo/1","value":"qux"}]"#, #"{"foo":["bar","qux","baz"]}"#),
        (#"{"baz":"qux","foo":"bar"}"#, #"[{"op":"remove","path":"/baz"}]"#, #"{"foo":"bar"}"#),
        (#"{"foo":["bar","qux","baz"]}"#, #"[{"op":"remove","path":"/foo/1"}]"#, #"{"foo":["bar","baz"]}"#),
        (
            #"{"baz":"qux","foo":"bar"}"#, #"[{"op":"replace","path":"/baz","value":"boo"}]"#,
            #"{"baz":"boo","foo":"bar"}"#
        ),
        (
            #"{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}"#,
            #"[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]"#,
            #"{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}"#
        ),
        (
            #"{"foo":["all","grass","cows","eat"]}"#, #"[{"op":"move","from":"/foo/1","path":"/foo/3"}]"#,
            #"{"foo":["all","cows","eat","grass"]}"#
        ),
        (
            #"{"baz":"qux","foo":["a",2,"c"]}"#,
            #"[{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2.0}]"#,
            #"{"baz":"qux","foo":["a",2,"c"]}"#
        ),
        (
            #"{"foo":"bar"}"#, #"[{"op":"add","path":"/child","value":{"a":{}},"xyz":1}]"#,
            #"{"foo":"bar","child":{"a":{}}}"#
        ),
        (#"{"/":9,"~1":10}"#, #"[{"op":"test","path":"/~01","value":10},{"op":"remove","path":"/~1"}]"#, #"{"~1":10}"#),
        (#"{"foo":["bar"]}"#, #"[{"op":"add","path":"/foo/-","value":["abc"]}]"#, #"{"foo":["bar",["abc"]]}"#),
        (#"{"a":1}"#, #"[{"op":"replace","path":"","value":[1.50]}]"#, "[1.50]"),
        (#"{"a":{"b":1}}"#, #"[{"op":"copy","from":"","path":"/c"}]"#, #"{"a":{"b":1},"c":{"a":{"b":1}}}"#),
        (#"{"":1}"#, #"[{"op":"replace","path":"/","value":2}]"#, #"{"":2}"#),
    ])
    func `a patch changes a value`(text: String, patch: String, result: String) throws {
        #expect(try patched(text, patch) == result)
    }

    @Test(arguments: [
        (#"{"op":"add"}"#, JSONPatch.Failure.Kind.malformed, "expected a list of operations"),
        (
            #"[{"op":"spam","path":"/a"}]"#, .malformed,
            #"operation 0: expected "op": add, remove, replace, move, copy or test"#
        ),
        (
            #"[{"op":"remove","path":"a"}]"#, .malformed,
            #"operation 0: expected "path", a JSON pointer such as "/name""#
        ),
        (
            #"[{"op":"remove","path":"/~2"}]"#, .malformed,
            #"operation 0: expected "path", a JSON pointer such as "/name""#
        ),
        (#"[{"op":"add","path":"/a"}]"#, .malformed, #"operation 0: expected "value""#),
        (#"[{"op":"move","from":"/a","path":"/a/b"}]"#, .malformed, "operation 0: a value cannot be moved into itself"),
        (#"[{"op":"remove","path":"/x"}]"#, .missing, #"operation 0 (remove /x): there is no member "x""#),
        (#"[{"op":"add","path":"/a/4","value":1}]"#, .missing, #"operation 0 (add /a/4): there is no element "4""#),
        (#"[{"op":"add","path":"/a/01","value":1}]"#, .missing, #"operation 0 (add /a/01): there is no element "01""#),
        (
            #"[{"op":"replace","path":"/a/-","value":1}]"#, .missing,
            #"operation 0 (replace /a/-): there is no element "-""#
        ),
        (#"[{"op":"test","path":"/a/0","value":"1"}]"#, .test, "operation 0 (test /a/0): the value is another"),
    ])
    func `a patch that cannot be applied says why`(patch: String, kind: JSONPatch.Failure.Kind, text: String) {
        #expect(failure(#"{"a":[1,2]}"#, patch)?.kind == kind)
        #expect(failure(#"{"a":[1,2]}"#, patch)?.text == text)
    }

    @Test func `a patch that copies what it has copied ends`() {
        let doubling = #"{"op":"copy","from":"","path":"/a"}"#
        let patch = "[\(Array(repeating: doubling, count: 900).joined(separator: ","))]"
        #expect(failure(#"{"text": "x"}"#, patch)?.kind == .limit)
        let twice = (0..<60).map {
            #"{"op":"copy","from":"/a\#($0)","path":"/a\#($0 + 1)"},{"op":"copy","from":"/a\#($0)","path":"/a\#($0 + 1)/0"}"#
        }
        #expect(failure(#"{"a0": [1]}"#, "[\(twice.joined(separator: ","))]")?.kind == .limit)
    }

    // RFC 7396, appendix A.
    @Test(arguments: [
        (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
        (#"{"a":"b"}"#, #"{"a":null}"#, "{}"), (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
        (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
        (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
        (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#), (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
        (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#), (#"{"a":"foo"}"#, "null", "null"),
        (#"{"a":"foo"}"#, #""bar""#, #""bar""#), (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#),
        ("[1,2]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#), ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
    ])
    func `a merge patch changes a value`(text: String, patch: String, result: String) throws {
        let merged = try JSONParser.parse(text).merging(JSONParser.parse(patch))
        #expect(String(decoding: JSONWriter.compact(merged), as: UTF8.self) == result)
    }
}
