// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiImageFormats
import MockapiTestSupport
import Presentables
import Testing

@testable import mockapi_articles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite(.supervised) struct TerminalRendererTests {
    private struct Label: TextPresentable {
        var text: String
        var textColor: TextStyle.Color = .primary
        var font: TextStyle.Font = .body
    }

    private struct Picture: DescribedImage {
        var imageName: String
        var imageInfo: ImageInfo?
    }

    private struct Toggle: SwitchPresentable {
        var switchOn: Bool
        mutating func onSwitchToggleOn(_ on: Bool) { switchOn = on }
    }

    private struct Field: TextFieldPresentable {
        var text: String
        var placeholder = "name"
        mutating func onTextFieldDidEndEditing(_ text: String) { self.text = text }
    }

    @Test func withoutColoursThereIsTextAlone() {
        let renderer = TerminalRenderer.plain
        for color in TextStyle.Color.allCases {
            for font in TextStyle.Font.allCases {
                #expect(renderer.text(Label(text: "text", textColor: color, font: font)) == "text")
            }
        }
        #expect(renderer.switch(Toggle(switchOn: true)) == "[x]")
        #expect(renderer.switch(Toggle(switchOn: false)) == "[ ]")
        #expect(renderer.image(Picture(imageName: "a.png")) == "a.png")
        let info = ImageInfo(format: .gif, width: 3, height: 2)
        #expect(renderer.image(Picture(imageName: "a.gif", imageInfo: info)) == "a.gif (GIF 3 × 2)")
        #expect(renderer.textField(Field(text: "")) == "name")
        #expect(renderer.textField(Field(text: "Priya")) == "Priya")
    }

    @Test func stylesBecomeTheSequencesOfATerminal() {
        let renderer = TerminalRenderer.ansi
        #expect(renderer.text(Label(text: "a")) == "a")
        #expect(renderer.text(Label(text: "a", textColor: .critical)) == "\u{1B}[31ma\u{1B}[0m")
        #expect(renderer.text(Label(text: "a", textColor: .accent, font: .title)) == "\u{1B}[1;4;36ma\u{1B}[0m")
        #expect(renderer.switch(Toggle(switchOn: true)) == "\u{1B}[36m[x]\u{1B}[0m")
        #expect(renderer.switch(Toggle(switchOn: false)) == "[ ]")
        #expect(renderer.image(Picture(imageName: "a")) == "\u{1B}[2;90ma\u{1B}[0m")
        #expect(renderer.textField(Field(text: "")) == "\u{1B}[2;90mname\u{1B}[0m")
        #expect(renderer.text(Label(text: "", font: .title)).isEmpty)
    }

    @Test func noTwoStylesThatDifferLookTheSame() {
        let styles = TextStyle.Color.allCases.flatMap { color in
            TextStyle.Font.allCases.map { TextStyle(color: color, font: $0) }
        }
        #expect(Set(styles.map { TerminalRenderer.ansi.styled("a", $0) }).count == styles.count)
    }

    @Test(arguments: [TerminalRenderer.plain, .ansi])
    func whatAServiceSendsMovesNoCursor(_ renderer: TerminalRenderer) {
        #expect(
            renderer.text(Label(text: "a\u{1B}[2Jb\u{9B}0m\u{7}\u{8}\u{0}"))
                == "a\u{FFFD}[2Jb\u{FFFD}0m\u{FFFD}\u{FFFD}\u{FFFD}")
        #expect(renderer.text(Label(text: "\none\r\ntwo\tthree\u{2028}four\n")) == "one two three four")
        #expect(renderer.text(Label(text: "a\u{202E}b")) == "a\u{FFFD}b")
        // What is composed stays composed.
        #expect(renderer.text(Label(text: "é 👩‍🚀 ش")) == "é 👩‍🚀 ش")
    }

    @Test(arguments: [
        (true, [:], true), (false, [:], false), (true, ["TERM": "dumb"], false), (true, ["TERM": "xterm"], true),
        (true, ["NO_COLOR": "1"], false), (true, ["NO_COLOR": ""], true), (false, ["TERM": "xterm"], false),
    ])
    func coloursAreForTerminalsThatDoNotRefuseThem(
        _ isTerminal: Bool, _ environment: [String: String], _ isStyled: Bool
    ) {
        #expect(TerminalRenderer(isTerminal: isTerminal, environment: environment).isStyled == isStyled)
    }

    @Test func standardOutputIsAskedWhetherItIsATerminal() {
        let environment = ProcessInfo.processInfo.environment
        let isTerminal = isatty(STDOUT_FILENO) == 1
        #expect(
            TerminalRenderer.standardOutput
                == TerminalRenderer(isTerminal: isTerminal, environment: environment))
    }
}
