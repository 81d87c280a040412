// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

extension Journal {
    /// The entries of the requests that are meant, oldest first.
    ///
    /// - Throws: `MockServerError` if the match asks for the impossible, such as a pattern that cannot be compiled.
    public func entries(matching match: RequestMatch) throws(MockServerError) -> [JournalEntry] {
        let search = try RequestSearch(match)
        return entries.filter(search.matches)
    }
}
