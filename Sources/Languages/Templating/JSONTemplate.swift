// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiJSONText
package import MockapiMetering

/// A JSON value whose strings are templates, each rendered by itself: the result is JSON whatever they render to.
///
/// All strings of a rendering share its budget and the names that helpers give to values.
package final class JSONTemplate: Sendable {
    private enum Piece: Sendable {
        /// JSON that is the same for all.
        case text([UInt8])
        /// A string, or the name of a member.
        case string(Template)
        /// A string that is one tag and nothing else: its value is the tag's.
        case value(Template, TemplateCall)
    }

    private let pieces: [Piece]
    private let dialect: Template.Dialect
    private let keepsTypes: Bool

    /// - Parameter keepsTypes: whether a string that is one tag alone is written as the tag's value is: a number as a number.
    /// - Throws: the first mistake, by its place in the string that it is in.
    package init(_ node: JSONNode, dialect: Template.Dialect, keepsTypes: Bool) throws(TemplateError) {
        var pieces = Pieces(dialect: dialect, keepsTypes: keepsTypes)
        try pieces.add(node)
        pieces.close()
        guard pieces.size <= Template.Limits.source else {
            throw TemplateError(TemplateFailure(0, "the template is larger than 1 MiB"), LineMap([]))
        }
        self.pieces = pieces.pieces
        self.dialect = dialect
        self.keepsTypes = keepsTypes
    }

    /// Another value, whose strings are rendered in the same way.
    package func with(_ node: JSONNode) throws(TemplateError) -> JSONTemplate {
        try JSONTemplate(node, dialect: dialect, keepsTypes: keepsTypes)
    }

    private struct Pieces {
        let dialect: Template.Dialect
        let keepsTypes: Bool
        var pieces: [Piece] = []
        var text: [UInt8] = []
        /// Bytes of all texts and templates.
        var size = 0

        init(dialect: Template.Dialect, keepsTypes: Bool) {
            self.dialect = dialect
            self.keepsTypes = keepsTypes
        }

        mutating func close() {
            if text.isEmpty { return }
            size += text.count
            pieces.append(.text(text))
            text = []
        }

        mutating func add(_ node: JSONNode) throws(TemplateError) {
            switch node.value {
            case .null, .bool, .number: text += JSONWriter.compact(node)
            case .string(let string): try add(string, isName: false)
            case .array(let elements):
                text.append(UInt8(ascii: "["))
                for (index, element) in elements.enumerated() {
                    if index > 0 { text.append(UInt8(ascii: ",")) }
                    try add(element)
                }
                text.append(UInt8(ascii: "]"))
            case .object(let object):
                text.append(UInt8(ascii: "{"))
                for (index, member) in object.members.enumerated() {
                    if index > 0 { text.append(UInt8(ascii: ",")) }
                    try add(member.name, isName: true)
                    text.append(UInt8(ascii: ":"))
                    try add(member.value)
                }
                text.append(UInt8(ascii: "}"))
            }
        }

        private mutating func add(_ string: String, isName: Bool) throws(TemplateError) {
            guard Template.isNeeded(for: string.utf8) else { return JSONWriter.writeString(string, to: &text) }
            let template = try Template(parsing: Array(string.utf8), dialect: dialect)
            close()
            size += string.utf8.count
            if keepsTypes, !isName, template.nodes.count == 1, case .value(let call) = template.nodes[0] {
                pieces.append(.value(template, call))
            } else {
                pieces.append(.string(template))
            }
        }
    }

    /// Renders with a model whose members are the names of the outermost scope.
    ///
    /// - Throws: why it cannot be rendered, by the place in the string that is at fault.
    package func render(
        _ model: TemplateValue, _ surroundings: TemplateSurroundings
    ) throws(TemplateError) -> [UInt8] {
        var spent = 0
        return try render(model, surroundings, spent: &spent)
    }

    /// The same, paid for by a meter that all templates of a response share, with the number of steps it took: all that were allowed, if a helper ran out of them and gave less than it otherwise would.
    package func render(
        _ model: TemplateValue, _ surroundings: TemplateSurroundings, meter: Meter = Meter(), spent: inout Int
    ) throws(TemplateError) -> [UInt8] {
        var output = TemplateOutput()
        var renderer = Renderer(model, surroundings, dialect, meter)
        defer { spent = renderer.spent }
        for piece in pieces {
            let mark = renderer.mark
            switch piece {
            case .text(let bytes): output.append(bytes)
            case .string(let template):
                let text = try template.rendered { () throws(TemplateFailure) in try renderer.text(of: template.nodes) }
                var string: [UInt8] = []
                JSONWriter.writeString(text, to: &string)
                output.append(string)
            case .value(let template, let call):
                let node = try template.rendered { () throws(TemplateFailure) in
                    renderer.givesNull = call.helper == .jsonPath
                    let value = try renderer.evaluate(.call(call))
                    renderer.givesNull = false
                    if case .json = value {} else { try renderer.pay(reading: value) }
                    let node = value.typedNode
                    try renderer.spend(bytes: value.text.utf8.count)
                    return node
                }
                output.append(JSONWriter.compact(node))
            }
            renderer.release(since: mark)
            guard output.count <= Template.Limits.output else {
                throw TemplateError(TemplateFailure(0, "the template makes more than 16 MiB"), LineMap([]))
            }
        }
        return output.joined()
    }
}

extension TemplateValue {
    /// The JSON of a value by itself: a value that does not print as its parts would is the printed text.
    fileprivate var typedNode: JSONNode {
        switch self {
        case .json(let node): return node
        case .list: return node
        case .date, .several: return .string(text)
        case .object(let object):
            let node = self.node
            return object.text.utf8.elementsEqual(JSONWriter.compact(node)) ? node : .string(object.text)
        }
    }
}
