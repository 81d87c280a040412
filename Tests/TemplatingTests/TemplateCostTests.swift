// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import Testing

@testable import MockapiTemplating

/// What templates may cost: each helper pays for what it reads, and each value for what it expands to.
@Suite(.supervised) struct TemplateCostTests {
    private static let tooManySteps = ": the template takes more than 1,000,000 steps"

    /// Uses of a long text, of which a template may make many.
    private static let uses = [
        "substring a 440000 440001", "abbreviate a 10", "trim a", "base64 a", "base64 a decode=true", "upper a",
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
        let text = String(repeating: "some text. ", count: 80_000)
        let template =
            "{{#assign 'a'}}\(text){{/assign}}{{#each (range 1 200000)}}{{#assign 'c'}}{{\(use)}}{{/assign}}{{/each}}"
        let result = rendered(template)
        #expect(result.hasPrefix("! line 1, column "), "\(result.prefix(200))")
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
        #expect(rendered(Self.shared + use).hasSuffix(Self.tooManySteps))
    }

    @Test func `lists are nested up to 64 levels`() {
        let template = "{{assign 'a' (array 1)}}{{#each (range 1 5000)}}{{assign 'a' (array a)}}{{/each}}"
        #expect(rendered(template).hasSuffix("lists are nested more than 64 levels deep"))
        let list = "{{assign 'a' (array 1)}}{{#each (range 1 60)}}{{assign 'a' (array a)}}{{/each}}{{toJson a}}"
        #expect(rendered(list).hasPrefix("[ [ ["))
    }

    @Test func `a pattern that takes too long on a text is given up`() {
        let text = "x" + String(repeating: "1", count: 200_000)
        let template = "{{#assign 'a'}}\(text){{/assign}}{{regexExtract a '.*[0-9]+x'}}"
        #expect(rendered(template).hasSuffix("the pattern \".*[0-9]+x\" takes too long on this text"))
    }

    @Test func `ordinary templates stay far below the limit`() {
        let items = (1...2_000).map { #"{"id": \#($0), "name": "item \#($0)"}"# }.joined(separator: ", ")
        let template =
            "{{#each items}}{{id}} {{upper name}} {{substring name 0 4}} {{jsonPath this '$.id'}} {{eq name 'item 5'}}\n{{/each}}"
        let result = rendered(template, #"{"items": [\#(items)]}"#)
        #expect(result.hasSuffix("2000 ITEM 2000 item 2000 false\n"), "\(result.prefix(200))")
    }
}
