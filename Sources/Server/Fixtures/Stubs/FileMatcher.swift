// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
package import MockapiJSONText

/// A matcher of a body whose expected value is the content of a file beside the stub; the raw values are the keys of the fixture format.
package enum FileMatcher: String, CaseIterable, Sendable {
    case bytes = "equalToFile"
    case json = "equalToJsonFile"
    case xml = "equalToXmlFile"

    /// The keys of the matchers that have the value in the stub.
    package var inlineKeys: [KeyName] {
        switch self {
        case .bytes: [.equalTo, .binaryEqualTo]
        case .json: [.equalToJson]
        case .xml: [.equalToXml]
        }
    }

    /// The matchers that have the value in the stub, by their keys.
    private static func inline(_ key: String) -> FileMatcher? {
        allCases.first { $0.inlineKeys.contains { $0.rawValue == key } }
    }

    // MARK: As it is written

    /// A matcher of a body with its expected value in a file; the same if it has none that a file can hold.
    package static func matcher(_ matcher: JSONNode, reading file: String) -> JSONNode {
        members(of: matcher) { member in
            inline(member.name).map { .init(name: $0.rawValue, value: .string(file)) }
        }
    }

    /// The content of a matcher's file; nil if its value stands in the stub alone.
    package static func content(of matcher: JSONNode) -> [UInt8]? {
        guard let member = matcher.object?.members.first(where: { inline($0.name) != nil }) else { return nil }
        guard let text = member.value.string else {
            return inline(member.name) == .json ? JSONWriter.reviewable(member.value) + [UInt8(ascii: "\n")] : nil
        }
        switch KeyName(rawValue: member.name) {
        case .equalToJson: return nil
        case .binaryEqualTo:
            // Text would be read back as a text.
            let bytes = Base64.decode(text, .written)
            return bytes.flatMap { String(validating: $0, as: UTF8.self) == nil ? $0 : nil }
        default: return Array(text.utf8)
        }
    }

    /// The matcher of a request's whole body that has its value in a file, or may have it there: the first.
    package static func matcher(in request: JSONNode) -> JSONNode? { request["bodyPatterns"]?.array?.first }

    /// The name of the file that a request's matcher reads; nil if none does.
    package static func file(in request: JSONNode?) -> String? {
        request.flatMap { matcher(in: $0) }?.object?.members.lazy
            .compactMap { FileMatcher(rawValue: $0.name) == nil ? nil : $0.value.string }.first
    }

    /// A request whose first matcher of the body reads a file.
    package static func request(_ request: JSONNode, reading file: String) -> JSONNode {
        changingFirst(of: request) { matcher($0, reading: file) }
    }

    /// A request whose matcher reads a file of another name.
    package static func request(_ request: JSONNode, renaming name: (String) -> String?) -> JSONNode {
        changingFirst(of: request) { matcher in
            members(of: matcher) { member in
                guard FileMatcher(rawValue: member.name) != nil, let new = member.value.string.flatMap(name) else {
                    return nil
                }
                return .init(name: member.name, value: .string(new))
            }
        }
    }

    /// A request with the value of its matcher in the place of the file's name; the same if the file cannot be read.
    package static func request(_ request: JSONNode, inlining read: (String) -> [UInt8]?) -> JSONNode {
        changingFirst(of: request) { matcher in
            members(of: matcher) { member in
                guard let kind = FileMatcher(rawValue: member.name), let bytes = member.value.string.flatMap(read)
                else { return nil }
                let text = String(validating: bytes, as: UTF8.self)
                switch kind {
                case .bytes where text == nil:
                    return .init(name: KeyName.binaryEqualTo.rawValue, value: .string(Base64.text(of: bytes)))
                case .bytes, .xml:
                    return text.flatMap { text in
                        kind.inlineKeys.first.map { .init(name: $0.rawValue, value: .string(text)) }
                    }
                case .json:
                    return (try? JSONParser.parse(bytes)).map { .init(name: KeyName.equalToJson.rawValue, value: $0) }
                }
            }
        }
    }

    private static func changingFirst(of request: JSONNode, _ change: (JSONNode) -> JSONNode) -> JSONNode {
        members(of: request) { member in
            guard member.name == KeyName.bodyPatterns.rawValue, let first = member.value.array?.first else {
                return nil
            }
            return .init(name: member.name, value: .array([change(first)] + (member.value.array ?? []).dropFirst()))
        }
    }

    /// An object with some members changed.
    private static func members(
        of node: JSONNode, changing change: (JSONObject.Member) -> JSONObject.Member?
    ) -> JSONNode {
        guard let object = node.object else { return node }
        return JSONNode(.object(JSONObject(object.members.map { change($0) ?? $0 })))
    }
}

// MARK: Reading

extension StubFileReader {
    /// The matcher that reads a file.
    mutating func fileMatcher(_ kind: FileMatcher, _ operand: Cursor, in cursor: Cursor) -> BodyMatcher? {
        guard let name = operand.node.string else { return nil }
        let file: String
        let bytes: [UInt8]
        switch bodyContent(name) {
        case .failed(let why):
            report(.error, why, at: operand)
            return nil
        case .found(let path, let content):
            guard let content = content.body.bytes else {
                report(.error, "the body file \"\(path)\" cannot be read", at: operand)
                return nil
            }
            (file, bytes) = (path, content)
        }
        func text() -> String? { String(validating: bytes, as: UTF8.self) }
        switch kind {
        case .bytes: return .file(name, .binaryEqualTo(bytes))
        case .json:
            do throws(JSONError) {
                let node = try JSONParser.parse(bytes)
                return equalToJSON(node, of: operand, in: cursor).map { .file(name, .value($0)) }
            } catch {
                let position = LineMap(bytes).position(of: error.offset)
                report(
                    "this is not JSON: \(error.message)",
                    at: Place(path: file, line: position.line, column: position.column, pointer: ""))
                return nil
            }
        case .xml:
            guard let text = text() else {
                report(.error, "the body file \"\(file)\" is not UTF-8", at: operand)
                return nil
            }
            let whole = Cursor(.string(text), operand.pointer)
            return LeafKind.xml.read(&self, KeyName.equalToXml.rawValue, whole, cursor)
                .map { .file(name, .value(.leaf($0))) }
        }
    }
}
