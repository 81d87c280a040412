// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiSystemIO

/// A file that is served as it is, at its own path, to GET and HEAD.
package struct PlainFile: Sendable {
    /// Relative to the fixture directory (to `__files` in a WireMock root), with `/`; the name in messages.
    package var path: String
    /// The percent-decoded request paths that it is served at, its own first: `/a/index.json`, then `/a/index`, `/a/` and `/a`. If
    /// several files claim a path, the loader gives it to one: own paths go before others.
    package var requestPaths: [String]
    /// The path among these that redirects to the same with a slash at its end: that of a page's folder. Nil if none does.
    package var folderPath: String?
    package var body: Body
    /// The Content-Type line's value.
    package var mediaType: String
    /// The coding that its bytes have by its name, and in which it is sent; nil for nearly all.
    package var contentCoding: String? { Self.contentCoding(of: path) }
    /// Seconds since 1970.
    package var lastModified: Int
    /// The entity tag that was made at load; nil if it is made when it is asked for.
    private let loadedTag: String?

    /// - Parameter entityTag: nil if it is to be made from the body, which is short enough for that.
    package init(
        path: String, requestPaths: [String], body: Body, mediaType: String, entityTag: String? = nil, lastModified: Int
    ) {
        self.path = path
        self.requestPaths = requestPaths
        self.body = body
        self.mediaType = mediaType
        loadedTag = entityTag
        self.lastModified = lastModified
    }

    /// The image of an `.svgz` is compressed, as its media type does not say.
    static func contentCoding(of path: String) -> String? { path.fileExtension == "svgz" ? "gzip" : nil }

    /// A strong entity tag with its quotes, made from the content.
    ///
    /// It may be read from disk for that, `EntityTagText.laterLimit` at most: a load makes those of large files alone, since few files of a
    /// directory are ever asked for.
    package var entityTag: String { loadedTag ?? EntityTagText.of(body) }
}

/// Writes strong entity tags of contents.
enum EntityTagText {
    /// 4 MiB: the tag of a larger file is made at load, since an event loop is not to wait for that.
    static let laterLimit = 4 * 1024 * 1024
    /// 64 MiB: the tag of a larger file is made from its size, time and inode, so that a load stays quick.
    static let hashLimit = 64 * 1024 * 1024

    /// The tag of a body; one in a file that is gone has that of the file's size, time and inode.
    static func of(_ body: Body) -> String {
        switch body {
        case .empty: quoted(ContentHash().value)
        case .bytes(let bytes): quoted(ContentHash.of(bytes))
        case .file(let file):
            (try? of(file, at: file.path)) ?? file.laterPath.flatMap { try? of(file, at: $0) } ?? quoted(file.stamp)
        }
    }

    /// The tag of a file that lies at a path.
    static func of(_ file: FileBody, at path: String) throws(SystemError) -> String {
        quoted(file.size <= hashLimit ? try ContentHash.ofFile(at: path) : file.stamp)
    }

    private static func quoted(_ hash: UInt64) -> String { "\"\(hash.hexadecimal)\"" }
}

extension FileBody {
    /// A strong entity tag of the file as it lies there now, without a wait of the event loop: a large file is not read for it.
    package var quickTag: String {
        size <= EntityTagText.laterLimit ? EntityTagText.of(.file(self)) : "\"\(stamp.hexadecimal)\""
    }

    fileprivate var stamp: UInt64 { ContentHash.of(Array("\(size) \(modified) \(inode)".utf8)) }
}
