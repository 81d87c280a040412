// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A number of bytes in words: `812 B`, `6.6 kB`, `5.2 MB`.
enum ByteCount {
    static func text(_ bytes: Int) -> String {
        var tenths = bytes * 10
        var unit = "B"
        for next in ["kB", "MB", "GB", "TB"] where tenths >= 9_995 {
            tenths = (tenths + 500) / 1000
            unit = next
        }
        return unit == "B" ? "\(bytes) B" : "\(tenths / 10).\(tenths % 10) \(unit)"
    }
}
