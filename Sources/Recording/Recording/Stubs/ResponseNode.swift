// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiContentCodings
import MockapiFixtures
import MockapiJSONText

/// A response as a stub's `response`, and back.
enum ResponseNode {
    /// The keys that the recorder writes; others are the user's and stay.
    private static let owned: Set<KeyName> = [
        .status, .reason, .headerCharset, .headers, .bodyFile, .body, .jsonBody, .base64Body, .contentEncoding,
        .contentLength, .defaultContentType, .trailers, .rewriteOrigins, .ranges,
    ]

    /// - Parameter old: the node that it replaces.
    static func node(_ answer: RecordedResponse, keeping old: JSONNode?) -> JSONNode {
        let members = StubWriter.response(answer.definition).object?.members ?? []
        var others = (old?.object?.members ?? []).filter { member in
            KeyName(rawValue: member.name).map { !owned.contains($0) } ?? true
        }
        let transformers = KeyName.transformers.rawValue
        if answer.template != nil || answer.hasTemplates, !others.contains(where: { $0.name == transformers }) {
            others.append(.init(name: transformers, value: .array([.string(renderer)])))
        }
        return JSONNode(.object(JSONObject(members + others)))
    }

    /// The transformer that renders templates.
    private static let renderer = "response-template"

    /// - Parameter folder: the absolute path of the stub file's folder.
    static func response(from node: JSONNode, folder: String) -> RecordedResponse {
        RecordedResponse(ResponseDefinition(reading: node), folder: folder)
    }
}

extension RecordedResponse {
    /// The response as it is written, its body in a file.
    fileprivate var definition: ResponseDefinition {
        var definition = ResponseDefinition(
            status: status, headers: headers,
            content: template.map { .json($0) } ?? bodyFile.map { .file($0) } ?? .none)
        definition.reason = reason
        definition.isLatin1 = isLatin1
        definition.contentEncoding = contentEncoding.flatMap { ContentCoding(rawValue: $0) }
        definition.isTyped = !isUntyped
        definition.contentLength = contentLength
        definition.trailers = trailers
        definition.rewriteOrigins = rewriteOrigins
        definition.hasRanges = hasRanges
        return definition
    }

    fileprivate init(_ definition: ResponseDefinition, folder: String) {
        self.init(status: definition.status)
        reason = definition.reason
        isLatin1 = definition.isLatin1
        headers = definition.headers
        contentEncoding = definition.contentEncoding?.rawValue
        isUntyped = !definition.isTyped
        contentLength = definition.contentLength
        trailers = definition.trailers
        rewriteOrigins = definition.rewriteOrigins
        hasRanges = definition.hasRanges
        switch definition.content {
        case .none: break
        case .text(let text): body = .bytes(Array(text.utf8))
        case .json(let node): body = .bytes(JSONWriter.compact(node))
        case .bytes(let bytes): body = .bytes(bytes)
        case .file(let name):
            bodyFile = name
            let path = "\(folder)/\(name)"
            body = FileSize.of(path).map { .file(path: path, size: $0) } ?? .none
        }
    }
}
