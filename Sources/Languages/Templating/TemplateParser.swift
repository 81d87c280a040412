// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Makes a tree of the pieces of a template.
struct TemplateParser {
    /// A block whose end has not come yet.
    private struct OpenBlock {
        var branches: [TemplateBlock.Branch]
        var otherwise: [TemplateNode]?
        /// The name in its closing tag.
        var name: String
        var offset: Int
    }

    private let source: [UInt8]
    private let known = KnownExpressions()
    private let dialect: Template.Dialect
    private var open: [OpenBlock] = []
    /// The nodes in the innermost open block, or outside of all blocks.
    private var nodes: [TemplateNode] = []
    /// The nodes in front of each open block.
    private var outer: [[TemplateNode]] = []

    static func nodes(
        of tokens: [TemplateToken], _ source: [UInt8], _ dialect: Template.Dialect
    ) throws(TemplateFailure) -> [TemplateNode] {
        var parser = TemplateParser(source: source, dialect: dialect)
        for token in tokens { try parser.add(token) }
        if let block = parser.open.last {
            throw TemplateFailure(block.offset, "this block has no end; write {{/\(block.name)}}")
        }
        return parser.nodes
    }

    private init(source: [UInt8], dialect: Template.Dialect) {
        self.source = source
        self.dialect = dialect
    }

    /// Reads the call in the opening tag of a block or a branch.
    private func blockCall(_ reader: inout ExpressionReader) throws(TemplateFailure) -> TemplateCall {
        let call = try reader.call()
        guard let helper = call.helper, [.if, .unless, .with, .each].contains(helper) else { return call }
        // Handlebars.java takes the value at hand if there is none, and takes no notice of a second one.
        if dialect == .handlebars, call.arguments.count != 1 {
            throw reader.failure("\"\(helper.rawValue)\" takes one value, found \(call.arguments.count)")
        }
        return call
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: source[range], as: UTF8.self) }

    private mutating func add(_ token: TemplateToken) throws(TemplateFailure) {
        switch token.kind {
        case .text: if !token.range.isEmpty { nodes.append(.text(source[token.range])) }
        case .comment: break
        case .value:
            nodes.append(.value(try value(token)))
        case .open: try begin(token, isInverted: false)
        case .inverted: try begin(token, isInverted: true)
        case .otherwise: try otherwise(token)
        case .close: try end(token)
        case .raw(let body): try raw(token, body)
        }
    }

    private func value(_ token: TemplateToken) throws(TemplateFailure) -> TemplateCall {
        let text = source[token.range]
        if var call = known.calls[text] {
            call.offset = token.offset
            return call
        }
        var reader = reader(token, token.range)
        let call = try reader.call()
        guard reader.blockParameters == nil else { throw reader.failure("only blocks have \"as |name|\"") }
        if call.isSameAnywhere { known.calls[text] = call }
        return call
    }

    private func reader(_ token: TemplateToken, _ range: Range<Int>) -> ExpressionReader {
        ExpressionReader(source, range, token.offset, depth: open.count, known, dialect)
    }

    private mutating func begin(_ token: TemplateToken, isInverted: Bool) throws(TemplateFailure) {
        guard open.count < Template.Limits.depth else {
            throw TemplateFailure(token.offset, "more than \(Template.Limits.depth) blocks are nested")
        }
        var reader = reader(token, token.range)
        let call = try blockCall(&reader)
        let branch = TemplateBlock.Branch(
            call: call, isInverted: isInverted, parameters: reader.blockParameters ?? [], body: [])
        open.append(OpenBlock(branches: [branch], name: reader.name, offset: token.offset))
        outer.append(nodes)
        nodes = []
    }

    /// Ends the branch at hand.
    private mutating func endBranch() {
        let last = open.count - 1
        if open[last].otherwise != nil {
            open[last].otherwise = nodes
        } else {
            open[last].branches[open[last].branches.count - 1].body = nodes
        }
        nodes = []
    }

    private mutating func otherwise(_ token: TemplateToken) throws(TemplateFailure) {
        guard let block = open.last else {
            throw TemplateFailure(token.offset, "\"else\" stands outside of a block")
        }
        guard block.otherwise == nil else {
            throw TemplateFailure(token.offset, "a second \"else\" of the block {{#\(block.name)}}")
        }
        endBranch()
        let last = open.count - 1
        var range = token.range
        while range.lowerBound < range.upperBound, TemplateScanner.isSpace(source[range.lowerBound]) {
            range = (range.lowerBound + 1)..<range.upperBound
        }
        if source[range].starts(with: "else".utf8) { range = (range.lowerBound + 4)..<range.upperBound }
        guard source[range].contains(where: { !TemplateScanner.isSpace($0) }) else {
            open[last].otherwise = []
            return
        }
        guard block.branches.count < Template.Limits.branches else {
            throw TemplateFailure(
                token.offset, "a block has more than \(Template.Limits.branches) branches by \"else if\"")
        }
        var reader = reader(token, range)
        let call = try blockCall(&reader)
        open[last].branches.append(
            TemplateBlock.Branch(
                call: call, isInverted: false, parameters: reader.blockParameters ?? [], body: []))
    }

    private mutating func end(_ token: TemplateToken) throws(TemplateFailure) {
        let name = text(token.range).filter { !$0.isWhitespace }
        guard let block = open.last else {
            throw TemplateFailure(token.offset, "{{/\(name)}} closes no block")
        }
        guard block.name == name else {
            throw TemplateFailure(
                token.offset, "expected {{/\(block.name)}}, which closes the innermost block, found {{/\(name)}}")
        }
        endBranch()
        let closed = open.removeLast()
        nodes = outer.removeLast()
        nodes.append(.block(TemplateBlock(branches: closed.branches, otherwise: closed.otherwise ?? [])))
    }

    private mutating func raw(_ token: TemplateToken, _ body: Range<Int>) throws(TemplateFailure) {
        let content: [TemplateNode] = body.isEmpty ? [] : [.text(source[body])]
        var reader = reader(token, token.range)
        let call = try reader.call(isRaw: true)
        guard call.helper != nil else {
            nodes += content
            return
        }
        let branch = TemplateBlock.Branch(
            call: call, isInverted: false, parameters: reader.blockParameters ?? [], body: content)
        nodes.append(.block(TemplateBlock(branches: [branch], otherwise: [])))
    }
}
