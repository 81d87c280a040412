// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A type that loads a list page by page, such as a view controller or the model of a view.
///
/// It has no isolation of its own: a type of the main actor conforms there, and its handlers are called there.
///
///     extension FoodList: @MainActor NextPageLoadable
public protocol NextPageLoadable: AnyObject {
    /// The type of an item.
    associatedtype DataType
    /// The type of the cursor that the next page is asked for by.
    associatedtype LastIdType

    /// The rows loaded so far.
    var data: [DataType] { get set }
    /// Whether a page is loading, whether there is another, and its cursor.
    var nextPageState: NextPageState<LastIdType> { get set }

    /// Loads the page behind `nextPageState.lastId` and calls one of the handlers; a second call does nothing.
    func performLoad(
        successHandler: @escaping (_ rows: [DataType], _ hasNext: Bool, _ lastId: LastIdType?) -> Void,
        failHandler: @escaping () -> Void
    )

    /// Loads the next page, then reloads the view.
    func loadNext(view: any ReloadableType)

    /// Loads the first page again, then replaces the loaded elements and reloads the view.
    func refresh(view: any ReloadableType)
}

extension NextPageLoadable {
    /// Loads the next page if there is one and none is being loaded, then reloads the view.
    ///
    /// A failure ends the load, so that the next call tries again. The result of a load from before `nextPageState.reset()` is left
    /// out.
    public func loadNext(view: any ReloadableType) {
        load(view) { $0 += $1 }
    }

    /// The rows that are loaded stay until the first page is there; a load that is under way is left out.
    public func refresh(view: any ReloadableType) {
        nextPageState.reset()
        load(view) { $0 = $1 }
    }

    private func load(_ view: any ReloadableType, _ put: @escaping (inout [DataType], [DataType]) -> Void) {
        guard let ticket = nextPageState.begin() else { return }
        performLoad { [weak self] rows, hasNext, lastId in
            guard let self, nextPageState.end(ticket) else { return }
            put(&data, rows)
            nextPageState.update(hasNext: hasNext, isLoading: false, lastId: lastId)
            view.reloadData()
        } failHandler: { [weak self] in
            _ = self?.nextPageState.end(ticket)
        }
    }
}

/// A view of a list that can be reloaded, such as a table.
///
/// A type of the main actor conforms there: `extension Table: @MainActor ReloadableType`.
public protocol ReloadableType {
    /// Shows the items again.
    func reloadData()
}

/// How far a list is loaded.
public struct NextPageState<Cursor> {
    /// Whether there is more to load; true before the first page.
    public private(set) var hasNext = true
    /// Whether a page is being loaded.
    public private(set) var isLoading = false
    /// The last id that was loaded, a number or a URL, after which the next page begins; nil before the first page.
    public private(set) var lastId: Cursor?

    /// Counts the loads that were begun or given up, so that a late load does not count.
    private var load: UInt64 = 0

    /// Makes the state before the first page.
    public init() {}

    /// Goes back to the beginning; a load that is under way is not taken any more.
    public mutating func reset() {
        let load = load
        self = NextPageState()
        self.load = load + 1
    }

    /// Takes over the facts known after a page.
    public mutating func update(hasNext: Bool, isLoading: Bool, lastId: Cursor?) {
        self.hasNext = hasNext
        self.isLoading = isLoading
        self.lastId = lastId
    }

    /// Begins to load if there is something to load and nobody does so yet.
    ///
    /// - Returns: a ticket for `end`; nil if nothing is to be done.
    mutating func begin() -> UInt64? {
        guard hasNext, !isLoading else { return nil }
        isLoading = true
        load += 1
        return load
    }

    /// Ends a load.
    ///
    /// - Returns: false if it does not count any more: it has ended before, or the state was reset.
    mutating func end(_ ticket: UInt64) -> Bool {
        guard isLoading, ticket == load else { return false }
        isLoading = false
        return true
    }
}

extension NextPageState: Sendable where Cursor: Sendable {}

/// A part of a list, and whether there is more: the response of a request that is asked page by page.
///
///     struct ChannelsRequest: APIRequest {
///         typealias Response = Pagination<Channel>
///         let lastID: Int?
///     }
public struct Pagination<Item> {
    /// The items of the page.
    public let items: [Item]
    /// Whether there is another page.
    public let hasNext: Bool

    /// Makes a page.
    public init(items: [Item], hasNext: Bool) {
        self.items = items
        self.hasNext = hasNext
    }
}

extension Pagination: Sendable where Item: Sendable {}
extension Pagination: Equatable where Item: Equatable {}
extension Pagination: Hashable where Item: Hashable {}
extension Pagination: Decodable where Item: Decodable {}
extension Pagination: Encodable where Item: Encodable {}
