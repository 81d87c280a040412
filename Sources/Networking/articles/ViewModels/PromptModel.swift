// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import NetworkingKit
import Presentables

/// The line that a reader writes.
struct PromptModel: TextFieldPresentable {
    /// The action that a line asks for.
    enum Action: Hashable {
        case nothing, next, list, quit
        case show(ArticleReference)
        case image(ArticleReference)
        case save(Int)
        case unknown(String)
    }

    private(set) var text = ""
    private(set) var action = Action.nothing

    var placeholder: String { "number, n(ext), i(mage) number, s(ave) number, l(ist), q(uit)" }

    mutating func onTextFieldDidEndEditing(_ text: String) {
        self.text = text
        action = Self.action(text.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }) ?? .unknown(text)
    }

    private static func action(_ words: [String]) -> Action? {
        switch (words.first, words.dropFirst().first, words.count) {
        case (nil, _, _): return .nothing
        case ("n", _, 1), ("next", _, 1): return .next
        case ("l", _, 1), ("list", _, 1): return .list
        case ("q", _, 1), ("quit", _, 1): return .quit
        case (let word?, _, 1):
            guard word.first?.isNumber == true else { return nil }
            return ArticleReference(argument: word).map(Action.show)
        case ("i", let word?, 2), ("image", let word?, 2): return ArticleReference(argument: word).map(Action.image)
        case ("s", let word?, 2), ("save", let word?, 2):
            guard case .place(let place) = ArticleReference(argument: word) else { return nil }
            return .save(place)
        default: return nil
        }
    }
}
