// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Fixtures
import Synchronization

/// What a stub sends when it has answered, with what its delays are drawn by.
final class PreparedWebhooks: Sendable {
    private let webhooks: [Webhook]
    /// Tells the stub from others in what is drawn.
    private let salt: UInt64
    private let count = Atomic<UInt64>(0)

    init(_ webhooks: [Webhook], salt: UInt64) {
        self.webhooks = webhooks
        self.salt = salt
    }

    func reset() {
        count.store(0, ordering: .relaxed)
    }

    /// Those that are due for one request.
    ///
    /// - Parameter wait: milliseconds until the answer begins.
    func calls(seed: UInt64, sequence: UInt64, receivedAt: UInt64, wait: Int) -> [WebhookQueue.Call] {
        var draw = SeededDraw(seed: seed, salt: salt, number: count.wrappingAdd(1, ordering: .relaxed).oldValue)
        return webhooks.map { webhook in
            let delay = webhook.delay.map { draw.milliseconds($0) } ?? 0
            return WebhookQueue.Call(webhook: webhook, sequence: sequence, receivedAt: receivedAt, delay: wait + delay)
        }
    }
}
