// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A file that is served as it is, at its own path, to GET and HEAD.
package struct PlainFile: Sendable {
    /// Relative to the fixture directory (to `__files` in a WireMock root), with `/`; what messages call it by.
    package var path: String
    /// The percent-decoded request paths that it answers, its own first: `/a/index.json`, then `/a/index`, `/a/` and `/a`. Where
    /// several files claim a path, the loader gives it to one: own paths go before others.
    package var requestPaths: [String]
    package var body: Body
    /// The Content-Type line's value.
    package var mediaType: String
    /// A strong entity tag with its quotes, made from the content.
    package var entityTag: String
    /// Seconds since 1970.
    package var lastModified: Int

    package init(
        path: String, requestPaths: [String], body: Body, mediaType: String, entityTag: String, lastModified: Int
    ) {
        self.path = path
        self.requestPaths = requestPaths
        self.body = body
        self.mediaType = mediaType
        self.entityTag = entityTag
        self.lastModified = lastModified
    }
}
