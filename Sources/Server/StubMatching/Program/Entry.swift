// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A stub as the index sees it, in the order of rank: its conditions on method and target, and the place of its other conditions.
struct Entry: BitwiseCopyable {
    enum URLKind: UInt8 {
        case any, url, path, pattern, pathPattern, template
        /// A pattern that cannot be compiled.
        case never
    }

    /// The stub's place in the set.
    var ordinal: UInt32
    /// The number of the method; 0 for any.
    var method: UInt16
    var urlKind: URLKind
    /// Whether it responds only to requests that it turns away.
    var isGuard = false
    /// The start of the target in the pool, or the number of a pattern or template.
    var urlStart: UInt32 = 0
    /// The end of the target in the pool.
    var urlEnd: UInt32 = 0
    var conditionStart: UInt32 = 0
    var conditionCount: UInt32 = 0
}
