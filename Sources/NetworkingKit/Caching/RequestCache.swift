// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation
import Synchronization

/// Values by the request that they answer; of many who ask at once, one fetches.
///
/// Bounded in entries and in cost; what was asked for longest ago goes first.
public final class RequestCache<Value: Sendable>: Sendable {
    private let store: Mutex<RecentlyUsed<AnyRequest, Value>>
    private let flights = SharedFlights<AnyRequest, Value>()
    private let cost: @Sendable (Value) -> Int

    /// - Parameters:
    ///   - countLimit: how many values are kept. 1,000.
    ///   - costLimit: what they may cost together. 64 Mi, which is bytes for data.
    public init(
        countLimit: Int = 1_000, costLimit: Int = 64 * 1024 * 1024,
        cost: @escaping @Sendable (Value) -> Int = { _ in 1 }
    ) {
        store = Mutex(RecentlyUsed(countLimit: countLimit, costLimit: costLimit))
        self.cost = cost
    }

    public func response(for request: any Request) -> Value? {
        let key = AnyRequest(request)
        return store.withLock { $0.value(for: key) }
    }

    public func saveResponse(_ response: Value, for request: any Request) {
        let key = AnyRequest(request)
        let cost = cost(response)
        store.withLock { $0.insert(response, for: key, cost: cost) }
    }

    public func removeAll() {
        store.withLock { $0.removeAll() }
    }

    /// The value that is kept, or else the one that is fetched, by one for all who ask meanwhile.
    ///
    /// A failure is everybody's and is not kept. Who is cancelled leaves; the fetch is cancelled with the last one.
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
}

extension RequestCache where Value == Data {
    /// A cache whose limit is in bytes. 64 MiB.
    public static func ofData(limit: Int = 64 * 1024 * 1024) -> RequestCache<Data> {
        RequestCache(costLimit: limit, cost: { $0.count })
    }
}
