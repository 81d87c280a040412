// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTemplating

/// A template of any bytes is refused or rendered, the same each time, and within its limits.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let text = Array(UnsafeBufferPointer(start: start, count: count))
    let model = TemplateValue.json(
        .object([
            "x": .string("[1, 2]"), "n": .integer(3), "l": .array([.string("a"), .object(["b": .null])]),
            "o": .object(["k": .string("<a><b>c</b></a>")]),
        ]))
    for dialect in [Template.Dialect.handlebars, .wireMock] {
        guard let template = try? Template(parsing: text, dialect: dialect) else { continue }
        let surroundings = TemplateSurroundings(clock: .frozen(1_795_255_200_000), random: TemplateRandom(1))
        let first = try? template.render(model, surroundings)
        precondition(first == (try? template.render(model, surroundings)), "a template renders differently")
        precondition(first.map { $0.count <= Template.Limits.output } ?? true, "a template makes too much")
        if !Template.isNeeded(for: text) { precondition(first == text, "a text without tags is changed") }
    }
    return 0
}
