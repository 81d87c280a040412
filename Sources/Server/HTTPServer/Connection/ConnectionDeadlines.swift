// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The times by which something must happen on a connection, in nanoseconds of the loop's clock.
struct ConnectionDeadlines {
    /// When the connection ends, unless something happens before.
    private(set) var deadline: UInt64
    /// Whether the deadline is that of a head, which bytes do not put off.
    private var isOfHead = false
    /// When the connection looks at its deadlines next.
    var nextCheck: UInt64 = 0
    /// When a response that goes out in pieces has its next one.
    var nextPiece = UInt64.max

    init(idle deadline: UInt64) {
        self.deadline = deadline
    }

    /// Something has happened.
    mutating func putOff(to moment: UInt64) {
        deadline = moment
        isOfHead = false
    }

    /// Something has begun that has to come whole by a deadline, however its bytes trickle.
    mutating func beginHead(by moment: UInt64) {
        guard !isOfHead else { return }
        isOfHead = true
        deadline = moment
    }
}
