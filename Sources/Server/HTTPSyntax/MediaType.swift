// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Media types by their names (RFC 9110 §8.3.1).
package enum MediaType {
    /// The type and subtype in lower case, without parameters.
    package static func essence(of type: String) -> String {
        let end = type.utf8.firstIndex(of: ASCII.semicolon) ?? type.endIndex
        return FieldText.trimmed(type[..<end]).lowercased()
    }

    package static func isJSON(_ essence: String) -> Bool {
        essence == "application/json" || essence == "text/json" || essence.hasSuffix("+json")
    }

    package static func isXML(_ essence: String) -> Bool {
        essence == "application/xml" || essence == "text/xml" || essence.hasSuffix("+xml")
    }

    package static func isYAML(_ essence: String) -> Bool {
        ["application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml", "application/vnd.yaml"].contains(essence)
            || essence.hasSuffix("+yaml") || essence == "application/vnd.oai.openapi"
    }

    /// Whether a media type, with parameters or without, is one of text.
    package static func isTextual(_ mediaType: String) -> Bool {
        let essence = essence(of: mediaType)
        if essence.hasPrefix("text/") || isJSON(essence) || isXML(essence) || essence.hasSuffix("+yaml") { return true }
        return textual.contains(essence)
    }

    private static let textual: Set<String> = [
        "application/javascript", "application/x-javascript", "application/ecmascript", "application/x-ndjson",
        "application/jsonl", "application/yaml", "application/x-yaml", "application/toml", "application/graphql",
        "application/x-www-form-urlencoded", "application/x-pem-file", "application/vnd.apple.mpegurl",
        "application/x-mpegurl", "application/sql", "application/rtf",
    ]
}
