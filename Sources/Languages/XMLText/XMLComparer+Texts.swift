// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

// The words of differences.
extension XMLComparer {
    static func shown(_ item: XMLItem) -> String {
        switch item.kind {
        case .element: "<\(item.name.qualified)>"
        case .instruction: "<?\(item.name.local)?>"
        default: quoted(item.text)
        }
    }

    static func quoted(_ text: String) -> String {
        let scalars = text.unicodeScalars
        return scalars.count <= 60 ? "\"\(text)\"" : "\"\(String(String.UnicodeScalarView(scalars.prefix(60))))…\""
    }
}
