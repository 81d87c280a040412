// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiImageFormats
import NetworkingKit
import Presentables

/// An article as a row of a list.
struct ArticleViewModel: Hashable, Sendable {
    let item: ArticleItem
    var imageInfo: ImageInfo?
    private var isSaved = false

    init(_ item: ArticleItem) {
        self.item = item
    }

    /// The author, the audience, the reading time and the date, as far as they are known.
    var byline: Line {
        let parts = [
            item.contributors, item.difficulty, item.duration.map(Self.minutes),
            item.releasedAt.map { String($0.prefix(10)) },
        ]
        return Line(parts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " · "), .secondary)
    }

    static func minutes(_ seconds: Int) -> String {
        let minutes = (max(0, seconds) + 59) / 60
        let (hours, rest) = minutes.quotientAndRemainder(dividingBy: 60)
        let parts = [hours > 0 ? "\(hours) h" : nil, rest > 0 || hours == 0 ? "\(rest) min" : nil]
        return parts.compactMap(\.self).joined(separator: " ")
    }
}

extension ArticleViewModel: TextPresentable {
    var text: String { item.name }
    var font: TextStyle.Font { .headline }
}

extension ArticleViewModel: DescribedImage {
    var imageName: String { item.image?.lastPathComponent ?? "no image" }
}

/// Whether the article is saved for later, as long as the reader runs.
extension ArticleViewModel: SwitchPresentable {
    var switchOn: Bool { isSaved }

    mutating func onSwitchToggleOn(_ on: Bool) {
        isSaved = on
    }
}
