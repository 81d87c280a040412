// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockServer

/// The requirements that any HTTP client can be put to.
package enum ContractRequirements {
    package static let all =
        methods + urls + requestHeaders + userinfo + requestBodies + responses + messages + rareFramings + statuses
        + redirects
        + repetitions + origins + cookies + caches + codings + faults + damagedCodings + framings + cancellation
        + concurrency + connections + http2 + certificates + pools + proxies + netrc

    /// The configuration of a server that plays them.
    package static var configuration: MockServer.Configuration {
        var configuration = MockServer.Configuration()
        configuration.journalLimit = 128 * 1024 * 1024
        configuration.maxStreams = streamLimit
        return configuration
    }

    /// How many streams the server lets a client have at once. 10.
    static let streamLimit = 10
}
