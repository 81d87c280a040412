// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import NetworkingKit
import Presentables
import Testing

@testable import mockapi_articles

@Suite(.supervised) struct HTMLTextTests {
    @Test func headingsAndParagraphsAreLinesOfTheirOwn() {
        let lines = HTMLText.paragraphs(
            "<h2 class=\"a\">One\n two</h2>\n<p>Three <b>four</b><br/>five</p>six<ul><li>seven</li></ul>")
        #expect(lines.map(\.text) == ["One two", "Three four", "five", "six", "seven"])
        #expect(lines.map(\.font) == [.headline, .body, .body, .body, .body])
    }

    @Test(arguments: [
        ("a &amp; b &lt;c&gt; &#233; &#x1F680; &hellip;", "a & b <c> é 🚀 …"),
        ("a & b &nothing; &#xZZ; &#1114112; &amp", "a & b &nothing; &#xZZ; &#1114112; &amp"),
        ("1 < 2 <3", "1 < 2 <3"), ("a<!-- <p>b</p> -->c", "ac"), ("a<!-- b", "a"),
        ("<style>p { }</style>a<script>if (1 < 2) { }</script>b", "ab"), ("<script>a", ""),
        ("<img src='x' alt='A &amp; B'>", "[A & B]"), ("<img src='x'>a", "a"), ("<p", "<p"), ("<", "<"), ("", ""),
        ("<!DOCTYPE html><p>a</p>", "a"),
    ])
    func whatIsNoMarkupIsText(_ html: String, _ text: String) {
        #expect(HTMLText.paragraphs(html).map(\.text).joined(separator: "\n") == text)
    }

    @Test func aLineBreaksBetweenWords() {
        let word = String(repeating: "a", count: 39)
        #expect(Line("\(word) \(word) b").wrapped.map(\.text) == ["\(word) \(word)", "b"])
        #expect(Line("\(word) \(word)b c").wrapped.map(\.text.count) == [80, 1])
        let long = String(repeating: "é", count: 100)
        #expect(Line("b \(long) c").wrapped.map(\.text) == ["b", long, "c"])
        #expect(Line("  ").wrapped.isEmpty)
        #expect(Line("a b", .accent, .title).wrapped == [Line("a b", .accent, .title)])
    }
}
