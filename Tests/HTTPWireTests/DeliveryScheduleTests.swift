// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPWire
import MockapiTestSupport
import Testing

@Suite(.supervised) struct DeliveryScheduleTests {
    private func schedule(_ pace: Delivery.Pace, delay: UInt64 = 0, total: Int) -> DeliverySchedule {
        var delivery = Delivery()
        delivery.pace = pace
        delivery.delay = delay
        return DeliverySchedule(delivery, total: total, now: 1000)
    }

    /// All moments at which more may be sent, with how much that is.
    private func steps(_ schedule: DeliverySchedule) -> [String] {
        var now: UInt64 = 1000
        var steps = ["\(now): \(schedule.allowance(at: now).map(String.init) ?? "nothing")"]
        while let next = schedule.next(after: now), steps.count < 20 {
            now = next
            steps.append("\(now): \(schedule.allowance(at: now).map(String.init) ?? "nothing")")
        }
        return steps
    }

    @Test func `without a pace all may go out behind the delay`() {
        #expect(steps(schedule(.atOnce, total: 9)) == ["1000: 9"])
        #expect(steps(schedule(.atOnce, delay: 50, total: 9)) == ["1000: nothing", "1050: 9"])
        for pace in [Delivery.Pace.parts(count: 3, pause: 0), .parts(count: 0, pause: 9), .rate(0)] {
            #expect(steps(schedule(pace, total: 9)) == ["1000: 9"])
        }
    }

    @Test func `parts are equal, the last has the rest, and each waits for its pause`() {
        #expect(
            steps(schedule(.parts(count: 3, pause: 10), total: 10)) == [
                "1000: nothing", "1010: 3", "1020: 6", "1030: 10",
            ])
        #expect(
            steps(schedule(.parts(count: 5, pause: 10), delay: 5, total: 2)) == ["1000: nothing", "1015: 1", "1025: 2"])
        #expect(steps(schedule(.parts(count: 5, pause: 10), total: 0)) == ["1000: 0"])
    }

    @Test func `a rate gives bytes every so often, and a slow one every so many times`() {
        #expect(
            steps(schedule(.rate(100), total: 12)) == ["1000: 0", "50001000: 5", "100001000: 10", "150001000: 12"])
        #expect(steps(schedule(.rate(2), total: 2)) == ["1000: 0", "500001000: 1", "1000001000: 2"])
    }

    @Test func `a moment that is missed is made up for`() {
        let schedule = schedule(.parts(count: 4, pause: 10), total: 8)
        #expect(schedule.allowance(at: 1035) == 6)
        #expect(schedule.next(after: 1035) == 1040)
        #expect(schedule.next(after: 5000) == nil)
    }
}
