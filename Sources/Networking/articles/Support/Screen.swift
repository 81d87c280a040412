// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import NetworkingKit
import Presentables

/// The terminal, or its substitute: contents go to standard output, failures to standard error.
struct Screen {
    private let renderer = TerminalRenderer.standardOutput

    func show(_ view: some TerminalView) {
        write(view.lines(in: renderer))
    }

    /// A remark below the contents.
    func hint(_ text: String) {
        write([renderer.styled(text, TextStyle(color: .secondary, font: .caption))])
    }

    /// The prompt of a terminal, behind which its user writes.
    func prompt(_ field: some TextFieldPresentable) {
        write("\(renderer.textField(field)) > ", to: .standardOutput)
    }

    func fail(_ error: any Error) {
        write("error: \(error)\n", to: .standardError)
    }

    private func write(_ lines: [String]) {
        write(lines.map { "\($0)\n" }.joined(), to: .standardOutput)
    }

    private func write(_ text: String, to file: FileHandle) {
        // A reader that has gone away wants no more.
        try? file.write(contentsOf: Data(text.utf8))
    }
}
