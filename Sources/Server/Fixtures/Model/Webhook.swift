// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiJSONText
package import MockapiTemplating

/// A request that a stub sends on its own after its response.
package struct Webhook: Sendable {
    /// How often a request is sent again that got no response, or one of 429 or 5xx.
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
    /// The parts of it that are rendered for each request; nil if nothing is a template.
    package var templates: Templates?

    /// The parts of a webhook that are rendered.
    package struct Templates: Sendable {
        package var method: Template?
        package var url: Template?
        package var headers: [ResponseTemplates.Header] = []
        package var body: Template?
        /// The value of `parameters` in templates.
        package var parameters = JSONNode.object([:])

        var isEmpty: Bool { method == nil && url == nil && headers.isEmpty && body == nil }
    }

    /// Whether a text can be the target of a webhook.
    package static func isURL(_ text: String) -> Bool {
        ["https://", "http://"].contains(where: text.lowercased().hasPrefix)
            && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    }

    package init(url: String) {
        self.url = url
    }
}
