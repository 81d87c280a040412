// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import MockapiDateTimes

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A point in time on the command line: ISO 8601 with `Z` or an offset.
struct FrozenTime: ExpressibleByArgument {
    let date: Date

    init?(argument: String) {
        guard argument.utf8.contains(UInt8(ascii: "T")), let time = try? DateTime(parsing: argument), time.zone != nil
        else { return nil }
        date = Date(timeIntervalSince1970: Double(time.milliseconds) / 1000)
    }
}
