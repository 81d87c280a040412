// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Tells the members that lead to the next page or the one before: on the last page, and on the first, they are null or missing.
enum PageLinks {
    /// - Parameters:
    ///   - name: the member's.
    ///   - pointer: the member's place, the name at its end.
    static func isLink(_ name: String, at pointer: String) -> Bool {
        let word = plain(name)
        if words.contains(word) { return true }
        for start in ["next", "previous", "prev"] where word.hasPrefix(start) {
            let rest = word.dropFirst(start.utf8.count)
            if rest.isEmpty || ends.contains(String(rest)) { return true }
        }
        guard word == "before" || word == "after" else { return false }
        let parents = pointer.split(separator: "/").dropLast().map { plain(String($0)) }
        return parents.contains {
            [
                "paging", "cursors", "cursor", "pagination", "page", "pageinfo", "links", "meta",
            ].contains($0)
        }
    }

    /// The relations of Link lines that do.
    static let relations: Set<String> = ["next", "prev", "previous"]

    private static func plain(_ name: String) -> String {
        String(name.unicodeScalars.filter { $0.properties.isAlphabetic }).lowercased()
    }

    private static let words: Set<String> = [
        "endcursor", "startcursor", "cursor", "continuation", "continuationtoken", "nextcontinuationtoken",
        "pagetoken", "odatanextlink", "lastevaluatedkey", "scrollid",
    ]
    private static let ends: Set<String> = [
        "page", "cursor", "token", "url", "uri", "link", "href", "offset", "marker", "key", "pagetoken", "pageurl",
        "pagelink", "pagecursor", "pagekey", "pagenumber", "id", "start", "pageuri", "pagehref",
    ]
}
