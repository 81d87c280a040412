// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiSystemIO
import Synchronization

/// The means by which a server makes its responses, whatever their stub: its names, its seed, its clocks and its log.
final class ServerContext: Sendable {
    let identity: ServerIdentity
    /// The seed of random delays and of other seeded draws.
    let seed: UInt64
    /// The time that templates and matchers see; nil for the time of the clock. Milliseconds since 1970.
    let frozen: Int64?
    let log: LogSettings?
    let names: SettingNames
    let adminAccess: AdminAccess
    let signIns = SignIns()
    /// The name of the server in Via fields (RFC 9110 §7.6.3).
    let pseudonym = "mockapi-" + UInt64.random(in: .min ... .max).hexadecimal
    /// When the schedules of rules began.
    private let scheduledSince = Atomic<UInt64>(Clock.monotonic())

    init(
        identity: ServerIdentity, seed: UInt64, frozen: Int64? = nil, log: LogSettings? = nil,
        names: SettingNames = .swift, adminAccess: AdminAccess = AdminAccess()
    ) {
        self.identity = identity
        self.seed = seed
        self.frozen = frozen
        self.log = log
        self.names = names
        self.adminAccess = adminAccess
    }

    /// The time that templates see, in milliseconds since 1970.
    func now() -> Int64 { frozen ?? Int64(clamping: Clock.wall() / 1_000_000) }

    /// Milliseconds since the schedules of rules began.
    var elapsedMilliseconds: Int {
        let (now, since) = (Clock.monotonic(), scheduledSince.load(ordering: .relaxed))
        return now > since ? Int((now - since) / 1_000_000) : 0
    }

    /// Restarts the schedules.
    func resetSchedules() { scheduledSince.store(Clock.monotonic(), ordering: .relaxed) }
}
