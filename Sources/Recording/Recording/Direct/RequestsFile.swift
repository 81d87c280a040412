// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiUpstream

/// Reads a JSON file of requests that are to be made.
package struct RequestsFile {
    /// Bytes of a requests file, and of a content it names. 64 MiB.
    package static let limit = 64 * 1024 * 1024

    private static let keys = ["method", "path", "headers", "body", "json", "bodyFile"]
    private static let contents = ["body", "json", "bodyFile"]

    private let path: String
    private let bytes: [UInt8]
    private let lines: LineMap

    /// - Throws: if the file cannot be read, or is not a list of requests; with its path, the line and the column.
    package static func read(_ path: String) throws(RecordingError) -> [DirectRequest] {
        try RequestsFile(path).requests()
    }

    private init(_ path: String) throws(RecordingError) {
        self.path = path
        bytes = try LocalFile.read(path, limit: Self.limit)
        lines = LineMap(bytes)
    }

    private func requests() throws(RecordingError) -> [DirectRequest] {
        let root: JSONNode
        do throws(JSONError) {
            root = try JSONParser.parse(bytes)
        } catch {
            throw self.error(error.message, at: error.offset)
        }
        guard let list = root.array else {
            throw error("expected a list of requests, found \(root.kindName)", at: root.offset)
        }
        var requests: [DirectRequest] = []
        for node in list { requests.append(try request(node)) }
        return requests
    }

    private func request(_ node: JSONNode) throws(RecordingError) -> DirectRequest {
        guard let object = node.object else {
            throw error("expected a request, found \(node.kindName); write {\"path\": \"/…\"}", at: node.offset)
        }
        for member in object.members where !Self.keys.contains(member.name) {
            let nearest = Nearest.word(to: member.name, among: Self.keys)
            let way = nearest.map { "; the nearest known key is \"\($0.word)\"" } ?? ""
            throw error("unknown key \"\(member.name)\"\(way)", at: member.nameOffset)
        }
        guard let path = object["path"] else { throw error("a request without \"path\"", at: node.offset) }
        var request = DirectRequest(
            try method(object["method"]), try text(path, "path"))
        if let headers = object["headers"] { request.fields = try fields(headers) }
        let given = object.members.filter { Self.contents.contains($0.name) }
        if let second = given.dropFirst().first {
            throw error("\"\(second.name)\" beside \"\(given[0].name)\"; leave one of them out", at: second.nameOffset)
        }
        guard let content = given.first else { return request }
        switch content.name {
        case "body": request.body = Array(try text(content.value, "body").utf8)
        case "json":
            request.body = JSONWriter.compact(content.value)
            if !request.fields.contains(where: { $0.name.lowercased() == "content-type" }) {
                request.fields.append(UpstreamField("Content-Type", "application/json"))
            }
        default: request.body = try file(content.value)
        }
        if request.method == "HEAD" {
            throw error("a HEAD request has no content; leave it out", at: content.nameOffset)
        }
        return request
    }

    private func method(_ node: JSONNode?) throws(RecordingError) -> String {
        guard let node else { return "GET" }
        let method = try text(node, "method")
        guard !method.isEmpty, method.utf8.allSatisfy(FieldLine.isToken) else {
            throw error("\"\(method)\" is not a method", at: node.offset)
        }
        return method
    }

    /// A list of lines, or an object of names and values, a value being a text or a list of them.
    private func fields(_ node: JSONNode) throws(RecordingError) -> [UpstreamField] {
        var fields: [UpstreamField] = []
        if let list = node.array {
            for line in list {
                do throws(RecordingError) {
                    fields.append(try FieldLine.parse(try text(line, "headers")))
                } catch {
                    throw self.error(error.description, at: line.offset)
                }
            }
        } else if let object = node.object {
            for member in object.members {
                for value in member.value.array ?? [member.value] {
                    do throws(RecordingError) {
                        fields.append(try FieldLine.field(member.name, try text(value, member.name)))
                    } catch {
                        throw self.error(error.description, at: value.offset)
                    }
                }
            }
        } else {
            throw error("expected a list of header lines, found \(node.kindName)", at: node.offset)
        }
        return fields
    }

    /// The content of a file beside this one, or below; the author of this one may not know which other files would be read here.
    private func file(_ node: JSONNode) throws(RecordingError) -> [UInt8] {
        let name = try text(node, "bodyFile")
        let folder = path.lastIndex(ascii: "/").map { String(path[..<path.utf8.index(after: $0)]) } ?? "./"
        do throws(RecordingError) {
            guard !name.hasPrefix("/"), LocalFile.leads(folder + name, into: folder) else {
                throw RecordingError("\"bodyFile\" names a file outside of the directory of the requests file")
            }
            return try LocalFile.read(folder + name, limit: Self.limit)
        } catch {
            throw self.error(error.description, at: node.offset)
        }
    }

    private func text(_ node: JSONNode, _ name: String) throws(RecordingError) -> String {
        guard let text = node.string else {
            throw error("expected a string for \"\(name)\", found \(node.kindName)", at: node.offset)
        }
        return text
    }

    private func error(_ text: String, at offset: Int) -> RecordingError {
        let (line, column) = lines.position(of: offset)
        return RecordingError("\(path):\(line):\(column): error: \(text)")
    }
}
