// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The names that a template looks up, for code that knows which there are.
package struct TemplateNames {
    /// The ways to values that are looked up in the outermost scope: `request`, `query` and `page` of `request.query.page`.
    package private(set) var lookedUp: [[String]] = []
    /// All texts that helpers are given, among which are the names that they give to values.
    package private(set) var given: Set<String> = []

    /// The names of some templates that share them.
    package init(of templates: [Template]) {
        for template in templates { visit(template.nodes, isOutermost: true) }
    }

    private mutating func visit(_ nodes: [TemplateNode], isOutermost: Bool) {
        for node in nodes {
            switch node {
            case .text: continue
            case .value(let call): visit(call, isOutermost)
            case .block(let block):
                for branch in block.branches {
                    visit(branch.call, isOutermost)
                    visit(branch.body, isOutermost: isOutermost && Self.keepsScope(branch))
                }
                visit(block.otherwise, isOutermost: isOutermost)
            }
        }
    }

    /// Whether names in a block are looked up where the block stands: not in a block that has another value at hand, or names of its own.
    private static func keepsScope(_ branch: TemplateBlock.Branch) -> Bool {
        guard branch.parameters.isEmpty, let helper = branch.call.helper else { return false }
        switch helper {
        case .each, .with, .arrayJoin: return false
        default: return true
        }
    }

    private mutating func visit(_ call: TemplateCall, _ isOutermost: Bool) {
        if call.helper == nil { visit(call.subject, isOutermost) }
        for argument in call.arguments + call.options.map(\.value) {
            if case .literal(let value) = argument { given.insert(value.text) }
            visit(argument, isOutermost)
        }
    }

    private mutating func visit(_ expression: TemplateExpression, _ isOutermost: Bool) {
        switch expression {
        case .literal: return
        case .call(let call): visit(call, isOutermost)
        case .path(let path):
            guard isOutermost, !path.isData, !path.isScoped, path.ups == 0, !path.keys.isEmpty else { return }
            lookedUp.append(path.keys)
        }
    }
}
