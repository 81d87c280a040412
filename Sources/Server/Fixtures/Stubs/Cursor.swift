// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

/// A value of a stub file, and the way to it.
struct Cursor {
    let node: JSONNode
    let pointer: Pointer

    init(_ node: JSONNode, _ pointer: Pointer) {
        self.node = node
        self.pointer = pointer
    }

    /// The value of a key; of the last one if it is repeated.
    subscript(name: String) -> Cursor? {
        node[name].map { Cursor($0, .member(name, of: pointer)) }
    }

    subscript(key: KeyName) -> Cursor? { self[key.rawValue] }

    var elements: [Cursor] {
        (node.array ?? []).enumerated().map { Cursor($1, .element($0, of: pointer)) }
    }

    var members: [(name: String, value: Cursor)] {
        (node.object?.members ?? []).map { ($0.name, Cursor($0.value, .member($0.name, of: pointer))) }
    }
}
