// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The members of a JSON object, in the order they were written, repeated names included.
package struct JSONObject: Sendable {
    package struct Member: Sendable {
        package var name: String
        /// Where the name's opening quote stands in the text.
        package var nameOffset: Int
        package var value: JSONNode

        package init(name: String, nameOffset: Int = 0, value: JSONNode) {
            self.name = name
            self.nameOffset = nameOffset
            self.value = value
        }
    }

    package var members: [Member]

    package init(_ members: [Member] = []) {
        self.members = members
    }

    /// The value of a name; of the last one if it is repeated, as most readers of JSON take it.
    package subscript(name: String) -> JSONNode? {
        members.last { $0.name.hasSameBytes(as: name) }?.value
    }
}

extension JSONObject: Equatable {
    /// Whether both have the same names with equal values, in any order; of a repeated name the last value counts.
    package static func == (left: JSONObject, right: JSONObject) -> Bool {
        if left.members.count <= 8, right.members.count <= 8 {
            return left.members.allSatisfy { member in right[member.name] == left[member.name] }
                && right.members.allSatisfy { member in left[member.name] != nil }
        }
        return left.byName == right.byName
    }

    private var byName: [ExactName: JSONNode] {
        Dictionary(members.map { (ExactName(text: $0.name), $0.value) }, uniquingKeysWith: { $1 })
    }
}

/// A name that equals another when its bytes do: `String` takes é and e with an accent for the same, JSON does not.
struct ExactName: Hashable {
    var text: String

    static func == (left: ExactName, right: ExactName) -> Bool { left.text.hasSameBytes(as: right.text) }
}

extension String {
    /// Whether it equals another by its bytes: `==` takes é and e with an accent for the same.
    package func hasSameBytes(as other: String) -> Bool {
        self == other && utf8.elementsEqual(other.utf8)
    }
}
