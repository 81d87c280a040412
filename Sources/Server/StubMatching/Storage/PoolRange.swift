// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A run of bytes in the pool of a program, from the first to before the end.
struct PoolRange: BitwiseCopyable {
    var start: UInt32
    var end: UInt32
}
