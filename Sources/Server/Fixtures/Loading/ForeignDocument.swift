// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiJSONText

/// Tells plain files from which other tools make a server.
enum ForeignDocument {
    private enum Kind: String {
        case openAPI = "an OpenAPI document"
        case archive = "a HAR archive"
        case collection = "a Postman collection"
    }

    /// The warning about a file; nil if it most likely is a plain file.
    ///
    /// A file above 32 KiB, which is not held in memory, is judged by its name and its first bytes.
    static func warning(_ path: String, _ content: Content) -> String? {
        guard let kind = kind(path.fileExtension, content) else { return nil }
        var cure = "record the service (mockapi record URL)"
        if kind == .openAPI {
            cure +=
                ", and compare fixtures with it (mockapi diff); one that is meant to lie here unserved has a name that begins with a dot"
        }
        return "this is \(kind.rawValue), and is served as a plain file: none of its requests is served; \(cure)"
    }

    private static func kind(_ fileExtension: String, _ content: Content) -> Kind? {
        switch fileExtension {
        case "har":
            guard case .bytes(let bytes) = content.body else { return content.head.isEmpty ? nil : Kind.archive }
            let node = try? JSONParser.parse(bytes)
            return node?["log"]?["entries"]?.array == nil ? nil : Kind.archive
        case "json":
            guard case .bytes(let bytes) = content.body else { return kind(ofHead: content.head) }
            return kind(of: bytes)
        case "yaml", "yml":
            let lines = content.head.split(separator: UInt8(ascii: "\n"))
            let isNamed = lines.contains { line in ["openapi:", "swagger:"].contains { line.starts(with: $0.utf8) } }
            return isNamed ? Kind.openAPI : nil
        default: return nil
        }
    }

    /// The kind of a JSON text by its members.
    private static func kind(of bytes: [UInt8]) -> Kind? {
        let words: [StaticString] = ["\"openapi\"", "\"swagger\"", "schema.getpostman.com"]
        guard words.contains(where: { MisnamedStub.contains($0, in: bytes) }), let node = try? JSONParser.parse(bytes)
        else { return nil }
        if let schema = node["info"]?["schema"]?.string, schema.contains("schema.getpostman.com") {
            return Kind.collection
        }
        let versions = [node["openapi"], node["swagger"]].compactMap(\.self)
        return versions.contains { $0.string != nil || $0.number != nil } ? Kind.openAPI : nil
    }

    /// The kind of a long JSON text by its first member.
    private static func kind(ofHead head: [UInt8]) -> Kind? {
        let blanks = [ASCII.space, ASCII.tab, ASCII.lineFeed, ASCII.carriageReturn]
        let start = head.drop { blanks.contains($0) }
        guard start.first == UInt8(ascii: "{") else { return nil }
        let member = start.dropFirst().drop { blanks.contains($0) }
        if ["\"openapi\"", "\"swagger\""].contains(where: { member.starts(with: $0.utf8) }) { return Kind.openAPI }
        let isCollection =
            member.starts(with: "\"info\"".utf8) && MisnamedStub.contains("schema.getpostman.com", in: head)
        return isCollection ? Kind.collection : nil
    }
}
