// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import UpstreamNetworking

/// The networkings that have connections.
enum WireKind: CaseIterable {
    case session, upstream

    func make() -> any WireNetworking & AnyObject {
        switch self {
        case .session: return Networker()
        case .upstream:
            var configuration = UpstreamNetworker.Configuration()
            configuration.version = .h2c
            return UpstreamNetworker(configuration)
        }
    }
}
