// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import NetworkingKit
import Presentables

/// Some of the articles that have been read, as a list.
struct ArticleList: TerminalView {
    private let rows: ArraySlice<ArticleViewModel>
    private let heading: Line
    private let showsSwitches: Bool

    @MainActor
    init(_ articles: ArticlesViewModel, _ places: Range<Int>, showsSwitches: Bool) {
        rows = articles.articles[places]
        self.showsSwitches = showsSwitches
        let all = articles.total.map { " of \($0)" } ?? ""
        switch rows.count {
        case 0: heading = Line("No articles", .primary, .title)
        case 1: heading = Line("Article \(places.upperBound)\(all)", .primary, .title)
        default: heading = Line("Articles \(places.lowerBound + 1)–\(places.upperBound)\(all)", .primary, .title)
        }
    }

    func lines(in renderer: TerminalRenderer) -> [String] {
        [renderer.text(heading)]
            + zip(rows.indices, rows).flatMap { index, row in
                Self.cell(row, below: row.byline, number: index + 1, showsSwitch: showsSwitches, in: renderer)
            }
    }

    /// Two lines for anything that has a text, an image and a switch.
    private static func cell(
        _ model: some TextPresentable & ImagePresentable & SwitchPresentable, below: Line, number: Int,
        showsSwitch: Bool,
        in renderer: TerminalRenderer
    ) -> [String] {
        let digits = String(number)
        let margin = String(repeating: " ", count: max(0, 4 - digits.count)) + digits + (showsSwitch ? " " : "  ")
        let box = showsSwitch ? renderer.switch(model) + " " : ""
        let indent = String(repeating: " ", count: margin.count + (showsSwitch ? 4 : 0))
        let parts = [renderer.text(below), renderer.image(model)].filter { !$0.isEmpty }
        return [margin + box + renderer.text(model), indent + parts.joined(separator: " · ")]
    }
}
