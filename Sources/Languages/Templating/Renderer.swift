// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiMetering
import MockapiXMLText

/// One rendering of a template.
struct Renderer {
    /// A scope that names are looked up in; the innermost is the last.
    struct Scope {
        var value: TemplateValue
        /// `@index` and similar names; nil if it is not that of a loop.
        var round: LoopRound?
        /// The names of `as |a b|`.
        var parameters: [String: TemplateValue] = [:]
    }

    var surroundings: TemplateSurroundings
    let dialect: Template.Dialect
    /// The time that `now` gives throughout the rendering.
    private(set) lazy var now: Int64 = surroundings.clock.now
    private var scopes: [Scope]
    /// The values that helpers have given names to.
    private var variables: [String: TemplateValue] = [:]
    private var written = TemplateOutput()
    let meter: Meter
    /// The share of this template in the allowance of all templates of the response.
    var allowance: Allowance
    /// Steps that may still be taken.
    var left: Int { allowance.left / Meter.templateStep }
    /// Steps that have been taken; all that are allowed, if a helper ran out of them and gave less than it otherwise would.
    var spent: Int { surroundings.steps - left }
    /// Where the expression at hand stands.
    private(set) var offset = 0
    /// Bytes that were made and stay: the output, and named values.
    var kept = 0
    /// How often something was given a name, or was read and is kept for the next time.
    var names = 0
    /// Whether `jsonPath` gives null for a missing value, rather than an empty text.
    var givesNull = false
    /// The last JSON texts that were read.
    var readTexts: [(text: String, node: JSONNode)] = []

    /// The last XML text that was read.
    var readDocument: (text: String, result: Result<XMLDocument, XMLError>)?

    /// - Parameter meter: shared by all templates of a response.
    init(
        _ model: TemplateValue, _ surroundings: TemplateSurroundings, _ dialect: Template.Dialect,
        _ meter: Meter = Meter()
    ) {
        self.surroundings = surroundings
        self.meter = meter
        allowance = Allowance(units: Self.units(surroundings.steps), of: meter)
        self.dialect = dialect
        scopes = [Scope(value: model)]
    }

    mutating func output(of nodes: [TemplateNode]) throws(TemplateFailure) -> [UInt8] {
        try render(nodes)
        return written.joined()
    }

    private mutating func write(_ bytes: some Collection<UInt8>) throws(TemplateFailure) {
        guard written.count + bytes.count <= Template.Limits.output else {
            throw failure("the template makes more than 16 MiB")
        }
        try spend(bytes: bytes.count)
        kept += bytes.count
        written.append(bytes)
    }

    // MARK: Nodes

    mutating func render(_ nodes: [TemplateNode]) throws(TemplateFailure) {
        for node in nodes {
            try spend(units: Self.nodeUnits)
            switch node {
            case .text(let bytes): try write(bytes)
            case .value(let call):
                let mark = mark
                let value = try evaluate(call)
                offset = call.offset
                try write(value)
                release(since: mark)
            case .block(let block): try render(block, from: 0)
            }
        }
    }

    private mutating func write(_ value: TemplateValue) throws(TemplateFailure) {
        if case .json(let node) = value, case .string(let text) = node.value { return try write(text.utf8) }
        try pay(reading: value)
        try write(value.text.utf8)
    }

    /// The text that nodes render to, apart from the output.
    mutating func text(of nodes: [TemplateNode]) throws(TemplateFailure) -> String {
        var outer = TemplateOutput()
        swap(&outer, &written)
        defer { swap(&outer, &written) }
        try render(nodes)
        let count = written.count
        try make(count)
        // The output is gone once it is a text.
        defer {
            kept -= count
            meter.giveBack(count)
        }
        return String(decoding: written.joined(), as: UTF8.self)
    }

    /// The text that the block of a helper renders to, when the helper asks for it; nil if it is not a block.
    mutating func blockText(of invocation: Invocation) throws(TemplateFailure) -> String? {
        guard let block = invocation.block else { return nil }
        let text = try text(of: block)
        offset = invocation.offset
        if let rate = invocation.helper.bytesPerStep { try spend(text.utf8.count / rate) }
        return text
    }

    /// Renders with a value as the innermost scope.
    mutating func render(
        _ nodes: [TemplateNode], with value: TemplateValue, round: LoopRound? = nil,
        parameters: [String: TemplateValue] = [:]
    ) throws(TemplateFailure) {
        try spend()
        scopes.append(Scope(value: value, round: round, parameters: parameters))
        defer { scopes.removeLast() }
        try render(nodes)
    }

    /// Renders the branches of a block behind a branch that does not apply.
    private mutating func render(_ block: TemplateBlock, from first: Int) throws(TemplateFailure) {
        guard first < block.branches.count else { return try render(block.otherwise) }
        let branch = block.branches[first]
        offset = branch.call.offset
        try spend()
        guard let helper = branch.call.helper else {
            let mark = mark
            let value = try evaluate(branch.call)
            let temporary = temporary(since: mark)
            defer { meter.giveBack(temporary) }
            return try section(value, branch, block, first)
        }
        let mark = mark
        let invocation = try invocation(of: helper, branch.call)
        let temporary = temporary(since: mark)
        defer { meter.giveBack(temporary) }
        switch helper {
        case .each: try each(invocation, branch, block, first)
        case .with:
            let value = invocation.subject(or: scopes[scopes.count - 1].value)
            guard isTrue(value) != branch.isInverted else { return try render(block, from: first + 1) }
            let parameters = branch.parameters.first.map { [$0: value] } ?? [:]
            try render(branch.body, with: value, parameters: parameters)
        case .assign:
            let name = invocation.argument(0)?.text ?? ""
            let text = try text(of: branch.body)
            assign(.string(dialect == .wireMock ? Self.trimmed(text) : text), to: name)
        default:
            if let holds = try condition(invocation) {
                if holds != branch.isInverted { return try render(branch.body) }
                return try render(block, from: first + 1)
            }
            try render(invocation, branch)
        }
    }

    /// Renders a helper that is not a condition.
    private mutating func render(
        _ invocation: Invocation, _ branch: TemplateBlock.Branch
    ) throws(TemplateFailure) {
        var invocation = invocation
        if invocation.helper == .arrayJoin, let values = invocation.joinedValues(dialect), !values.isEmpty,
            let separator = invocation.separator
        {
            return try join(values, by: separator, invocation, branch)
        }
        let mark = mark
        invocation.block = branch.body
        let value = try result(of: invocation)
        offset = invocation.offset
        try write(value)
        release(since: mark)
    }

    private mutating func join(
        _ elements: [TemplateValue], by separator: String, _ invocation: Invocation, _ branch: TemplateBlock.Branch
    ) throws(TemplateFailure) {
        try write((invocation.option("prefix")?.text ?? "").utf8)
        for (index, element) in elements.enumerated() {
            if index > 0 { try write(separator.utf8) }
            let parameters = branch.parameters.first.map { [$0: element] } ?? [:]
            try render(branch.body, with: element, parameters: parameters)
        }
        try write((invocation.option("suffix")?.text ?? "").utf8)
    }

    /// A block of a name that is not that of a helper.
    private mutating func section(
        _ value: TemplateValue, _ branch: TemplateBlock.Branch, _ block: TemplateBlock, _ place: Int
    ) throws(TemplateFailure) {
        guard isTrue(value) != branch.isInverted else { return try render(block, from: place + 1) }
        if branch.isInverted { return try render(branch.body) }
        if !value.isOneOfSeveral, let elements = try elements(of: value) {
            return try loop(elements, branch)
        }
        if case .json(let node) = value, case .bool = node.value { return try render(branch.body) }
        let parameters = branch.parameters.first.map { [$0: value] } ?? [:]
        try render(branch.body, with: value, parameters: parameters)
    }

    private mutating func each(
        _ invocation: Invocation, _ branch: TemplateBlock.Branch, _ block: TemplateBlock, _ place: Int
    ) throws(TemplateFailure) {
        let value = invocation.subject(or: scopes[scopes.count - 1].value)
        if branch.isInverted {
            let isEmpty = value.elementCount.map { $0 == 0 } ?? value.members?.isEmpty ?? true
            return try isEmpty ? render(branch.body) : render(block, from: place + 1)
        }
        if let elements = try elements(of: value), !elements.isEmpty { return try loop(elements, branch) }
        if let members = value.members, !members.isEmpty {
            for (index, member) in members.enumerated() {
                try render(branch, with: member.value, index, of: members.count, name: member.name)
            }
            return
        }
        try render(block, from: place + 1)
    }

    private mutating func loop(
        _ elements: [TemplateValue], _ branch: TemplateBlock.Branch
    ) throws(TemplateFailure) {
        for (index, element) in elements.enumerated() {
            try render(branch, with: element, index, of: elements.count)
        }
    }

    private mutating func render(
        _ branch: TemplateBlock.Branch, with value: TemplateValue, _ index: Int, of count: Int, name: String? = nil
    ) throws(TemplateFailure) {
        let round = LoopRound(index: index, count: count, name: name, isWireMock: dialect == .wireMock)
        var parameters: [String: TemplateValue] = [:]
        if let name = branch.parameters.first { parameters[name] = value }
        if branch.parameters.count > 1 { parameters[branch.parameters[1]] = round.key }
        try render(branch.body, with: value, round: round, parameters: parameters)
    }

    // MARK: Expressions

    mutating func evaluate(_ expression: TemplateExpression) throws(TemplateFailure) -> TemplateValue {
        try spend(units: Self.expressionUnits)
        return switch expression {
        case .literal(let value): value
        case .path(let path): try value(of: path)
        case .call(let call): try evaluate(call)
        }
    }

    private mutating func evaluate(_ call: TemplateCall) throws(TemplateFailure) -> TemplateValue {
        try spend()
        offset = call.offset
        guard let helper = call.helper else {
            if case .literal(let value) = call.subject {
                // `{{"a name"}}` is looked up as `{{[a name]}}` is; Handlebars.java has it stand for itself if nothing is found.
                let text = value.text
                let found = try self.value(of: TemplatePath(keys: [text]))
                return found.isNull && dialect == .wireMock ? value : found
            }
            return try evaluate(call.subject)
        }
        let invocation = try invocation(of: helper, call)
        if let holds = try condition(invocation) { return invocation.answer(holds) }
        return try result(of: invocation)
    }

    private mutating func invocation(
        of helper: Helper, _ call: TemplateCall
    ) throws(TemplateFailure) -> Invocation {
        var arguments: [TemplateValue] = []
        for argument in call.arguments { arguments.append(try evaluate(argument)) }
        var options: [String: TemplateValue] = [:]
        for option in call.options { options[option.name] = try evaluate(option.value) }
        offset = call.offset
        let invocation = Invocation(
            helper: helper, arguments: arguments, options: options, offset: call.offset)
        try payForReading(invocation)
        return invocation
    }

    /// Looks a name up: in the innermost scope, then in those around it, then among the names that helpers have given.
    private mutating func value(of path: TemplatePath) throws(TemplateFailure) -> TemplateValue {
        try spend()
        let value = try found(path)
        // A text of the request is made again each time it is asked for.
        if case .json(let node) = value, let text = node.string {
            try spend(text.utf8.count / 256)
            try hold(text.utf8.count)
        }
        return value
    }

    private mutating func found(_ path: TemplatePath) throws(TemplateFailure) -> TemplateValue {
        let innermost = scopes.count - 1 - path.ups
        guard innermost >= 0 else { return .null }
        var keys = path.keys[...]
        if path.isData {
            guard let name = keys.popFirst() else { return .null }
            return try follow(keys, from: try data(name, from: innermost))
        }
        if path.isScoped { return try follow(keys, from: scopes[innermost].value) }
        guard let name = keys.popFirst() else { return .null }
        for place in stride(from: innermost, through: 0, by: -1) {
            if place & 7 == 7 { try spend() }
            if let value = scopes[place].parameters[name] { return try follow(keys, from: value) }
            if let value = try member(name, of: scopes[place].value) { return try follow(keys, from: value) }
        }
        return try follow(keys, from: variables[name] ?? .null)
    }

    private mutating func data(_ name: String, from innermost: Int) throws(TemplateFailure) -> TemplateValue {
        if name == "root" { return scopes[0].value }
        try spend(innermost / 8)
        for place in stride(from: innermost, through: 0, by: -1) {
            if let value = scopes[place].round?[name] { return value }
        }
        return variables[name] ?? .null
    }

    /// Gives a value a name.
    mutating func assign(_ value: TemplateValue, to name: String) {
        names += 1
        variables[name] = value
    }

    /// The value at hand, which helpers take that are given nothing.
    var context: TemplateValue { scopes[scopes.count - 1].value }
}
