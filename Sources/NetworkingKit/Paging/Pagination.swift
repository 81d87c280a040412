// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A part of a list, and whether there is more: the response of a request that is asked page by page.
///
///     struct ChannelsRequest: APIRequest {
///         typealias Response = Pagination<Channel>
///         let lastID: Int?
///     }
public struct Pagination<Item> {
    public let items: [Item]
    public let hasNext: Bool

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
