// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

enum WallClock {
    /// In seconds since 1970.
    static var now: Double { Date().timeIntervalSince1970 }
}
