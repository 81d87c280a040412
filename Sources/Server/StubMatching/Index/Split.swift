// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A set of stubs told apart by one value of the request.
struct Split: BitwiseCopyable {
    enum Key: UInt8 {
        case method, query, header, cookie, host
        /// The parts that an extractor finds in the body; the extractor's number takes the place of the name's hash.
        case part
        /// The first bytes of path and query.
        case prefix
    }

    var key: Key
    var nameHash: UInt32
    /// The name in the index's names; for a prefix its length.
    var nameStart: UInt32
    var nameEnd: UInt32
    /// The stubs that do not ask for one value.
    var rest: NodeReference
    /// For a split by host: all of its stubs, for requests that match any host.
    var all = NodeReference.empty
}
