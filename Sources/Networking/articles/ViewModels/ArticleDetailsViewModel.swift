// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiImageFormats
import NetworkingKit
import Presentables

/// An article with its text.
struct ArticleDetailsViewModel: TerminalView {
    private let row: ArticleViewModel
    /// Why there is no more than a list says; nil if there is.
    let missing: ReadingError?

    init(_ item: ArticleItem, imageInfo: ImageInfo? = nil) {
        var row = ArticleViewModel(item)
        row.imageInfo = imageInfo
        self.init(row, missing: nil)
    }

    init(_ row: ArticleViewModel, missing: ReadingError?) {
        self.row = row
        self.missing = missing
    }

    /// Id, technology and price, as far as they are known.
    private var facts: Line {
        let price = row.item.isFree.map { $0 ? "free" : "for subscribers" }
        let parts = [row.item.id, row.item.technology, price].compactMap(\.self).filter { !$0.isEmpty }
        return Line(parts.joined(separator: " · "), .secondary)
    }

    func lines(in renderer: TerminalRenderer) -> [String] {
        let title = Line(row.text, .primary, .title)
        let head = [title, row.byline, facts].flatMap(\.wrapped).map(renderer.text) + [renderer.image(row)]
        let paragraphs = [Line(row.item.summary)] + (row.item.body.map(HTMLText.paragraphs) ?? [])
        return head + paragraphs.filter { !$0.text.isEmpty }.flatMap { [""] + $0.wrapped.map(renderer.text) }
    }
}
