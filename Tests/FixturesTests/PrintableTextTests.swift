// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiTestSupport
import Testing

@Suite(.supervised) struct PrintableTextTests {
    @Test(arguments: [
        ("plain ~ text", "plain ~ text"), ("größe 漢字 ≠ 🥖", "größe 漢字 ≠ 🥖"), ("a\nb\tc", #"a\u{a}b\u{9}c"#),
        ("\u{1b}[2J\u{7}\u{7f}", #"\u{1b}[2J\u{7}\u{7f}"#), ("\u{9b}31m", #"\u{9b}31m"#),
        ("a\u{2028}b\u{2029}", #"a\u{2028}b\u{2029}"#),
        ("\u{202e}gpj\u{2066}\u{200f}", #"\u{202e}gpj\u{2066}\u{200f}"#),
    ])
    func `a line shows every character as one that says nothing to a terminal`(text: String, shown: String) {
        #expect(text.printable == shown)
        #expect(Finding(.error, text, at: Place(path: "a")).description == "a: error: \(shown)")
    }

    @Test func `a JSON text keeps its value`() {
        let text = "{\n  \"a\": \"\u{9b}\u{2028}\u{7f}\\n\"\n}"
        #expect(text.printableJSON == "{\n  \"a\": \"\\u009b\\u2028\\u007f\\n\"\n}")
    }
}
