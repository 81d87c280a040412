// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import Secrets

/// What is recorded, and how it is written.
package struct RecorderOptions: Sendable {
    package var redaction = RedactionRules()
    /// Whether JSON is indented anew.
    package var isPretty = false
    /// The upstreams' origins, the first being the one that is recorded for; their URLs are rewritten when the fixtures are served.
    package var origins: [String] = []

    /// What varies in requests by itself, beside what is known to.
    package var unsteady = UnsteadyValues()
    /// What is volatile in answers, beside what samples show.
    package var volatile = VolatileRules()

    package init() {}
}
