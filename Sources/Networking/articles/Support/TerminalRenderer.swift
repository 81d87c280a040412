// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiImageFormats
import Presentables

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// An image, by its name and its other known properties.
protocol DescribedImage: ImagePresentable {
    /// The facts in the bytes of the image; nil until these are there.
    var imageInfo: ImageInfo? { get }
}

/// Shows presentables as text, one line each, in the colours of a terminal (ECMA-48 §8.3.117) or without.
///
///     let renderer = TerminalRenderer.standardOutput
///     print(renderer.text(article), renderer.image(article))
///
/// Control characters are shown as U+FFFD and line breaks as spaces: text of a service must not move the cursor.
struct TerminalRenderer: Hashable, Sendable {
    /// Without colours.
    static let plain = TerminalRenderer(isStyled: false)
    /// With colours.
    static let ansi = TerminalRenderer(isStyled: true)

    /// With colours if standard output is a terminal, `TERM` is not `dumb` and `NO_COLOR` is not set.
    static var standardOutput: TerminalRenderer {
        TerminalRenderer(
            isTerminal: isatty(STDOUT_FILENO) == 1, environment: ProcessInfo.processInfo.environment)
    }

    let isStyled: Bool

    init(isStyled: Bool) {
        self.isStyled = isStyled
    }

    init(isTerminal: Bool, environment: [String: String]) {
        let isRefused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        isStyled = isTerminal && environment["TERM"] != "dumb" && !isRefused
    }

    func text(_ model: some TextPresentable) -> String {
        styled(model.text, model.textStyle)
    }

    /// `[x]` or `[ ]`.
    func `switch`(_ model: some SwitchPresentable) -> String {
        model.switchOn ? styled("[x]", TextStyle(color: model.switchColor)) : styled("[ ]", TextStyle())
    }

    /// The image's name, and its format and size if they are known: `aurora.png (PNG 1200 × 750)`.
    func image(_ model: some ImagePresentable) -> String {
        let text = (model as? any DescribedImage)?.imageInfo.map { "\(model.imageName) (\($0))" } ?? model.imageName
        return styled(text, TextStyle(color: .secondary, font: .caption))
    }

    /// The text of a field, or else its placeholder.
    func textField(_ model: some TextFieldPresentable) -> String {
        model.text.isEmpty
            ? styled(model.placeholder, TextStyle(color: .secondary, font: .caption)) : styled(model.text, TextStyle())
    }

    /// A text in a style, on one line.
    func styled(_ text: String, _ style: TextStyle) -> String {
        let line = Self.printable(text)
        guard isStyled, !line.isEmpty else { return line }
        let codes = Self.codes(style.font) + Self.codes(style.color)
        return codes.isEmpty ? line : "\u{1B}[\(codes.joined(separator: ";"))m\(line)\u{1B}[0m"
    }

    /// The text without line breaks at its ends and control characters.
    private static func printable(_ text: String) -> String {
        let text = text.trimmingCharacters(in: .newlines)
        return String(
            String.UnicodeScalarView(
                text.replacingOccurrences(of: "\r\n", with: " ").unicodeScalars.map { scalar in
                    switch scalar.properties.generalCategory {
                    case .lineSeparator, .paragraphSeparator: " "
                    case .control: scalar == "\n" || scalar == "\t" || scalar == "\r" ? " " : "\u{FFFD}"
                    // Bidirectional controls show text in another order than it has.
                    case .format where scalar.properties.isBidiControl: "\u{FFFD}"
                    default: scalar
                    }
                }))
    }

    private static func codes(_ font: TextStyle.Font) -> [String] {
        switch font {
        case .title: ["1", "4"]
        case .headline: ["1"]
        case .body: []
        case .caption: ["2"]
        }
    }

    private static func codes(_ color: TextStyle.Color) -> [String] {
        switch color {
        case .primary: []
        case .secondary: ["90"]
        case .accent: ["36"]
        case .positive: ["32"]
        case .warning: ["33"]
        case .critical: ["31"]
        }
    }
}
