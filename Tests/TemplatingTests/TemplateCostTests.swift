// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiMetering
import MockapiTestSupport
import Testing

@testable import MockapiTemplating

/// What templates may cost: each helper pays for what it reads, and each value for what it expands to.
@Suite(.supervised) struct TemplateCostTests {
    private static let tooManySteps = ": the templates of the response take more than 1,048,576 steps together"
    /// A tenth of what a request may take: where it ends shows sooner.
    private var tenth: Meter { Meter(Meter.units / 10) }

    /// Uses of a long text, of which a template may make many.
    private static let uses = [
        "substring a 4400 4401", "abbreviate a 10", "trim a", "base64 a", "base64 a decode=true", "upper a",
        "capitalizeFirst a", "slugify a", "wordWrap a 80", "replace a 'q' ''", "cut a 'q'", "stripTags a",
        "urlEncode a",
        "center a size=10", "parseJson a", "jsonPath a '$[0]'", "toJson a", "formatJson a", "xPath a '/a'",
        "formatXml a",
        "formData a", "contains a 'q'", "matches a 'q+'", "regexExtract a 'q'", "eq a a", "math a '+' 1", "size a",
        "date a",
        "parseDate a", "jsonMerge a a", "jsonRemove a '$.x'", "jsonArrayAdd a '1'", "jsonSort a", "array a",
        "lookup b a",
        "stringFormat a", "yesno true yes=a", "join a a ','", "numberFormat a",
    ]

    @Test(arguments: uses)
    func `a helper that reads a long text pays for it each time`(use: String) {
        let text = String(repeating: "some text. ", count: 800)
        let template =
            "{{#assign 'a'}}\(text){{/assign}}{{#each (range 1 2000)}}{{#assign 'c'}}{{\(use)}}{{/assign}}{{/each}}"
        let result = render(template, tenth)
        #expect(result.hasSuffix(Self.tooManySteps), "\(result.suffix(200))")
    }

    /// A list of 2 × 10^12 elements in 700 bytes.
    private static let shared =
        "{{assign 'a' (array 1 2)}}"
        + String(repeating: "{{assign 'a' (array a a a a a a a a a a)}}", count: 12)

    @Test(arguments: [
        "{{size (toJson a)}}", "{{a}}", "{{formatJson a}}", "{{eq a a}}", "{{arrayJoin ',' a}}", "{{contains a a}}",
        "{{#each a}}{{toJson this}}{{/each}}", "{{jsonPath a '$..*'}}",
    ])
    func `lists that share their parts are paid for as what they stand for`(use: String) {
        #expect(render(Self.shared + use, tenth).hasSuffix(Self.tooManySteps))
    }

    @Test func `lists are nested up to 64 levels`() {
        let template = "{{assign 'a' (array 1)}}{{#each (range 1 5000)}}{{assign 'a' (array a)}}{{/each}}"
        #expect(rendered(template).hasSuffix("lists are nested more than 64 levels deep"))
        let list = "{{assign 'a' (array 1)}}{{#each (range 1 60)}}{{assign 'a' (array a)}}{{/each}}{{toJson a}}"
        #expect(rendered(list).hasPrefix("[ [ ["))
    }

    @Test func `a tag that stands in a template twice is reported where it stands`() {
        let text = "x" + String(repeating: "1", count: 200_000)
        let tag = "{{regexExtract a '.*[0-9]+x'}}"
        let report = rendered("{{#assign 'a'}}\(text){{/assign}}{{#if none}}\(tag){{/if}}\n \(tag)")
        #expect(report.hasPrefix("! line 2, column 2: "), "\(report.prefix(200))")
        let same = "{{#if (eq x 'é')}}{{upper x}}{{/if}}{{[true]}}{{x}}"
        let model = #"{"x": "é", "true": "t"}"#
        #expect(render("\(same) \(same)", Meter(), model: model) == "Été Été")
    }

    @Test func `a pattern that takes too long on a text is given up`() {
        let text = "x" + String(repeating: "1", count: 200_000)
        let template = "{{#assign 'a'}}\(text){{/assign}}{{regexExtract a '.*[0-9]+x'}}"
        #expect(rendered(template).hasSuffix("the pattern \".*[0-9]+x\" takes too long on this text"))
    }

    @Test func `an XPath that takes too much says so, and is not called broken`() {
        let xml = "<a>\(String(repeating: "<a/>", count: 2_000))</a>"
        let template = "{{#assign 'a'}}\(xml){{/assign}}{{xPath a '//a[count(//a[count(//a) > 1]) > 1]'}}"
        let result = render(template, Meter(4_000_000))
        #expect(result.hasSuffix(Self.tooManySteps), "\(result)")
    }

    @Test func `ordinary templates stay far below the limit`() {
        let items = (1...2_000).map { #"{"id": \#($0), "name": "item \#($0)"}"# }.joined(separator: ", ")
        let template =
            "{{#each items}}{{id}} {{upper name}} {{substring name 0 4}} {{jsonPath this '$.id'}} {{eq name 'item 5'}}\n{{/each}}"
        let result = rendered(template, #"{"items": [\#(items)]}"#)
        #expect(result.hasSuffix("2000 ITEM 2000 item 2000 false\n"), "\(result.prefix(200))")
    }

    @Test(arguments: [
        "if (size l)", "if (lookup l 1)", "if (jsonPath l '$[0]')", "if (defaultIfEmpty l 'x')", "if (and l l)",
        "if (val l)", "if (assign 'b' l)", "if l",
    ])
    func `a list that is handed on costs the same however long it is`(use: String) {
        let paid = [4, 4_000].map { count in
            let meter = Meter()
            let model = "{\"l\": [\((1...count).map(String.init).joined(separator: ","))]}"
            let result = render(String(repeating: "{{#\(use)}}{{/if}}", count: 100), meter, model: model)
            #expect(result == "")
            return meter.paid
        }
        #expect(paid[0] == paid[1])
    }

    @Test(
        arguments: [("e", 28), ("e.0", 28), ("isEven 2 e", 28), ("stripes 1 e", 28), ("formatXml x", 18)],
        [Template.Dialect.handlebars, .wireMock])
    func `XML that is printed is paid for by its nodes each time`(
        printed: (use: String, rounds: Int), dialect: Template.Dialect
    ) {
        let model = "{\"x\": \"<a>\(String(repeating: "<b/>", count: 1_000))</a>\"}"
        func result(_ rounds: Int) -> String {
            let template = "{{assign 'e' (xPath x '/a')}}{{#each (range 1 \(rounds))}}{{\(printed.use)}}{{/each}}"
            return render(template, Meter(Meter.units / 50), model: model, dialect: dialect)
        }
        #expect(!result(1).hasPrefix("! "))
        #expect(result(printed.rounds).hasSuffix(Self.tooManySteps))
    }

    @Test func `a value of a JSON body is paid for as what it stands for`() throws {
        func result(_ strings: [String], _ meter: Meter, _ model: JSONNode = .object([:])) throws -> String {
            let surroundings = TemplateSurroundings(clock: .frozen(0), random: TemplateRandom(0))
            var spent = 0
            let template = try JSONTemplate(.array(strings.map { .string($0) }), dialect: .handlebars, keepsTypes: true)
            do {
                let bytes = try template.render(.json(model), surroundings, meter: meter, spent: &spent)
                return String(decoding: bytes, as: UTF8.self)
            } catch {
                return "\(error)"
            }
        }
        #expect(try result([Self.shared, "{{a}}"], tenth).hasSuffix(Self.tooManySteps))
        let model = JSONNode.object(["x": .string("<a>\(String(repeating: "<b/>", count: 1_000))</a>")])
        let meter = Meter()
        #expect(try result(["{{xPath x '/a'}}"], meter, model).hasPrefix("[\"<a>"))
        #expect(meter.paid > 2 * 64 * 1_000)
    }

    private static let smallUses = [
        "math 1 '/' 3", "stringFormat '%d' 1", "now", "and 1 2", "hostname", "range 1 2", "randomInt", "'x'", "a",
        "@index",
    ]

    @Test(arguments: uses + smallUses)
    func `each use of a helper is paid for, however little it is given`(use: String) {
        func paid(_ count: Int) -> Int {
            let meter = Meter()
            let body = String(repeating: "{{\(use)}}", count: count)
            _ = render("{{assign 'a' '1'}}{{assign 'b' '2'}}{{#each (range 1 10)}}\(body){{/each}}", meter)
            return meter.paid
        }
        let isRefused = rendered("{{assign 'a' '1'}}{{\(use)}}").hasPrefix("! ")
        #expect(isRefused || paid(50) - paid(10) >= 400 * Meter.templateStep / 2)
    }

    @Test(
        arguments: [
            String(repeating: "{{''}}", count: 5_000), String(repeating: "x{{! }}", count: 5_000),
            "{{and \(String(repeating: "1 ", count: 20_000))}}",
            String(repeating: "{{#if false}}{{/if}}", count: 5_000),
            String(repeating: "{{math 1 '+' 1}}", count: 5_000),
            String(repeating: "{{#with 'x'}}{{/with}}", count: 5_000),
        ].map(Long.init))
    func `whatever stands in a loop is paid for in each round`(body: Long<String>) {
        #expect(render("{{#each (range 1 10000)}}\(body.value){{/each}}", tenth).hasSuffix(Self.tooManySteps))
    }

    @Test(arguments: ["%1000000d", "%01000000d", "%1000000s"])
    func `the width of a format is paid for before it is made`(format: String) {
        let meter = Meter()
        let call = "stringFormat '\(String(repeating: format, count: 15))'" + String(repeating: " 1", count: 15)
        let result = render("{{#each (range 1 10000)}}{{\(call)}}{{/each}}", meter)
        #expect(result.hasPrefix("! ") && meter.paid >= 15_000_000, "\(result.prefix(200))")
    }

    // MARK: What all templates of a response share

    private func render(
        _ text: String, _ meter: Meter, model: String = "{}", dialect: Template.Dialect = .handlebars
    ) -> String {
        let surroundings = TemplateSurroundings(clock: .frozen(0), random: TemplateRandom(0))
        do {
            let node = try JSONParser.parse(Array(model.utf8))
            var spent = 0
            let bytes = try Template(parsing: text, dialect: dialect).render(
                .json(node), surroundings, meter: meter, spent: &spent)
            return String(decoding: bytes, as: UTF8.self)
        } catch {
            return "! \(error)"
        }
    }

    private static let tooManyBytes =
        ": the template makes more than 32 MiB, with the values that helpers pass on to each other"

    @Test(arguments: [
        "{{#each (range 1 900000)}}x{{/each}}",
        "{{#each (range 1 90000)}}{{assign 'a' (array 1 2 3 4 5 6 7 8 9 10 11 12)}}{{/each}}",
        "{{#assign 'a'}}{{ljust 'x' size=9000000}}{{/assign}}{{#assign 'b'}}{{ljust 'x' size=9000000}}{{/assign}}",
        "{{#assign 'a'}}{{#each (range 1 190000)}}a b c d e f {{/each}}{{/assign}}{{wordWrap a 1}}",
        "{{#assign 'a'}}{{replace (replace (ljust 'x' size=1400000 pad='1') '1' '1,') 'x' '['}}1]{{/assign}}{{jsonPath a '$[0]'}}",
        "{{#assign 'a'}}<a>{{replace (ljust 'x' size=90000 pad='x') 'x' '<b/>'}}</a>{{/assign}}{{xPath a '/a/b'}}",
        "{{#assign 'a'}}{{replace (ljust 'x' size=900000 pad='x') 'x' 'a=&'}}{{/assign}}{{formData a 'f'}}",
    ])
    func `a rendering takes no more memory than 32 MiB, values that helpers hand on among it`(template: String) {
        let result = render(template, Meter())
        #expect(result.hasSuffix(Self.tooManyBytes), "\(result.prefix(200))")
    }

    @Test func `what is rendered is counted, and what it was made of`() {
        let meter = Meter()
        _ = render("{{#each (range 1 1000)}}0123456789{{/each}}", meter)
        // The list is gone.
        #expect(Meter.bytes - meter.bytesLeft == 10_000)
        _ = render("{{#each (range 1 100)}}{{upper (trim 'some text')}}{{#trim}} a {{/trim}}{{/each}}", meter)
        #expect(Meter.bytes - meter.bytesLeft == 11_000)
        _ = render("{{#assign 'a'}}{{upper 'some text'}}{{/assign}}{{assign 'b' (upper 'more')}}", meter)
        #expect(Meter.bytes - meter.bytesLeft == 11_000 + 9 + 4)
    }

    @Test func `a long rendering is the text it would be in one piece`() {
        let lines = (1...6_000).map { "\($0) \(String(repeating: "é", count: $0 % 97))\n" }
        let model = #"{"a": [\#(lines.map { #""\#($0.dropLast())""# }.joined(separator: ", "))]}"#
        #expect(render("{{#each a}}{{this}}\n{{/each}}", Meter(), model: model) == lines.joined())
        #expect(
            render("{{#assign 'b'}}{{#each a}}{{this}}\n{{/each}}{{/assign}}{{b}}", Meter(), model: model)
                == lines.joined())
    }

    @Test func `the templates of one response share a million and a half steps`() {
        let meter = Meter()
        let results = (1...4).map { _ in render("{{#each (range 1 150000)}}{{#if this}}{{/if}}{{/each}}", meter) }
        #expect(results[0] == "")
        #expect(results[3].hasSuffix(Self.tooManySteps))
    }

    @Test func `a rendering that nobody waits for ends`() {
        let stop = WorkStop()
        let meter = Meter(stop: stop)
        stop.ask()
        let result = render("{{#each (range 1 300000)}}{{#if this}}{{/if}}{{/each}}", meter)
        #expect(result.hasSuffix(": nobody waits for the response any more"), "\(result)")
        #expect(meter.paid <= Meter.units && meter.isStopped)
        // What takes some milliseconds is done.
        #expect(render("{{#each (range 1 1000)}}x{{/each}}", Meter(stop: stop)).utf8.count == 1_000)
    }

    @Test func `a rendering for a client that has ended its side takes a part of what it might, and says so`() {
        let stop = WorkStop()
        let meter = Meter(stop: stop)
        stop.shorten()
        let result = render("{{#each (range 1 100000)}}{{#if this}}{{/if}}{{/each}}", meter)
        #expect(
            result.hasSuffix(": the client has ended its side, and the templates take too long for it"), "\(result)")
        #expect(meter.paid <= Meter.units / Meter.shareBehindEnd + 2 * Meter.certain)
    }

    @Test(arguments: ["{{ljust 'x' size=2000000 pad='👩‍👩‍👧‍👧'}}", "{{center 'x' size=1600000 pad='👩‍👩‍👧‍👧a'}}"])
    func `padding is counted by its bytes before it is made`(template: String) {
        #expect(rendered(template).hasSuffix(": the template makes more than 16 MiB"))
    }

    @Test(arguments: [
        "{{#with o}}{{x}}{{../y}}{{/with}}", "{{lookup o 'x'}}", "{{o.x}}", "{{#each o.l}}{{../x}}{{/each}}",
    ])
    func `a member is paid for by those that are looked through for it`(use: String) {
        let members = (0..<4_000).map { "\"k\($0)\": 1" }.joined(separator: ",")
        let object = "{{#assign 't'}}{\"l\": [1, 2], \(members)}{{/assign}}{{assign 'o' (parseJson t)}}"
        let result = render("\(object){{#each (range 1 2000)}}\(use){{/each}}", tenth)
        #expect(result.hasSuffix(Self.tooManySteps), "\(result.suffix(200))")
    }
}
