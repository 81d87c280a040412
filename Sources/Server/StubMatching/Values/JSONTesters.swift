// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONPath
import MockapiJSONSchema
import MockapiJSONText
import MockapiMetering

extension RequestState {
    /// A value beside the body as JSON; nil if it is not JSON, or the request has taken all the work it may.
    func parse(_ value: Bytes) -> JSONNode? { budget.meter.pay(value.count) ? Program.parse(value) : nil }

    /// A value as JSON: the body, read once per request, or another value.
    mutating func json(_ value: Bytes, isBody: Bool) -> JSONNode? {
        isBody ? readJSON()?.tree : parse(value)
    }

    /// The extraction from a value that is not JSON, or was not read.
    func jsonProblem(isBody: Bool) -> Extraction {
        if isBody, case .tooMuchWork = json { return .givenUp }
        if isBody, case .tooLarge = json {
            return Extraction(problem: ", which \(JSONLimits.tooLarge)", isGivenUp: true)
        }
        return Extraction(problem: ", which is not JSON")
    }
}

extension JSONPathLimits {
    /// Steps of all paths of one request whose body is small, so that it may be matched on its loop. 100,000.
    private static let smallSteps = 100_000
    /// Bytes of a body that is small. 4 KiB.
    private static let smallBytes = 4 * 1024

    /// Steps that the paths of one request share.
    static func steps(body: Int) -> Int { body <= smallBytes ? smallSteps : steps }
}

/// Looks up the values at a JSON path.
struct JSONPathExtractor: ValueExtractor {
    private let path: JSONPath
    private let part: FoundPart
    private let dialect: FixtureSet.Dialect

    init(_ expression: Expression, _ part: FoundPart, _ dialect: FixtureSet.Dialect) throws(BrokenOperand) {
        do throws(JSONPathError) {
            path = try JSONPath(parsing: expression.text)
        } catch {
            let text = "the JSON path is broken at its byte \(error.offset): \(error.message)"
            throw BrokenOperand(text: text, place: expression.place)
        }
        self.part = part
        self.dialect = dialect
    }

    func extract(_ value: Bytes, isBody: Bool, _ program: Program, _ state: inout RequestState) -> Extraction {
        guard let tree = state.json(value, isBody: isBody) else {
            return state.jsonProblem(isBody: isBody)
        }
        do throws(JSONPathGaveUp) {
            let result = try path.result(in: tree, allowance: &state.budget.paths)
            if part != .presence, !state.budget.meter.makes(result, of: value.count) { return .givenUp }
            var found = Extraction()
            found.isPresent = result.isPresent
            switch part {
            case .presence: break
            case .texts: found.texts = texts(of: result)
            case .json:
                found.json = result.node.map { JSONWriter.compact($0) }
                // WireMock compares a path that leads nowhere as null.
                if found.json == nil, dialect == .wireMock { found.json = Array("null".utf8) }
            }
            return found
        } catch {
            return .givenUp
        }
    }

    /// The texts that a nested matcher is asked about; in a WireMock root, numbers, and objects and lists within a list, are
    /// written as Java does.
    private func texts(of result: JSONPathResult) -> [[UInt8]] {
        guard dialect == .wireMock else { return result.texts.compactMap { $0.map { Array($0.utf8) } } }
        let elements: [JSONNode]
        switch result {
        case .nothing: return []
        case .list(let nodes): elements = nodes
        case .value(let node):
            guard let array = node.array else {
                if node.object != nil { return [JacksonText.pretty(node)] }
                if let number = node.number { return [Array(number.javaText.utf8)] }
                return JSONPathResult.text(of: node).map { [Array($0.utf8)] } ?? []
            }
            elements = array
        }
        return elements.map { element in
            var output: [UInt8] = []
            JacksonText.writeJava(element, to: &output)
            return output
        }
    }
}

extension Meter {
    /// Pays for the text of a path's result, and counts it as made: values that stand in each other are written once for each.
    ///
    /// - Parameter document: bytes of the document. A result that is no longer takes no more memory than that does.
    fileprivate func makes(_ result: JSONPathResult, of document: Int) -> Bool {
        guard let size = result.node.map(size(ofText:)) ?? 0 else { return false }
        return size <= document || make(size)
    }

    /// About the bytes that a value is written in; nil if it could not be paid for.
    private func size(ofText node: JSONNode) -> Int? {
        var size = Self.step
        var parts: [JSONNode] = []
        switch node.value {
        case .null, .bool: break
        case .number(let number): size += number.literal.utf8.count
        case .string(let text): size += text.utf8.count
        case .array(let elements): parts = elements
        case .object(let object):
            parts = object.members.map(\.value)
            size += object.members.reduce(0) { $0 + $1.name.utf8.count }
        }
        guard pay(size) else { return nil }
        for part in parts {
            guard let more = self.size(ofText: part) else { return nil }
            size += more
        }
        return size
    }
}

/// JSON as Java writes it, for WireMock's comparisons of texts.
enum JacksonText {
    /// An object as Jackson's default printer has it: members indented by two, ` : ` between name and value.
    static func pretty(_ node: JSONNode) -> [UInt8] {
        var output: [UInt8] = []
        write(node, indent: 0, to: &output)
        return output
    }

    private static func write(_ node: JSONNode, indent: Int, to output: inout [UInt8]) {
        switch node.value {
        case .object(let object) where !object.members.isEmpty:
            let inner = [UInt8](repeating: UInt8(ascii: " "), count: indent + 2)
            output += "{\n".utf8
            for (index, member) in object.members.enumerated() {
                output += inner
                JSONWriter.writeString(member.name, to: &output)
                output += " : ".utf8
                write(member.value, indent: indent + 2, to: &output)
                output += index + 1 < object.members.count ? ",\n".utf8 : "\n".utf8
            }
            output += inner.dropLast(2)
            output.append(UInt8(ascii: "}"))
        case .object: output += "{ }".utf8
        case .array(let elements):
            output += "[ ".utf8
            for (index, element) in elements.enumerated() {
                if index > 0 { output += ", ".utf8 }
                write(element, indent: indent, to: &output)
            }
            output += elements.isEmpty ? "]".utf8 : " ]".utf8
        case .number(let number): output += number.javaText.utf8
        default: output += JSONWriter.compact(node)
        }
    }

    /// Writes a value as `toString` of Java's maps and lists has it: `{a=1, b=[x, y]}`.
    static func writeJava(_ node: JSONNode, to output: inout [UInt8]) {
        switch node.value {
        case .string(let text): output += text.utf8
        case .number(let number): output += number.javaText.utf8
        case .array(let elements):
            output.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { output += ", ".utf8 }
                writeJava(element, to: &output)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let object):
            output.append(UInt8(ascii: "{"))
            for (index, member) in object.members.enumerated() {
                if index > 0 { output += ", ".utf8 }
                output += member.name.utf8
                output.append(UInt8(ascii: "="))
                writeJava(member.value, to: &output)
            }
            output.append(UInt8(ascii: "}"))
        default: output += JSONWriter.compact(node)
        }
    }
}

extension SchemaPattern: TestedLeaf {
    func tester(_: inout PatternLibrary) throws(BrokenOperand) -> any ValueTester { try JSONSchemaTester(self) }
}

/// Puts a value to a JSON Schema.
struct JSONSchemaTester: ValueTester {
    private let schema: JSONSchema
    /// Whether the schema asks for a string: then a number is also the text it is written as, and a body that is not JSON is a text.
    private let asksForText: Bool
    var kind: GivenUp { .schema }

    init(_ pattern: SchemaPattern) throws(BrokenOperand) {
        let type = pattern.schema["type"]
        asksForText = (type?.array ?? type.map { [$0] } ?? []).contains { $0.string == "string" }
        let version = pattern.version.flatMap { JSONSchemaVersion(name: $0) }
        do throws(JSONSchemaError) {
            schema = try JSONSchema(pattern.schema, version: version ?? .draft2020)
        } catch {
            throw BrokenOperand(text: "the JSON Schema is broken: \(error.description)", place: pattern.place)
        }
    }

    func passes(_ value: Bytes, isBody: Bool, _ program: Program, _ state: inout RequestState) -> Bool {
        guard let tree = tree(of: value, isBody: isBody, &state) else {
            if state.jsonProblem(isBody: isBody).isGivenUp { state.givenUp.insert(kind) }
            return false
        }
        let meter = state.budget.meter
        var verdicts = [schema.verdict(on: tree, meter: meter)]
        // `12` is a number, and the text that a query parameter is.
        if asksForText, tree.isScalarBesideText, verdicts != [.valid] {
            verdicts.append(schema.verdict(on: .string(value.text), meter: meter))
        }
        if verdicts.contains(.valid) { return true }
        if verdicts.contains(.givenUp) { state.givenUp.insert(kind) }
        return false
    }

    /// The value as JSON. A text that is not JSON is the text it is, for a body if the schema asks for one; else nil.
    private func tree(of value: Bytes, isBody: Bool, _ state: inout RequestState) -> JSONNode? {
        if let tree = state.json(value, isBody: isBody) { return tree }
        let isText = !isBody || asksForText && !state.jsonProblem(isBody: isBody).isGivenUp
        return isText ? .string(value.text) : nil
    }

    func mismatch(_ value: Bytes, isBody: Bool, _ program: Program, _ state: inout RequestState) -> Mismatch? {
        guard let tree = tree(of: value, isBody: isBody, &state) else {
            guard let problem = state.jsonProblem(isBody: isBody).problem else { return .givenUp }
            return Mismatch(found: Words.quoted(value) + problem)
        }
        let violations = schema.validate(tree, meter: state.budget.meter)
        if violations.contains(where: \.isGivenUp) { return .givenUp }
        return violations.first.map { Mismatch(found: nil, note: $0.description) }
    }
}

extension JSONNode {
    /// Whether it is a number, a truth or null, whose text may be meant as one.
    fileprivate var isScalarBesideText: Bool {
        switch value {
        case .number, .bool, .null: true
        case .string, .array, .object: false
        }
    }
}
