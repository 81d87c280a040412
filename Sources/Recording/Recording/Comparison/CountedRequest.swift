// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Where a repeated request is counted.
struct CountedRequest {
    /// The key of its family.
    let base: String
    /// The key of its stub.
    let key: String
    /// Its number among those of the stub.
    let index: Int
    /// The number of its arrival among those of the request; nil if that was not kept.
    let arrival: Int?
}
