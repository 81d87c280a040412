// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

enum Timestamp {
    /// `yyyy-MM-ddTHH:mm:ss` in UTC, without a zone, as JUnit's schema has it.
    static func text(_ time: Double) -> String {
        let text = Date(timeIntervalSince1970: time).formatted(.iso8601)
        return text.hasSuffix("Z") ? String(text.dropLast()) : text
    }
}
