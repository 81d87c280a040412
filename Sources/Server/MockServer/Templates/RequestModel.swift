// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiStubMatching
import MockapiTemplating
import Synchronization

/// The outermost names of a template: `request` and `parameters`.
struct TemplateModel: TemplateObject {
    let request: RequestModel
    let parameters: JSONNode

    func member(_ name: String) -> TemplateValue? {
        switch name {
        case "request": .object(request)
        case "parameters": .json(parameters)
        default: nil
        }
    }

    var members: [(name: String, value: TemplateValue)] {
        [("request", .object(request)), ("parameters", .json(parameters))]
    }
}

/// A request as templates see it; each part is read when a template asks for it.
struct RequestModel: TemplateObject {
    private let head: RequestHead
    private let body: [UInt8]
    private let client: String
    private let base: String
    private let pathTemplate: String?
    private let hasRawVariables: Bool
    private let id: String
    /// The parts that were asked for: each is read once, however often.
    private let known = KnownParts()

    /// - Parameters:
    ///   - client: the address that the request came from.
    ///   - base: the URL of the server as the client named it, without a path.
    ///   - pathTemplate: the path with variables of the stub that matches; nil if it has none.
    ///   - hasRawVariables: whether its variables stay percent-encoded, as in WireMock.
    init(
        _ head: RequestHead, _ body: [UInt8], client: String, base: String, pathTemplate: String?,
        hasRawVariables: Bool = false, id: String
    ) {
        self.head = head
        self.body = body
        self.client = client
        self.base = base
        self.pathTemplate = pathTemplate
        self.hasRawVariables = hasRawVariables
        self.id = id
    }

    /// Bytes of the request, which are there as long as this is.
    var size: Int { head.bytes.count + body.count }

    var members: [(name: String, value: TemplateValue)] {
        TemplateScope.requestMembers.map { ($0, member($0) ?? .null) }
    }

    var text: String { head.string(head.method) + " " + url }

    private var url: String {
        let path = head.string(head.path)
        return head.query.map { "\(path)?\(head.string($0))" } ?? path
    }

    func member(_ name: String) -> TemplateValue? {
        switch name {
        case "path", "pathSegments":
            known.part("path") { .object(RequestPath(head.string(head.path), pathTemplate, hasRawVariables)) }
        case "query": known.part(name) { .object(FormFields(query)) }
        case "headers": known.part(name) { .object(FormFields(fields, ignoresCase: true)) }
        case "cookies": known.part(name) { .object(FormFields(cookies)) }
        case "multipart", "isMultipart": known.part("multipart") { .bool(isMultipart) }
        case "parts": known.part(name) { .object(RequestParts(body, contentType: contentType)) }
        case "id": .string(id)
        case "requestLine": .object(self)
        case "url": .string(url)
        case "method": .string(head.string(head.method))
        case "host": .string(authority.host)
        case "port": .integer(authority.port)
        case "scheme": .string(scheme)
        case "baseUrl": .string(base)
        case "clientIp": .string(client)
        case "body": .string(String(decoding: body, as: UTF8.self))
        case "bodyAsBase64": .string(Base64.text(of: body))
        default: nil
        }
    }

    func reading(_ name: String) -> Int { name == "bodyAsBase64" ? body.count : 0 }

    private var fields: [(name: String, value: String)] {
        head.fields.map { (head.string($0.name), head.string($0.value)) }
    }

    private var query: [(name: String, value: String)] {
        head.query.map { QueryText.decodedPairs(of: head.string($0)) } ?? []
    }

    private var cookies: [(name: String, value: String)] {
        fields.filter { $0.name.lowercased() == "cookie" }.flatMap { field in
            FieldText.cookies(of: field.value).filter { !$0.name.isEmpty }
        }
    }

    private var scheme: String { base.utf8.starts(with: "https:".utf8) ? "https" : "http" }

    private var authority: (host: String, port: Int) {
        let bytes = Array(base.utf8)
        let start = bytes.firstIndex(of: UInt8(ascii: "/")).map { $0 + 2 } ?? 0
        let text = bytes[min(start, bytes.count)...].prefix { $0 != ASCII.slash }
        let host = String(decoding: Authority.host(text), as: UTF8.self)
        let tail = text.last == UInt8(ascii: "]") ? nil : text.lastIndex(of: UInt8(ascii: ":"))
        let port = tail.flatMap { Int(String(decoding: text[($0 + 1)...], as: UTF8.self)) }
        return (host, port ?? (scheme == "https" ? 443 : 80))
    }

    private var contentType: [UInt8] { head.firstValue("content-type").map { Array(head.bytes[$0.range]) } ?? [] }

    private var isMultipart: Bool {
        let type = String(decoding: contentType, as: UTF8.self)
        return type.lowercased().hasPrefix("multipart/") && FieldText.parameter("boundary", of: type)?.isEmpty == false
    }
}

/// The parts of one request that templates have read.
private final class KnownParts: Sendable {
    private let values = Mutex<[String: TemplateValue]>([:])

    /// A part, read at its first use.
    func part(_ name: String, _ read: () -> TemplateValue) -> TemplateValue {
        values.withLock { values in
            if let value = values[name] { return value }
            let value = read()
            values[name] = value
            return value
        }
    }
}

/// A request's path: prints as it is, and has its segments by their numbers and by the names of the stub's variables.
private struct RequestPath: TemplateObject {
    let text: String
    private let segments: [String]
    private let variables: [String: String]

    init(_ path: String, _ template: String?, _ hasRawVariables: Bool) {
        func decoded(_ text: some StringProtocol) -> String {
            String(decoding: PercentCoding.decode(text.utf8), as: UTF8.self)
        }
        text = decoded(path)
        segments = path.split(ascii: "/").map { decoded($0) }
        variables = template.map { StubRequest.parameters($0, path, isRaw: hasRawVariables) } ?? [:]
    }

    func member(_ name: String) -> TemplateValue? {
        if let value = variables[name] { return .string(value) }
        return TemplateValue.element(name, of: segments.count) { .string(segments[$0]) }
    }

    var elements: [TemplateValue]? { segments.map { .string($0) } }
    var elementCount: Int? { segments.count }
}

/// The parts of a multipart request (RFC 7578), by their names.
private struct RequestParts: TemplateObject {
    private struct Part: TemplateObject {
        let name: String
        let fields: [(name: String, value: String)]
        let content: [UInt8]

        func member(_ name: String) -> TemplateValue? {
            switch name {
            case "name": .string(self.name)
            case "body": .string(String(decoding: content, as: UTF8.self))
            case "bodyAsBase64": .string(Base64.text(of: content))
            case "binary": .bool(String(validating: content, as: UTF8.self) == nil)
            case "headers": .object(FormFields(fields, ignoresCase: true))
            default: nil
            }
        }

        var members: [(name: String, value: TemplateValue)] {
            ["name", "body", "headers", "binary"].map { ($0, member($0) ?? .null) }
        }

        var text: String { String(decoding: content, as: UTF8.self) }

        func reading(_ name: String) -> Int {
            switch name {
            case "bodyAsBase64", "binary": content.count
            case "headers": 64 * fields.count
            default: 0
            }
        }
    }

    private let parts: [Part]

    init(_ body: [UInt8], contentType type: [UInt8]) {
        func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }
        parts = body.withUnsafeBufferPointer { body in
            type.withUnsafeBufferPointer { type in
                let parts = try? MultipartBody.parts(of: body, contentType: type)
                return (parts ?? []).map { part in
                    Part(
                        name: text(part.name ?? []), fields: part.headers.map { (text($0.name), text($0.value)) },
                        content: Array(part.content))
                }
            }
        }
    }

    func member(_ name: String) -> TemplateValue? {
        parts.first { $0.name == name }.map { .object($0) }
    }

    func reading(_ name: String) -> Int { 8 * parts.count }

    var members: [(name: String, value: TemplateValue)] { parts.map { ($0.name, .object($0)) } }
}
