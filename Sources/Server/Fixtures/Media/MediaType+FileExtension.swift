// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiHTTPSyntax

extension MediaType {
    /// The extension, without a dot, for a file with content of a media type.
    ///
    /// A type with one usual extension gives it. If there is no type, a type that says nothing, or a type that the bytes contradict, the bytes
    /// decide: a JPEG that was sent as image/png is `jpg`.
    /// - Parameters:
    ///   - mediaType: the value of Content-Type; empty if there is none.
    ///   - head: the whole content, or 512 bytes of it and more.
    package static func fileExtension(mediaType: String, head: [UInt8]) -> String {
        let essence = essence(of: mediaType)
        let found = Signature.of(head)
        let expected = Signature.expected(for: essence)
        if let first = expected.first {
            if let found, !expected.contains(found) { return found.fileExtension }
            if found == nil, first.isCertain, !head.isEmpty { return fileExtension(of: head) }
            return usual(essence) ?? first.fileExtension
        }
        if isTextual(essence) {
            if let found { return found.fileExtension }
            // A page in the place of JSON comes from a proxy that has not reached the service.
            if isJSON(essence), head.first(where: { $0 > 0x20 }) == UInt8(ascii: "<") { return fileExtension(of: head) }
        }
        return usual(essence) ?? fileExtension(of: head)
    }

    /// Whether content is text, in which words can be looked for and lines compared.
    ///
    /// - Parameters:
    ///   - mediaType: the value of Content-Type; empty if there is none.
    ///   - head: the whole content, or 512 bytes of it and more.
    package static func isText(mediaType: String, head: [UInt8]) -> Bool {
        if Signature.of(head) != nil { return false }
        if TextStart.isText(head) { return true }
        guard isTextual(mediaType) else { return false }
        // Text in UTF-16 has zeroes and a mark; in an older coding it has bytes that are not UTF-8.
        return head.starts(with: [0xFE, 0xFF]) || head.starts(with: [0xFF, 0xFE]) || !head.contains(0)
    }

    private static func fileExtension(of head: [UInt8]) -> String {
        Signature.of(head)?.fileExtension ?? (TextStart.isText(head) ? TextStart.fileExtension(head) : "bin")
    }

    private static func usual(_ essence: String) -> String? {
        if let own = usualExtensions[essence] { return own }
        if isJSON(essence) { return "json" }
        if isXML(essence) { return "xml" }
        if let own = onlyExtensions[essence] { return own }
        if let suffix = suffixes.first(where: { essence.hasSuffix($0.key) }) { return suffix.value }
        return essence.hasPrefix("text/") ? "txt" : nil
    }

    private static let suffixes: KeyValuePairs<String, String> = [
        "+yaml": "yaml", "+zip": "zip", "+gzip": "gz", "+zstd": "zst", "+cbor": "cbor",
    ]

    /// Types with several extensions, with older names, or whose suffix would give another.
    private static let usualExtensions: [String: String] = [
        "application/json": "json", "text/json": "json", "application/x-ndjson": "ndjson",
        "application/xml": "xml", "text/xml": "xml", "image/svg+xml": "svg", "application/xhtml+xml": "xhtml",
        "text/html": "html", "text/plain": "txt", "text/javascript": "js", "application/javascript": "js",
        "application/x-javascript": "js", "application/ecmascript": "js", "text/ecmascript": "js",
        "application/x-www-form-urlencoded": "txt", "application/yaml": "yaml", "application/x-yaml": "yaml",
        "text/yaml": "yaml", "text/x-yaml": "yaml", "text/markdown": "md", "text/x-markdown": "md",
        "application/protobuf": "pb", "application/x-protobuf": "pb", "application/msgpack": "msgpack",
        "application/x-msgpack": "msgpack", "application/x-mpegurl": "m3u8", "audio/mpegurl": "m3u8",
        "image/jpeg": "jpg", "image/jpg": "jpg", "image/pjpeg": "jpg", "image/tiff": "tiff", "image/heif": "heif",
        "image/x-icon": "ico", "image/apng": "png", "audio/ogg": "ogg", "audio/midi": "mid", "audio/mp4": "m4a",
        "audio/x-m4a": "m4a", "audio/webm": "webm", "audio/matroska": "mkv", "video/mp4": "mp4", "video/x-m4v": "mp4",
        "video/x-matroska": "mkv", "font/otf": "otf", "application/x-font-otf": "otf", "application/gzip": "gz",
    ]

    /// Types that one extension stands for.
    private static let onlyExtensions: [String: String] = {
        var extensions: [String: [String]] = [:]
        for (name, type) in byExtension { extensions[essence(of: type), default: []].append(name) }
        extensions[unknown] = nil
        return extensions.compactMapValues { $0.count == 1 ? $0[0] : nil }
    }()
}
