// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// Tells plain files from which other tools make a server.
enum ForeignDocument {
    /// The warning about a file; nil if it is most likely what it is served as. A file is judged by its name and its first bytes.
    static func warning(_ path: String, _ content: Content) -> String? {
        guard let (kind, cure) = kind(path.fileExtension, content.head) else { return nil }
        return "this is \(kind), and is served as a plain file: no request of it is answered; \(cure)"
    }

    private static func kind(_ fileExtension: String, _ head: [UInt8]) -> (kind: String, cure: String)? {
        let record = "record the service (mockapi record URL)"
        switch fileExtension {
        case "har": return ("a HAR archive", record)
        case "json":
            let text = String(decoding: head, as: UTF8.self)
            if text.contains("schema.getpostman.com") { return ("a Postman collection", record) }
            guard text.hasPrefix("{"), text.contains("\"openapi\"") || text.contains("\"swagger\"") else { return nil }
        case "yaml", "yml":
            let lines = head.split(separator: UInt8(ascii: "\n"))
            guard lines.contains(where: { line in ["openapi:", "swagger:"].contains { line.starts(with: $0.utf8) } })
            else { return nil }
        default: return nil
        }
        return (
            "an OpenAPI document",
            "\(record), and compare fixtures with it (mockapi diff); one that is meant to lie here unserved has a name that begins with a dot"
        )
    }
}
