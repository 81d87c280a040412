// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiJSONText
import MockapiSystemIO

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

private enum WriteAccess {
    /// Why a file can neither be replaced nor written over; nil if it can.
    static func refusal(of path: String) -> String? {
        if access(path, W_OK) == 0 { return nil }
        let why = SystemError.lastWords
        return access(String(path.directory), W_OK) == 0 ? nil : why
    }
}

extension StubFileReader {
    /// How many items of a file are reported that cannot be served. 20.
    private static let toldItems = 20
    /// Bytes of a file of items. 256 MiB.
    private static let fileLimit = 256 * 1024 * 1024

    /// The collection that a stub serves; nil if there is none, or if it cannot be served.
    mutating func resource(of cursor: Cursor) -> Resource? {
        guard let written = cursor["resource"], written.node.object != nil else { return nil }
        for key in ["request", "response", "responses", "afterLast"] {
            guard let other = cursor[key], !(isWireMock && other.node.isNull) else { continue }
            report(.error, "\"\(key)\" beside \"resource\"; leave one of them out", at: other)
        }
        guard let path = written["collection"] else {
            report(.error, "a resource needs \"collection\", a path such as \"/api/bookmarks\"", at: written)
            return nil
        }
        guard let collection = path.node.string else { return nil }
        let isPath =
            collection.hasPrefix("/") && collection.utf8.count > 1 && !collection.hasSuffix("/")
            && collection.utf8.allSatisfy { (0x21..<0x7F).contains($0) && !"?#{}".utf8.contains($0) }
        if !isPath {
            report(
                .error,
                "expected a path such as \"/api/bookmarks\", without a slash at its end",
                at: path)
        }
        if isPath { checkAdministration(collection, at: path) }
        let idName = written["id"]?.node.string ?? "id"
        let wrap = written["wrap"]?.node.string
        let writesBack = writesBack(written)
        guard let from = written["from"], let name = from.node.string else {
            return Resource(collection: collection, idName: idName, wrap: wrap, items: [], hash: 0)
        }
        let found =
            isWireMock
            ? bodies.find(name, in: "__files", within: "__files") : bodies.find(name, in: String(self.path.directory))
        switch found {
        case .failed(let why):
            report(.error, why.replacing(bytesOf: "body file", with: "file"), at: from)
            return nil
        case .found(let file, let content):
            guard content.body.count <= Self.fileLimit, let text = content.body.bytes else {
                report(
                    .error, "\"\(file)\" cannot be read, or is larger than \(Self.fileLimit / 1_048_576) MiB", at: from)
                return nil
            }
            let (items, envelope, listName) = items(text, of: file, idName: idName, wrap: wrap)
            let target =
                writesBack
                ? Resource.File(
                    path: "\(bodies.root)/\(file)", root: bodies.root, envelope: envelope, listName: listName) : nil
            if let target, let why = WriteAccess.refusal(of: target.path), let place = written["writeBack"] {
                report(.warning, "\"\(file)\" cannot be written (\(why)): changes will be refused", at: place)
            }
            return Resource(
                collection: collection, idName: idName, wrap: wrap, items: items, hash: ContentHash.of(text),
                file: target)
        }
    }

    private mutating func writesBack(_ cursor: Cursor) -> Bool {
        guard let written = cursor["writeBack"], written.node.bool == true else { return false }
        if isOfAdmin {
            report(
                .error, "\"writeBack\" is for stubs of files: a stub that came over HTTP writes no file", at: written)
        } else if cursor["from"] == nil {
            report(.error, "\"writeBack\" goes with \"from\", the file that is written", at: written)
        }
        return true
    }

    /// The items of a file: a list, or an object that has one in `data` or the member that lists are put in.
    private mutating func items(
        _ text: [UInt8], of file: String, idName: String, wrap: String?
    ) -> (items: [Resource.Item], envelope: JSONObject?, listName: String) {
        let lines = LineMap(text)
        var told = 0
        func place(_ offset: Int, _ pointer: String) -> Place {
            let position = lines.position(of: offset)
            return Place(path: file, line: position.line, column: position.column, pointer: pointer)
        }
        let root: JSONNode
        do throws(JSONError) {
            root = try JSONParser.parse(text)
        } catch {
            report(Finding(.error, "this is not JSON: \(error.message)", at: place(error.offset, "")))
            return ([], nil, "")
        }
        let name = [wrap, "data"].compactMap(\.self).first { root[$0]?.array != nil }
        guard let elements = root.array ?? name.flatMap({ root[$0]?.array }) else {
            report(
                Finding(
                    .error, "expected a list of objects, or {\"\(wrap ?? "data")\": […]}, found \(Self.name(of: root))",
                    at: place(root.offset, "")))
            return ([], nil, "")
        }
        let base = root.array == nil ? name.map { Pointer.member($0, of: .root) } ?? .root : .root
        var items: [Resource.Item] = []
        var places: [ExactText: Int] = [:]
        var size = 0
        for (number, element) in elements.enumerated() {
            let pointer = Pointer.element(number, of: base)
            var why: String?
            var offset = element.offset
            if element.object == nil {
                why = "expected an object, found \(Self.name(of: element))"
            } else if let node = element[idName] {
                offset = node.offset
                if let id = Resource.id(node) {
                    if let first = places[ExactText(id.text)] {
                        why = "the id \"\(id.text)\" once more; item \(first) has it"
                    }
                    places[ExactText(id.text)] = number
                    items.append(Resource.Item(id: id.text, isInteger: id.isInteger, node: element))
                } else {
                    why = "expected a string or a whole number as an id, found \(Self.name(of: node))"
                }
            } else {
                why = "this item has no \"\(idName)\"; the resource's \"id\" names the member that identifies an item"
            }
            if let why {
                told += 1
                if told <= Self.toldItems { report(Finding(.error, why, at: place(offset, pointer.text))) }
            }
            size += JSONWriter.compact(element).count
        }
        if elements.count > Resource.itemLimit || size > Resource.sizeLimit {
            report(
                Finding(
                    .error,
                    "a resource has at most \(Resource.itemLimit) items, of \(Resource.sizeLimit / 1_048_576) MiB together; "
                        + "these are \(elements.count)", at: place(root.offset, "")))
        }
        return (items, root.object, name ?? "")
    }
}
