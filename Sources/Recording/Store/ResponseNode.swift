// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Fixtures
import HTTPSyntax
import JSONText
import StubMatching

/// A response as a stub's `response`, and back.
enum ResponseNode {
    /// The keys that the recorder writes; others are the user's and stay.
    private static let owned: Set<String> = [
        "status", "reason", "headerCharset", "headers", "bodyFile", "body", "jsonBody", "base64Body", "contentEncoding",
        "contentLength",
        "defaultContentType",
        "trailers", "rewriteOrigins",
    ]

    /// - Parameter old: the node that it replaces.
    static func node(_ answer: RecordedResponse, keeping old: JSONNode?) -> JSONNode {
        var members: [JSONObject.Member] = [.init(name: "status", value: .integer(answer.status))]
        func add(_ name: String, _ value: JSONNode?) {
            if let value { members.append(.init(name: name, value: value)) }
        }
        add("reason", answer.reason.map { .string($0) })
        add("headerCharset", answer.isLatin1 ? .string("ISO-8859-1") : nil)
        add("headers", lines(answer.headers))
        add("bodyFile", answer.bodyFile.map { .string($0) })
        add("contentEncoding", answer.contentEncoding.map { .string($0) })
        add("defaultContentType", answer.isUntyped ? .bool(false) : nil)
        add("contentLength", answer.contentLength.map { .integer($0) })
        add("trailers", lines(answer.trailers))
        add(
            "rewriteOrigins",
            answer.rewriteOrigins.isEmpty ? nil : .array(answer.rewriteOrigins.map { .string($0) }))
        members += (old?.object?.members ?? []).filter { !owned.contains($0.name) }
        return JSONNode(.object(JSONObject(members)))
    }

    private static func lines(_ lines: [HeaderLine]) -> JSONNode? {
        lines.isEmpty ? nil : .array(lines.map { .string("\($0.name): \($0.value)") })
    }

    /// - Parameter folder: the absolute path of the stub file's folder.
    static func response(from node: JSONNode, folder: String) -> RecordedResponse {
        var answer = RecordedResponse(status: node["status"]?.number?.integer ?? 200)
        answer.reason = node["reason"]?.string
        answer.isLatin1 = node["headerCharset"]?.string == "ISO-8859-1"
        answer.headers = headers(node["headers"])
        answer.contentEncoding = node["contentEncoding"]?.string
        answer.isUntyped = node["defaultContentType"]?.bool == false
        answer.contentLength = node["contentLength"]?.number?.integer
        answer.trailers = headers(node["trailers"])
        answer.rewriteOrigins = (node["rewriteOrigins"]?.array ?? []).compactMap(\.string)
        if let name = node["bodyFile"]?.string {
            answer.bodyFile = name
            let path = "\(folder)/\(name)"
            answer.body = FileSize.of(path).map { .file(path: path, size: $0) } ?? .none
        } else if let text = node["body"]?.string {
            answer.body = .bytes(Array(text.utf8))
        } else if let json = node["jsonBody"] {
            answer.body = .bytes(JSONWriter.compact(json))
        }
        return answer
    }

    private static func headers(_ node: JSONNode?) -> [HeaderLine] {
        if let object = node?.object {
            return object.members.flatMap { member in
                (member.value.array ?? [member.value]).compactMap { value in
                    value.string.map { HeaderLine(member.name, $0) }
                }
            }
        }
        return (node?.array ?? []).compactMap { line in
            guard let text = line.string, let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
            return HeaderLine(String(text[..<colon]), FieldText.trimmed(text[text.utf8.index(after: colon)...]))
        }
    }
}
