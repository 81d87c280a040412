// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures

/// Values by names of a service; two names are the same if their bytes are.
///
/// A dictionary of `String` takes `é` as one character for `e` with an accent behind it (NFC and NFD); decoders of JSON, XML or tables take
/// them for two names.
struct ByName<Value>: Sequence {
    private var table: [ExactText: Value] = [:]

    subscript(name: String) -> Value? {
        get { table[ExactText(name)] }
        set { table[ExactText(name)] = newValue }
    }

    subscript(name: String, default value: @autoclosure () -> Value) -> Value {
        get { table[ExactText(name), default: value()] }
        set { table[ExactText(name)] = newValue }
    }

    var count: Int { table.count }
    var isEmpty: Bool { table.isEmpty }
    var values: some Collection<Value> { table.values }
    var keys: [String] { table.keys.map(\.text) }

    /// The text shown for a missing name that is here in another form; nil if it is not.
    func otherForm(of name: String) -> String? { keys.otherForm(of: name) }

    func makeIterator() -> AnyIterator<(key: String, value: Value)> {
        var inner = table.makeIterator()
        return AnyIterator { inner.next().map { ($0.key.text, $0.value) } }
    }
}

extension Sequence<String> {
    /// The text shown for a missing name that these have in another form; nil if they do not.
    func otherForm(of name: String) -> String? {
        let isText = !name.utf8.allSatisfy { $0 < 0x80 }
        return isText && contains { $0 == name && !$0.isExactly(name) } ? "the name in another Unicode form" : nil
    }

    /// Whether a name is among these, by its bytes.
    func hasExactly(_ name: String) -> Bool { contains { $0.isExactly(name) } }

    /// Whether the texts are the same, by their bytes.
    func areExactly(_ others: some Sequence<String>) -> Bool { elementsEqual(others) { $0.isExactly($1) } }
}
