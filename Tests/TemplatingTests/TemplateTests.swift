// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import Testing

@testable import MockapiTemplating

/// The language, by tables of a template, a model and what they give.
@Suite(.supervised) struct TemplateTests {
    @Test(arguments: [
        ("{{x}} {{{x}}} {{&x}} {{ x }}", #"{"x": "<&>"}"#, "<&> <&> <&> <&>"),
        ("a{{! no }}b{{!-- no {{x}} --}}c", "{}", "abc"),
        ("{{a.b.c}} {{a/b/c}} {{a.[b].c}}", #"{"a": {"b": {"c": 1.50}}}"#, "1.50 1.50 1.50"),
        ("{{l.[0]}}{{l.1}}{{l.2}}{{l.length}}", #"{"l": ["a", "b"]}"#, "ab2"),
        ("{{a.[c d]}}{{[c d]}}", #"{"a": {"c d": 1}, "c d": 2}"#, "12"),
        ("{{missing}}{{missing.deep}}{{n}}", #"{"n": null}"#, ""),
        ("{{t}} {{f}} {{o}}", #"{"t": true, "f": false, "o": {"a": [1, "b"]}}"#, #"true false {"a":[1,"b"]}"#),
        (#"\{{x}} \\{{x}} {x} { {"#, #"{"x": 1}"#, #"{{x}} \1 {x} { {"#),
        ("{{{{raw}}}}{{x}} {{#a}}{{{{/raw}}}}", "{}", "{{x}} {{#a}}"),
        ("{{this.x}}{{./x}}{{@root.x}}", #"{"x": 1}"#, "111"),
        ("{{\"x\"}}{{'y z'}}{{\"none\"}}", #"{"x": 1, "y z": 2}"#, "12"),
        ("{{ñ}}{{a-b}}{{a:b}}{{$x}}", #"{"ñ": 1, "a-b": 2, "a:b": 3, "$x": 4}"#, "1234"),
    ])
    func `values`(template: String, model: String, text: String) {
        #expect(rendered(template, model) == text)
    }

    @Test(arguments: [
        ("{{#if x}}a{{else}}b{{/if}}", #"{"x": 1}"#, "a"),
        ("{{#if x}}a{{^}}b{{/if}}", #"{"x": 0}"#, "b"),
        ("{{#if a}}a{{else if b}}b{{else if c}}c{{else}}d{{/if}}", #"{"c": 1}"#, "c"),
        ("{{#if a}}a{{else unless b}}b{{/if}}", "{}", "b"),
        ("{{#unless x}}a{{else}}b{{/unless}}", #"{"x": ""}"#, "a"),
        ("{{#each l}}{{@index}}{{this}}{{#unless @last}},{{/unless}}{{/each}}", #"{"l": ["a", "b"]}"#, "0a,1b"),
        ("{{#each l}}{{@first}}{{@last}} {{else}}none{{/each}}", #"{"l": [1, 2]}"#, "truefalse falsetrue "),
        ("{{#each l}}x{{else}}none{{/each}}", #"{"l": []}"#, "none"),
        ("{{#each o}}{{@key}}={{this}};{{/each}}", #"{"o": {"a": 1, "b": 2}}"#, "a=1;b=2;"),
        ("{{#each l as |v i|}}{{i}}{{v}}{{/each}}", #"{"l": ["a", "b"]}"#, "0a1b"),
        ("{{#each o as |v k|}}{{k}}{{v}}{{/each}}", #"{"o": {"a": 1}}"#, "a1"),
        (
            "{{#each l}}{{#each this}}{{../../x}}{{@../index}}{{this}}{{/each}}{{/each}}",
            #"{"l": [[1], [2]], "x": "x"}"#, "x01x12"
        ),
        ("{{#each l}}{{x}}{{name}}{{/each}}", #"{"l": [{"name": "a"}], "x": "up "}"#, "up a"),
        ("{{#with o}}{{a}}{{../b}}{{else}}none{{/with}}", #"{"o": {"a": 1}, "b": 2}"#, "12"),
        ("{{#with o as |p|}}{{p.a}}{{/with}}{{#with z}}{{else}}none{{/with}}", #"{"o": {"a": 1}}"#, "1none"),
        ("{{#l}}{{.}}{{/l}}{{^l}}none{{/l}}{{^z}}none{{/z}}", #"{"l": [1, 2]}"#, "12none"),
        ("{{#o}}{{a}}{{/o}}{{#t}}{{a}}{{/t}}{{#f}}x{{/f}}", #"{"o": {"a": 1}, "t": true, "f": false, "a": 2}"#, "12"),
        ("{{lookup l 1}}{{lookup o k}}{{lookup l 9}}", #"{"l": ["a", "b"], "o": {"x": "y"}, "k": "x"}"#, "by"),
        ("{{#if (eq a 'x')}}1{{/if}}{{#if (and a (not b))}}2{{/if}}", #"{"a": "x"}"#, "12"),
        ("{{#eq a 'x'}}y{{else}}n{{/eq}}{{eq a 'y'}}{{eq a 'x' yes='j' no='n'}}", #"{"a": "x"}"#, "yfalsej"),
        ("{{upper (lower 'Ab')}}{{upper(lower 'c')}}", "{}", "ABC"),
    ])
    func `blocks`(template: String, model: String, text: String) {
        #expect(rendered(template, model) == text)
    }

    @Test(arguments: [
        ("a {{~x~}} b", "a1b"), ("a {{~#if x~}} b {{~/if~}} c", "abc"), ("a {{~! c ~}} b", "ab"),
        ("a\n{{~{x}~}}\nb", "a1b"), ("a {{~!-- c --~}} b", "ab"), ("{{#if x ~}} a {{~ else ~}} b {{~/if}}", "a"),
    ])
    func `white space that is trimmed`(template: String, text: String) {
        #expect(rendered(template, #"{"x": 1}"#) == text)
    }

    @Test(arguments: [
        ("a\n{{#if x}}\nb\n{{/if}}\nc", "a\nb\nc"), ("a\r\n  {{#if x}}  \r\nb\r\n{{/if}}\r\nc", "a\r\nb\r\nc"),
        ("{{! c }}\na", "a"), ("a\n  {{! c }}", "a\n"), ("a {{#if x}}\nb\n{{/if}} c", "a \nb\n c"),
        ("{{#if x}}\n{{#if x}}\na\n{{/if}}\n{{/if}}\n", "a\n"), ("{{#if z}}\na\n{{else}}\nb\n{{/if}}", "b\n"),
        ("a\n{{x}}\nb", "a\n1\nb"), ("{{#each l}}\n  {{this}}\n{{/each}}\n", "  1\n  2\n"),
    ])
    func `a line of nothing but a tag leaves nothing behind`(template: String, text: String) {
        #expect(rendered(template, #"{"x": 1, "l": [1, 2]}"#) == text)
    }

    @Test func `in WireMock's dialect lines stay, and what is first says so`() {
        #expect(rendered("{{#if x}}\na\n{{/if}}\n", #"{"x": 1}"#, dialect: .wireMock) == "\na\n\n")
        #expect(rendered("{{#each l}}{{@first}}{{/each}}", #"{"l": [1, 2]}"#, dialect: .wireMock) == "first")
    }

    @Test func `members are odd and even in our dialect, and neither in WireMock's`() {
        let template = "{{#each o}}{{@index}}{{@key}}{{@first}}{{@odd}}{{@even}}{{@last}};{{/each}}"
        let model = #"{"o": {"a": 1, "b": 2}, "l": [3, 4]}"#
        #expect(rendered(template, model) == "0atruefalsetruefalse;1bfalsetruefalsetrue;")
        #expect(rendered(template, model, dialect: .wireMock) == "0afirst;1blast;")
        let inner = "{{#each l}}{{#each ../o as |v k|}}{{k}}{{@odd}}{{@even}} {{/each}}{{/each}}"
        #expect(rendered(inner, model, dialect: .wireMock) == "aeven beven aodd bodd ")
    }

    @Test(arguments: [
        ("/r", "<r a=\"2\" z=\"1\">\n  <b>\n    <c>3</c>\n  </b>\n  t\n  <d/>\n</r>\n"), ("/r/b/c", "<c>3</c>\n"),
        ("/r/b/c/text()", "3"), ("/", "<r a=\"2\" z=\"1\">\n  <b>\n    <c>3</c>\n  </b>\n  t\n  <d/>\n</r>\n"),
        ("/r/@a", "2"),
    ])
    func `in WireMock's dialect an element of XML is laid out as Java does it`(path: String, text: String) {
        let model = #"{"x": "<r z=\"1\" a=\"2\"><b><c>3</c></b>t<d/></r>"}"#
        #expect(rendered("{{xPath x '\(path)'}}", model, dialect: .wireMock) == text)
        #expect(rendered("{{xPath x '/r/b'}}", model) == "<b><c>3</c></b>")
    }

    @Test(arguments: [
        (
            "{{stringFormat '%g|%g|%g|%.3g|%10.2g|%G|%g' 1.5 0.0001 123456789.0 1234.5 12.5 0.00001 0.0}}",
            "1.50000|0.000100000|1.23457e+08|1.23e+03|        13|1.00000E-05|0.00000"
        ),
        (
            "{{stringFormat '%.0g|%g|%g|%.1g|%.2g|%,g|%012g|%g' 15.5 999999.5 99999.95 0.00009999 99.9 12345.5 -12345.5 zz}}",
            "2e+01|1.00000e+06|100000|0.0001|1.0e+02|12,345.5|-000012345.5|null"
        ),
        (
            "{{stringFormat '%h|%h|%H|%h|%h|%h|%h|%10h|%h|%h|%.2h' 'abc' 5 'hello' true false 1.5 zz 'abc' -5 '' 'abc'}}",
            "17862|5|5E918D2|4cf|4d5|3ff80000|null|     17862|fffffffb|0|17"
        ),
    ])
    func `stringFormat takes a general number and a hash as Java does`(template: String, text: String) {
        #expect(rendered(template) == text)
    }

    @Test(arguments: [
        (
            "{{formatXml '<a z=\"1\" b=\"2\">x <i>y</i> </a>'}}{{formatXml '<a> <b/> </a>' format='compact'}}",
            "<a b=\"2\" z=\"1\">\n  x \n  <i>y</i>\n</a>\n<a><b/></a>"
        ),
        (
            "{{formatJson 'a'}}",
            "[ERROR: There was an error parsing the json. Please make sure the json is valid]"
        ),
        ("{{dateFormat (parseDate '2021-02-28T23:59:59-05:00') 'yyyy-MM-dd HH:mm z'}}", "2021-03-01 04:59 UTC"),
        ("{{array 10.00 -0.25 2147483647 2147483648 -3}}", "[10.0, -0.25, 2147483647, 2.147483648E9, -3]"),
        ("{{math 12345678901 '+' 1}}|{{math 1.50 '*' 2}}", "12345678902|3.0"), ("{{arrayAdd l zz}}", "[1, 2, null]"),
        ("{{#assign 'a'}}\n  b {{/assign}}[{{a}}]", "[b]"),
        ("{{formatJson '[1.50,1.0,1e3]' format='compact'}}", "[1.5,1,1000]"),
        ("{{jsonMerge '{\"a\":1.50,\"b\":1e3}' '{\"c\":[2.0]}'}}", #"{"a":1.5,"b":1000,"c":[2]}"#),
        ("{{jsonRemove '[1.50,1e3,2]' '$[2]'}}{{jsonArrayAdd '[1.50]' '1e3'}}", "[1.50,1000][1.50,1000]"),
        ("{{math 10 '%' 0.1}}|{{math -1 '%' 1.5}}|{{math 7 '%' 2.5}}|{{math 5.5 '%' 2}}", "0|-1|2.0|1.5"),
        ("{{jsonPath j '$.zz[*].a'}}|{{jsonPath j '$.zz[?(@.a)]' default='d'}}|{{jsonPath j '$.n[0,1]'}}", "|d|"),
        ("{{#if (jsonPath j '$.zz[*]')}}y{{else}}n{{/if}}|{{jsonPath j '$..zz'}}|{{jsonPath j '$.n[*]'}}", "n|[]|[]"),
        (
            "{{toJson (parseJson '{\"a\":1e5,\"b\":1E-7,\"c\":1.50,\"d\":1e20}')}}",
            "{\n  \"a\" : 100000,\n  \"b\" : 0.0000001,\n  \"c\" : 1.50,\n  \"d\" : 100000000000000000000\n}"
        ),
        ("{{toJson (jsonPath '{\"a\":[1E-7,1e5,1.50]}' '$.a')}}", "[ 1.0E-7, 100000.0, 1.5 ]"),
        ("{{#with (defaultIfEmpty zz (parseJson '{\"a\":1}'))}}{{a}}{{/with}}|{{defaultIfEmpty zz}}", "1|"),
        (
            "{{arrayJoin ',' '' 'b'}}|{{arrayJoin ',' ''}}|{{#arrayJoin ',' '' 'b' as |x|}}<{{x}}>{{/arrayJoin}}",
            ",b||<>,<b>"
        ),
        ("{{jsonPath j '$.l[?(@.a == 9)]'}}|{{jsonPath j '$.l[*].a'}}|{{jsonPath j '$.zz..a'}}", "[]|[1,2]|"),
    ])
    func `in WireMock's dialect numbers, lists and missing values are Java's`(template: String, text: String) {
        let model = #"{"l": [1, 2], "j": "{\"n\": 1, \"l\": [{\"a\": 1}, {\"a\": 2}]}"}"#
        #expect(rendered(template, model, dialect: .wireMock) == text)
    }

    @Test(arguments: [
        ("a\n  {{#if x}}", "line 2, column 3: this block has no end; write {{/if}}"),
        (
            "{{#if x}}{{/each}}",
            "line 1, column 10: expected {{/if}}, which closes the innermost block, found {{/each}}"
        ),
        ("{{/if}}", "line 1, column 1: {{/if}} closes no block"),
        ("{{else}}", "line 1, column 1: \"else\" stands outside of a block"),
        ("{{#if x}}{{else}}{{else}}{{/if}}", "line 1, column 18: a second \"else\" of the block {{#if}}"),
        ("{{x", "line 1, column 1: this tag does not end with }}"),
        ("{{{x}}", "line 1, column 1: this tag begins with {{{ and does not end with }}}"),
        ("{{! x", "line 1, column 1: this comment does not end"),
        ("{{}}", "line 1, column 1: expected a name, found nothing"),
        ("{{x y}}", "line 1, column 1: there is no helper \"x\""),
        ("{{uper 'a'}}", "line 1, column 1: there is no helper \"uper\"; did you mean \"upper\"?"),
        ("{{upper 'a}}", "line 1, column 1: this tag does not end with }}"),
        ("{{upper (lower 'a'}}", "line 1, column 1: a \"(\" has no \")\""),
        ("{{upper a=1 2}}", "line 1, column 1: an argument behind \"a=\""),
        ("{{> part}}", "line 1, column 1: partials and decorators are not supported, as WireMock has none"),
        (
            "{{#*inline \"a\"}}{{/inline}}",
            "line 1, column 1: partials and decorators are not supported, as WireMock has none"
        ),
        ("{{=<% %>=}}", "line 1, column 1: other delimiters than {{ and }} are not supported"),
        ("{{a.}}", "line 1, column 1: expected a name behind \".\""),
        ("{{,}}", "line 1, column 1: expected a name or a value, found \",\""),
        ("{{upper ,a}}", "line 1, column 1: expected a name or a value, found \",a\""),
        ("{{upper a=,}}", "line 1, column 1: expected a name or a value, found \",\""),
        (
            "{{#formatXml}}{{upper 'a'}}\n{{substring 'a' 2}}{{/formatXml}}",
            "line 2, column 1: substring: 2 to 1 is not within the 1 characters"
        ),
        ("{{{{raw}}}} a", "line 1, column 1: this raw block does not end with {{{{/raw}}}}"),
        ("\n{{#gt 'a' 1}}{{/gt}}", "line 2, column 1: gt: \"a\" cannot be compared with \"1\""),
    ])
    func `a mistake is told with its place`(template: String, message: String) {
        #expect(rendered(template) == "! " + message)
    }

    @Test func `blocks nest 64 deep and no deeper`() {
        func nested(_ depth: Int) -> String {
            String(repeating: "{{#if x}}", count: depth) + "a" + String(repeating: "{{/if}}", count: depth)
        }
        #expect(rendered(nested(64), #"{"x": 1}"#) == "a")
        #expect(rendered(nested(65)) == "! line 1, column 577: more than 64 blocks are nested")
        let call = String(repeating: "(upper ", count: 65) + "'a'" + String(repeating: ")", count: 65)
        #expect(
            rendered("{{upper \(call)}}") == "! line 1, column 1: more than 64 expressions are nested")
        let chain = String(repeating: "{{else if x}}", count: 255)
        #expect(rendered("{{#if x}}\(chain){{else}}b{{/if}}") == "b")
        #expect(
            rendered("{{#if x}}\(chain){{else if x}}{{/if}}").hasSuffix(
                "a block has more than 256 branches by \"else if\""))
    }

    @Test(arguments: [
        "{{range 1 9223372036854775807}}", "{{#each (range 1 2000)}}{{#each (range 1 2000)}}{{/each}}{{/each}}",
    ])
    func `no template loops without a bound`(template: String) {
        #expect(rendered(template).hasSuffix(": the template takes more than 1,000,000 steps"))
    }

    @Test(arguments: [
        "{{ljust 'a' size=99999999999}}", "{{randomValue length=99999999}}",
        "{{center 'a' size=9223372036854775807 pad='xy'}}",
    ])
    func `no template makes more than 16 MiB`(template: String) {
        #expect(rendered(template).hasSuffix(": the template makes more than 16 MiB"))
    }

    @Test func `a template is no larger than 1 MiB`() {
        #expect(rendered(String(repeating: "a", count: 1024 * 1024)).utf8.count == 1024 * 1024)
        #expect(
            rendered(String(repeating: "a", count: 1024 * 1024 + 1))
                == "! line 1, column 1: the template is larger than 1 MiB")
    }

    @Test func `random templates are refused or rendered`() {
        let pieces = [
            "{{", "}}", "{{{", "}}}", "{{#if x}}", "{{/if}}", "{{else}}", "{{#each l}}", "{{/each}}", "~", "(", ")",
            "'", "\"",
            "upper", " x", " 1", "=", "|", "as |a|", "[", "]", ".", "..", "/", "@", "\\", "\n", "{{!", "--",
            "{{{{r}}}}",
            "{{{{/r}}}}", "{{^", "range 1 9", "math 1 '/' 0", "-9223372036854775808", "9e999", "substring 'é' 0 1", "%",
            "é",
            "stringFormat '%5.2f' 1", "numberFormat 1 '#,##0.0'", "jsonPath '[1]' '$[0]'", "now format='yyyy'",
        ]
        var random = TemplateRandom(7)
        var count = 0
        for _ in 0..<1000 {
            var text = ""
            for _ in 0..<Int(1 + random.below(14)) { text += pieces[Int(random.below(UInt64(pieces.count)))] }
            let result = TemplatingTests.rendered(text, #"{"x": 1, "l": [1, {"a": []}]}"#)
            if result.hasPrefix("! ") { expectPlace(result, within: text) } else { count += 1 }
        }
        #expect(count > 20, "\(count)")
    }

    @Test func `what helpers are given is anything`() {
        let values = [
            "x", "l", "o", "n", "''", "'a'", "-1", "0", "9223372036854775807", "-9223372036854775808", "1.5", "true",
            "null",
            "'[1,2]'", "'{\"a\":{\"b\":1}}'", "'$.a'", "'%d'", "'('", "(now)", "(array 1 'a')", "(range 1 3)",
            "'<a><b/></a>'",
        ]
        let options = [
            "", " size=3", " position=-1", " offset='-99999999 years'", " format='yyyy'", " length=3", " maxItems=1",
            " lower=5 upper=5",
        ]
        var random = TemplateRandom(11)
        func pick(_ list: [String]) -> String { list[Int(random.below(UInt64(list.count)))] }
        for helper in Helper.allCases {
            for _ in 0..<20 {
                let arguments = (0..<Int(random.below(4))).map { _ in pick(values) }.joined(separator: " ")
                for template in [
                    "{{\(helper.rawValue) \(arguments)\(pick(options))}}",
                    "{{#\(helper.rawValue) \(arguments)}}{{x}}{{/\(helper.rawValue)}}",
                ] {
                    let result = rendered(template, #"{"x": 1, "l": [1], "o": {"a": 1}, "n": null}"#)
                    if result.hasPrefix("! ") { expectPlace(result, within: template) }
                }
            }
        }
    }
}
