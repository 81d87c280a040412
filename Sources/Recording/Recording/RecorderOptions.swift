// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiSecrets

/// The options that decide which exchanges are recorded and how it is written.
package struct RecorderOptions: Sendable {
    package var redaction = RedactionRules()
    /// Whether JSON is re-indented.
    package var isPretty = false
    /// The upstreams' origins; recordings belong to the first; their URLs are rewritten when the fixtures are served.
    package var origins: [String] = []

    /// The request values that vary by themselves, in addition to those that are known to.
    package var unsteady = UnsteadyValues()
    /// The request values that select the response although they look like values that vary.
    package var selecting = SelectedPlaces()
    /// The parts of a response that are volatile, in addition to those that samples show to be.
    package var volatile = VolatileRules()
    /// Whether the upstreams see the host by which the client has called.
    package var keepsHost = false

    /// Whether the recording may be undone in the end.
    package var mayBeUndone = false
    /// The statuses of responses that are recorded; others are passed on and reported.
    package var statuses = StatusChoice.all

    package init() {}
}
