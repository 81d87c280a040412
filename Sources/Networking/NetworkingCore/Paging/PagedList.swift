// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation
import Synchronization

/// The elements of a list that comes in pages; each page links to the next.
///
///     let articles = PagedList(ArticlesRequest(api: api), networking: networker)
///     try await articles.loadNext()
///     articles.state.elements
///
/// Any thread may ask: a caller that asks while a page is being loaded gets that page, which is loaded once. A failure leaves the list as it was,
/// and the next call tries the same page again. Loaded elements stay in memory until `reset()`.
public final class PagedList<Element: Sendable>: Sendable {
    /// The elements that are loaded, and whether there is more.
    public struct State: Sendable {
        /// The elements of all pages so far.
        public fileprivate(set) var elements: [Element] = []
        /// How many pages these came in.
        public fileprivate(set) var pageCount = 0
        /// Whether there is another page; true before the first.
        public fileprivate(set) var hasNext = true
        /// Whether a page is being loaded.
        public fileprivate(set) var isLoading = false
        /// Where the next page is; nil before the first page and after the last.
        public fileprivate(set) var next: URL?
        /// Why the page that was last asked for is not there; nil while it is tried again.
        public fileprivate(set) var failure: (any Error)?
    }

    private struct Content {
        var state = State()
        /// Where the pages are that are loaded.
        var seen: [URL] = []
        /// How many loads are under way. One whose last asker has left may still be, while the next has begun.
        var loads = 0
        /// Counts the resets; a load from before one does not count.
        var generation: UInt64 = 0
        /// The generation that began with a refresh which is under way.
        var refreshed: UInt64?
        var watchers = Watchers<State>()

        mutating func change(_ change: (inout Content) -> Void) {
            change(&self)
            state.isLoading = loads > 0
            watchers.tell(state)
        }
    }

    private let content = Mutex(Content())
    private let flights = SharedFlights<UInt64, [Element]>()
    private let pages: PageSource<Element>

    /// - Parameters:
    ///   - first: the request for the first page. The others are sent as it is, to their URLs.
    ///   - networking: the networking that fetches them; it judges their statuses.
    ///   - next: how a page links to the next.
    ///   - elements: gives the elements of a page.
    public init<R: Request>(
        _ first: R, networking: any Networking, next: NextLink = .jsonAPI,
        elements: @escaping @Sendable (R.Output) throws -> [Element]
    ) {
        pages = PageSource(first, networking, next, elements)
    }

    /// A list of pages that are arrays.
    public convenience init<R: Request<[Element]>>(
        _ first: R, networking: any Networking, next: NextLink = .jsonAPI
    ) {
        self.init(first, networking: networking, next: next) { $0 }
    }

    deinit {
        content.withLock { $0.watchers.finish() }
    }

    /// The present state.
    public var state: State { content.withLock { $0.state } }

    /// The state as it is and each one that follows; a reader that is slower than they come gets the newest.
    public var states: AsyncStream<State> {
        content.withLock { content in
            content.watchers.add(content.state) { [weak self] watcher in
                self?.content.withLock { $0.watchers.remove(watcher) }
            }
        }
    }

    /// Loads the next page.
    ///
    /// To cancel the task cancels the request, if nobody else waits for it.
    /// - Returns: its elements; an empty array if there is no more.
    /// - Throws: the errors of the fetch and of decoding, `RequestError` if the link leads nowhere,
    ///   `CancellationError` if the task is cancelled or `reset()` came between.
    @discardableResult
    public func loadNext() async throws -> [Element] {
        let (hasNext, generation, isRefreshing) = content.withLock {
            ($0.state.hasNext, $0.generation, $0.refreshed == $0.generation)
        }
        guard hasNext || isRefreshing else { return [] }
        return try await flights.value(for: generation) { try await self.load(generation, refreshes: false) }
    }

    /// The pages that are not loaded yet, each loaded when it is asked for.
    public var remainingPages: AsyncThrowingStream<[Element], any Error> {
        AsyncThrowingStream { self.state.hasNext ? try await self.loadNext() : nil }
    }

    /// Goes back to the beginning and forgets the loaded elements; a load that is under way is cancelled, and ends with `CancellationError`.
    public func reset() {
        let generation = content.withLock { content in
            let generation = content.generation
            content.change { content in
                content.generation += 1
                content.state = State()
                content.seen = []
                content.loads = 0
            }
            return generation
        }
        flights.cancel(generation)
    }

    /// Loads the first page again; the loaded elements stay until that is there, and are replaced by it.
    ///
    /// A load that is under way is cancelled. A caller that asks for the next page meanwhile gets the first.
    /// - Returns: the elements of the first page.
    /// - Throws: the errors of `loadNext()`; the list is as it was, then.
    @discardableResult
    public func refresh() async throws -> [Element] {
        let (old, generation) = content.withLock { content in
            let old = content.generation
            guard content.refreshed != old else { return (UInt64?.none, old) }
            content.generation += 1
            content.refreshed = content.generation
            content.loads = 0
            return (old, content.generation)
        }
        if let old { flights.cancel(old) }
        return try await flights.value(for: generation) { try await self.load(generation, refreshes: true) }
    }

    private func load(_ generation: UInt64, refreshes: Bool) async throws -> [Element] {
        guard let place = try start(generation, refreshes: refreshes) else { return [] }
        let result: Result<PageSource<Element>.Page, any Error>
        do {
            result = .success(try await pages.page(at: place.url, seen: place.seen))
        } catch {
            result = .failure(error)
        }
        let isCancelled = Task.isCancelled
        try end(generation) { content in
            if refreshes { content.refreshed = nil }
            // A load that everybody had left may have brought this page meanwhile.
            guard refreshes || content.state.pageCount == place.seen.count else { return }
            switch result {
            case .success(let page):
                if refreshes { content.state.elements = [] }
                content.seen = place.seen + [page.url]
                content.state.elements += page.elements
                content.state.pageCount = content.seen.count
                content.state.next = page.next
                content.state.hasNext = page.next != nil
            case .failure(let error): if !isCancelled { content.state.failure = error }
            }
        }
        return try result.get().elements
    }

    /// Counts one load more, if there is something to load.
    ///
    /// - Returns: the URL of the page, nil for the first, and those of the pages before it; nil if there is none.
    private func start(
        _ generation: UInt64, refreshes: Bool
    ) throws(CancellationError) -> (url: URL?, seen: [URL])? {
        try content.withLock { content throws(CancellationError) in
            guard content.generation == generation else { throw CancellationError() }
            let place = refreshes ? (nil, []) : (content.state.next, content.seen)
            guard content.state.hasNext || refreshes else { return nil }
            content.change { content in
                content.loads += 1
                content.state.failure = nil
            }
            return place
        }
    }

    private func end(_ generation: UInt64, _ change: (inout Content) -> Void) throws(CancellationError) {
        try content.withLock { content throws(CancellationError) in
            guard content.generation == generation else { throw CancellationError() }
            content.change { content in
                content.loads -= 1
                change(&content)
            }
        }
    }
}

/// The receivers of each value.
struct Watchers<Value: Sendable> {
    private var continuations: [UInt64: AsyncStream<Value>.Continuation] = [:]
    private var count: UInt64 = 0

    /// - Parameters:
    ///   - value: the first value for the new listener.
    ///   - leave: called when it listens no more.
    mutating func add(_ value: Value, _ leave: @escaping @Sendable (UInt64) -> Void) -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream<Value>.makeStream(bufferingPolicy: .bufferingNewest(1))
        count += 1
        let watcher = count
        continuations[watcher] = continuation
        continuation.yield(value)
        continuation.onTermination = { _ in leave(watcher) }
        return stream
    }

    mutating func remove(_ watcher: UInt64) {
        continuations[watcher] = nil
    }

    func tell(_ value: Value) {
        for continuation in continuations.values { continuation.yield(value) }
    }

    func finish() {
        for continuation in continuations.values { continuation.finish() }
    }
}

extension PagedList: CustomReflectable {
    /// Shows none of its contents, which other threads change.
    public var customMirror: Mirror { .opaque(self) }
}
