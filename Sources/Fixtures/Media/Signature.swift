// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The kinds of files that tell themselves by their first bytes.
enum Signature: CaseIterable {
    case png
    case jpeg
    case gif
    case webp
    case pdf
    case gzip

    var shortName: String {
        switch self {
        case .png: "PNG"
        case .jpeg: "JPEG"
        case .gif: "GIF"
        case .webp: "WebP"
        case .pdf: "PDF"
        case .gzip: "gzip"
        }
    }

    /// As messages name it behind "the bytes are".
    var name: String {
        switch self {
        case .gzip: "gzip (store a body decoded, with \"contentEncoding\": \"gzip\")"
        default: shortName
        }
    }

    static func of(_ head: [UInt8]) -> Signature? {
        if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
        if head.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
        if head.starts(with: "GIF87a".utf8) || head.starts(with: "GIF89a".utf8) { return .gif }
        if head.starts(with: "RIFF".utf8), head.dropFirst(8).starts(with: "WEBP".utf8) { return .webp }
        if head.starts(with: "%PDF-".utf8) { return .pdf }
        if head.starts(with: [0x1F, 0x8B, 0x08]) { return .gzip }
        return nil
    }

    /// What the bytes of a media type must be.
    static func expected(for essence: String) -> Signature? {
        switch essence {
        case "image/png": .png
        case "image/jpeg", "image/jpg", "image/pjpeg": .jpeg
        case "image/gif": .gif
        case "image/webp": .webp
        case "application/pdf": .pdf
        case "application/gzip", "application/x-gzip": .gzip
        default: nil
        }
    }
}
