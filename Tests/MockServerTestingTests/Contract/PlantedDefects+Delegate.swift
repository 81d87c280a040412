// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import NetworkingKit
import Synchronization

extension PlantedDefect {
    private static let transformations: Set = [
        "transform.once.awaited", "transform.once.published", "transform.result.awaited", "transform.result.published",
        "transform.retry",
    ]

    /// Those that wrong their delegate.
    static let delegates = [
        delegate("keeps a strong delegate", breaks: ["delegate.weak"], keepsDelegate: true),
        delegate("ignores transformPublisher", breaks: transformations) { $0.setTransformation { _, _, own in own } },
        delegate(
            "calls transformPublisher and drops its result",
            breaks: ["transform.result.awaited", "transform.result.published", "transform.retry"]
        ) { proxy in
            proxy.setTransformation { delegate, networking, own in
                _ = delegate.networking(networking, transformPublisher: own)
                return own
            }
        },
        delegate(
            "calls transformPublisher twice",
            breaks: transformations.subtracting(["transform.retry"])
        ) { proxy in
            proxy.setTransformation { delegate, networking, own in
                let once = delegate.networking(networking, transformPublisher: own)
                return delegate.networking(networking, transformPublisher: once)
            }
        },
        delegate("asks the delegate for headers once", breaks: ["delegate.anew", "delegate.subscription"]) { proxy in
            let first = Once()
            proxy.setHeaders { delegate, networking in first.value { delegate.headers(for: networking) } }
        },
        delegate("drops the delegate's headers", breaks: ["delegate.headers"]) { $0.setHeaders { _, _ in [:] } },
        delegate("tells its delegate of no response", breaks: ["delegate.receives"]) {
            $0.tellNoAnswers()
        },
        PlantedDefect(
            "lets the delegate's headers win", breaks: ["delegate.own", "delegate.reserved"], base: .networker
        ) { OverwritingNetworking() },
    ]
}

/// What was made first.
private final class Once: Sendable {
    private let kept = Mutex<[String: String]?>(nil)

    func value(_ make: () -> [String: String]) -> [String: String] {
        kept.withLock { kept in
            if let kept { return kept }
            let made = make()
            kept = made
            return made
        }
    }
}
