// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A part of a parsed template.
enum TemplateNode: Sendable {
    /// A part of the template's own bytes.
    case text(ArraySlice<UInt8>)
    case value(TemplateCall)
    case block(TemplateBlock)
}

/// A block and its alternatives: its branches by `else if`, and the nodes behind `else`.
final class TemplateBlock: Sendable {
    struct Branch: Sendable {
        var call: TemplateCall
        /// Whether it was opened by `^`.
        var isInverted: Bool
        var parameters: [String]
        var body: [TemplateNode]
    }

    let branches: [Branch]
    let otherwise: [TemplateNode]

    init(branches: [Branch], otherwise: [TemplateNode]) {
        self.branches = branches
        self.otherwise = otherwise
    }
}

/// A name with its arguments: a helper and its arguments, or a value.
struct TemplateCall: Sendable {
    /// Nil if the name is not that of a helper.
    var helper: Helper?
    /// The expression that is evaluated if there is no helper.
    var subject: TemplateExpression
    var arguments: [TemplateExpression] = []
    var options: [(name: String, value: TemplateExpression)] = []
    /// Where it stands in the template.
    var offset: Int

    /// Whether another tag with the same text can share it: no sub-expression has a place of its own.
    var isSameAnywhere: Bool {
        ([subject] + arguments + options.map(\.value)).allSatisfy { if case .call = $0 { false } else { true } }
    }
}

indirect enum TemplateExpression: Sendable {
    case literal(TemplateValue)
    case path(TemplatePath)
    case call(TemplateCall)
}

/// The way to a value: `a.b.[c d].[0]`, `../name`, `@index`, `this`.
struct TemplatePath: Sendable {
    /// How many `../` are in front.
    var ups = 0
    /// Whether it begins with `@`.
    var isData = false
    /// Whether it begins with `this`, `.` or `..`, and is looked up in one scope alone.
    var isScoped = false
    var keys: [String] = []
}

/// The tags and expressions of one template, each kept once however often it stands there.
final class KnownExpressions {
    var calls: [ArraySlice<UInt8>: TemplateCall] = [:]
    var expressions: [ArraySlice<UInt8>: TemplateExpression] = [:]
}
