// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Media types by their names (RFC 9110 §8.3.1).
package enum MediaType {
    /// The type and subtype in lower case, without parameters.
    package static func essence(of type: String) -> String {
        let end = type.utf8.firstIndex(of: ASCII.semicolon) ?? type.endIndex
        return FieldText.trimmed(type[..<end]).lowercased()
    }

    /// The one form of all spellings of a media type that are equal (RFC 9110 §8.3.1): names and `charset` in lower case, `; ` before each parameter, and
    /// quotes only where a value needs them; nil for a text that is not a media type.
    package static func form(of text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        var rest = text[...].trimmed
        var form: [UInt8] = []
        func takeToken(lowercasing: Bool = true) -> Bool {
            let start = form.count
            while let byte = rest.first, ASCII.isToken(byte) {
                form.append(lowercasing ? ASCII.lowercased(byte) : byte)
                rest = rest.dropFirst()
            }
            return form.count > start
        }
        func take(_ sign: UInt8) -> Bool {
            guard rest.first == sign else { return false }
            form.append(sign)
            rest = rest.dropFirst()
            return true
        }
        guard takeToken(), take(ASCII.slash), takeToken() else { return nil }
        while true {
            rest = rest.trimmed
            if rest.isEmpty { return form }
            guard rest.first == ASCII.semicolon else { return nil }
            rest = rest.dropFirst().trimmed
            // An empty parameter says nothing (RFC 9110 §5.6.6).
            if rest.isEmpty || rest.first == ASCII.semicolon { continue }
            form += "; ".utf8
            let name = form.count
            guard takeToken(), take(ASCII.equals) else { return nil }
            let isCharset = form[name...].elementsEqual("charset=".utf8)
            guard rest.first == ASCII.quote else {
                guard takeToken(lowercasing: isCharset) else { return nil }
                continue
            }
            let (value, isClosed) = FieldText.takeQuoted(from: &rest, escaping: { _ in true })
            guard isClosed else { return nil }
            let needsQuotes = value.isEmpty || !value.allSatisfy(ASCII.isToken)
            if needsQuotes { form.append(ASCII.quote) }
            for byte in value {
                if byte == ASCII.quote || byte == ASCII.backslash { form.append(ASCII.backslash) }
                form.append(isCharset ? ASCII.lowercased(byte) : byte)
            }
            if needsQuotes { form.append(ASCII.quote) }
        }
    }

    package static func form(of text: String) -> String? {
        Array(text.utf8).withUnsafeBufferPointer { form(of: $0) }.map { String(decoding: $0, as: UTF8.self) }
    }

    package static func isJSON(_ essence: String) -> Bool { json.contain(essence) }

    package static func isXML(_ essence: String) -> Bool { xml.contain(essence) }

    package static func isYAML(_ essence: String) -> Bool { yaml.contain(essence) }

    /// Whether a media type, with parameters or without, is one of text.
    package static func isTextual(_ mediaType: UnsafeBufferPointer<UInt8>) -> Bool {
        let end = mediaType.firstIndex(of: ASCII.semicolon) ?? mediaType.count
        let essence = UnsafeBufferPointer(rebasing: mediaType[..<end].trimmed)
        return essence.prefix(5).elementsEqual("text/".utf8, by: { ASCII.lowercased($0) == $1 })
            || [json, xml, yaml].contains { $0.contain(essence) }
            || otherTexts.contains(where: essence.isTextIgnoringCase)
    }

    package static func isTextual(_ mediaType: String) -> Bool {
        var mediaType = mediaType
        return mediaType.withUTF8 { isTextual($0) }
    }

    /// Types by their names, and by the suffix of a structure (RFC 6839).
    private struct Names {
        let names: [StaticString]
        let suffix: StaticString

        func contain(_ essence: UnsafeBufferPointer<UInt8>) -> Bool {
            let last = UnsafeBufferPointer(rebasing: essence.suffix(suffix.utf8CodeUnitCount))
            return last.isTextIgnoringCase(suffix) || names.contains(where: essence.isTextIgnoringCase)
        }

        func contain(_ essence: String) -> Bool {
            var essence = essence
            return essence.withUTF8 { contain($0) }
        }
    }

    private static let json = Names(names: ["application/json", "text/json"], suffix: "+json")
    private static let xml = Names(names: ["application/xml", "text/xml"], suffix: "+xml")
    private static let yaml = Names(
        names: [
            "application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml", "application/vnd.yaml",
            "application/vnd.oai.openapi",
        ], suffix: "+yaml")
    private static let otherTexts: [StaticString] = [
        "application/javascript", "application/x-javascript", "application/ecmascript", "application/x-ndjson",
        "application/jsonl", "application/toml", "application/graphql", "application/x-www-form-urlencoded",
        "application/x-pem-file", "application/vnd.apple.mpegurl", "application/x-mpegurl", "application/sql",
        "application/rtf",
    ]
}
