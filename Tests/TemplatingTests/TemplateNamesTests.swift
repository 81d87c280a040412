// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import Testing

@testable import MockapiTemplating

/// What templates look up, which decides what of a request is kept for them; and the patterns that they look for.
@Suite(.supervised) struct TemplateNamesTests {
    @Test(arguments: [
        ("a{{x}}{{y.z}}{{[a b].[0]}}", ["x", "y.z", "a b.0"], []),
        ("{{./x}}{{this.x}}{{../x}}{{@x}}{{@root.x}}", [], []),
        (
            "{{upper x}}{{upper 'lit'}}{{join x (lower y) 'c' prefix=z suffix='d'}}", ["x", "x", "y", "z"],
            ["c", "d", "lit"]
        ),
        ("{{#if x}}{{y}}{{else if z}}{{v}}{{else}}{{w}}{{/if}}", ["x", "y", "z", "v", "w"], []),
        ("{{#each x}}{{y}}{{else}}{{w}}{{/each}}", ["x", "w"], []),
        ("{{#with x}}{{y}}{{else}}{{w}}{{/with}}", ["x", "w"], []),
        ("{{#x}}{{y}}{{/x}}{{^x}}{{w}}{{/x}}", ["x", "x"], []),
        ("{{#join x ','}}{{y}}{{/join}}{{#arrayJoin ',' x}}{{z}}{{/arrayJoin}}", ["x", "y", "x"], [","]),
        ("{{#if x}}{{#each y}}{{#if z}}{{v}}{{/if}}{{/each}}{{w}}{{/if}}", ["x", "y", "w"], []),
        ("{{#assign 'n'}}{{x}}{{/assign}}{{n}}{{assign 'm' y}}", ["x", "n", "y"], ["m", "n"]),
        ("{{lookup x 'k'}}{{eq x 1}}", ["x", "x"], ["1", "k"]),
        ("{{#trim}}{{x}}{{/trim}}", ["x"], []), ("{{true}}{{1}}{{'a'}}{{null}}", [], []),
    ])
    func `the names that a template looks up are known`(template: String, lookedUp: [String], given: [String]) throws {
        let parsed = try Template(parsing: template, dialect: .handlebars)
        let names = TemplateNames(of: [parsed])
        #expect(names.lookedUp.map { $0.joined(separator: ".") } == lookedUp)
        #expect(names.given.sorted() == given)
    }

    @Test(arguments: [
        ("'abcab' '(a)(b)?'", "a,b,a,b"), ("'ab' '(x*)'", ",,"), ("'aab' '(a*)'", "aa,,"), ("'ab' '(a)|(b)'", "a,,,b"),
        ("'' '(x*)'", ""),
        ("'aXbX' '(.)X'", "a,b"), ("'é1é2' 'é([0-9])'", "1,2"), ("'xay' 'x(a)y'", "a"), ("'aaa' '(a)'", "a,a,a"),
        ("'ab' '(b)$'", "b"),
    ])
    func `each match of a pattern gives its groups`(arguments: String, groups: String) {
        let text = rendered(
            "{{regexExtract \(arguments) 'm'}}{{#each m}}{{#unless @first}},{{/unless}}{{this}}{{/each}}")
        #expect(text == groups)
    }

    @Test(arguments: [
        ("{{regexExtract 'abc' '[bc]+'}}", "bc"), ("{{regexExtract 'abc' 'x'}}", "[ERROR: Nothing matched x]"),
        ("{{regexExtract 'abc' 'x' default='d'}}", "d"),
        ("{{regexExtract 'abc' 'x' 'm' default='d'}}|{{m}}", "d|"),
        ("{{regexExtract 'abc' 'b' 'm'}}", "[ERROR: Nothing matched b]"),
        ("{{regexExtract 'abc' '('}}", "[ERROR: Invalid regex string (]"),
        ("{{regexExtract 'abc'}}", "[ERROR: The regular expression cannot be empty]"),
        ("{{matches 'ab' 'a|ab'}}{{matches 'abc' 'ab'}}{{matches '' ''}}", "truefalsetrue"),
        (
            "{{contains 'abab' 'bab'}}{{contains 'aab' 'ab'}}{{contains 'abac' 'abad'}}{{contains '' ''}}{{contains 'a' ''}}",
            "truetruefalsetruetrue"
        ),
        (
            "{{replace 'aabaab' 'aab' 'x'}} {{replace 'aaa' 'aa' 'b'}} {{replace 'abcabd' 'abd' ''}} {{replace 'a' '' 'x'}}",
            "xx ba abc xax"
        ),
        ("{{replace 'abababac' 'ababac' '-'}} {{cut 'a b'}} {{cut 'aXbX' 'X'}}", "ab- ab ab"),
    ])
    func `a pattern and a part of a text are found`(template: String, text: String) {
        #expect(rendered(template) == text)
    }

    @Test func `a pattern has 4,096 bytes and no more`() {
        let pattern = String(repeating: "a", count: 4096)
        #expect(rendered("{{matches '\(pattern)' '\(pattern)'}}") == "true")
        #expect(rendered("{{matches '\(pattern)a' '\(pattern)a'}}").hasSuffix("the pattern is longer than 4,096 bytes"))
    }

    @Test(arguments: [
        (
            "{{eq (now) (now)}}{{eq (now) (now offset='1 days')}}{{lt (now) (now)}}{{gt (now) (now)}}{{lte (now) (now)}}{{gte (now) (now)}}",
            "truefalsefalsefalsetruetrue"
        ),
        ("{{lt (now) (now offset='1 days')}}{{gt (now) (now offset='1 days')}}", "truefalse"),
        ("{{lt 'a' 'a'}}{{lte 'a' 'a'}}{{gt 'b' 'a'}}{{gte 'a' 'b'}}", "falsetruetruefalse"),
        (
            "{{lt 1 1}}{{lte 1 1}}{{gt 1 1}}{{gte 1 1}}{{lt 1 2}}{{gt 1 2}}{{lt '10' 9}}{{lt '10' '9'}}",
            "falsetruefalsetruetruefalsefalsetrue"
        ),
        ("{{#if (and)}}y{{else}}n{{/if}}{{#with ''}}{{else}}{{and}}{{or}}{{not}}{{/with}}", "ytruetruefalse"),
        ("{{and '' 1}}{{or 1 ''}}{{not 1}}{{not 0}}", "falsetruefalsetrue"),
        ("{{contains 'a'}}", "[ERROR: You must specify the string or array to be matched and the regular expression]"),
        ("{{matches 'a'}}", "[ERROR: You must specify the string to be matched and the regular expression]"),
        (
            "{{contains zz 'a'}}{{contains 'a' zz}}{{contains (array) 'a'}}{{contains (array 'ab') 'a'}}{{contains (array 'a') 'a'}}",
            "falsefalsefalsefalsetrue"
        ),
        ("{{val 'a' or='b'}}{{val zz or='b' default='c'}}{{val zz}}|{{val 1 assign='q'}}{{q}}", "ab|1"),
        ("{{systemValue}}{{systemValue key=''}}", "[ERROR: The key cannot be empty][ERROR: The key cannot be empty]"),
        (
            "{{yesno true}}{{yesno false}}{{yesno zz}}{{yesno true yes='j'}}{{yesno false no='n'}}{{yesno zz maybe='m'}}",
            "yesnomaybejnm"
        ),
        ("{{wordWrap 'aa bb cc' 5}}|{{wordWrap 'aaaa b' 2}}|{{wordWrap 'a  b' 9}}", "aa bb\ncc|aaaa\nb|a  b"),
        ("{{abbreviate 'abcd' 4}}{{abbreviate 'abcde' 4}}", "abcda..."),
        (
            "{{ljust 'a' size=3 pad=''}}{{ljust 'ab' size=2}}{{ljust 'ab' size=-1}}{{center 'a' size=4 pad='xy'}}",
            "aababxaxy"
        ), ("{{substring 'abc' 0 3}}{{substring 'abc' 3}}{{substring 'abc' 1 1}}", "abc"),
        ("{{slugify 'A\r\nb\tC é!'}}|{{slugify ' x '}}|{{slugify 'aÀ b'}}", "a-b-c-é|x|aà-b"),
        ("{{stripTags 'a<b>c<d'}}{{stripTags 'x>y'}}", "ac<dx>y"),
        (
            "{{numberFormat 1234.5}}{{#each (range 1 1)}}{{this}}{{/each}}{{stringFormat '%5s|%-5s|%05d' 'a' 'b' 42}}",
            "1,234.51    a|b    |00042"
        ),
    ])
    func `helpers keep to their edges`(template: String, text: String) { #expect(rendered(template) == text) }

    @Test func `a text is rendered if it has two braces beside each other`() {
        var random = SplitMix(seed: 3)
        for _ in 0..<300 {
            let text = (0..<random.below(7)).map { _ in random.pick(["{", "a", "}", "{a"]) }.joined()
            #expect(Template.isNeeded(for: text.utf8) == text.contains("{{"), "\(text)")
        }
    }

    @Test func `a tilde behind a tag that is text trims that text alone`() {
        #expect(rendered("a \\{{x}}  {{~y}}", #"{"y": 1}"#) == "a {{x}}1")
        #expect(rendered("a {{x}}  {{~y}}", #"{"x": " ", "y": 1}"#) == "a  1")
    }
}
