// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import Testing

@testable import MockapiTemplating

/// Each helper, by what it is given and what it gives.
@Suite(.supervised) struct HelperTests {
    private let model =
        #"{"s": "Hello wide World", "e": "", "l": ["a", "b", "c"], "n": 12, "j": "{\"a\": {\"b\": [1, 2]}, \"c\": null}"}"#

    @Test(arguments: [
        ("{{jsonPath e '$.a'}}|{{jsonPath e '$.a' default='d'}}|{{#if (jsonPath e '$.a')}}y{{else}}n{{/if}}", "|d|n"),
        (
            "{{#arrayJoin ',' l as |x|}}<{{x}}>{{/arrayJoin}}|{{#arrayJoin ',' l}}{{this}}{{/arrayJoin}}",
            "<a>,<b>,<c>|a,b,c"
        ),
        ("{{numberFormat e '0.00'}}|{{isEven e}}|{{isOdd (jsonPath j '$.none')}}", "||"),
        ("{{capitalize 'my first post'}} {{capitalize 'aBC d' fully=true}}", "My First Post Abc D"),
        ("{{capitalizeFirst 'my post'}}|{{capitalizeFirst e}}", "My post|"),
        ("{{center 'ab' size=7}}|{{center 'ab' size=5 pad='*'}}|{{center 'ab' size=1}}", "  ab   |*ab**|ab"),
        ("{{ljust 'ab' size=4}}|{{rjust 'ab' size=5 pad='xy'}}", "ab  |xyxab"),
        ("{{cut s 'l'}}|{{cut s}}", "Heo wide Word|HellowideWorld"),
        ("{{defaultIfEmpty e 'none'}}{{defaultIfEmpty 'a' 'none'}}{{defaultIfEmpty zz}}", "nonea"),
        ("{{join l ' // '}}|{{join 'a' 'b' '-'}}|{{join l ',' prefix='<' suffix='>'}}", "a // b // c|a-b|<a,b,c>"),
        ("{{substring s 6}}|{{substring s 0 5}}", "wide World|Hello"),
        ("{{lower s}}{{upper s}}", "hello wide worldHELLO WIDE WORLD"),
        ("{{slugify ' Joel is a Slug '}}", "joel-is-a-slug"),
        ("{{slugify 'A\r\nB\tc_9 ~Zz@[`{ d'}}", "a-b-c-zz-d"), ("{{slugify 'Ä é\r\nx'}}", "ä-é-x"),
        (
            "{{stringFormat '%s is %05d, %.2f, %x, %,d, %-4s|%2$s%%' 'a' 42 2.345 255 1234567 'b'}}",
            "a is 00042, 2.35, ff, 1,234,567, b   |42%"
        ),
        ("{{stripTags '<b>a</b> <i x=\"1\">b</i>'}}", "a b"), ("{{wordWrap 'Joel is a slug' 5}}", "Joel\nis a\nslug"),
        ("{{replace s 'l' 'LL'}}", "HeLLLLo wide WorLLd"),
        ("{{yesno true}}{{yesno false no='nein'}}{{yesno null}}", "yesneinmaybe"),
        ("{{abbreviate s 8}}|{{abbreviate 'ab' 8}}", "Hello...|ab"),
        ("{{trim ' a b '}}|{{#trim}} {{n}} {{/trim}}", "a b|12"),
        ("{{base64 'Hello?>'}}{{base64 'a' padding=false}}{{base64 'SGk=' decode=true}}", "SGVsbG8/Pg==YQHi"),
        ("{{urlEncode 'a b&ü*'}}|{{urlEncode 'a+b%26' decode=true}}", "a+b%26%C3%BC*|a b&"),
        (
            "{{regexExtract 'abc-123' '[0-9]+'}}|{{regexExtract 'a' 'x'}}|{{regexExtract 'a' 'x' default='d'}}",
            "123|[ERROR: Nothing matched x]|d"
        ),
        ("{{regexExtract 'ab-12' '([a-z]+)-([0-9]+)' 'parts'}}{{parts.1}}{{parts.0}}", "12ab"),
        ("{{regexExtract 'a' '('}}", "[ERROR: Invalid regex string (]"),
        ("{{stringFormat '%b %b %5b %d %.2f' 'abc' zz false zz zz}}", "true false false null nu"),
        ("{{stringFormat '%b %X %S %c' 'false' zz zz zz}}", "true NULL NULL null"),
        ("{{capitalize 'a\tb c'}}", "A\tb C"),
        ("{{replace 'ab' '' '-'}}|{{replace e '' '-'}}|{{replace 'ab' '' ''}}", "-a-b-||ab"),
        ("{{cut e 'l'}}|{{upper e 'l'}}|{{#upper 'a'}}{{substring 'a' 9}}{{/upper}}", "|l|A"),
        ("{{jsonPath '{a' '$.a'}}|{{xPath '<a' '/a'}}", "[ERROR: {a is not valid JSON]|[ERROR: <a is not valid XML]"),
        ("{{formatXml 'a'}}", "[ERROR: Input is not valid XML]"),
        (
            "{{formatXml 5}}|{{formatXml l}}",
            "[ERROR: formatXml should take a block of XML to format or a single parameter of type String]|[ERROR: formatXml should take a block of XML to format or a single parameter of type String]"
        ),
        ("{{stringFormat '%c%3c%-2c|%c' 10 9731 65 'B'}}", "\n  \u{2603}A |B"),
        (
            "{{stringFormat '%C|%B|%E|%X|%5S|' 97 true 1234.5 255 'ab'}}{{stringFormat '%C %B %E' zz zz zz}}",
            "A|TRUE|1.234500E+03|FF|   AB|NULL FALSE NULL"
        ),
    ])
    func `texts`(template: String, text: String) {
        #expect(rendered(template, model) == text)
    }

    @Test(arguments: [
        ("{{isEven 2}}{{isOdd 2}}{{isEven 2 'x'}}{{stripes 3 'a' 'b'}}", "evenxb"),
        (
            "{{isOdd 1.5}}{{isOdd 9007199254740993}}{{isOdd -0.25}}{{isOdd 'nan'}}|{{stripes -0.25 'a'}}{{isEven 2.9}}{{isEven -3}}",
            "oddodd|aeven"
        ),
        ("{{math 1 '+' 2}} {{math '4' '-' 6}} {{math 2 '*' 3}} {{math 8 '/' 3}} {{math 10 '%' 3}}", "3 -2 6 3 1"),
        ("{{math 1.5 '+' 1.5}} {{math 0.1 '+' 0.2}} {{math 1.0 '/' 4}} {{math 2 'x' 2}}", "3.0 0.3 0.3 4"),
        (
            "{{math 9223372036854775807 '+' 1}} {{math -9223372036854775808 '/' -1}} {{math 1 '/' 0}}",
            "9.223372036854776e+18 9.223372036854776e+18 [ERROR: Division by zero]"
        ),
        (
            "{{math 1 '?' 2}}|{{math 1}}",
            "[ERROR: ? is not a valid mathematical operator]|[ERROR: All maths functions require two operands and an operator as parameters e.g. 3 '+' 2]"
        ),
        (
            "{{numberFormat 1234.565}} {{numberFormat 1234.5 'integer'}} {{numberFormat 0.256 'percent'}} {{numberFormat -5 'currency'}}",
            "1,234.565 1,234 26% -$5.00"
        ),
        (
            "{{numberFormat 1234567.891 '#,##0.00'}} {{numberFormat 3 '000.0#'}} {{numberFormat 2.5 '0'}} {{numberFormat 2.5 '0' roundingMode='HALF_UP'}}",
            "1,234,567.89 003.0 2 3"
        ),
        (
            "{{numberFormat 1234.5 'currency' 'en_GB'}} {{numberFormat -1234.5 'currency' 'de_CH'}} {{numberFormat 1234.5 'currency' 'fr-FR'}}",
            "\u{A3}1,234.50 CHF-1\u{2019}234.50 1\u{202F}234,50\u{A0}\u{20AC}"
        ),
        (
            "{{numberFormat 1234.5 '#,##0.00' 'de_DE'}} {{numberFormat 1234.5 'currency' 'ja_JP'}} {{numberFormat 0.256 'percent' 'tr_TR'}} {{numberFormat -1.5 '' 'sv_SE'}}",
            "1.234,50 \u{FFE5}1,234 %26 \u{2212}1,5"
        ),
        (
            "{{numberFormat -5.5 '0.00;(0.00)'}} {{numberFormat 5 \"'#'0\"}} {{numberFormat 5 \"0 'o''clock'\"}} {{numberFormat 1234.5 'number'}} {{numberFormat 1234.5 maximumIntegerDigits=2}}",
            "(5.50) #5 5 o'clock number1234 34.5"
        ),
        (
            "{{numberFormat 5 \"0'%'\"}} {{numberFormat 0.5 '0\u{2030}'}} {{numberFormat 0.256 'nope' maximumFractionDigits=1}}",
            "5% 500\u{2030} nope.3"
        ),
        (
            "{{numberFormat 0.5 '#.##'}} {{numberFormat 0.5 '.##'}} {{numberFormat 0 '.##'}} {{numberFormat 0.5 '#.0'}} {{numberFormat 0 '#,###.#'}}",
            "0.5 .5 .0 .5 0"
        ),
        (
            "{{numberFormat -0.25 '0'}} {{numberFormat -0.004 '0.00'}} {{numberFormat -0.25 '0;(0)'}} {{numberFormat 0 '0'}}",
            "-0 -0.00 (0) 0"
        ),
        ("{{numberFormat 'abc'}}|{{isEven 'abc'}}|{{stripes}}|{{numberFormat 1.5 '' 'xx_YY'}}", "|||1.5"),
        ("{{size l}}{{size s}}{{size (parseJson j)}}", "3162"),
        (
            "{{range 3 5}}|{{range 5 3}}|{{range 'a' 3}}",
            "[3, 4, 5]|[]|[ERROR: The range helper requires both lower and upper bounds as integer parameters]"
        ),
        ("{{array 1 'two' true}}|{{array}}", "[1, two, true]|[]"),
        (
            "{{arrayAdd (array 1 'three') 2 position=1}}{{arrayAdd l 'z'}}{{arrayAdd l 'z' position='start'}}",
            "[1, 2, three][a, b, c, z][z, a, b, c]"
        ),
        ("{{arrayRemove l}}{{arrayRemove l position='start'}}{{arrayRemove l position=1}}", "[a, b][b, c][a, c]"),
        (
            "{{arrayRemove l position=9}}",
            "[ERROR: position must be greater than or equal to 0 and less than or equal to the size of the list]"
        ),
        (
            "{{arrayJoin ',' l}}|{{arrayJoin '-' l prefix='<' suffix='>'}}|{{#arrayJoin ', ' l}}({{this}}){{/arrayJoin}}",
            "a,b,c|<a-b-c>|(a), (b), (c)"
        ),
        (
            "{{arrayRemove (array) position=-1}}|{{arrayRemove (array)}}{{arrayRemove (array) position='end'}}{{arrayRemove (array) position=0}}",
            "[ERROR: position must be greater than or equal to 0 and less than or equal to the size of the list]|[][][]"
        ),
        ("{{arrayJoin ',' 1}}|{{arrayJoin '-' 'a' 'b'}}|{{arrayJoin '-' e}}", "1|a-b|"),
        (
            "{{#arrayJoin '-' 'a' 'b'}}({{this}}){{/arrayJoin}}|{{#arrayJoin '-' 5}}({{this}}){{/arrayJoin}}|{{#arrayJoin '-' e}}x{{/arrayJoin}}",
            "(a)-(b)|(5)|"
        ),
        (
            "{{#arrayJoin '-' l prefix='<' suffix='>'}}{{this}}{{/arrayJoin}}|{{#arrayJoin '-' (array) prefix='<' suffix='>'}}x{{/arrayJoin}}",
            "<a-b-c>|"
        ),
        (
            "{{#arrayJoin 1 l}}x{{/arrayJoin}}{{#arrayJoin ',' zz}}x{{/arrayJoin}}",
            "[ERROR: Separator parameter must be a String][ERROR: The parameter must be list]"
        ),
        ("{{#join l '-'}}x{{/join}}", "a-b-c"),
    ])
    func `numbers and lists`(template: String, text: String) {
        #expect(rendered(template, model) == text)
    }

    @Test(arguments: [
        (
            "{{eq 1 1.0}}{{eq '1' 1}}{{neq 'a' 'b'}}{{gt 2 '1'}}{{gte 2 2}}{{lt 'a' 'b'}}{{lte 3 2}}",
            "truefalsetruetruetruetruefalse"
        ),
        ("{{eq 1 1 yes=null}}|{{eq 1 2 no=zz}}|{{eq 1 1 yes=''}}|{{not n yes='y' no='n'}}", "true|false||n"),
        ("{{gte true true}}{{gt true false}}{{lt true false}}{{lte false true}}", "truetruefalsetrue"),
        ("{{and 1 'a'}}{{and 1 ''}}{{or '' 0 'x'}}{{or '' 0}}{{not ''}}", "truefalsetruefalsetrue"),
        (
            "{{contains s 'wide'}}{{contains l 'b'}}{{contains l 'x'}}{{#contains s 'x'}}a{{else}}b{{/contains}}",
            "truetruefalseb"
        ),
        ("{{matches 'ab1' '[a-z]+[0-9]'}}{{matches 'ab1' '[a-z]'}}{{#matches 'a' 'a'}}yes{{/matches}}", "truefalseyes"),
        ("{{#assign 'x'}}a{{n}}{{/assign}}{{x}}|{{@x}}{{assign 'y' 2}}{{y}}", "a12|a122"),
        ("{{val zz or='d'}}{{val n or='d'}}{{val zz default=3 assign='q'}}{{q}}", "d123"),
        ("{{hostname}}{{systemValue key='PATH' type='ENVIRONMENT'}}", "here[ERROR: Access to PATH is denied]"),
    ])
    func `conditions and names`(template: String, text: String) {
        #expect(rendered(template, model) == text)
    }

    @Test(arguments: [
        ("{{jsonPath j '$.a.b[1]'}}{{jsonPath j '$.a'}}{{jsonPath j '$..b'}}", #"2{"b":[1,2]}[[1,2]]"#),
        ("{{jsonPath j '$.zz'}}|{{jsonPath j '$.zz' default='d'}}|{{jsonPath j '$.c'}}", "|d|"),
        (
            "{{jsonPath j \"$['c','a']\"}}{{#each (jsonPath j \"$['a','zz']\")}}{{@key}}{{b.1}}{{/each}}{{jsonPath j \"$.a.b['x','y']\" default='d'}}",
            #"{"c":null,"a":{"b":[1,2]}}a2d"#
        ),
        (
            "{{jsonPath '{' '$.a'}}{{jsonPath j '$['}}",
            #"[ERROR: { is not valid JSON][ERROR: $[ is not a valid JSONPath expression]"#
        ),
        (
            "{{jsonPath ' {' '$.a'}}|{{jsonPath '\t[' '$'}}",
            "[ERROR:  { is not valid JSON]|[ERROR: \t[ is not valid JSON]"
        ),
        ("{{#each (jsonPath j '$.a.b')}}<{{this}}>{{/each}}", "<1><2>"),
        (
            "{{jsonPath 'a=1' '$.a'}}|{{jsonPath 'a=1' '$.a' default='d'}}|{{jsonPath '<a/>' '$'}}|{{#if (jsonPath 'x' '$.a')}}y{{/if}}",
            "|d|<a/>|"
        ),
        ("{{#with (parseJson j)}}{{a.b.0}}{{/with}}{{parseJson j 'p'}}{{p.a.b.[1]}}", "12"),
        ("{{#parseJson 'p'}}{\"x\": {{n}}}{{/parseJson}}{{p.x}}", "12"),
        (
            "{{toJson l}}|{{toJson (parseJson '{\"a\": {\"b\": []}}')}}",
            "[ \"a\", \"b\", \"c\" ]|{\n  \"a\" : {\n    \"b\" : [ ]\n  }\n}"
        ),
        (
            "{{formatJson 'a'}}{{#formatJson}}{a{{/formatJson}}",
            "[ERROR: Input JSON string is not valid JSON (\"a\")][ERROR: Input JSON string is not valid JSON (\"{a\")]"
        ),
        (
            "{{formatJson '{\"a\" : 1}' format='compact'}}{{#formatJson}}{\"a\":[1]}{{/formatJson}}",
            "{\"a\":1}{\n  \"a\" : [ 1 ]\n}"
        ),
        ("{{jsonMerge '{\"a\":{\"b\":1},\"c\":1}' '{\"a\":{\"d\":2},\"c\":null}'}}", #"{"a":{"b":1,"d":2},"c":null}"#),
        (
            "{{jsonMerge '{\"a\":null,\"b\":1,\"d\":2}' '{\"b\":null,\"c\":null,\"d\":3}' removeNulls=true}}",
            #"{"a":null,"d":3}"#
        ),
        ("{{jsonMerge '{\"b\":9}' '{\"b\":null,\"b\":1}' removeNulls=true}}", #"{"b":1}"#),
        (
            "{{#jsonMerge '{\"a\":1}'}}{\"b\":{{n}}}{{/jsonMerge}}{{jsonMerge '[]' '{}'}}",
            #"{"a":1,"b":12}[ERROR: Base JSON is not a JSON object ('[]')]"#
        ),
        ("{{jsonMerge '{\"\u{E9}\":1}' '{\"e\u{301}\":2}'}}", "{\"\u{E9}\":1,\"e\u{301}\":2}"),
        ("{{jsonRemove j '$.a.b[0]'}}{{jsonRemove j '$.zz'}}", #"{"a":{"b":[2]},"c":null}{"a":{"b":[1,2]},"c":null}"#),
        ("{{jsonRemove '[1,2,3,4]' '$[0,2]'}}", "[2,4]"),
        (
            "{{jsonArrayAdd '[1]' '2'}}{{jsonArrayAdd '[1]' '[2,3]' flatten=true maxItems=2}}{{jsonArrayAdd j '3' jsonPath='$.a.b'}}",
            #"[1,2][2,3]{"a":{"b":[1,2,3]},"c":null}"#
        ),
        ("{{jsonArrayAdd '{}' '2'}}", "[ERROR: Target JSON is not a JSON array ('{}')]"),
        ("{{jsonSort '[{\"n\":2},{\"n\":1}]' '$.n'}}{{jsonSort '[1,3,2]' order='desc'}}", #"[{"n":1},{"n":2}][3,2,1]"#),
        ("{{formData 'a=1&b=2&a=%2B' 'f' urlDecode=true}}{{f.a}}{{f.a.1}}{{f.b}}{{f.a.[0]}}", "1+21"),
    ])
    func `JSON and forms`(template: String, text: String) {
        #expect(rendered(template, model) == text)
    }

    @Test(arguments: [
        ("{{xPath x '/a/b[1]/text()'}}|{{xPath x '/a/b/@id'}}|{{xPath x '/a/b[2]'}}", #"1|x|<b id="y">2</b>"#),
        ("{{#each (xPath x '/a/b') as |b|}}{{b.name}}{{b.attributes.id}}{{b.text}} {{/each}}", "bx1 by2 "),
        ("{{xPath x '/a/zz'}}|{{xPath x 'count(/a/b)'}}|{{eq (xPath x '/a/b[1]/text()') '1'}}", "|2|true"),
        (
            "{{xPath '<a' '/a'}}{{xPath x '/a['}}",
            #"[ERROR: <a is not valid XML][ERROR: /a[ is not a valid XPath expression]"#
        ),
        ("{{soapXPath soap '/m/text()'}}", "hi"), ("{{formatXml '<a><b>1</b></a>'}}", "<a>\n  <b>1</b>\n</a>\n"),
        (
            "{{formatXml '<a z=\"1\" b=\"2\"><b>x <i>y</i> </b> <c> </c></a>'}}",
            "<a z=\"1\" b=\"2\">\n  <b>x <i>y</i> </b>\n  <c/>\n</a>\n"
        ),
        (
            "{{formatXml '<!--x--><a z=\"1\" b=\"2\"> <b/> </a>' format='compact'}}",
            "<a z=\"1\" b=\"2\"> <b/> </a>"
        ),
    ])
    func `XML`(template: String, text: String) {
        let model =
            #"{"x": "<a><b id=\"x\">1</b><b id=\"y\">2</b></a>", "soap": "<s:Envelope xmlns:s=\"urn:s\"><s:Body><m>hi</m></s:Body></s:Envelope>"}"#
        #expect(rendered(template, model) == text)
    }

    @Test(arguments: [
        (
            "{{now}}|{{now offset='3 days'}}|{{now offset='-24 seconds'}}",
            "2026-11-21T10:00:00Z|2026-11-24T10:00:00Z|2026-11-21T09:59:36Z"
        ),
        ("{{now format='epoch'}}|{{now format='unix'}}", "1795255200250|1795255200"),
        (
            "{{now format='yyyy/MM/dd HH:mm:ss.SSS'}}|{{now format='EEE, d MMM yyyy' offset='1 months'}}",
            "2026/11/21 10:00:00.250|Mon, 21 Dec 2026"
        ),
        ("{{now timezone='+02:00'}}|{{now timezone='GMT+2' format='HH:mm'}}", "2026-11-21T12:00:00+02:00|12:00"),
        ("{{date (parseDate '2026-01-31T10:00:00Z') offset='1 months'}}", "2026-02-28T10:00:00Z"),
        ("{{date (parseDate '01/02/2026' format='dd/MM/yyyy') format='yyyy-MM-dd'}}", "2026-02-01"),
        (
            "{{parseDate 'never'}}|{{date (truncateDate (now) 'first day of month') format='yyyy-MM-dd HH:mm'}}",
            "|2026-11-01 00:00"
        ),
        (
            "{{truncateDate 'x' 'first day of month'}}",
            "[ERROR: A date object must be passed to the truncateDate helper]"
        ),
        (
            "{{dateFormat (parseDate '2021-02-28T23:59:59-05:00') 'yyyy-MM-dd HH:mm z'}}|{{dateFormat (parseDate '2021-02-28T23:59:59-05:00') 'HH z' tz='Asia/Tokyo'}}",
            "2021-02-28 23:59 GMT-05:00|13 JST"
        ),
        (
            "{{dateFormat (now) 'long'}}|{{dateFormat (now) 'yy' tz='UTC'}}|{{gt (now) (now offset='-1 days')}}",
            "November 21, 2026|26|true"
        ),
    ])
    func `dates`(template: String, text: String) {
        #expect(rendered(template) == text)
    }

    @Test(arguments: [
        ("{{now format='qqq'}}", "now: "), ("{{now offset='soon'}}", "now: "),
        ("{{now timezone='Nowhere/Else'}}", "now: "),
        ("{{truncateDate (now) 'week'}}", "truncateDate: "),
        ("{{substring 'abc' 2 1}}", "substring: 2 to 1 is not within the 3 characters"),
        ("{{stringFormat '%d' 'a'}}", "stringFormat: \"a\" is not a whole number"),
        ("{{stringFormat '%s'}}", "stringFormat: there is no argument 1"),
        ("{{stringFormat '%c' -1}}", "stringFormat: \"-1\" is not the number of a character"),
        ("{{stringFormat '%c' 55296}}", "stringFormat: \"55296\" is not the number of a character"),
        ("{{matches 'a' '('}}", "the pattern \"(\" is broken at its byte 1"),
        ("{{matches s '(a+)+$'}}", "the pattern \"(a+)+$\" takes too long on this text"),
    ])
    func `what cannot be done is told`(template: String, message: String) {
        let text = rendered(template, #"{"s": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"}"#)
        #expect(text.hasPrefix("! line 1, column 1: \(message)"), "\(text)")
    }

    @Test func `random values are the same for the same seed, and of their kind`() throws {
        let template =
            "{{randomValue type='UUID'}} {{randomValue length=5 type='NUMERIC'}} {{randomInt lower=1 upper=3}} {{pickRandom 'a' 'b' 'c'}}"
        #expect(rendered(template, seed: 1) == rendered(template, seed: 1))
        #expect(rendered(template, seed: 1) != rendered(template, seed: 2))
        for seed in 0..<50 as Range<UInt64> {
            let uuid = Array(rendered("{{randomValue type='UUID'}}", seed: seed))
            #expect(uuid.count == 36 && uuid[14] == "4" && "89ab".contains(uuid[19]) && uuid[8] == "-")
            #expect(["1", "2"].contains(rendered("{{randomInt lower=1 upper=3}}", seed: seed)))
            let decimal = try #require(Double(rendered("{{randomDecimal lower=-1.5 upper=1.5}}", seed: seed)))
            #expect((-1.5..<1.5).contains(decimal))
            #expect(
                rendered("{{randomValue length=8 type='ALPHABETIC' uppercase=true}}", seed: seed).allSatisfy {
                    $0.isUppercase
                })
            #expect(
                rendered("{{randomValue length=8 type='HEXADECIMAL'}}", seed: seed).allSatisfy {
                    $0.isHexDigit && !$0.isUppercase
                })
            #expect(rendered("{{size (pickRandom (array 1 2 3 4) count=3)}}", seed: seed) == "3")
        }
        #expect(rendered("{{randomValue}}").count == 36)
        #expect(
            rendered("{{randomInt lower=3 upper=3}}") == "[ERROR: The upper bound must be greater than the lower bound]"
        )
        #expect(
            rendered("{{pickRandom}}")
                == "[ERROR: Must specify either a single list argument or a set of single value arguments.]")
    }
}
