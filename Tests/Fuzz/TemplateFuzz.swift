// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiMetering
import MockapiTemplating

/// A template of any bytes is refused or rendered, the same each time, within its limits, and paid for.
enum TemplateFuzz {
    static func take(_ bytes: UnsafeBufferPointer<UInt8>) {
        let text = Array(bytes)
        let model = TemplateValue.json(
            .object([
                "x": .string("[1, 2]"), "n": .integer(3), "l": .array([.string("a"), .object(["b": .null])]),
                "o": .object(["k": .string("<a><b>c</b></a>")]),
            ]))
        for dialect in [Template.Dialect.handlebars, .wireMock] {
            guard let template = try? Template(parsing: text, dialect: dialect) else { continue }
            let surroundings = TemplateSurroundings(clock: .frozen(1_795_255_200_000), random: TemplateRandom(1))
            let meter = Meter()
            var spent = 0
            let first = try? template.render(model, surroundings, meter: meter, spent: &spent)
            precondition(first == (try? template.render(model, surroundings)), "a template renders differently")
            // Texts of less than a step between tags are paid for by the tags.
            precondition(meter.paid + text.count + 64 >= first?.count ?? 0, "a template makes what it does not pay for")
            precondition(spent <= Template.Limits.steps, "a template takes more steps than it may")
            if let first {
                precondition(first.count <= Template.Limits.output, "a template makes too much")
                precondition(Meter.bytes - meter.bytesLeft >= first.count, "what is rendered is not counted")
            }
            // With a tenth of the steps it is the same, or too long.
            var few = surroundings
            few.steps = max(1, spent / 10)
            var fewSpent = 0
            let short = try? template.render(model, few, spent: &fewSpent)
            if let short, fewSpent < few.steps {
                precondition(short == first, "a template gives something else for less")
            }
            if !Template.isNeeded(for: text) { precondition(first == text, "a text without tags is changed") }
        }
    }
}
