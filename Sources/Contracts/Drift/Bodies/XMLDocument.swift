// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText

/// An XML text as values that can be compared: attributes are `@name`, the text of an element `#text`, children lists by their local names.
///
/// The reader takes any text whose elements are in order, and notes the parts that a parser would refuse; document types are passed over.
struct XMLDocument {
    let node: JSONNode
    let names: XMLNames
    /// The local name of the outermost element.
    let root: String

    /// Elements within each other. 256.
    private static let depthLimit = 256

    static func parse(_ body: [UInt8]) -> XMLDocument? {
        var reader = Reader(bytes: body)
        guard let node = reader.document(), let root = node.object?.members.first?.name else { return nil }
        return XMLDocument(node: node, names: reader.names, root: root)
    }

    private struct Element {
        let name: String
        let offset: Int
        /// The place by local names.
        var path = ""
        /// The namespaces by their prefixes.
        var scope: [String: String] = [:]
        var attributes: [JSONObject.Member] = []
        var names: [String] = []
        var children = ByName<[JSONNode]>()
        var text: [UInt8] = []

        var node: JSONNode {
            var members = attributes
            let content = text.drop { $0 <= 0x20 }
            if names.isEmpty {
                members.append(
                    .init(name: "#text", value: JSONNode(.string(XMLDocument.trimmed(content)), offset: offset)))
            }
            for name in names {
                let items = children[name] ?? []
                members.append(.init(name: name, value: JSONNode(.array(items), offset: items.first?.offset ?? offset)))
            }
            return JSONNode(.object(JSONObject(members)), offset: offset)
        }
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
        let end = bytes.lastIndex { $0 > 0x20 }
        return end.map { String(decoding: bytes[bytes.startIndex...$0], as: UTF8.self) } ?? ""
    }

    private struct Reader {
        let bytes: [UInt8]
        var index = 0
        var names = XMLNames()
        private var hasDocumentType = false

        init(bytes: [UInt8]) {
            self.bytes = bytes
        }

        mutating func document() -> JSONNode? {
            var open: [Element] = []
            var root: JSONNode?
            if ComparableBody.hasByteOrderMark(bytes) { index = 3 }
            let first = index
            while index < bytes.count {
                guard bytes[index] == UInt8(ascii: "<") else {
                    let end = bytes[index...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
                    if open.isEmpty {
                        guard bytes[index..<end].allSatisfy({ $0 <= 0x20 }) else { return nil }
                    } else {
                        check(bytes[index..<end])
                        if bytes[index..<end].firstRange(of: Array("]]>".utf8)) != nil { note("]]> in a text") }
                        open[open.count - 1].text += bytes[index..<end]
                    }
                    index = end
                    continue
                }
                if starts("<!--") || starts("<?") {
                    let start = index
                    guard skip("<!--", to: "-->") || skip("<?", to: "?>") else { return nil }
                    if let flaw = XMLProlog.flaw(of: bytes[start..<index], isFirst: start == first) { note(flaw) }
                } else if starts("<![CDATA[") {
                    guard let end = find("]]>", from: index + 9), !open.isEmpty else { return nil }
                    open[open.count - 1].text += bytes[(index + 9)..<end]
                    index = end + 3
                } else if starts("<!") {
                    guard open.isEmpty, root == nil else { return nil }
                    skipDocumentType()
                } else if starts("</") {
                    if index + 2 < bytes.count, bytes[index + 2] <= 0x20 { note("a space in front of a name") }
                    guard let end = find(">", from: index), let element = open.popLast(),
                        name(index + 2, end).isExactly(element.name)
                    else { return nil }
                    index = end + 1
                    close(element, &open, &root)
                } else {
                    guard root == nil, open.count < XMLDocument.depthLimit,
                        let (element, isEmpty) = startTag(in: open.last)
                    else { return nil }
                    if isEmpty { close(element, &open, &root) } else { open.append(element) }
                }
            }
            return open.isEmpty ? root : nil
        }

        private func close(_ element: Element, _ open: inout [Element], _ root: inout JSONNode?) {
            let local = Self.parts(element.name).local
            if open.isEmpty {
                root = JSONNode(.object(JSONObject([.init(name: local, value: element.node)])), offset: element.offset)
                return
            }
            let parent = open.count - 1
            if open[parent].children[local] == nil { open[parent].names.append(local) }
            open[parent].children[local, default: []].append(element.node)
        }

        // MARK: Tags

        private mutating func startTag(in parent: Element?) -> (Element, isEmpty: Bool)? {
            let start = index
            index += 1
            let nameEnd = bytes[index...].firstIndex {
                $0 <= 0x20 || $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "/")
            }
            guard let nameEnd, nameEnd > index else { return nil }
            var element = Element(name: name(index, nameEnd), offset: start)
            if let first = bytes[index...].first, first &- 0x30 < 10 || first == UInt8(ascii: "-") {
                note("an element whose name begins with a sign or a digit")
            } else if !XMLProlog.isName(bytes[index..<nameEnd]) {
                note("an element whose name has a sign that no name has")
            }
            element.scope = parent?.scope ?? [:]
            element.path = (parent?.path ?? "") + "/" + Self.parts(element.name).local
            index = nameEnd
            var labels: [String] = []
            while index < bytes.count {
                let byte = bytes[index]
                if byte <= 0x20 {
                    check(bytes[index...index])
                    index += 1
                } else if byte == UInt8(ascii: ">") {
                    index += 1
                    resolve(element, labels)
                    return (element, false)
                } else if byte == UInt8(ascii: "/") {
                    guard index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: ">") else { return nil }
                    index += 2
                    resolve(element, labels)
                    return (element, true)
                } else {
                    guard attribute(&element, &labels) else { return nil }
                }
            }
            return nil
        }

        private mutating func attribute(_ element: inout Element, _ labels: inout [String]) -> Bool {
            let start = index
            guard let sign = bytes[index...].firstIndex(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ">") }),
                bytes[sign] == UInt8(ascii: "=")
            else { return false }
            let label = name(start, sign)
            check(bytes[start..<sign])
            guard let open = bytes[(sign + 1)...].firstIndex(where: { $0 > 0x20 }),
                bytes[open] == UInt8(ascii: "\"") || bytes[open] == UInt8(ascii: "'"),
                let end = bytes[(open + 1)...].firstIndex(of: bytes[open])
            else { return false }
            let content = bytes[(open + 1)..<end]
            check(content)
            if content.contains(UInt8(ascii: "<")) { note("a < in the attribute \(label)") }
            if bytes[start - 1] > 0x20 { note("no space in front of the attribute \(label)") }
            if !XMLProlog.isName(label.utf8) { note("the attribute \(label), which is not a name") }
            if labels.contains(label) { note("the attribute \(label) twice") }
            labels.append(label)
            let value = String(decoding: content, as: UTF8.self)
            if label == "xmlns" || label.hasPrefix("xmlns:") {
                names.declared.insert(value)
                element.scope[label == "xmlns" ? "" : String(label.dropFirst(6))] = value
            } else {
                element.attributes.append(
                    .init(
                        name: "@\(Self.parts(label).local)", nameOffset: start,
                        value: JSONNode(.string(value), offset: start)))
            }
            index = end + 1
            return true
        }

        /// Notes the namespaces that the names of a tag stand for (Namespaces in XML 1.0 §6).
        private mutating func resolve(_ element: Element, _ labels: [String]) {
            let own = Self.parts(element.name)
            names.add(namespace(own.prefix, element), at: element.path, offset: element.offset)
            for label in labels where label != "xmlns" && !label.hasPrefix("xmlns:") {
                let parts = Self.parts(label)
                // A name without a prefix is in no namespace.
                let uri = parts.prefix.isEmpty ? "" : namespace(parts.prefix, element)
                names.add(uri, at: "\(element.path)/@\(parts.local)", offset: element.offset)
            }
        }

        private mutating func namespace(_ prefix: String, _ element: Element) -> String {
            if prefix == "xml" { return prefix }
            guard let uri = element.scope[prefix] else {
                if !prefix.isEmpty { note("the prefix \(prefix), which is declared nowhere") }
                return ""
            }
            return uri
        }

        private static func parts(_ name: String) -> (prefix: String, local: String) {
            guard let colon = name.firstIndex(of: ":") else { return ("", name) }
            return (String(name[..<colon]), String(name[name.index(after: colon)...]))
        }

        // MARK: Text

        private mutating func note(_ flaw: @autoclosure () -> String) {
            if names.flaw == nil { names.flaw = flaw() }
        }

        /// Notes the flaws that every parser refuses in a text: control characters, and a `&` that does not begin a reference (XML 1.0 §2.2, §4.1).
        private mutating func check(_ text: ArraySlice<UInt8>) {
            var place = text.startIndex
            while place < text.endIndex {
                let byte = text[place]
                if byte < 0x20, byte != 0x09, byte != 0x0A, byte != 0x0D { note("a control character") }
                place += 1
                guard byte == UInt8(ascii: "&") else { continue }
                let entity = text[place...].prefix { XMLProlog.isNameByte($0) || $0 == UInt8(ascii: "#") }
                let name = String(decoding: entity.prefix(40), as: UTF8.self)
                let isNumber = name.hasPrefix("#")
                let isWhole = text[entity.endIndex...].first == UInt8(ascii: ";")
                if !isWhole || !isNumber && !XMLProlog.isName(entity) {
                    note("a & that begins no reference")
                } else if isNumber {
                    if !XMLProlog.isCharacter(name.dropFirst()) { note("the reference &\(name); to no character") }
                } else if ["amp", "lt", "gt", "quot", "apos"].contains(name) {
                    continue
                } else if hasDocumentType {
                    names.entity = names.entity ?? name
                } else {
                    note("the entity &\(name); which is declared nowhere")
                }
            }
        }

        /// Passes over a document type with its internal subset (XML 1.0 §2.8); to the end if it has none, where no element follows.
        private mutating func skipDocumentType() {
            if !starts("<!DOCTYPE") { note("a <! that begins no document type") }
            hasDocumentType = true
            var depth = 0
            index += 2
            while index < bytes.count {
                switch bytes[index] {
                case UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "]"): depth -= 1
                case UInt8(ascii: "\""), UInt8(ascii: "'"):
                    index = bytes[(index + 1)...].firstIndex(of: bytes[index]) ?? bytes.count
                case UInt8(ascii: "<") where starts("<!--"):
                    if !skip("<!--", to: "-->") { index = bytes.count }
                    continue
                case UInt8(ascii: ">") where depth <= 0:
                    index += 1
                    return
                default: break
                }
                index += 1
            }
        }

        private func name(_ start: Int, _ end: Int) -> String {
            XMLDocument.trimmed(bytes[start..<end].drop { $0 <= 0x20 })
        }

        private func starts(_ text: StaticString) -> Bool {
            guard index + text.utf8CodeUnitCount <= bytes.count else { return false }
            return (0..<text.utf8CodeUnitCount).allSatisfy { bytes[index + $0] == text.utf8Start[$0] }
        }

        private func find(_ text: String, from start: Int) -> Int? {
            guard start <= bytes.count else { return nil }
            return bytes[start...].firstRange(of: Array(text.utf8))?.lowerBound
        }

        private mutating func skip(_ start: StaticString, to end: String) -> Bool {
            guard starts(start), let found = find(end, from: index + start.utf8CodeUnitCount) else { return false }
            index = found + end.utf8.count
            return true
        }
    }
}
