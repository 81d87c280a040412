// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// How far a list is loaded.
public struct NextPageState<Cursor> {
    /// Whether there is more to load; true before the first page.
    public private(set) var hasNext = true
    public private(set) var isLoading = false
    /// What the next page comes behind: the last id that was loaded, a number or a URL; nil before the first page.
    public private(set) var lastId: Cursor?

    /// Counts the loads that were begun or given up, so that one that is over late does not count.
    private var load: UInt64 = 0

    public init() {}

    /// Goes back to the beginning; what is being loaded meanwhile is not taken any more.
    public mutating func reset() {
        let load = load
        self = NextPageState()
        self.load = load + 1
    }

    public mutating func update(hasNext: Bool, isLoading: Bool, lastId: Cursor?) {
        self.hasNext = hasNext
        self.isLoading = isLoading
        self.lastId = lastId
    }

    /// Begins to load where there is something to load and nobody does so yet.
    ///
    /// - Returns: a ticket for `end`; nil where nothing is to be done.
    mutating func begin() -> UInt64? {
        guard hasNext, !isLoading else { return nil }
        isLoading = true
        load += 1
        return load
    }

    /// Ends a load.
    ///
    /// - Returns: false where it does not count any more: it has ended before, or the state was reset.
    mutating func end(_ ticket: UInt64) -> Bool {
        guard isLoading, ticket == load else { return false }
        isLoading = false
        return true
    }
}

extension NextPageState: Sendable where Cursor: Sendable {}
