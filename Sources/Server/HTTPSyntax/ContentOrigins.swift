// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Replaces origins in a content according to its media type: in text wherever they stand, in multipart part by part.
package struct ContentOrigins: Sendable {
    private enum Form {
        case text(OriginRewriter)
        case parts(MultipartRewriter)
    }

    private var form: Form

    /// Whether origins are looked for in content of a media type, with its parameters.
    package static func areIn(_ mediaType: UnsafeBufferPointer<UInt8>) -> Bool {
        MediaType.isTextual(mediaType)
            || MultipartRewriter.boundary(of: String(decoding: mediaType, as: UTF8.self)) != nil
    }

    package static func areIn(_ mediaType: String) -> Bool {
        var mediaType = mediaType
        return mediaType.withUTF8 { areIn($0) }
    }

    /// - Parameter mediaType: of a content without a type it is empty, which is taken for text.
    /// - Returns: nil for content that passes as it is.
    package init?(_ origins: OriginRewriter, mediaType: String) {
        if mediaType.isEmpty || MediaType.isTextual(mediaType) {
            form = .text(origins)
        } else if let parts = MultipartRewriter(origins, mediaType: mediaType) {
            form = .parts(parts)
        } else {
            return nil
        }
    }

    /// Rewrites the next bytes, as far as the result is certain.
    package mutating func rewrite(_ bytes: [UInt8]) -> [UInt8] {
        switch form {
        case .text(var origins):
            let output = origins.rewrite(bytes)
            form = .text(origins)
            return output
        case .parts(var parts):
            let output = parts.rewrite(bytes)
            form = .parts(parts)
            return output
        }
    }

    /// Rewrites the bytes still held back: the content is over.
    package mutating func finish() -> [UInt8] {
        switch form {
        case .text(var origins):
            defer { form = .text(origins) }
            return origins.finish()
        case .parts(var parts):
            defer { form = .parts(parts) }
            return parts.finish()
        }
    }

    /// A whole content, whatever is held back of another.
    package func rewritten(_ content: [UInt8]) -> [UInt8] {
        switch form {
        case .text(let origins): return origins.rewritten(content)
        case .parts(var parts): return parts.rewrite(content) + parts.finish()
        }
    }
}
