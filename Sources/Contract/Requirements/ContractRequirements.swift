// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockServer

/// The requirements that any HTTP client can be put to.
package enum ContractRequirements {
    package static let all =
        methods + urls + requestHeaders + requestBodies + answers + statuses + redirects + codings + faults
        + cancellation
        + concurrency + http2

    /// What a server that plays them is made with.
    package static var configuration: MockServer.Configuration {
        var configuration = MockServer.Configuration()
        configuration.journalLimit = 128 * 1024 * 1024
        configuration.maxStreams = streamLimit
        return configuration
    }

    package static var stubs: [MockStub] { all.flatMap(\.stubs) }

    /// How many streams the server lets a client have at once. 10.
    static let streamLimit = 10
}
