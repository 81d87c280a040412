// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A set of stubs told apart by one value of the request.
struct Split: BitwiseCopyable {
    enum Key: UInt8 {
        case method, query, header, cookie
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
}
