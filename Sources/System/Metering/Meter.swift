// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Synchronization

/// The word that work is not wanted any more: its client has gone, or its server stops.
///
/// A client that has ended its side may have gone or may still wait: its work is doubtful, and shortened.
package final class WorkStop: Sendable {
    private let flag = Atomic(false)
    private let doubt = Atomic(false)
    private let server: WorkStop?

    /// - Parameter server: stops this work with all other work of the server; nil if nothing does.
    package init(of server: WorkStop? = nil) {
        self.server = server
    }

    package var isAsked: Bool { flag.load(ordering: .relaxed) || server?.isAsked ?? false }

    /// Asks the work to end, which it does at its next look.
    package func ask() {
        flag.store(true, ordering: .relaxed)
    }

    /// Whether it is not known that anybody waits for the work.
    package var isDoubtful: Bool { doubt.load(ordering: .relaxed) }

    /// Leaves the work a part of its steps, from its next look on.
    package func shorten() {
        doubt.store(true, ordering: .relaxed)
    }
}

/// The work that one request may cause: everything that reads or makes something for it pays here.
///
/// A unit is about the time that a byte takes which is read one by one; at most four bytes are read for one. A meter is used by one thread
/// at a time.
package final class Meter {
    /// Units of one step: a try of a pattern, a value that is visited or compared. 16.
    package static let step = 16
    /// Units of one step of a template. 96.
    package static let templateStep = 96
    /// Units that a request may take, or 16 for each byte of its content if that is more. 100,663,296: about a third of a second.
    package static let units = 96 * 1024 * 1024
    /// Units that a request may take on an event loop, where others wait; one that needs more is begun again beside it. 2,097,152: some 8 ms.
    package static let onLoop = 2 * 1024 * 1024
    /// Bytes that may be there at one time which were made for a request: the response, and values that helpers hand on to each other. 32 MiB.
    package static let bytes = 32 * 1024 * 1024
    /// Units after which work that nobody waits for any more is given up; less work is done in any case, so that the journal has its result.
    /// 1,048,576: some 4 ms.
    package static let certain = 1024 * 1024
    /// The part that work may still take once its client has ended its side. 4: a quarter.
    package static let shareBehindEnd = 4
    /// Units from one look at whether the work is wanted to the next. 16,384: less than a tenth of a millisecond.
    private static let glance = 16 * 1024

    /// Units that are paid from without a look.
    private var atHand = 0
    private var reserve = 0
    /// Units that were there in the beginning.
    private var all = 0
    private var stop: WorkStop?
    /// Bytes that may still be made.
    package var bytesLeft: Int { room }
    /// Whether the work was given up since nobody waits for it.
    package var isStopped: Bool { isGivenUp }
    /// Whether no more was left than may be taken once the client has ended its side.
    package var isShortened: Bool { isShort }
    /// How often something was not paid for, in all requests together.
    package var refusals: Int { refused }

    // Stored behind a computed property, since another module that reads a stored property makes the dynamic check of exclusivity.
    private var room = Meter.bytes
    private var isGivenUp = false
    private var isShort = false
    private var refused = 0

    package init(_ units: Int = Meter.units, stop: WorkStop? = nil) {
        refill(units, stop: stop)
    }

    /// Units that are left.
    package var left: Int { atHand + reserve }

    /// Units that were paid.
    package var paid: Int { all - left }

    /// Begins for another request, with the full budget.
    ///
    /// - Parameters:
    ///   - content: bytes of the request's content.
    ///   - most: the units that it may take, however much content it has.
    package func begin(content: Int, stop: WorkStop? = nil, most: Int = .max) {
        let (units, overflows) = content.multipliedReportingOverflow(by: Self.step)
        refill(min(most, overflows ? .max : max(Self.units, units)), stop: stop)
    }

    /// Lets work go on that was not paid for: the explanation of a miss. Nothing goes on that was stopped or shortened.
    package func grant(_ units: Int) {
        if isGivenUp || stop?.isDoubtful == true { return }
        let (sum, overflows) = all.addingReportingOverflow(max(0, units - left))
        guard !overflows else { return }
        all = sum
        reserve = max(reserve, units - atHand)
    }

    private func refill(_ units: Int, stop: WorkStop?) {
        all = max(0, units)
        atHand = stop == nil ? all : min(all, Self.certain)
        reserve = all - atHand
        self.stop = stop
        room = Self.bytes
        isGivenUp = false
        isShort = false
    }

    /// Takes units; false, and nothing is left, if they are more than there are, or nobody waits for the work.
    @inline(__always)
    package func pay(_ units: Int) -> Bool {
        if units <= atHand {
            atHand -= units
            return true
        }
        return payFromReserve(units)
    }

    /// Takes steps; false, and nothing is left, if they are more than there are, or nobody waits for the work.
    package func pay(steps: Int) -> Bool {
        let (units, overflows) = steps.multipliedReportingOverflow(by: Self.step)
        return pay(overflows ? .max : units)
    }

    private func payFromReserve(_ units: Int) -> Bool {
        if let stop { look(stop) }
        guard !isGivenUp, units <= left else {
            atHand = 0
            reserve = 0
            refused += 1
            return false
        }
        let rest = left - units
        atHand = stop == nil ? rest : min(rest, Self.glance)
        reserve = rest - atHand
        return true
    }

    /// Looks whether the work is still wanted.
    private func look(_ stop: WorkStop) {
        if stop.isAsked { isGivenUp = true }
        guard !isShort, stop.isDoubtful else { return }
        let excess = left - all / Self.shareBehindEnd
        guard excess > 0 else { return }
        isShort = true
        let taken = min(excess, reserve)
        reserve -= taken
        all -= taken
    }

    /// Counts bytes that were made as none, now that they are gone.
    package func giveBack(_ bytes: Int) {
        room = min(Self.bytes, room + max(0, bytes))
    }

    /// Counts bytes that are made; false if they are more than may be.
    package func make(_ bytes: Int) -> Bool {
        guard bytes <= room else { return false }
        room -= bytes
        return true
    }
}

/// The share of one kind of work in a meter, lest it leave nothing for the others.
package struct Allowance {
    /// Units that are left.
    package private(set) var left: Int
    /// Units that there were.
    private var all: Int
    private let meter: Meter?

    /// - Parameter meter: pays for all work of the request; nil if there is no request.
    package init(units: Int, of meter: Meter? = nil) {
        left = max(0, units)
        all = left
        self.meter = meter
    }

    package init(steps: Int, of meter: Meter? = nil) {
        let (units, overflows) = max(0, steps).multipliedReportingOverflow(by: Meter.step)
        self.init(units: overflows ? .max : units, of: meter)
    }

    /// Steps that are left.
    package var steps: Int { left / Meter.step }
    /// Steps that there were.
    package var most: Int { all / Meter.step }
    package var isSpent: Bool { left == 0 }

    /// Takes units; false, and nothing is left, if they are more than there are.
    @inline(__always)
    package mutating func pay(_ units: Int) -> Bool {
        guard units <= left, meter?.pay(units) ?? true else {
            left = 0
            return false
        }
        left -= units
        return true
    }

    /// Takes steps; false, and nothing is left, if they are more than there are.
    @inline(__always)
    package mutating func pay(steps: Int) -> Bool {
        let (units, overflows) = steps.multipliedReportingOverflow(by: Meter.step)
        return pay(overflows ? .max : units)
    }

    /// Pays for bytes that are read together, four for a unit, and takes nothing of the share; false, and nothing is left, if they are not paid for.
    package mutating func read(_ bytes: Int) -> Bool {
        if bytes < 4 || meter?.pay(bytes / 4) ?? true { return true }
        left = 0
        return false
    }

    /// Begins with so many steps again.
    package mutating func refill(steps: Int) {
        let (units, overflows) = steps.multipliedReportingOverflow(by: Meter.step)
        all = overflows ? .max : units
        left = all
    }

    /// Gives up the rest.
    package mutating func giveUp() { left = 0 }
}
