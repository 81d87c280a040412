// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

extension Duration {
    /// Whole milliseconds, rounded up, no more than libcurl takes for a time-out.
    var milliseconds: Int {
        let (seconds, attoseconds) = components
        guard seconds < Int64(Int32.max) / 1000 else { return Int(Int32.max) }
        let part = attoseconds / 1_000_000_000_000_000
        return Int(seconds) * 1000 + Int(part) + (attoseconds % 1_000_000_000_000_000 > 0 ? 1 : 0)
    }
}
