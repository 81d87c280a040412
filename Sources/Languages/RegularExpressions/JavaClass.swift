// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A character as PCRE2 spells it, by itself or as an end of a range.
struct JavaLiteral {
    let value: UInt32
    let text: String

    /// A character outside of classes, with a backslash if PCRE2 would not take it literally.
    static func text(_ scalar: Unicode.Scalar) -> String {
        let isPlain = !scalar.isASCII || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        return isPlain ? String(scalar) : "\\\(scalar)"
    }

    /// The same within a class.
    static func textInClass(_ scalar: Unicode.Scalar) -> String {
        "^-[]\\:".unicodeScalars.contains(scalar) ? "\\\(scalar)" : String(scalar)
    }
}

/// A set of characters: the part that one PCRE2 class can hold, and the expressions that stand beside that class.
struct JavaClass {
    /// The content of the brackets.
    var items = ""
    /// Other expressions that match one character.
    private var others: [String] = []

    init(_ items: String = "") { self.items = items }

    var isEmpty: Bool { items.isEmpty && others.isEmpty }

    mutating func add(_ other: JavaClass) {
        items += other.items
        others += other.others
    }

    /// An expression that matches one character of the set.
    var text: String {
        let all = (items.isEmpty ? [] : ["[\(items)]"]) + others
        return all.count == 1 ? all[0] : "(?:\(all.joined(separator: "|")))"
    }

    var negated: JavaClass {
        var negated = JavaClass()
        negated.others = [others.isEmpty ? "[^\(items)]" : "(?:(?!\(text))(?s:.))"]
        return negated
    }

    static func intersection(_ operands: [JavaClass]) -> JavaClass {
        guard let last = operands.last, operands.count > 1 else { return operands.last ?? JavaClass() }
        var all = JavaClass()
        all.others = ["(?:" + operands.dropLast().map { "(?=\($0.text))" }.joined() + last.text + ")"]
        return all
    }
}
