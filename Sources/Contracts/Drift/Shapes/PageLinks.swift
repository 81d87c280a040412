// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// Finds the members that lead to the next or the previous page: on the last page, and on the first, they are null or missing.
///
/// A member is one by its name or its place, and by its value: a link, a token, or an object of these.
enum PageLinks {
    /// - Parameters:
    ///   - name: the member's.
    ///   - pointer: the member's place, the name at its end.
    ///   - value: the values that it had.
    static func isLink(_ name: String, at pointer: String, _ value: Shape) -> Bool {
        let word = plain(name)
        if isLink(word) { return true }
        let isToken = !value.kinds.isDisjoint(with: [.string, .array, .object, .null]) && value.kinds != .null
        if tokens.contains(word), isToken { return true }
        let parents = pointer.split(ascii: "/").dropLast().map { plain(String($0)) }
        if ["before", "after", "first", "last", "self", "href"].contains(word),
            parents.contains(where: { $0 != word && isLink($0) })
        {
            return true
        }
        if ["before", "after"].contains(word) { return parents.contains(where: places.contains) || isToken }
        // A place of links alone.
        guard places.contains(word), value.kinds.subtracting(.null) == .object, let object = value.allObjects,
            !object.members.isEmpty
        else { return false }
        return object.members.allSatisfy { isLink($0.key, at: pointer + "/" + $0.key, $0.value.shape) }
    }

    /// Whether the name alone says it.
    ///
    /// - Parameter word: the name in small letters without signs.
    private static func isLink(_ word: String) -> Bool {
        if words.contains(word) { return true }
        for start in ["next", "previous", "prev"] where word.hasPrefix(start) {
            if isMadeOf(word.dropFirst(start.utf8.count)) { return true }
        }
        return false
    }

    /// Whether nothing but words of paging stand in a name.
    private static func isMadeOf(_ rest: Substring) -> Bool {
        rest.isEmpty || ends.contains { rest.hasPrefix($0) && isMadeOf(rest.dropFirst($0.utf8.count)) }
    }

    /// The relations of Link lines that do.
    static let relations: Set<String> = ["next", "prev", "previous"]

    private static func plain(_ name: String) -> String {
        String(name.unicodeScalars.filter { $0.properties.isAlphabetic }).lowercased()
    }

    private static let words: Set<String> = [
        "endcursor", "startcursor", "cursor", "continuation", "continuationtoken", "pagetoken", "odatanextlink",
        "odatadeltalink", "lastevaluatedkey", "scrollid", "skiptoken", "searchafter", "remainingitemcount", "bookmark",
    ]
    /// Names of tokens that are other things as numbers or truths.
    private static let tokens: Set<String> = ["continue", "offset", "marker", "startkey", "resumetoken", "searchafter"]
    private static let places: Set<String> = [
        "paging", "cursors", "cursor", "pagination", "page", "pageinfo", "links", "meta", "metadata",
    ]
    private static let ends = [
        "page", "cursor", "token", "url", "uri", "link", "href", "offset", "marker", "key", "number", "id", "start",
        "records", "record", "batch", "results", "version", "continuation", "set", "skip", "items", "data", "upload",
    ]
}
