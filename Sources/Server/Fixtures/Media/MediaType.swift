// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

// Media types by the extensions of file names.
extension MediaType {
    static let unknown = "application/octet-stream"

    /// The Content-Type line's value for a file.
    static func of(_ path: String) -> String {
        byExtension[path.fileExtension] ?? unknown
    }

    /// The same for a file whose content is known: text in UTF-8 gets a charset, since it is read and known; other text keeps its own
    /// declaration, which a charset here would override (RFC 7303 §3.2). A name without an extension says nothing, and JSON does.
    static func of(_ path: String, _ content: Content) -> String {
        let name = path.fileName.utf8
        if !name.dropFirst().contains(UInt8(ascii: ".")), !content.head.isEmpty {
            return TextStart.isJSONDocument(content.head) ? "application/json" : of(path)
        }
        let type = of(path)
        guard let end = type.utf8.firstIndex(of: ASCII.semicolon), content.body.count > 0 else { return type }
        return TextCoding.isUTF8(content) ? type : String(type[..<end])
    }

    /// Whether a path hardly belongs to an API, but to a part of a page, such as an image, a font, a film, a script or a style.
    package static func isOfPage(path: String) -> Bool {
        let essence = essence(of: of(path))
        return ["image/", "font/", "audio/", "video/"].contains { essence.hasPrefix($0) }
            || ["text/css", "text/javascript", "text/html", "application/wasm", "application/manifest+json"].contains(
                essence)
    }

    private static func text(_ subtype: String) -> String { "text/\(subtype); charset=utf-8" }

    static let byExtension: [String: String] = [
        // Data; JSON is UTF-8 by its definition (RFC 8259 §8.1) and knows no charset.
        "json": "application/json", "map": "application/json", "jsonapi": "application/vnd.api+json",
        "geojson": "application/geo+json", "jsonld": "application/ld+json", "hal": "application/hal+json",
        "problem": "application/problem+json", "ndjson": "application/x-ndjson", "jsonl": "application/jsonl",
        "webmanifest": "application/manifest+json", "har": "application/json", "topojson": "application/json",
        "xml": "application/xml; charset=utf-8", "xsl": "application/xml; charset=utf-8",
        "xsd": "application/xml; charset=utf-8", "rss": "application/rss+xml; charset=utf-8",
        "atom": "application/atom+xml; charset=utf-8", "kml": "application/vnd.google-earth.kml+xml; charset=utf-8",
        "gpx": "application/gpx+xml; charset=utf-8", "plist": "application/xml; charset=utf-8",
        "yaml": "application/yaml", "yml": "application/yaml", "toml": "application/toml",
        "cbor": "application/cbor", "msgpack": "application/vnd.msgpack", "pb": "application/x-protobuf",
        "sqlite": "application/vnd.sqlite3", "csv": text("csv"), "tsv": text("tab-separated-values"),
        // Pages.
        "html": text("html"), "htm": text("html"), "xhtml": "application/xhtml+xml; charset=utf-8",
        "css": text("css"), "js": text("javascript"), "mjs": text("javascript"), "cjs": text("javascript"),
        "wasm": "application/wasm",
        "sse": text("event-stream"), "txt": text("plain"), "log": text("plain"), "ini": text("plain"),
        "conf": text("plain"),
        "md": text("markdown"), "markdown": text("markdown"), "ics": text("calendar"), "vcf": text("vcard"),
        "vcard": text("vcard"),
        "vtt": text("vtt"), "srt": text("plain"), "graphql": "application/graphql; charset=utf-8",
        // Images.
        "png": "image/png", "apng": "image/apng", "jpg": "image/jpeg", "jpeg": "image/jpeg", "jfif": "image/jpeg",
        "gif": "image/gif",
        "webp": "image/webp", "avif": "image/avif", "heic": "image/heic", "heif": "image/heif", "jxl": "image/jxl",
        "svg": "image/svg+xml; charset=utf-8", "svgz": "image/svg+xml", "ico": "image/vnd.microsoft.icon",
        "bmp": "image/bmp",
        "tif": "image/tiff", "tiff": "image/tiff", "psd": "image/vnd.adobe.photoshop",
        // Sound and pictures that move.
        "mp3": "audio/mpeg", "m4a": "audio/mp4", "m4b": "audio/mp4", "aif": "audio/aiff", "aiff": "audio/aiff",
        "caf": "audio/x-caf", "aac": "audio/aac", "ogg": "audio/ogg", "oga": "audio/ogg",
        "opus": "audio/ogg", "wav": "audio/wav", "flac": "audio/flac", "mid": "audio/midi", "midi": "audio/midi",
        "mp4": "video/mp4", "m4v": "video/mp4", "m4s": "video/iso.segment", "3gp": "video/3gpp", "mpg": "video/mpeg",
        "mov": "video/quicktime", "webm": "video/webm", "ogv": "video/ogg",
        "mpeg": "video/mpeg", "avi": "video/x-msvideo", "mkv": "video/matroska", "ts": "video/mp2t",
        "m3u8": "application/vnd.apple.mpegurl", "mpd": "application/dash+xml",
        // Fonts.
        "woff": "font/woff", "woff2": "font/woff2", "ttf": "font/ttf", "otf": "font/otf", "ttc": "font/collection",
        "eot": "application/vnd.ms-fontobject",
        // Documents and archives.
        "pdf": "application/pdf", "rtf": "application/rtf", "epub": "application/epub+zip",
        "doc": "application/msword", "xls": "application/vnd.ms-excel", "ppt": "application/vnd.ms-powerpoint",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "odt": "application/vnd.oasis.opendocument.text", "ods": "application/vnd.oasis.opendocument.spreadsheet",
        "zip": "application/zip", "gz": "application/gzip", "tgz": "application/gzip", "bz2": "application/x-bzip2",
        "xz": "application/x-xz", "zst": "application/zstd", "br": "application/x-brotli", "tar": "application/x-tar",
        "7z": "application/x-7z-compressed", "jar": "application/java-archive",
        "apk": "application/vnd.android.package-archive", "ipa": unknown, "pkpass": "application/vnd.apple.pkpass",
        "usdz": "model/vnd.usdz+zip", "glb": "model/gltf-binary", "gltf": "model/gltf+json",
        "pem": "application/x-pem-file", "der": unknown, "bin": unknown, "dat": unknown,
    ]
}
