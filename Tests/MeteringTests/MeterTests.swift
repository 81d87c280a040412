// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiMetering
import MockapiTestSupport
import Testing

/// What all work of a request is paid from.
@Suite(.supervised) struct MeterTests {
    @Test func `a meter pays until nothing is left, and then nothing more`() {
        let meter = Meter(1_000)
        #expect(meter.pay(900))
        #expect(meter.left == 100 && meter.paid == 900)
        #expect(meter.pay(100))
        #expect(!meter.pay(1))
        let other = Meter(1_000)
        #expect(!other.pay(1_001))
        #expect(other.left == 0)
        #expect(!other.pay(1))
        #expect(other.refusals == 2)
        other.begin(content: 0)
        #expect(other.pay(1))
        #expect(other.refusals == 2)
    }

    @Test func `each of several kinds has a share, and all together no more than there is`() {
        let meter = Meter(1_000)
        var one = Allowance(units: 600, of: meter)
        var two = Allowance(units: 600, of: meter)
        let first = [one.pay(600), one.pay(1)]
        #expect(first == [true, false])
        let second = [two.pay(400), two.pay(1)]
        #expect(second == [true, false])
        #expect(two.isSpent && meter.left == 0)
        var free = Allowance(steps: 2)
        let third = [free.pay(steps: 2), free.pay(steps: 1)]
        #expect(third == [true, false])
        #expect(free.most == 2)
    }

    @Test func `work that nobody waits for ends within a look, but is done where it takes some milliseconds`() {
        let stop = WorkStop()
        let meter = Meter(stop: stop)
        stop.ask()
        var paid = 0
        while meter.pay(Meter.step) { paid += Meter.step }
        #expect(paid == Meter.certain)
        #expect(meter.isStopped && meter.left == 0)
        meter.grant(1_000)
        #expect(!meter.pay(1))
    }

    @Test func `a stop that comes in the middle is seen within 1,024 steps, and that of the server ends all`() {
        for asksServer in [false, true] {
            let server = WorkStop()
            let stop = WorkStop(of: server)
            let meter = Meter(stop: stop)
            var left = 3 * Meter.certain
            while left > 0, meter.pay(Meter.step) { left -= Meter.step }
            #expect(left == 0)
            if asksServer { server.ask() } else { stop.ask() }
            var paid = 0
            while meter.pay(Meter.step) { paid += Meter.step }
            #expect(paid <= 1_024 * Meter.step)
            #expect(meter.isStopped)
        }
    }

    @Test
    func `work whose client has ended its side may take a quarter of the whole at most from then on, and has no grant`()
    {
        let all = 8 * Meter.certain
        for earlier in [0, all / 2, all * 7 / 8] {
            let stop = WorkStop()
            let meter = Meter(all, stop: stop)
            var left = earlier
            while left > 0, meter.pay(Meter.step) { left -= Meter.step }
            stop.shorten()
            let before = meter.paid
            while meter.pay(Meter.step) {}
            let rest = min(all / Meter.shareBehindEnd, all - earlier)
            #expect((rest...rest + Meter.certain).contains(meter.paid - before), "\(earlier): \(meter.paid - before)")
            #expect(meter.isShortened == (earlier < all * 3 / 4) && !meter.isStopped && meter.left == 0)
            meter.grant(1_000)
            #expect(!meter.pay(1))
            meter.begin(content: 0)
            #expect(!meter.isShortened && meter.left == Meter.units)
        }
    }

    @Test func `a request with more content may take more, whatever its length`() {
        let meter = Meter()
        #expect(meter.left == Meter.units)
        meter.begin(content: 64 * 1024 * 1024)
        #expect(meter.left == 1024 * 1024 * 1024)
        meter.begin(content: .max)
        #expect(meter.left == .max)
        #expect(meter.pay(.max))
        meter.begin(content: 0)
        #expect(meter.left == Meter.units)
    }

    @Test func `what tells of a request that nothing answers has something of its own`() {
        let meter = Meter(1_000)
        #expect(!meter.pay(2_000))
        meter.grant(500)
        #expect(meter.left == 500)
        #expect(meter.pay(500))
        meter.begin(content: 0)
        meter.grant(500)
        #expect(meter.left == Meter.units)
    }

    @Test func `bytes that are made are counted, whoever makes them`() {
        let meter = Meter()
        #expect(meter.make(Meter.bytes - 1))
        #expect(!meter.make(2))
        #expect(meter.make(1))
        #expect(meter.bytesLeft == 0)
        meter.begin(content: 0)
        #expect(meter.bytesLeft == Meter.bytes)
    }
}
