// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The stubs with one and the same target, for what is asked less often than requests: methods, near misses, findings.
struct TargetGroup: Sendable {
    /// The stubs by rank, best first.
    var ranks: [UInt32] = []
    /// One stub for each method, and every stub (up to `memberLimit`) that also asks for a host or path parameter.
    var witnesses: [UInt32] = []

    /// How many stubs of one target are asked for their methods one by one.
    static let memberLimit = 1024
}
