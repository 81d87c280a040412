// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import Presentables
import Testing

/// Cells configured by small protocols, as a talk about view models with protocols shows them: a view model that is a value conforms to one
/// after the other, the cell is generic over their composition, and what has a default is left out.
@Suite(.supervised) struct PresentableCallSites {
    @Test func aCellTakesAnythingThatIsBothTextAndSwitch() {
        let cell = SwitchCell<ReadAloudViewModel>()
        cell.configure(with: ReadAloudViewModel())
        #expect(cell.line == "Read Aloud [ ]")
        cell.toggle()
        #expect(cell.line == "Read Aloud [x]")
        #expect(cell.presenter?.switchOn == true)
    }

    @Test func defaultsStandForWhatAViewModelDoesNotSay() {
        struct Plain: TextPresentable, SwitchPresentable, ImagePresentable, TextFieldPresentable {
            var text = "plain"
            var imageName: String { "plain.png" }
            var switchOn: Bool { true }
            func onSwitchToggleOn(_ on: Bool) {}
            mutating func onTextFieldDidEndEditing(_ text: String) { self.text = text }
        }
        let plain = Plain()
        #expect(plain.textStyle == TextStyle())
        #expect(plain.textColor == .primary)
        #expect(plain.font == .body)
        #expect(plain.switchColor == .accent)
        #expect(plain.placeholder.isEmpty)
    }

    @Test func theViewModelThatChangesIsACopy() {
        let first = ReadAloudViewModel()
        var second = first
        second.onSwitchToggleOn(true)
        #expect(!first.switchOn)
        #expect(second.switchOn)
        var field = NameViewModel()
        field.onTextFieldDidEndEditing("  Priya ")
        #expect(field.text == "Priya")
        #expect(NameViewModel().placeholder == "Name of the reader")
    }

    @Test func aProtocolWithOtherDefaultsIsOnesOwn() {
        struct Heading: HeaderTextPresentable {
            var text = "Articles"
        }
        func style(_ model: some TextPresentable) -> TextStyle { model.textStyle }
        #expect(style(Heading()) == TextStyle(color: .accent, font: .title))
    }

    @Test func anImageIsOneMoreConformance() {
        let cell = ImageCell<ReadAloudViewModel>()
        cell.configure(with: ReadAloudViewModel())
        #expect(cell.line == "speaker.png Read Aloud [ ]")
    }
}

private protocol HeaderTextPresentable: TextPresentable {}

extension HeaderTextPresentable {
    var textColor: TextStyle.Color { .accent }
    var font: TextStyle.Font { .title }
}

private struct ReadAloudViewModel {
    private var isOn = false

    init() {}
}

extension ReadAloudViewModel: TextPresentable {
    var text: String { "Read Aloud" }
    var textColor: TextStyle.Color { .secondary }
    var font: TextStyle.Font { .headline }
}

extension ReadAloudViewModel: SwitchPresentable {
    var switchOn: Bool { isOn }
    var switchColor: TextStyle.Color { .warning }

    mutating func onSwitchToggleOn(_ on: Bool) {
        isOn = on
    }
}

extension ReadAloudViewModel: ImagePresentable {
    var imageName: String { "speaker.png" }
}

private struct NameViewModel: TextFieldPresentable {
    private(set) var text = ""
    var placeholder: String { "Name of the reader" }

    mutating func onTextFieldDidEndEditing(_ text: String) {
        self.text = text.filter { $0 != " " }
    }
}

private final class SwitchCell<T: TextPresentable & SwitchPresentable> {
    private(set) var presenter: T?

    func configure(with presenter: T) {
        self.presenter = presenter
    }

    func toggle() {
        let isOn = presenter?.switchOn == true
        presenter?.onSwitchToggleOn(!isOn)
    }

    var line: String {
        presenter.map { "\($0.text) \($0.switchOn ? "[x]" : "[ ]")" } ?? ""
    }
}

private final class ImageCell<T: TextPresentable & SwitchPresentable & ImagePresentable> {
    private(set) var line = ""

    func configure(with presenter: T) {
        line = "\(presenter.imageName) \(presenter.text) \(presenter.switchOn ? "[x]" : "[ ]")"
    }
}
