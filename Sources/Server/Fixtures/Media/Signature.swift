// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The kinds of files that are known by their first bytes.
package enum Signature: CaseIterable, Sendable {
    case png, jpeg, gif, webp, avif, heic, jxl, bmp, tiff, ico
    case woff, woff2, ttf, otf, ttc
    case mp4, m4a, mov, webm, mkv, mp3, ogg, flac, wav
    case pdf, gzip, zstd, zip, wasm, sqlite

    package var shortName: String {
        switch self {
        case .png, .jpeg, .gif, .avif, .heic, .bmp, .tiff, .ico, .woff, .woff2, .mp4, .m4a, .mp3, .flac, .wav, .pdf,
            .zip:
            "\(self)".uppercased()
        case .webp: "WebP"
        case .jxl: "JPEG XL"
        case .ttf: "TrueType"
        case .otf: "OpenType"
        case .ttc: "a font collection"
        case .mov: "QuickTime"
        case .webm: "WebM"
        case .mkv: "Matroska"
        case .ogg: "Ogg"
        case .gzip, .zstd: "\(self)"
        case .wasm: "WebAssembly"
        case .sqlite: "SQLite"
        }
    }

    /// As messages name it behind "the bytes are".
    var name: String {
        switch self {
        case .gzip, .zstd: "\(self) (store a body decoded, with \"contentEncoding\": \"\(self)\")"
        default: shortName
        }
    }

    /// The usual extension of such files, without the dot.
    var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .gzip: "gz"
        case .zstd: "zst"
        default: "\(self)"
        }
    }

    /// Whether files of the kind never begin otherwise, so that other bytes are certainly not a file of this kind.
    package var isCertain: Bool {
        switch self {
        case .png, .jpeg, .gif, .webp, .avif, .woff, .woff2, .pdf, .gzip, .wasm, .sqlite: true
        default: false
        }
    }

    /// Whether formats with media types of their own begin like this one: raw photographs as TIFF, documents as ZIP.
    var isContainer: Bool {
        switch self {
        case .tiff, .zip, .mp4, .mov, .ico: true
        default: false
        }
    }

    /// The signatures that the bytes of a media type may have, the usual one first; empty if none is known.
    package static func expected(for essence: String) -> [Signature] {
        switch essence {
        case "image/png", "image/x-png", "image/apng": [.png]
        case "image/jpeg", "image/jpg", "image/pjpeg": [.jpeg]
        case "image/gif": [.gif]
        case "image/webp": [.webp]
        case "image/avif": [.avif]
        case "image/heic", "image/heif": [.heic, .avif]
        case "image/jxl": [.jxl]
        case "image/bmp", "image/x-ms-bmp": [.bmp]
        case "image/tiff": [.tiff]
        case "image/vnd.microsoft.icon", "image/x-icon": [.ico]
        case "font/woff", "application/font-woff", "application/x-font-woff": [.woff]
        case "font/woff2", "application/font-woff2": [.woff2]
        case "font/ttf", "font/otf", "font/sfnt", "application/x-font-ttf", "application/x-font-otf",
            "application/font-sfnt":
            // Either outlines stand in either.
            [.ttf, .otf]
        case "font/collection": [.ttc]
        case "video/mp4", "audio/mp4", "video/quicktime", "audio/x-m4a", "video/x-m4v": [.mp4, .m4a, .mov]
        case "video/webm", "audio/webm", "video/matroska", "video/x-matroska", "audio/matroska": [.webm, .mkv]
        // Tags may stand in front of the sound.
        case "audio/mpeg", "audio/mp3": [.mp3]
        case "audio/flac", "audio/x-flac": [.flac, .mp3]
        case "audio/ogg", "video/ogg", "application/ogg": [.ogg]
        case "audio/wav", "audio/x-wav", "audio/wave", "audio/vnd.wave": [.wav]
        case "application/pdf": [.pdf]
        case "application/gzip", "application/x-gzip": [.gzip]
        case "application/zstd": [.zstd]
        case "application/zip", "application/x-zip-compressed": [.zip]
        case "application/wasm": [.wasm]
        case "application/vnd.sqlite3", "application/x-sqlite3": [.sqlite]
        default: []
        }
    }
}
