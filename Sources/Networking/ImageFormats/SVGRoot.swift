// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

/// The start tag of an SVG document, looked for in its first 64 KiB.
///
/// A byte order mark, an XML declaration and other processing instructions, comments and a document type may stand
/// before it (XML 1.0 §2.8). UTF-8 is read, and encodings that are like it as far as tags go; UTF-16 is not.
struct SVGRoot {
    /// The bytes in which the tag is expected.
    static let searched = 64 * 1024

    private let bytes: [UInt8]
    private var index = 0

    init(_ data: Data) {
        bytes = Array(data.prefix(Self.searched))
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    }

    static func isFound(in data: Data) -> Bool {
        var root = SVGRoot(data)
        return root.goToAttributes()
    }

    /// From `width` and `height`, and from `viewBox` if they do not say (SVG 2 §8.2 and §8.12).
    func size() throws(ImageInfoError) -> ImageReader.Size {
        var root = self
        guard root.goToAttributes() else { throw .unknownFormat }
        let attributes = try root.attributes()
        let box = try Self.box(attributes["viewBox"])
        let width = try Self.pixels(attributes["width"])
        let height = try Self.pixels(attributes["height"])
        switch (width, height, box) {
        case (let width?, let height?, _): return (try Self.whole(width), try Self.whole(height))
        case (let width?, nil, let box?):
            return (try Self.whole(width), try Self.whole(width * box.height / box.width))
        case (nil, let height?, let box?):
            return (try Self.whole(height * box.width / box.height), try Self.whole(height))
        case (nil, nil, let box?): return (try Self.whole(box.width), try Self.whole(box.height))
        default: throw .malformed(.svg, "it has neither width and height in absolute units nor a viewBox")
        }
    }

    // MARK: The tag

    /// Goes behind `<svg`, if there is nothing else before it.
    private mutating func goToAttributes() -> Bool {
        while true {
            skipSpace()
            if skip("<!--") {
                guard goBehind("-->") else { return false }
            } else if skip("<?") {
                guard goBehind("?>") else { return false }
            } else if skip("<!DOCTYPE") {
                guard goBehindDocumentType() else { return false }
            } else if skip("<") {
                let name = name()
                guard name == "svg" || name.hasSuffix(":svg") else { return false }
                // At the end of the bytes the name may be the beginning of a longer one.
                return index < bytes.count
            } else {
                return false
            }
        }
    }

    private mutating func attributes() throws(ImageInfoError) -> [String: String] {
        var attributes: [String: String] = [:]
        while true {
            skipSpace()
            guard index < bytes.count else { throw .truncated(.svg) }
            if skip(">") || skip("/>") { return attributes }
            let name = name()
            skipSpace()
            let isAssigned = skip("=")
            skipSpace()
            guard index < bytes.count else { throw .truncated(.svg) }
            let quote = bytes[index]
            guard !name.isEmpty, isAssigned, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
                throw .malformed(.svg, "its root has an attribute without a quoted value")
            }
            guard let end = bytes[(index + 1)...].firstIndex(of: quote) else { throw .truncated(.svg) }
            attributes[name] = String(decoding: bytes[(index + 1)..<end], as: UTF8.self)
            index = end + 1
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    private mutating func skipSpace() {
        while index < bytes.count, Self.isSpace(bytes[index]) { index += 1 }
    }

    private mutating func skip(_ text: String) -> Bool {
        guard bytes[index...].starts(with: text.utf8) else { return false }
        index += text.utf8.count
        return true
    }

    private mutating func name() -> String {
        let start = index
        while index < bytes.count, !Self.isSpace(bytes[index]), !"=/><\"'".utf8.contains(bytes[index]) { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func goBehind(_ text: String) -> Bool {
        while index < bytes.count {
            if skip(text) { return true }
            index += 1
        }
        return false
    }

    /// A document type may hold declarations in brackets.
    private mutating func goBehindDocumentType() -> Bool {
        while index < bytes.count {
            if skip(">") { return true }
            if skip("[") {
                guard goBehind("]") else { return false }
            } else {
                index += 1
            }
        }
        return false
    }
}
