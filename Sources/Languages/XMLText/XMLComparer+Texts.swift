// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

// The places of differences, and their words.
extension XMLComparer {
    /// Where documents differ.
    enum Place {
        case expected(Int)
        case attribute(XMLName, of: Int)
        /// A node of the other document, within one of the expected.
        case actual(Int, in: Int)
    }

    /// The way to a place.
    func path(to place: Place) -> String {
        switch place {
        case .expected(let node): expected.path(of: node)
        case .attribute(let name, let element): "\(expected.path(of: element))/@\(name.qualified)"
        case .actual(let node, let parent):
            "\(parent == 0 ? "" : expected.path(of: parent))/\(actual.step(of: node))"
        }
    }

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
