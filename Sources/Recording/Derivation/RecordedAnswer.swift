// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Fixtures

/// An answer as it is written to a fixture, or as one holds it.
struct RecordedAnswer: Sendable {
    var status: Int
    /// Nil for the usual phrase.
    var reason: String?
    var headers: [HeaderLine] = []
    var body = BodyContent.none
    /// What the body's file name ends with, without the dot.
    var fileExtension = ""
    var isText = false
    /// The coding that the body is sent in when it is replayed.
    var contentEncoding: String?
    /// Whether it has a body and no Content-Type.
    var isUntyped = false
    /// The length that an answer to HEAD tells.
    var contentLength: Int?
    var trailers: [HeaderLine] = []
    /// Whether lines, trailers and reason are sent in ISO 8859-1.
    var isLatin1 = false
    var rewriteOrigins: [String] = []
    /// The name of the body's file as the stub writes it; nil before one is given, and where the body has none.
    var bodyFile: String?

    /// The values of the lines with a name, given in lower case.
    func values(of name: String) -> [String] {
        headers.filter { $0.name.lowercased() == name }.map(\.value)
    }

    /// Names the origins, too, that another answer names.
    mutating func addOrigins(of other: RecordedAnswer) {
        rewriteOrigins = other.rewriteOrigins + rewriteOrigins.filter { !other.rewriteOrigins.contains($0) }
    }

    var mediaType: String { values(of: "content-type").first ?? "" }
}
