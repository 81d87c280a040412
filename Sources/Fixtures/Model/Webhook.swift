// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A request that a stub sends of its own when it has answered.
package struct Webhook: Equatable, Sendable {
    /// How often a request is sent again that was not answered, or with 429 or 5xx.
    package struct Retry: Equatable, Sendable {
        package var times: Int
        /// Milliseconds before each.
        package var delay: Int

        package init(times: Int, delay: Int) {
            self.times = times
            self.delay = delay
        }
    }

    package var method = "GET"
    package var url: String
    package var headers: [HeaderLine] = []
    package var body: [UInt8] = []
    /// Milliseconds that are drawn before it is sent.
    package var delay: ResponseDelay.Distribution?
    package var retry: Retry?

    package init(url: String) {
        self.url = url
    }
}
