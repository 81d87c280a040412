// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiJSONText
import MockapiMetering
import MockapiXMLText

extension Renderer {
    /// Helpers about XML and forms.
    mutating func document(_ invocation: Invocation) throws(TemplateFailure) -> TemplateValue {
        switch invocation.helper {
        case .formData: return try formData(invocation)
        case .formatXml: return try formatXML(invocation)
        default: return try xPath(invocation)
        }
    }

    /// Reads an XML text, which often was read before.
    private mutating func readXML(_ text: String) throws(TemplateFailure) -> Result<XMLDocument, XMLError> {
        try spend(text.utf8.count / 64)
        if let read = readDocument, read.text.utf8.count == text.utf8.count, read.text.utf8.elementsEqual(text.utf8) {
            return read.result
        }
        try spend(text.utf8.count / 8)
        try make(text.utf8.count + Self.nodes(of: text) * Self.xmlNode)
        let result: Result<XMLDocument, XMLError>
        do throws(XMLError) {
            result = .success(try XMLDocument(parsing: text, meter: meter))
        } catch {
            // After a payment that was refused none is taken.
            if error.cause == .work { try spend() }
            guard error.cause == .text else { throw failure(error.message) }
            result = .failure(error)
        }
        names += 1
        readDocument = (text, result)
        return result
    }

    /// Bytes that a node of XML takes, here and in the library that reads it.
    private static let xmlNode = 256

    /// How many nodes a text can be: tags with the texts behind them, and attributes.
    private static func nodes(of text: String) -> Int {
        text.utf8.reduce(0) { $0 + ($1 == UInt8(ascii: "<") ? 2 : $1 == UInt8(ascii: "=") ? 1 : 0) }
    }

    private mutating func xPath(_ invocation: Invocation) throws(TemplateFailure) -> TemplateValue {
        guard let subject = invocation.argument(0)?.single else { return .string("") }
        guard let written = invocation.text(1), !written.isEmpty else {
            return error("The XPath expression cannot be empty")
        }
        guard case .success(let document) = try readXML(subject.text) else {
            return error("\(subject.text) is not valid XML")
        }
        // As in WireMock: below the body of the envelope, wherever that is for a path that begins with a slash.
        let text = invocation.helper == .soapXPath ? "/Envelope/Body/" + written : written
        try spend(200 + document.nodes.count)
        let path: XPath
        do throws(XPathError) {
            path = try XPath(parsing: text)
        } catch {
            return self.error("\(written) is not a valid XPath expression")
        }
        let result = Result { () throws(XPathError) in try path.evaluate(document, allowance: &allowance) }
        guard case .success(let found) = result else {
            // An expression that ran out of steps says so: after a payment that was refused none is taken.
            try spend()
            return self.error("\(written) is not a valid XPath expression")
        }
        switch found {
        case .nodes(let nodes):
            guard !nodes.isEmpty else { return invocation.option("default") ?? .string("") }
            try spend(nodes.count)
            return .object(XMLNodes(document, nodes, dialect))
        case .string(let text): return .string(text)
        case .number(let number):
            if number == number.rounded(), number.magnitude < 1e15 { return .integer(Int(number)) }
            return TemplateValue(number)
        case .boolean(let value): return .bool(value)
        }
    }

    private mutating func formatXML(_ invocation: Invocation) throws(TemplateFailure) -> TemplateValue {
        // Neither a number nor a list is a text.
        let given: String? =
            switch invocation.argument(0)?.single {
            case .json(let node): node.string
            case .object(let nodes): nodes.text
            default: nil
            }
        let text = Self.trimmed(try blockText(of: invocation) ?? given ?? "")
        guard !text.isEmpty else {
            return error("formatXml should take a block of XML to format or a single parameter of type String")
        }
        let format = invocation.option("format")?.text ?? "pretty"
        guard format == "pretty" || format == "compact" else {
            return error("formatXml: format [\(format)] should be one of [pretty, compact]")
        }
        guard case .success(let document) = try readXML(text) else {
            return error("Input is not valid XML")
        }
        let isPretty = format == "pretty"
        let made =
            dialect == .wireMock
            ? document.transformed(isIndented: isPretty, sortsAttributes: true, meter: meter)
            : isPretty ? document.pretty(meter: meter) : document.printed(document.rootElement, meter: meter)
        return .string(try paidText(made))
    }

    /// The fields of a form, by their names; under a name of their own if one is given.
    private mutating func formData(_ invocation: Invocation) throws(TemplateFailure) -> TemplateValue {
        let text = invocation.subject(or: context).single.text
        try spend(text.utf8.count / 8)
        let fields = FormFields(parsing: text, decodes: invocation.isSet("urlDecode"))
        guard let name = invocation.text(1) else { return .object(fields) }
        assign(.object(fields), to: name)
        return .null
    }
}

/// The nodes that an XPath expression has found: prints the first, and has each by its number.
private struct XMLNodes: TemplateObject {
    private let document: XMLDocument
    private let nodes: [Int]
    private let dialect: Template.Dialect

    init(_ document: XMLDocument, _ nodes: [Int], _ dialect: Template.Dialect) {
        self.document = document
        self.nodes = nodes
        self.dialect = dialect
    }

    private func value(_ node: Int) -> TemplateValue {
        guard document.nodes[node].kind == .element || document.nodes[node].kind == .document else {
            return .string(document.text(of: node))
        }
        return .object(XMLElement(document: document, node: node, dialect: dialect))
    }

    var text: String { nodes.first.map { value($0).text } ?? "" }
    func text(meter: Meter) -> String? {
        guard let node = nodes.first else { return "" }
        if case .object(let element) = value(node) { return element.text(meter: meter) }
        return text
    }
    var elements: [TemplateValue]? { nodes.map(value) }
    var elementCount: Int? { nodes.count }

    func member(_ name: String) -> TemplateValue? {
        if let element = TemplateValue.element(name, of: nodes.count, { value(nodes[$0]) }) { return element }
        return nodes.count == 1 ? value(nodes[0]).member(name) : nil
    }
}

/// An element of a document: prints as XML, and has its name, its text and its attributes.
private struct XMLElement: TemplateObject {
    let document: XMLDocument
    let node: Int
    let dialect: Template.Dialect

    var text: String { printed(nil) ?? "" }
    func text(meter: Meter) -> String? { printed(meter) }

    /// In WireMock laid out by Java's transformer, which keeps the white space that there is beside its own.
    private func printed(_ meter: Meter?) -> String? {
        dialect == .wireMock
            ? document.transformed(node, keepsBlanks: true, sortsAttributes: true, meter: meter)
            : document.printed(node, meter: meter)
    }

    func member(_ name: String) -> TemplateValue? {
        switch name {
        case "name": .string(document.nodes[node].kind == .element ? document.name(of: node).qualified : "")
        case "text": .string(document.text(of: node))
        case "attributes":
            .object(
                FormFields(
                    document.attributes(of: node).filter { document.nodes[$0].kind == .attribute }.map {
                        (name: document.name(of: $0).qualified, value: document.nodes[$0].value)
                    }))
        default: nil
        }
    }

    func reading(_ name: String) -> Int { name == "attributes" ? 64 * document.attributes(of: node).count : 0 }
}

/// Values by names; each name can have several.
package struct FormFields: TemplateObject {
    private var names: [String] = []
    private var values: [String: [String]] = [:]
    private let folds: Bool

    /// - Parameter ignoresCase: whether `Accept` is found by `accept` too.
    package init(_ fields: some Sequence<(name: String, value: String)>, ignoresCase: Bool = false) {
        folds = ignoresCase
        for field in fields { add(field.name, field.value) }
    }

    /// - Parameter decodes: whether the fields are in the coding of forms (WHATWG URL §5.1).
    package init(parsing text: String, decodes: Bool) {
        self.init([])
        for pair in QueryText.pairs(of: Array(text.utf8)) {
            let texts = [pair.name, pair.value ?? []].map {
                decodes ? QueryText.decoded($0) : String(decoding: $0, as: UTF8.self)
            }
            add(texts[0], texts[1])
        }
    }

    private mutating func add(_ name: String, _ value: String) {
        let key = folds ? name.lowercased() : name
        if values[key] == nil { names.append(name) }
        values[key, default: []].append(value)
    }

    package func member(_ name: String) -> TemplateValue? {
        values[folds ? name.lowercased() : name].map { .several($0) }
    }

    package var members: [(name: String, value: TemplateValue)] {
        names.map { ($0, member($0) ?? .null) }
    }
}
