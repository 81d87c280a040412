// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiJSONText

/// How much a change matters to a client.
package enum DriftLevel: String, Sendable, CaseIterable, Comparable {
    /// A change that no client notices.
    case info
    /// A change that some clients notice.
    case warning
    /// A change that breaks a client.
    case breaking

    package static func < (left: DriftLevel, right: DriftLevel) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .info: 0
        case .warning: 1
        case .breaking: 2
        }
    }
}

/// A change between recorded responses and live ones.
package struct DriftFinding: Hashable, Sendable {
    /// The part of a recorded response that a finding is about.
    package enum Site: Hashable, Sendable {
        case status
        /// A header line, by its name as it was recorded.
        case header(String)
        /// A byte of the body.
        case body(offset: Int)
    }

    package var level: DriftLevel
    package var id: DriftID
    /// The JSON pointer (RFC 6901) of the value, `*` for every item; `status` or `header:NAME` outside of the body.
    package var pointer: String
    /// The recorded value; nil if there was none.
    package var recorded: String?
    /// The live value; nil if it is gone.
    package var received: String?
    /// The recorded sample that it was found against.
    package var sample: Int
    package var site: Site
    /// Whether it is about a part that the contract says a client needs, or about its parent.
    package var isNeeded = false
    /// Whether the missing member leads to another page; the last page and the first do not have it.
    var isOfPaging = false

    package init(
        _ level: DriftLevel, _ id: DriftID, at pointer: String, recorded: String? = nil, received: String? = nil,
        sample: Int = 0, site: Site
    ) {
        self.level = level
        self.id = id
        self.pointer = pointer
        self.recorded = recorded
        self.received = received
        self.sample = sample
        self.site = site
    }

    /// A value as findings show it.
    package static func shown(_ node: JSONNode) -> String { Sighting.text(node) }

    /// The change in words, such as `integer became number (1366 → 1366.5)`.
    package var text: String {
        let words = id.words
        switch (recorded, received) {
        case (let old?, let new?) where old != new: return "\(words) (\(old) → \(new))"
        case (nil, let new?): return "\(words) (\(new))"
        case (let old?, _) where !old.isEmpty: return "\(words) (\(old))"
        default: return words
        }
    }
}

extension DriftFinding {
    /// The weight of some changes together: one breaking change weighs more than any warnings, one warning more than all that is info.
    static func weight(_ findings: [DriftFinding]) -> Int {
        findings.reduce(0) { sum, finding in
            switch finding.level {
            case .info: sum + 1
            case .warning: sum + 1_000
            case .breaking: sum + 1_000_000
            }
        }
    }

    /// The order of a report: by place in the body, then by pointer, then by id.
    package static func precedes(_ left: DriftFinding, _ right: DriftFinding) -> Bool {
        func rank(_ site: Site) -> (Int, Int) {
            switch site {
            case .status: (0, 0)
            case .header: (1, 0)
            case .body(let offset): (2, offset)
            }
        }
        let (one, other) = (rank(left.site), rank(right.site))
        if left.sample != right.sample { return left.sample < right.sample }
        if one != other { return one < other }
        if left.pointer != right.pointer {
            return left.pointer.utf8.lexicographicallyPrecedes(right.pointer.utf8)
        }
        if left.level != right.level { return left.level > right.level }
        return left.id.rawValue < right.id.rawValue
    }
}
