// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

/// An XML text as values that can be compared: attributes are `@name`, the text of an element `#text`, children lists by their local names.
///
/// The reader takes what is well-formed in its elements; entities and document types are passed over, never resolved.
struct XMLDocument {
    let node: JSONNode
    /// The namespaces that are declared.
    let namespaces: Set<String>

    /// Elements within each other. 256.
    private static let depthLimit = 256

    static func parse(_ body: [UInt8]) -> XMLDocument? {
        var reader = Reader(bytes: body)
        guard let root = reader.document() else { return nil }
        return XMLDocument(node: root, namespaces: reader.namespaces)
    }

    private struct Element {
        let name: String
        let offset: Int
        var attributes: [JSONObject.Member] = []
        var names: [String] = []
        var children: [String: [JSONNode]] = [:]
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
        var namespaces: Set<String> = []

        mutating func document() -> JSONNode? {
            var open: [Element] = []
            var root: JSONNode?
            if ComparableBody.hasByteOrderMark(bytes) { index = 3 }
            while index < bytes.count {
                guard bytes[index] == UInt8(ascii: "<") else {
                    let end = bytes[index...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
                    if open.isEmpty {
                        guard bytes[index..<end].allSatisfy({ $0 <= 0x20 }) else { return nil }
                    } else {
                        open[open.count - 1].text += bytes[index..<end]
                    }
                    index = end
                    continue
                }
                if skip("<!--", to: "-->") || skip("<?", to: "?>") { continue }
                if starts("<![CDATA[") {
                    guard let end = find("]]>", from: index + 9), !open.isEmpty else { return nil }
                    open[open.count - 1].text += bytes[(index + 9)..<end]
                    index = end + 3
                } else if starts("<!") {
                    guard let end = find(">", from: index) else { return nil }
                    index = end + 1
                } else if starts("</") {
                    guard let end = find(">", from: index), let element = open.popLast(),
                        name(index + 2, end) == element.name
                    else { return nil }
                    index = end + 1
                    close(element, &open, &root)
                } else {
                    guard root == nil, open.count < XMLDocument.depthLimit, let (element, isEmpty) = startTag() else {
                        return nil
                    }
                    if isEmpty { close(element, &open, &root) } else { open.append(element) }
                }
            }
            return open.isEmpty ? root : nil
        }

        private func close(_ element: Element, _ open: inout [Element], _ root: inout JSONNode?) {
            let local = Self.local(element.name)
            if open.isEmpty {
                root = JSONNode(.object(JSONObject([.init(name: local, value: element.node)])), offset: element.offset)
                return
            }
            let parent = open.count - 1
            if open[parent].children[local] == nil { open[parent].names.append(local) }
            open[parent].children[local, default: []].append(element.node)
        }

        private mutating func startTag() -> (Element, isEmpty: Bool)? {
            let start = index
            index += 1
            let nameEnd = bytes[index...].firstIndex {
                $0 <= 0x20 || $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "/")
            }
            guard let nameEnd, nameEnd > index else { return nil }
            var element = Element(name: name(index, nameEnd), offset: start)
            index = nameEnd
            while index < bytes.count {
                let byte = bytes[index]
                if byte <= 0x20 {
                    index += 1
                } else if byte == UInt8(ascii: ">") {
                    index += 1
                    return (element, false)
                } else if byte == UInt8(ascii: "/") {
                    guard index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: ">") else { return nil }
                    index += 2
                    return (element, true)
                } else {
                    guard attribute(&element) else { return nil }
                }
            }
            return nil
        }

        private mutating func attribute(_ element: inout Element) -> Bool {
            let start = index
            guard let sign = bytes[index...].firstIndex(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ">") }),
                bytes[sign] == UInt8(ascii: "=")
            else { return false }
            let label = name(start, sign)
            guard let open = bytes[(sign + 1)...].firstIndex(where: { $0 > 0x20 }),
                bytes[open] == UInt8(ascii: "\"") || bytes[open] == UInt8(ascii: "'"),
                let end = bytes[(open + 1)...].firstIndex(of: bytes[open])
            else { return false }
            let value = String(decoding: bytes[(open + 1)..<end], as: UTF8.self)
            if label == "xmlns" || label.hasPrefix("xmlns:") {
                namespaces.insert(value)
            } else {
                element.attributes.append(
                    .init(
                        name: "@\(Self.local(label))", nameOffset: start, value: JSONNode(.string(value), offset: start)
                    ))
            }
            index = end + 1
            return true
        }

        private static func local(_ name: String) -> String {
            name.firstIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
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
            guard starts(start) else { return false }
            index = find(end, from: index + start.utf8CodeUnitCount).map { $0 + end.utf8.count } ?? bytes.count
            return true
        }
    }
}
