// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import NetworkingKit
import Testing

@testable import mockapi_articles

@Suite(.supervised) struct PromptModelTests {
    @Test(arguments: [
        ("", PromptModel.Action.nothing), ("  \t", .nothing), ("n", .next), (" NEXT ", .next), ("l", .list),
        ("list", .list),
        ("q", .quit), ("quit", .quit), ("7", .show(.place(7))), ("999", .show(.place(999))),
        ("1000", .show(.id("1000"))),
        ("7102220-a", .show(.id("7102220-a"))), ("i 3", .image(.place(3))), ("image 7102220", .image(.id("7102220"))),
        ("s 2", .save(2)), ("save 2", .save(2)), ("0", .unknown("0")), ("s 7102220", .unknown("s 7102220")),
        ("i", .unknown("i")),
        ("n 2", .unknown("n 2")), ("help", .unknown("help")), ("-1", .unknown("-1")), ("1/2", .unknown("1/2")),
    ])
    func aLineIsOneCommand(_ line: String, _ action: PromptModel.Action) {
        var prompt = PromptModel()
        prompt.onTextFieldDidEndEditing(line)
        #expect(prompt.action == action)
        #expect(prompt.text == line)
    }

    @Test func theFieldTellsItsCommandsAsLongAsItIsEmpty() {
        #expect(
            TerminalRenderer.plain.textField(PromptModel())
                == "number, n(ext), i(mage) number, s(ave) number, l(ist), q(uit)")
    }

    @Test(arguments: [".", "..", "a/b", "é", "", "-1", "+1", "00"])
    func whatIsNoPlaceAndNoIdIsRefused(_ text: String) {
        #expect(ArticleReference(argument: text) == nil)
    }
}
