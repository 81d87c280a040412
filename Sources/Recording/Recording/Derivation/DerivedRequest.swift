// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText

/// A request as it is written to a stub.
struct DerivedRequest {
    /// The conditions of its stub; header lines have the names that the client writes.
    private(set) var pattern: RequestPattern
    /// The stub's `request`, which says the same.
    private(set) var node: JSONNode
    /// The same for equal requests to one upstream, and no other's.
    var key: String
    /// The key of the request without the values that distinguish it from those of other responses: they are a family.
    let base: String
    /// The places that distinguish it from others of its family, in the order in which they are asked for.
    private(set) var places: [SentPlace] = []
    /// Those of them that select by the user's word.
    var selected: [SentPlace] = []
    /// The places that it has and that vary by the user's word.
    var varying: [String] = []
    /// Values that the matchers leave out, by their places; secrets are not among them.
    var left: [SentPlace: [[UInt8]]] = [:]
    /// Method and target, with placeholders.
    let label: String
    let method: String
    /// The path's segments, decoded, with placeholders; the last is empty for a path that ends in a slash.
    var segments: [String] = []
    /// The query parameters that stand for themselves.
    var items: [(name: String, value: String)] = []
    /// The name of the operation that the body calls, in GraphQL or JSON-RPC.
    var operation: String?
    /// The body's parameters that stand for themselves: those of a form, of an operation, or members of JSON.
    var contentItems: [(name: String, value: String)] = []
    /// The lines that are written beside the recording.
    var headers: [String] = []
    /// Content that has a file of its own.
    var content: StoredContent?
    /// The parts that were replaced or left out: names of header fields, and placeholders.
    var redacted: [String] = []
    var notes: [String] = []

    /// The values that identify its sender; in memory only.
    var credentials: [Credential] = []
    /// Whether something is hidden in the target, or in the content, that somebody could find out by trying.
    var isTargetGuessable = false
    var isContentGuessable = false
    /// The name of the account that the content opens.
    var account: String?
    /// Words for its differences from others of its family, beside header lines.
    var apart: [String] = []
    /// The name of its sender, if it is distinguished from the same request of another.
    var sender: String? { distinction?.word }
    /// Distinguishes it from the same request of another sender.
    var distinction: Distinction?
    /// The stub's, if it is not the usual one.
    var priority: Int?

    struct StoredContent {
        var bytes: [UInt8]
        /// Without its dot.
        var fileExtension: String
        var isText: Bool
        /// Whether a matcher reads the file; else the matchers do not show the content.
        var isMatched = false
    }

    /// A request by its conditions; it has nothing else.
    ///
    /// - Parameter origin: of the upstream.
    init(_ pattern: RequestPattern, origin: String, label: String, method: String) {
        self.pattern = pattern
        node = StubWriter.request(pattern)
        key = RequestKey.of(node, origin: origin)
        // Nothing tells it from others yet.
        base = key
        self.label = label
        self.method = method
    }

    /// Makes the stub ask for something else.
    ///
    /// - Parameter origin: of the upstream.
    mutating func ask(_ pattern: RequestPattern, origin: String) {
        self.pattern = pattern
        node = StubWriter.request(pattern)
        key = RequestKey.of(node, origin: origin)
    }

    /// Makes the stub ask for the values that distinguish the request from others of its family.
    mutating func ask(_ pattern: RequestPattern, for places: [SentPlace], origin: String) {
        ask(pattern, origin: origin)
        self.places = places
    }

    /// Gives the request a stub that asks for the same places, and was written otherwise.
    mutating func take(_ key: String, _ places: [SentPlace]) {
        self.key = key
        self.places = places
    }

    /// A word for header fields that another request does not match alike: their values, or that there are credentials.
    ///
    /// - Parameter other: the `request` of its stub.
    func distinction(from other: JSONNode?) -> String {
        let known = Self.lines(other)
        let own = Self.lines(node)
        let lines = own.filter { line in
            known.first { $0.name.lowercased() == line.name.lowercased() }?.value != line.value
        }
        if lines.isEmpty {
            return Self.opposite(
                of: known.filter { line in !own.contains { $0.name.lowercased() == line.name.lowercased() } })
        }
        let words = lines.map { line in
            line.value["absent"] == nil
                ? line.value["equalTo"]?.string.map(FileNameText.word) ?? Self.authorized : Self.lacking
        }
        return words.filter { !$0.isEmpty }.joined(separator: ".")
    }

    /// The word that tells requests with credentials from those without.
    private static let authorized = "authorized"

    /// The word for requests that must not have the header field.
    private static let lacking = "otherwise"

    /// The word for a request without the header fields that another matches; empty if the other matches none.
    private static func opposite(of lines: [JSONObject.Member]) -> String {
        if lines.isEmpty { return "" }
        return lines.contains { $0.value["matches"] != nil || $0.value["not"] != nil } ? "anonymous" : lacking
    }

    private static func lines(_ request: JSONNode?) -> [JSONObject.Member] {
        (request?["headers"]?.object?.members ?? []).filter { $0.name.lowercased() != "content-type" }
    }
}
