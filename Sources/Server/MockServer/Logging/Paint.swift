// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Colours of a terminal (ECMA-48, SGR), if they are on.
struct Paint {
    let isOn: Bool

    private func painted(_ text: String, _ code: Int) -> String {
        isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }

    func dim(_ text: String) -> String { painted(text, 2) }
    func fault(_ text: String) -> String { painted(text, 35) }
    func failed(_ text: String) -> String { painted(text, 31) }

    /// Green, cyan, yellow and red, by the class of a status.
    func status(_ status: Int) -> String {
        switch status {
        case 200..<300: painted("\(status)", 32)
        case 300..<400: painted("\(status)", 36)
        case 400..<500: painted("\(status)", 33)
        default: painted("\(status)", 31)
        }
    }
}
