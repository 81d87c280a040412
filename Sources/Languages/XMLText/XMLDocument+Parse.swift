// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import CMockapiLibXML2
package import MockapiMetering

extension XMLDocument {
    /// Why documents cannot be read at all, with the remedy; nil if they can.
    package static var unavailable: String? { clibxml_load().map { String(cString: $0) } }

    /// Reads a document.
    ///
    /// Nothing is loaded from elsewhere, and a document type that declares an entity with a text is refused.
    ///
    /// - Parameter meter: pays for each piece of the text before it is read, and for each node; nil if no request does.
    /// - Throws: `XMLError` with the first thing that is wrong.
    package init(parsing bytes: [UInt8], meter: Meter? = nil) throws(XMLError) {
        if let unavailable = Self.unavailable { throw XMLError(message: unavailable, cause: .library) }
        guard bytes.count <= XMLLimits.bytes else {
            throw XMLError(message: "the document has more than \(XMLLimits.bytes) bytes")
        }
        let prepared = try XMLProlog.prepared(bytes, meter)
        guard !prepared.text.isEmpty else { throw XMLError(message: "the document is empty") }
        let source = XMLSource(prepared.text, meter)
        defer { withExtendedLifetime(source) {} }
        guard let reader = source.reader(prepared.encoding) else {
            throw XMLError(message: "libxml2 has no memory for the document")
        }
        defer { clibxml_reader_free(reader) }
        var builder = XMLBuilder(reader: reader, meter: meter)
        do throws(XMLError) {
            self = try builder.read()
        } catch {
            try XMLError.require(!source.isGivenUp)
            throw error
        }
    }

    package init(parsing text: String, meter: Meter? = nil) throws(XMLError) {
        // It is UTF-8 whatever it says of itself.
        try self.init(parsing: try XMLProlog.withoutEncoding(Array(text.utf8)), meter: meter)
    }
}

/// The text of a document as libxml2 takes it: piece by piece, and each piece is paid for first.
private final class XMLSource {
    private let text: [UInt8]
    private let meter: Meter?
    private var index = 0
    private(set) var isGivenUp = false

    init(_ text: [UInt8], _ meter: Meter?) {
        self.text = text
        self.meter = meter
    }

    /// A reader that takes the text from here; it must not outlive this.
    func reader(_ encoding: String?) -> OpaquePointer? {
        clibxml_reader_new(
            { context, buffer, most in
                guard let context, let buffer else { return -1 }
                return Unmanaged<XMLSource>.fromOpaque(context).takeUnretainedValue().take(Int(most), to: buffer)
            }, Unmanaged.passUnretained(self).toOpaque(), encoding)
    }

    private func take(_ most: Int, to buffer: UnsafeMutablePointer<CChar>) -> Int32 {
        let count = min(most, text.count - index)
        guard meter?.pay(count) ?? true else {
            isGivenUp = true
            return -1
        }
        text.withUnsafeBytes { bytes in
            UnsafeMutableRawBufferPointer(start: buffer, count: count).copyMemory(
                from: .init(rebasing: bytes[index..<index + count]))
        }
        index += count
        return Int32(count)
    }
}

/// Builds the list of nodes at which libxml2's reader stops.
private struct XMLBuilder {
    private let reader: OpaquePointer
    private let meter: Meter?
    private var nodes: [XMLDocument.Node] = []
    private var names: [XMLName] = []
    private var numbers: [NameKey: Int32] = [:]
    private var open: [Int] = [0]
    private var textBytes = 0
    /// The namespaces that the open elements declare: libxml2 looks through them for each name.
    private var namespaces = 0
    private var weight = 0

    /// A name by the reader's texts; it has each once.
    private struct NameKey: Hashable {
        var prefix: UnsafePointer<CChar>?
        var local: UnsafePointer<CChar>?
        var namespace: UnsafePointer<CChar>?
    }

    /// Units of a node. 128.
    private static let unitsOfNode = 128

    init(reader: OpaquePointer, meter: Meter?) {
        self.reader = reader
        self.meter = meter
    }

    mutating func read() throws(XMLError) -> XMLDocument {
        names.append(XMLName(local: ""))
        nodes.append(XMLDocument.Node(kind: .document, name: 0, parent: -1, value: ""))
        var status = clibxml_read(reader)
        while status == 1 {
            try take()
            status = clibxml_read(reader)
        }
        if status < 0 { throw failure() }
        nodes[0].end = Int32(nodes.count)
        return XMLDocument(nodes: nodes, names: names)
    }

    private func failure() -> XMLError {
        var (line, column): (Int32, Int32) = (0, 0)
        var message = clibxml_error(reader, &line, &column).map { String(cString: $0) } ?? ""
        while message.last?.isWhitespace == true { message.removeLast() }
        if message.hasPrefix("Extra content"), let open = open.last, open > 0 {
            let name = XMLDocument(nodes: nodes, names: names).name(of: open)
            message = "the element <\(name.qualified)> is not closed"
        }
        if message.isEmpty { message = "the document is not well-formed" }
        return XMLError(line: Int(line), column: Int(column), message: message)
    }

    private func refusal(_ message: String) -> XMLError {
        XMLError(line: Int(clibxml_line(reader)), column: Int(clibxml_column(reader)), message: message)
    }

    private mutating func take() throws(XMLError) {
        switch Int(clibxml_node_type(reader)) {
        case clibxml_element: try element()
        case clibxml_end_element: close()
        case clibxml_text, clibxml_whitespace, clibxml_significant_whitespace:
            if open.count > 1 { try add(.text) }
        case clibxml_cdata: try add(.cdata)
        case clibxml_comment: try add(.comment)
        case clibxml_processing_instruction: try add(.instruction)
        case clibxml_entity_reference:
            let name = clibxml_local_name(reader).map { String(cString: $0) } ?? ""
            throw refusal("the entity &\(name); has no text here: entities that lie elsewhere are not loaded")
        default: break
        }
    }

    private mutating func element() throws(XMLError) {
        guard open.count <= XMLLimits.depth else {
            throw refusal("more than \(XMLLimits.depth) elements within one another")
        }
        try XMLError.require(meter?.pay(namespaces))
        let isEmpty = clibxml_is_empty(reader) == 1
        let number = nodes.count
        try add(.element)
        while clibxml_next_attribute(reader) == 1 {
            let isNamespace = clibxml_is_namespace(reader) == 1
            if isNamespace {
                namespaces += 1
            } else if clibxml_prefix(reader) != nil {
                try XMLError.require(meter?.pay(namespaces))
            }
            try add(isNamespace ? .namespace : .attribute, parent: number)
        }
        clibxml_leave_attributes(reader)
        nodes[number].attributeCount = Int32(nodes.count - number - 1)
        open.append(number)
        if isEmpty { close() }
    }

    private mutating func close() {
        guard open.count > 1, let element = open.popLast() else { return }
        nodes[element].end = Int32(nodes.count)
        for node in nodes[element + 1..<element + 1 + Int(nodes[element].attributeCount)] where node.kind == .namespace
        {
            namespaces -= 1
        }
    }

    private mutating func add(_ kind: XMLDocument.Kind, parent: Int? = nil) throws(XMLError) {
        guard nodes.count < XMLLimits.nodes else { throw refusal("more than \(XMLLimits.nodes) nodes") }
        try XMLError.require(meter?.pay(Self.unitsOfNode))
        let parent = parent ?? open.last ?? 0
        var value = ""
        if kind != .element, let text = clibxml_value(reader) {
            value = String(cString: text)
            textBytes += value.utf8.count
            guard textBytes <= XMLLimits.textBytes else {
                throw refusal("more than \(XMLLimits.textBytes) bytes of text")
            }
        }
        var node = XMLDocument.Node(
            kind: kind, name: hasName(kind) ? name() : 0, parent: Int32(parent), value: value)
        node.end = Int32(nodes.count + 1)
        if kind == .text || kind == .cdata {
            for byte in value.utf8 where byte > 0x20 { weight &+= Int(byte) &* Int(byte) &* Int(byte) }
        }
        node.weight = weight
        if kind == .text || kind == .cdata, let last = nodes.last, last.parent == Int32(parent) {
            node.isContinuation = last.kind == .text || last.kind == .cdata
        }
        nodes.append(node)
    }

    private func hasName(_ kind: XMLDocument.Kind) -> Bool {
        switch kind {
        case .element, .attribute, .namespace, .instruction: true
        default: false
        }
    }

    private mutating func name() -> Int32 {
        let key = NameKey(
            prefix: clibxml_prefix(reader), local: clibxml_local_name(reader), namespace: clibxml_namespace(reader))
        if let known = numbers[key] { return known }
        var name = XMLName(
            prefix: key.prefix.map { String(cString: $0) }, local: key.local.map { String(cString: $0) } ?? "",
            namespace: key.namespace.map { String(cString: $0) })
        // A prefix that nothing binds stays with the name.
        if name.prefix == nil, name.namespace == nil, let colon = name.local.utf8.firstIndex(of: UInt8(ascii: ":")) {
            name.prefix = String(name.local[..<colon])
            name.local = String(name.local[name.local.index(after: colon)...])
        }
        let number = Int32(names.count)
        names.append(name)
        numbers[key] = number
        return number
    }
}
