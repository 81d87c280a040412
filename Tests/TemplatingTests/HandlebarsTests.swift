// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import Testing

@testable import MockapiTemplating

/// What the specification of handlebars.js asks for, in values of our own; text is not escaped for HTML, as WireMock has it.
@Suite(.supervised) struct HandlebarsTests {
    @Test(arguments: [
        ("{{fruit}}", #"{"fruit": "fig"}"#, "fig"),
        (#"\{{fruit}}"#, #"{"fruit": "fig"}"#, "{{fruit}}"),
        (#"a \{{fruit}} {{fruit}}"#, #"{"fruit": "fig"}"#, "a {{fruit}} fig"),
        (#"\\{{fruit}}"#, #"{"fruit": "fig"}"#, #"\fig"#),
        (#"a \\{{fruit}}"#, #"{"fruit": "fig"}"#, #"a \fig"#),
        (#"\\ {{fruit}}"#, #"{"fruit": "fig"}"#, #"\\ fig"#),
        (#"{{fruit}} \{{fruit}} \{{x}} {{fruit}}"#, #"{"fruit": "fig"}"#, "fig {{fruit}} {{x}} fig"),
        (#"\{{{fruit}}}"#, #"{"fruit": "fig"}"#, "{{{fruit}}}"),
        (#"\\{{fruit}} \{{fruit}} {{fruit}}"#, #"{"fruit": "fig"}"#, #"\fig {{fruit}} fig"#),
        ("{{.}}{{length}}", #""pear""#, "pear4"),
        ("{{! a note }}Plums\n{{kind}}\n", #"{"kind": "ripe"}"#, "Plums\nripe\n"),
        ("   {{~! a note ~}}   plum", "{}", "plum"), ("   {{~!-- a note --~}}   plum", "{}", "plum"),
        ("   {{! a note ~}}   plum", "{}", "   plum"), ("   {{!-- a note --~}}   plum", "{}", "   plum"),
        ("   {{~! a note}}   plum", "{}", "   plum"), ("   {{~!-- a note --}}   plum", "{}", "   plum"),
        ("a{{!-- }} {{x}} --}}b{{!--}}c{{!}}d", "{}", "abcd"),
        ("{{#ripe}}ripe {{/ripe}}{{kind}}", #"{"ripe": true, "kind": "fig"}"#, "ripe fig"),
        ("{{#ripe}}ripe {{/ripe}}{{kind}}", #"{"ripe": false, "kind": "fig"}"#, "fig"),
        ("{{one}}, {{none}}", #"{"one": 42, "none": 0}"#, "42, 0"),
        ("{{.}}", "0", "0"), ("{{a/b}}", #"{"a": {"b": 0}}"#, "0"), ("{{.}}", "false", "false"),
        ("{{{a}}} {{a}}", #"{"a": false}"#, "false false"),
        ("it's\n'one' \"line\"\r{{a}}\\", #"{"a": "\\"}"#, "it's\n'one' \"line\"\r\\\\"),
        ("{{a-b}} {{a.b-c}} {{a/b-c}}", #"{"a-b": 1, "a": {"b-c": 2}}"#, "1 2 2"),
        ("{{a/b}}|", #"{"a": {"b": ""}}"#, "|"),
        ("{{[@a]/b}} {{[a b]/c}} {{[a b].c}}", #"{"@a": {"b": 1}, "a b": {"c": 2}}"#, "1 2 2"),
        (
            #"{{[a b]}} {{"a b"}} {{'a b'}} {{"a[b"}} {{"a'b"}} {{'a"b'}}"#,
            #"{"a b": 1, "a[b": 2, "a'b": 3, "a\"b": 4}"#, "1 1 1 2 3 4"
        ),
        (#"{{"a"}}|{{12}}|{{12.5}}|{{true}}|{{false}}|"#, "{}", "|||||"),
        (
            #"{{"a"}}|{{12}}|{{12.5}}|{{true}}|{{false}}|"#,
            #"{"a": "b", "12": "c", "12.5": "d", "true": "e", "false": "f"}"#, "b|c|d|e|f|"
        ),
        (#"{{#"a"}}{{.}}{{/"a"}}"#, #"{"a": [1, 2]}"#, "12"),
        ("{{a/b}}{{a/b/c}}", #"{"a": {"b": null}}"#, ""),
        ("{{#all}}{{this}}{{/all}}", #"{"all": ["a", "b"]}"#, "ab"),
        ("{{#all}}{{this/x}}{{./x}}{{this.x}}{{/all}}", #"{"all": [{"x": 1}, {"x": 2}]}"#, "111222"),
        ("{{[this]}} {{a/[this]}} {{a.[this]}}", #"{"this": 1, "a": {"this": 2}}"#, "1 2 2"),
        ("{{a.[1].[b c]}} {{a.0}} {{\n a.[0]\n}}", #"{"a": ["x", {"b c": "y"}]}"#, "y x x"),
        ("{{a.b}}{{a.length}}", #"{"a": 0}"#, ""),
        ("{{constructor}}{{__proto__}}{{lookup this 'constructor'}}", "{}", ""),
    ])
    func `values and literals`(template: String, model: String, text: String) {
        #expect(rendered(template, model) == text)
    }

    private static let list = #"{"all": [{"t": "a"}, {"t": "b"}, {"t": "c"}], "w": "end"}"#
    private static let object = #"{"all": {"x": {"t": "a"}, "2": {"t": "b"}}, "w": "end"}"#

    @Test(arguments: [
        ("{{#all}}{{t}}! {{/all}}{{w}}", list, "a! b! c! end"),
        ("{{#all}}{{@index}}{{t}}{{@first}}{{@last}} {{/all}}", list, "0atruefalse 1bfalsefalse 2cfalsetrue "),
        ("{{#all}}{{/all}}{{w}}", list, "end"), ("{{#all}}{{t}}{{../w}} {{/all}}", list, "aend bend cend "),
        (
            "{{#o}}1 {{#i}}2 {{../s}} {{../../w}}{{/i}}{{/o}}",
            #"{"w": "w", "o": [{"s": "s", "i": [{"t": "t"}]}]}"#, "1 2 s w"
        ),
        ("{{#each p}}{{#with .}}{{a}} {{b}}{{/with}}{{/each}}", #"{"p": [{"a": 1, "b": 2}]}"#, "1 2"),
        ("{{#all}}{{this}}{{/all}}{{^all}}none{{/all}}", "{}", "none"),
        ("{{#all}}{{this}}{{/all}}{{^all}}none{{/all}}", #"{"all": false}"#, "none"),
        ("{{#all}}{{this}}{{/all}}{{^all}}none{{/all}}", #"{"all": []}"#, "none"),
        ("{{^a}}not {{/a}}:{{#a}} is{{/a}}", "{}", "not :"),
        ("{{^a}}not {{/a}}:{{#a}} is{{/a}}", #"{"a": true}"#, ": is"),
        ("{{#p}}{{n}}{{^}}{{w}}{{/p}}", #"{"w": "none"}"#, "none"),
        ("{{#p}}{{n}}{{^}}{{w}}{{/p}}", #"{"p": [], "w": "none"}"#, "none"),
        ("{{^p}}{{w}}{{else}}some{{/p}}", #"{"p": 1, "w": "none"}"#, "some"),
        ("{{#p}}{{n}}{{else if w}}{{w}}{{else}}no{{/p}}", #"{"w": "else"}"#, "else"),
        ("{{#p}}{{n}}{{else if z}}no{{else unless z}}{{w}}{{/p}}", #"{"w": "else"}"#, "else"),
        ("{{#if a}}a{{else with b as |c|}}{{c.d}}{{else}}no{{/if}}", #"{"b": {"d": 1}}"#, "1"),
        ("{{#if a}}a{{else each b as |v i|}}{{i}}{{v}}{{else}}no{{/if}}", #"{"b": ["x", "y"]}"#, "0x1y"),
        ("{{#p}}\n{{n}}\n{{^}}\n{{w}}\n{{/p}}\n", #"{"w": "none"}"#, "none\n"),
        ("{{#p}}\n{{n}}\n{{else if w}}\n{{w}}\n{{/p}}\n", #"{"w": "else"}"#, "else\n"),
        ("{{#d}}\n{{#if true}}\n{{.}}\n{{/if}}\n{{/d}}\nend", #"{"d": [1, 3]}"#, "1\n3\nend"),
        ("{{#if a}}yes {{/if}}{{w}}", #"{"a": "x", "w": "end"}"#, "yes end"),
        ("{{#if a}}yes {{/if}}{{w}}", #"{"a": [], "w": "end"}"#, "end"),
        ("{{#if a}}yes {{/if}}{{w}}", #"{"a": ["x"], "w": "end"}"#, "yes end"),
        ("{{#if a}}yes {{/if}}{{#if a includeZero=true}}zero{{/if}}", #"{"a": 0}"#, "zero"),
        ("{{#unless a includeZero=true}}no{{else}}zero{{/unless}}", #"{"a": 0}"#, "zero"),
        ("{{#with f}}{{#if g}}{{../w}}{{/if}}{{/with}}", #"{"f": {"g": true}, "w": "end"}"#, "end"),
        ("{{^if a}}no{{else}}yes{{/if}}", #"{"a": 1}"#, "yes"), ("{{^each a}}none{{/each}}", #"{"a": []}"#, "none"),
        ("{{#with p as |q|}}{{q.a}} {{a}}{{else}}none{{/with}}", #"{"p": {"a": 1}}"#, "1 1"),
        ("{{#with p}}{{a}}{{else}}none{{/with}}", "{}", "none"),
        ("{{#each all}}{{t}} {{/each}}{{w}}", #"{"w": "end"}"#, "end"),
        ("{{#each all}}{{@key}}{{t}}{{@index}}{{@first}}{{@last}} {{/each}}", object, "xa0truefalse 2b1falsetrue "),
        (
            "{{#each all}}{{@index}}{{t}} {{#each ../all}}{{@index}}{{/each}} {{@index}}|{{/each}}{{@index}}{{w}}",
            list, "0a 012 0|1b 012 1|2c 012 2|end"
        ),
        (
            "{{#each all as |v i|}}{{i}}{{v.t}}{{#each ../all as |w j|}} {{i}}{{j}}{{/each}}|{{/each}}{{i}}", object,
            "xa xx x2|2b 2x 22|"
        ),
        (
            "{{#each all}}({{#if @first}}{{t}}{{/if}}{{#each ../all}}{{#if @first}}{{t}}{{/if}}{{/each}}){{/each}}",
            list, "(aa)(a)(a)"
        ),
        ("{{#each all}}{{@key}}={{this}}\n{{/each}}", #"{"all": {"": "x", "n": 1}}"#, "=x\nn=1\n"),
        ("{{#each all}}{{#unless ./p}}{{../v}} {{/unless}}{{/each}}", #"{"v": "v", "all": [null, "a"]}"#, "v v "),
        (
            "{{#each all}}{{#if true}}{{../n}}-{{../../n}}-{{../../../n}}{{/if}}{{/each}}", #"{"n": "N", "all": [1]}"#,
            "N--"
        ),
        ("{{#each all}}{{lookup ../data .}}{{/each}}", #"{"all": [0, 1], "data": ["a", "b"]}"#, "ab"),
        ("{{#each all}}{{lookup ../data .}}{{/each}}", #"{"all": [0, 1]}"#, ""),
        ("{{#with (lookup all 1)}}{{t}}{{/with}}{{lookup (lookup all 2) 't'}}", list, "bc"),
        ("{{log w}}{{log 'a' \"b\" level=\"debug\"}}", #"{"w": 1}"#, ""),
        ("{{#with p}}{{@root.w}}{{@root/w}}{{/with}}", #"{"p": {"a": 1}, "w": 2}"#, "22"),
        ("{{#each a}}{{#each this}}{{@../index}}{{@index}} {{/each}}{{/each}}", #"{"a": [[1], [2, 3]]}"#, "00 10 11 "),
        (
            "{{#if (eq (lookup p 'a') 1)}}{{upper (join l (lower '-') prefix=(lower 'X'))}}{{/if}}",
            #"{"p": {"a": 1}, "l": ["a", "b"]}"#, "XA-B"
        ),
        (
            "{{upper \"it's\"}} {{upper 'a \"b\"'}} {{upper \"a \\\"b\\\"\"}} {{upper 'a\nb }}'}}", "{}",
            "IT'S A \"B\" A \"B\" A\nB }}"
        ),
        ("{{{{raw}}}} {{x}} {{{{/raw}}}}", #"{"x": 1}"#, " {{x}} "),
        ("{{{{raw}}}} {{{{b}}}} {{x}} {{{{/b}}}} {{{{/raw}}}}", "{}", " {{{{b}}}} {{x}} {{{{/b}}}} "),
        ("{{{{raw}}}}{{{{raw}}}}x{{{{/raw}}}}{{{{/raw}}}}|", "{}", "{{{{raw}}}}x{{{{/raw}}}}|"),
        ("{{{{trim}}}} {{x}} {{{{/trim}}}}", "{}", "{{x}}"),
    ])
    func `blocks and helpers`(template: String, model: String, text: String) {
        #expect(rendered(template, model) == text)
    }

    @Test(arguments: [
        (" {{~f~}} ", "bar"), (" {{~f}} ", "bar "), (" {{f~}} ", " bar"), (" {{~&f~}} ", "bar"), (" {{~{f}~}} ", "bar"),
        ("1\n{{f~}} \n\n 23\n{{f}}4", "1\nbar23\nbar4"), (" {{~f~}} {{f}} {{f}} ", "barbar bar "),
        (" {{~#if f~}} x {{~/if~}} ", "x"), (" {{#if f~}} x {{/if~}} ", " x "), (" {{~#if f}} x {{~/if}} ", " x "),
        (" {{#if f}} x {{/if}} ", "  x  "), (" \n\n{{~#if f~}} \n\nx \n\n{{~/if~}}\n\n ", "x"),
        (" a\n\n{{~#if f~}} \n\nx \n\n{{~/if~}}\n\na ", " axa "), (" {{~^if z~}} x {{~/if~}} ", "x"),
        (" {{^if z~}} x {{/if~}} ", " x "), (" {{~^if z}} x {{~/if}} ", " x "), (" {{^if z}} x {{/if}} ", "  x  "),
        ("{{#if f~}} x {{~^~}} y {{~/if}}", "x"), ("{{#if f~}} x {{^~}} y {{/if}}", "x "),
        ("{{#if f}} x {{~^~}} y {{~/if}}", " x"), ("{{#if f}} x {{^~}} y {{/if}}", " x "),
        ("{{#if f~}} x {{~else~}} y {{~/if}}", "x"), ("{{#if z~}} x {{~^~}} y {{~/if}}", "y"),
        ("{{#if z}} x {{~^~}} y {{/if}}", "y "), ("{{#if z~}} x {{~^}} y {{~/if}}", " y"),
        ("{{#if z~}} x {{^}} y {{/if}}", " y "), ("{{#if z~}}\n\nx\n\n{{~^~}}\n\ny\n\n{{~/if}}", "y"),
        ("{{#if z~}} x {{~else if f~}} y {{~/if}}", "y"), ("\n{{~#if f}}\n x\n {{/if~}}\n", " x\n"),
    ])
    func `white space`(template: String, text: String) {
        #expect(rendered(template, #"{"f": "bar"}"#) == text)
    }

    @Test(arguments: [
        "{{a/this/b}}", "{{#all}}{{upper a/this}}{{/all}}", "{{a/../b}}", "{{a/./b}}", "{{#each}}{{/each}}",
        "{{#if}}{{/if}}", "{{#if a 'b'}}{{/if}}", "{{#unless}}{{/unless}}", "{{#unless a b}}{{/unless}}",
        "{{#with}}{{/with}}", "{{#with a b}}{{/with}}", "{{#p}}{{else if a}}{{/if}}", "{{{a}}",
        "{{{{raw}}}}{{{{/other}}}}",
        "{{#a}}{{/b}}", "{{#a}}{{#b}}{{/a}}{{/b}}", "{{a b=}}", "{{foo &}}", "{{a as |b|}}", "{{#a as |}}{{/a}}",
    ])
    func `what is refused`(template: String) {
        #expect(rendered(template).hasPrefix("! line 1, column "))
    }
}
