// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation
import Synchronization

/// A request as a key: all that is sent of it, whatever type says it.
public struct AnyRequest: Hashable, Sendable {
    /// The whole, with its query.
    public let url: URL
    /// The method, a part of the key.
    public let method: HTTPMethod
    /// Field lines by their names in lower case.
    public let headers: [String: String]
    /// The content, a part of the key.
    public let body: Data?
    /// The file of the content, a part of the key.
    public let bodyFile: URL?

    /// Makes the key of a request without content.
    public init(url: URL, method: HTTPMethod) {
        self.url = url
        self.method = method
        headers = [:]
        body = nil
        bodyFile = nil
    }

    /// The key of a request as a networking without a delegate sends it.
    public init(_ request: any Request) {
        // Parts that make no request are never sent, so that the URL and the method stand for them.
        guard let wire = try? request.wireRequest() else {
            self.init(url: request.url, method: request.method)
            return
        }
        self.init(wire.urlRequest, file: wire.content.file)
    }

    package init(_ request: URLRequest, file: URL? = nil) {
        url = request.url ?? URL(fileURLWithPath: "/")
        method = HTTPMethod(request.httpMethod ?? "GET")
        headers = Dictionary(
            (request.allHTTPHeaderFields ?? [:]).map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { $1 })
        body = request.httpBody
        bodyFile = file
    }

    /// Whether this is the request of another key, perhaps with fields that a delegate or a middleware has added.
    fileprivate func isSent(of other: AnyRequest) -> Bool {
        url == other.url && method == other.method && body == other.body && bodyFile == other.bodyFile
            && other.headers.allSatisfy { headers[$0.key] == $0.value }
    }
}

extension BodyContent {
    /// The file that is sent, if there is one.
    var file: URL? {
        if case .file(let file) = source { file } else { nil }
    }
}

/// Values by their requests; if many ask at once, one fetches.
///
/// Bounded in entries and in cost; the least recently used goes first. The cache of a networking keys responses by all that is sent for
/// them, the fields of delegate and middlewares among it, for as long as they say themselves (RFC 9111).
public final class RequestCache<Value: Sendable>: Sendable {
    fileprivate struct Kept: Sendable {
        let value: Value
        /// Nil for a value that somebody has put here, which is fresh as long as it is kept.
        let response: StoredResponse?
    }

    fileprivate let store: Mutex<RecentlyUsed<AnyRequest, Kept>>
    fileprivate let exchanges = SharedFlights<AnyRequest, DataResponse>()
    fileprivate let now: @Sendable () -> Date
    private let flights = SharedFlights<AnyRequest, Value>()
    private let cost: @Sendable (Value) -> Int

    /// - Parameters:
    ///   - countLimit: how many values are kept. 1,000.
    ///   - costLimit: the most that they may cost together. 64 Mi, which is bytes for data.
    ///   - cost: of one value; by default its bytes if it is data, else 1.
    ///   - now: the time, by which responses grow old.
    public init(
        countLimit: Int = 1_000, costLimit: Int = 64 * 1024 * 1024,
        cost: @escaping @Sendable (Value) -> Int = { ($0 as? Data)?.count ?? 1 },
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        store = Mutex(RecentlyUsed(countLimit: countLimit, costLimit: costLimit))
        self.cost = cost
        self.now = now
    }

    /// The saved value for a request; nil if there is none.
    public func response(for request: any Request) -> Value? {
        let key = AnyRequest(request)
        return store.withLock { $0.value(for: key)?.value }
    }

    /// Saves a value for a request, and replaces an earlier one.
    public func saveResponse(_ response: Value, for request: any Request) {
        keep(Kept(value: response, response: nil), for: AnyRequest(request))
    }

    /// Forgets the value for a request, with whatever fields a delegate has added to it.
    public func remove(for request: any Request) {
        let key = AnyRequest(request)
        store.withLock { $0.removeAll { $0.isSent(of: key) } }
    }

    /// Forgets all values.
    public func removeAll() {
        store.withLock { $0.removeAll { _ in true } }
    }

    /// The kept value, or else the value of one fetch for all that ask meanwhile.
    ///
    /// A failure is everybody's and is not kept. A cancelled task leaves; the fetch is cancelled with the last one.
    public func response(
        for request: any Request, orFetch fetch: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        if let value = response(for: request) { return value }
        return try await flights.value(for: AnyRequest(request)) {
            // Another flight may have landed between the look above and this one.
            if let value = self.response(for: request) { return value }
            let value = try await fetch()
            self.saveResponse(value, for: request)
            return value
        }
    }

    fileprivate func keep(_ kept: Kept, for key: AnyRequest) {
        let cost = cost(kept.value)
        store.withLock { $0.insert(kept, for: key, cost: cost) }
    }
}

extension RequestCache where Value == Data {
    /// A cache whose limit is in bytes. 64 MiB.
    public static func ofData(limit: Int = 64 * 1024 * 1024) -> RequestCache<Data> {
        RequestCache(costLimit: limit)
    }

    /// The kept response if it is fresh, or else the response to one request for all that ask for the same meanwhile.
    ///
    /// - Parameter send: sends the request, or the request that asks whether the kept response has changed.
    func response(
        to request: URLRequest, _ send: @escaping @Sendable (URLRequest) async throws -> DataResponse
    ) async throws -> DataResponse {
        guard request.url != nil, CachePolicy.mayBeKept(request) else { return try await send(request) }
        let key = AnyRequest(request)
        let longestAge = CachePolicy.longestAge(for: request)
        if let response = try fresh(key, longestAge) { return response }
        return try await exchanges.value(for: key) {
            // Another flight may have landed between the look above and this one.
            if let response = try self.fresh(key, longestAge) { return response }
            let kept = self.store.withLock { $0.value(for: key) }
            let conditional = kept?.response.flatMap { $0.conditional(request) }
            let response = try await send(conditional ?? request)
            if response.status == 304, conditional != nil, let kept, let stored = kept.response {
                let renewed = try stored.renewed(by: response.http, at: self.now())
                self.keep(Kept(value: kept.value, response: renewed), for: key)
                return DataResponse(data: kept.value, http: renewed.http)
            }
            if CachePolicy.mayBeKept(response.http, to: request) {
                let stored = StoredResponse(http: response.http, storedAt: self.now())
                self.keep(Kept(value: response.data, response: stored), for: key)
            } else if kept != nil, !(500..<600).contains(response.status) {
                self.store.withLock { $0.removeAll { $0 == key } }
            }
            return response
        }
    }

    private func fresh(_ key: AnyRequest, _ longestAge: TimeInterval?) throws -> DataResponse? {
        guard let kept = store.withLock({ $0.value(for: key) }) else { return nil }
        guard let stored = kept.response else {
            guard longestAge != 0 else { return nil }
            return DataResponse(data: kept.value, http: try .plain(key.url, status: 200))
        }
        return stored.isFresh(at: now(), longestAge: longestAge)
            ? DataResponse(data: kept.value, http: stored.http) : nil
    }

    /// Forgets the responses that a successful unsafe request has changed (RFC 9111 §4.4).
    func forget(_ request: URLRequest, answeredWith status: Int) {
        guard let url = request.url, (200..<400).contains(status),
            !["GET", "HEAD", "OPTIONS", "TRACE"].contains(request.httpMethod ?? "GET")
        else { return }
        store.withLock { $0.removeAll { $0.url == url } }
    }
}

/// Values by key, bounded in number and in cost: the one used longest ago goes first.
struct RecentlyUsed<Key: Hashable, Value> {
    private struct Entry {
        var value: Value
        var cost: Int
        var use: UInt64
    }

    private let countLimit: Int
    private let costLimit: Int
    private var entries: [Key: Entry] = [:]
    private(set) var totalCost = 0
    private var uses: UInt64 = 0

    init(countLimit: Int, costLimit: Int) {
        self.countLimit = countLimit
        self.costLimit = costLimit
    }

    var count: Int { entries.count }

    mutating func value(for key: Key) -> Value? {
        uses += 1
        entries[key]?.use = uses
        return entries[key]?.value
    }

    /// A value that alone costs more than all may is not kept.
    mutating func insert(_ value: Value, for key: Key, cost: Int) {
        remove(key)
        guard cost <= costLimit, countLimit > 0 else { return }
        while entries.count >= countLimit || totalCost + cost > costLimit,
            let oldest = entries.min(by: { $0.value.use < $1.value.use })
        {
            remove(oldest.key)
        }
        uses += 1
        entries[key] = Entry(value: value, cost: cost, use: uses)
        totalCost += cost
    }

    mutating func removeAll(where isGone: (Key) -> Bool) {
        for key in entries.keys where isGone(key) { remove(key) }
    }

    private mutating func remove(_ key: Key) {
        if let entry = entries.removeValue(forKey: key) { totalCost -= entry.cost }
    }
}

extension RequestCache: CustomReflectable {
    /// Shows none of its contents, which other threads change.
    public var customMirror: Mirror { .opaque(self) }
}
