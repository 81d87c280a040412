// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

/// A JSON object whose first member is a long list, written in pieces: neither all elements nor all of the text are held at once.
struct AdminList: Sendable {
    /// The least size of a piece of the text, except for the last. 16 KiB.
    private static let piece = 16 * 1024

    private let name: [UInt8]
    private let count: Int
    /// Makes an element; nil if it is gone by now.
    private let element: @Sendable (Int) -> JSONNode?
    /// The members after the list.
    private let members: JSONNode

    private var next = 0
    private var isEmpty = true
    private var isOver = false

    /// - Parameters:
    ///   - name: that of the list.
    ///   - count: how many elements there are at most.
    ///   - members: the members after the list.
    ///   - element: makes the elements, in order, each once; nil for an element that is gone.
    init(
        _ name: String, count: Int, before members: KeyValuePairs<String, JSONNode> = [:],
        element: @escaping @Sendable (Int) -> JSONNode?
    ) {
        self.name = Array(name.utf8)
        self.count = count
        self.element = element
        self.members = .object(members)
    }

    /// The next piece of the text, which is that of `JSONWriter.pretty` with a line end; nil after the end.
    mutating func nextPiece() -> [UInt8]? {
        if isOver { return nil }
        var text: [UInt8] = []
        if next == 0 { text += Array("{\n  \"".utf8) + name + Array("\": [".utf8) }
        while next < count, text.count < Self.piece {
            let node = element(next)
            next += 1
            guard let node else { continue }
            text += Array((isEmpty ? "\n    " : ",\n    ").utf8)
            isEmpty = false
            JSONWriter.append(node, level: 2, to: &text)
        }
        guard next == count else { return text }
        isOver = true
        text += Array((isEmpty ? "]" : "\n  ]").utf8)
        if members.object?.members.isEmpty == false {
            text += [UInt8(ascii: ",")] + JSONWriter.pretty(members).dropFirst()
        } else {
            text += Array("\n}".utf8)
        }
        text.append(UInt8(ascii: "\n"))
        return text
    }

    /// All of the text.
    var text: [UInt8] {
        var list = self
        var text: [UInt8] = []
        while let piece = list.nextPiece() { text += piece }
        return text
    }
}
