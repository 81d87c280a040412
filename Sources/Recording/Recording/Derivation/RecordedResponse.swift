// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiSecrets

/// A response as it is written to a fixture, or as one holds it.
struct RecordedResponse: Sendable {
    var status: Int
    /// Nil for the usual phrase.
    var reason: String?
    var headers: [HeaderLine] = []
    var body = BodyContent.none
    /// The extension of the body's file name, without the dot.
    var fileExtension = ""
    var isText = false
    /// The coding that the body is sent in when it is replayed.
    var contentEncoding: String?
    /// Whether it has a body and no Content-Type.
    var isUntyped = false
    /// The length in a response to HEAD.
    var contentLength: Int?
    var trailers: [HeaderLine] = []
    /// Whether lines, trailers and reason are sent in ISO 8859-1.
    var isLatin1 = false
    var rewriteOrigins: [String] = []
    /// Whether a request for a range gets a part.
    var hasRanges = true
    /// The JSON in which values of the request stand as templates: it is written to the stub in the place of the body.
    var template: JSONNode?
    /// Whether values of the request stand as templates in header lines.
    var hasTemplates = false
    /// The name of the body's file as the stub writes it; nil before it is given, and if the body has none.
    var bodyFile: String?

    /// The values of the lines with a name, given in lower case.
    func values(of name: String) -> [String] {
        headers.filter { $0.name.lowercased() == name }.map(\.value)
    }

    /// Names the origins, too, that another response names.
    mutating func addOrigins(of other: RecordedResponse) {
        rewriteOrigins = other.rewriteOrigins + rewriteOrigins.filter { !other.rewriteOrigins.contains($0) }
    }

    var mediaType: String { values(of: "content-type").first ?? "" }
}

extension RecordedResponse {
    /// A digest that tells a response from others: of its status, of the header fields that are not of the moment, and
    /// of its body, all as they are written, so that no secret is in it, and no name of a placeholder.
    var mark: String {
        var bytes = Array("\(status)\n".utf8)
        for line in headers where ResponseHeaders.treatment(of: line.name.lowercased()) == .kept {
            let name = line.name.lowercased()
            // A cookie says when it expires.
            if name == "set-cookie" { continue }
            bytes += Placeholders.nameless(Array("\(name): \(line.value)\n".utf8))
        }
        if body.count <= Self.markedLimit {
            bytes += Placeholders.nameless(body.bytes ?? [])
        } else {
            var hash: UInt64 = 0
            body.forEachPiece { piece in
                hash = ContentHash.of(piece, seed: hash)
                return true
            }
            bytes += Array(hash.hexadecimal.utf8)
        }
        return ContentHash.of(bytes).hexadecimal
    }

    /// Bodies of so many bytes are looked through for placeholders; of longer ones the bytes count. 1 MiB.
    private static let markedLimit = 1024 * 1024
}
