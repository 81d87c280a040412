// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

@testable import MockapiTemplating

/// Renders a template with JSON as its model: at a fixed time, with the same random values each time.
func rendered(
    _ template: String, _ model: String = "{}", dialect: Template.Dialect = .handlebars, seed: UInt64 = 0
) -> String {
    do {
        let node = try JSONParser.parse(Array(model.utf8))
        let surroundings = TemplateSurroundings(
            clock: .frozen(1_795_255_200_250), random: TemplateRandom(seed), hostname: "here")
        return try Template(parsing: template, dialect: dialect).text(.json(node), surroundings)
    } catch {
        return "! \(error)"
    }
}
