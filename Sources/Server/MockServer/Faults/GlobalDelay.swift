// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPWire
import Synchronization

/// The delays that all responses of stubs have which have none of the same kind.
final class GlobalDelay: Sendable {
    private let isOn = Atomic(false)
    private let isForFiles = Atomic(false)
    private let delay = Mutex(ResponseDelay())
    private let count = Atomic<UInt64>(0)

    /// Whether there is any; read before each request.
    var isSet: Bool { isOn.load(ordering: .relaxed) }

    var value: ResponseDelay { delay.withLock { $0 } }

    /// Whether responses of plain files have the delay too.
    var reachesFiles: Bool { isForFiles.load(ordering: .relaxed) }

    func set(_ value: ResponseDelay, reachesFiles: Bool = false) {
        delay.withLock { $0 = value }
        isForFiles.store(reachesFiles, ordering: .relaxed)
        isOn.store(!value.isNone, ordering: .relaxed)
    }

    /// Adds to a response's delay.
    func apply(to response: inout Response, beside own: PreparedDelivery?, seed: UInt64) {
        let value = value
        let has = own?.ownDelays ?? (isFixed: false, isDrawn: false)
        var milliseconds = has.isFixed ? 0 : ResponseDelay.clamped(value.fixedMilliseconds)
        if let distribution = value.distribution, !has.isDrawn {
            let number = count.wrappingAdd(1, ordering: .relaxed).oldValue
            var draw = SeededDraw(seed: seed, salt: 0x474C_4F42_414C, number: number)
            milliseconds += draw.milliseconds(distribution)
        }
        guard milliseconds > 0 else { return }
        var delivery = response.delivery ?? Delivery()
        delivery.delay += UInt64(milliseconds) * 1_000_000
        response.delivery = delivery
    }
}
