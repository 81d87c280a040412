// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The time of a request's last byte by both clocks, in nanoseconds.
package struct Timestamps: Sendable {
    package var monotonic: UInt64
    package var wall: UInt64

    package static let none = Timestamps(monotonic: 0, wall: 0)

    package init(monotonic: UInt64, wall: UInt64) {
        self.monotonic = monotonic
        self.wall = wall
    }
}
