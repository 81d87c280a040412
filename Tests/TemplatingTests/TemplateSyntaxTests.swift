// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import Testing

@testable import MockapiTemplating

/// The grammar of templates, of formats and of numbers, sign by sign and beside slow ways to the same.
@Suite(.supervised) struct TemplateSyntaxTests {
    private static let hard = [
        "{{~#each (array 1 'a\\'b') as |v i|~}} {{{v}}} {{~{i}~}} {{../x.[a b]/c}}{{else if (eq x -1.5)}}{{@root.x}}{{/each}}",
        "{{{{raw a=1}}}} {{x}} {{{{/raw}}}}{{!-- }} --~}} \\{{x}} \\\\{{&x}}\n {{^x}}\n{{/x}}\n{{#if x}}\n {{^}} \n{{/if}}",
        "{{stringFormat '%1$-5d|%05.1e%%' 12 \"3.5\"}}{{join 'a' \"b\" null true prefix='<' suffix=\">\"}}{{[x].[y]}}{{./x}}",
        "{{numberFormat 12.5 \"¤#,##0.0#;('x'0)\" roundingMode='UP'}}{{now format='yyyy' offset='3 days' timezone='+02:00'}}",
        "{{jsonPath '{\"a\": [1, {\"b\": 2}]}' '$.a[?(@.b)]'}}{{xPath '<a b=\"c\"><d/></a>' '/a/@b'}}{{base64 'YQ==' decode=true}}",
    ]

    @Test func `each beginning and each change of a template is rendered, or refused at a place of it`() {
        for template in Self.hard {
            #expect(!rendered(template, #"{"x": 1}"#).hasPrefix("! "), "\(rendered(template, #"{"x": 1}"#))")
            let characters = Array(template)
            for place in characters.indices {
                let (before, behind) = (String(characters[..<place]), String(characters[(place + 1)...]))
                for text in [before] + "{}~\\'\"[].%#".map({ before + String($0) + behind }) {
                    let result = rendered(text, #"{"x": 1}"#)
                    if result.hasPrefix("! ") { expectPlace(result, within: text) }
                }
            }
        }
    }

    @Test func `a name has the bytes that Handlebars lets it have`() {
        for byte in UInt8(0x20)..<0x7F where byte != UInt8(ascii: "\\") && byte != UInt8(ascii: "\"") {
            let sign = String(Unicode.Scalar(byte))
            let model = #"{"a\#(sign)b": "x"}"#
            let isName = !"!\"#%&'()*+,./;<=>@[\\]^`{|}~ ".contains(sign)
            #expect((rendered("{{a\(sign)b}}", model) == "x") == isName, "\(sign)")
            #expect((rendered("{{lookup this 'a\(sign)b'}}", model) == "x") == (sign != "'"), "\(sign)")
            #expect((rendered("{{[a\(sign)b]}}", model) == "x") == (sign != "]"), "\(sign)")
        }
        #expect(rendered("{{é}}{{a\u{80}}}", "{\"é\": 1, \"a\u{80}\": 2}") == "12")
        #expect(rendered("{{a\u{7F}}}").hasPrefix("! "))
    }

    @Test func `a number is digits, with a sign in front and others behind a point`() {
        var texts = [""]
        for count in 0..<4 {
            texts += texts.filter { $0.utf8.count == count }.flatMap { text in "01-.:/".map { text + String($0) } }
        }
        for text in texts where !text.isEmpty {
            let result = rendered("{{stringFormat '%s' \(text)}}")
            let isNumber = text.wholeMatch(of: /-?[01]+(\.[01]+)?/) != nil
            #expect((result.wholeMatch(of: /[-01.e]+/) != nil) == isNumber, "\(text): \(result)")
        }
    }

    @Test func `the first branch that applies is taken, of blocks of each kind`() {
        for bits in 0..<16 {
            func holds(_ place: Int) -> Bool { bits >> place & 1 == 1 }
            let model =
                "{\((0..<4).map { "\"\("abcd".dropFirst($0).prefix(1))\": \(holds($0) ? "[1]" : "[]")" }.joined(separator: ", "))}"
            let place = (0..<4).first(where: holds) ?? 4
            for kind in ["if", "each", "with"] {
                let template =
                    "{{#\(kind) a}}0{{else \(kind) b}}1{{else \(kind) c}}2{{else if d}}3{{else}}4{{/\(kind)}}"
                #expect(rendered(template, model) == "\(place)", "\(template) of \(model)")
                let inverted = "{{^\(kind) a}}0{{else if b}}1{{else}}2{{/\(kind)}}"
                #expect(
                    rendered(inverted, model) == (!holds(0) ? "0" : holds(1) ? "1" : "2"), "\(inverted) of \(model)")
            }
        }
    }

    @Test func `a name with a way to it is not a helper`() {
        let model = #"{"size": 1, "o": {"size": 2}}"#
        #expect(
            rendered("{{#with o}}{{../size}}{{./size}}{{this.size}}{{this/size}}{{/with}}{{./size}}", model) == "12221")
    }

    @Test func `a string of JSON that is one value keeps its type, and a name does not`() throws {
        let node = try JSONParser.parse(
            #"{"{{n}}": ["{{n}}", "{{n}}{{n}}", "a{{n}}", "{{#if n}}{{n}}{{/if}}", "é\""], "b": {}}"#)
        let model = TemplateValue.json(try JSONParser.parse(#"{"n": 1}"#))
        let surroundings = TemplateSurroundings(clock: .frozen(0), random: TemplateRandom(0))
        for (keepsTypes, first) in [(true, "1"), (false, #""1""#)] {
            let template = try JSONTemplate(node, dialect: .handlebars, keepsTypes: keepsTypes)
            let text = String(decoding: try template.render(model, surroundings), as: UTF8.self)
            let read = try JSONParser.parse(text)
            #expect(try read == JSONParser.parse(#"{"1": [\#(first), "11", "a1", "1", "é\""], "b": {}}"#), "\(text)")
        }
    }

    // MARK: White space

    @Test func `a tilde takes the white space on its side, up to the next tag`() {
        var random = SplitMix(seed: 126)
        for _ in 0..<1500 {
            var (template, expected, trims) = ("", "", false)
            for _ in 0...random.below(4) {
                var text = (0..<random.below(4)).map { _ in random.pick([" ", "\n", "\t", "\r\n", "a", "~"]) }.joined()
                // Three braces, or a sign, are no other value than two.
                let (open, close) = random.pick([
                    ("{{", "}}"), ("{{{", "}}}"), ("{{~", "~}}"), ("{{", "~}}"), ("{{~", "}}"), ("{{&", "~}}"),
                    ("{{~{", "}}}"), ("{{{", "}~}}"), ("{{~{", "}~}}"), ("{{~&", "}}"),
                ])
                template += text + open + "x" + close
                if trims { text = String(text.drop { $0.isWhitespace }) }
                if open.contains("~") { while text.last?.isWhitespace == true { text.removeLast() } }
                expected += text + "1"
                trims = close.contains("~")
            }
            #expect(
                rendered(template + " z", #"{"x": 1}"#) == expected + (trims ? "z" : " z"),
                "\(template.debugDescription)")
        }
    }

    /// Lines with what is left of each: nothing where a tag of a block or a comment stands alone.
    private func lines(_ random: inout SplitMix, _ depth: Int, _ isShown: Bool) -> [(text: String, left: String?)] {
        func alone(_ tag: String) -> (text: String, left: String?) {
            (random.pick(["", " ", "\t", "  "]) + tag + random.pick(["", " ", " \t"]), nil)
        }
        var lines: [(text: String, left: String?)] = []
        for _ in 0..<random.below(4) {
            switch random.below(depth > 2 ? 6 : 8) {
            case 0: lines.append(("text", "text"))
            case 1: lines.append((" {{x}} ", " 1 "))
            case 2: lines.append(alone(random.pick(["{{! c }}", "{{!-- {{c}} --}}", "{{!}}"])))
            case 3: lines.append(("a {{! c }}", "a "))
            case 4: lines.append((" {{! c }} {{! d }}", "  "))
            case 5: lines.append((random.pick(["", " "]), ""))
            case 6:
                lines.append(("b{{#if x}}", "b"))
                lines += self.lines(&random, depth + 1, isShown)
                lines.append(("{{/if}}e", "e"))
            default:
                lines.append(alone("{{#if x}}"))
                lines += self.lines(&random, depth + 1, isShown)
                if random.chance(40) {
                    lines.append(alone(random.pick(["{{else}}", "{{^}}"])))
                    lines += self.lines(&random, depth + 1, false)
                }
                lines.append(alone("{{/if}}"))
            }
        }
        return lines.map { line in
            let isBlank = line.left == "" && line.text.allSatisfy { $0 == " " }
            return (line.text, isShown ? (isBlank ? line.text : line.left) : nil)
        }
    }

    @Test func `a line that holds one tag of a block alone leaves nothing behind`() {
        var random = SplitMix(seed: 36)
        for _ in 0..<1500 {
            let lines = lines(&random, 0, true)
            let end = random.pick(["\n", "\n", "\r\n"])
            let template = lines.map(\.text).joined(separator: end)
            let shown = lines.enumerated().map { number, line in
                (line.left ?? "") + (number + 1 < lines.count && line.left != nil ? end : "")
            }
            #expect(rendered(template, #"{"x": 1}"#) == shown.joined(), "\(template.debugDescription)")
        }
    }

    // MARK: Formats

    @Test func `each sign behind a percent sign is a conversion, part of one, or named`() {
        for byte in UInt8(0x20)..<0x7F where byte != UInt8(ascii: "'") && byte != UInt8(ascii: "\\") {
            let sign = String(Unicode.Scalar(byte))
            let result = rendered("{{stringFormat '%\(sign)' 1}}")
            if "dxXofeEgGsScChHbB%n".contains(sign) {
                #expect(!result.hasPrefix("! "), "\(sign)")
            } else if "-+ 0,(#.123456789".contains(sign) {
                #expect(result.hasSuffix(#"the format ends within a "%""#), "\(sign): \(result)")
            } else {
                #expect(result.hasSuffix("there is no conversion \"%\(sign)\""), "\(sign): \(result)")
            }
        }
        for format in ["%", "%1", "%1$", "%1$-", "%1$-5", "%1$-5.", "%1$-5.2", "a%%b%"] {
            #expect(rendered("{{stringFormat '\(format)' 1}}").hasSuffix(#"the format ends within a "%""#), "\(format)")
        }
        for (format, result) in [
            ("%2$s%1$s%s", "bcabab"), ("%s%1$s%s", "ababbc"), ("%.1s|%5.1S|%-3.1c|", "a|    B|d  |"),
        ] {
            #expect(rendered("{{stringFormat '\(format)' 'ab' 'bc' 'de'}}") == result, "\(format)")
        }
        #expect(rendered("{{stringFormat '%s%s' 'a'}}").hasSuffix("there is no argument 2"))
        #expect(rendered("{{stringFormat '%3$s' 'a' 'b'}}").hasSuffix("there is no argument 3"))
        #expect(rendered("{{stringFormat '%0$s' 'a' 'b'}}").hasSuffix("there is no argument 0"))
    }

    @Test func `a pattern has up to 300 digits on each side of its point`() {
        for (count, isPattern) in [(299, true), (300, true), (301, false)] {
            let zeros = String(repeating: "0", count: count)
            let whole = rendered("{{numberFormat 7 '\(zeros)'}}")
            #expect((whole == zeros.dropLast() + "7") == isPattern, "\(count)")
            let decimals = rendered("{{numberFormat 7 '0.\(zeros)'}}")
            #expect((decimals == "7." + zeros) == isPattern, "\(count)")
        }
        for (pattern, text) in [
            ("", "7"), ("#", "7"), ("0,", ""), ("0.0.0", ""), ("0.0,0", ""), (",", ""), (".", ""), ("0.", "7"),
            ("a", "a7"),
            ("#,#0", "7"), ("''0", "'7"), ("'a;b'0", "a;b7"), ("0a#", "7a#"), ("0;", "7"), ("0%", "700%"),
            ("%0", "%700"),
        ] {
            let result = rendered("{{numberFormat 7 \"\(pattern)\"}}")
            #expect(text.isEmpty ? result != "7" : result == text, "\(pattern): \(result)")
        }
    }
}
