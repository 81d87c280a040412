// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import Testing

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

/// A failure names a line and a column that the template has.
func expectPlace(_ failure: String, within template: String, sourceLocation: SourceLocation = #_sourceLocation) {
    let place = failure.firstMatch(of: /^! line (\d+), column (\d+): ./)
    let lines = template.split(separator: "\n", omittingEmptySubsequences: false)
    guard let place, let line = Int(place.1), let column = Int(place.2), lines.indices.contains(line - 1) else {
        Issue.record("\(failure) has no place in \(template)", sourceLocation: sourceLocation)
        return
    }
    let isWithin = (1...lines[line - 1].utf8.count + 1).contains(column)
    #expect(isWithin, "\(failure) is beyond \(template)", sourceLocation: sourceLocation)
}
