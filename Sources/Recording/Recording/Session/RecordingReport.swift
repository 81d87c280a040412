// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiProxy

/// The receiver of the outcomes of a session's requests; from any thread.
package protocol RecordingReport: Sendable {
    /// A response has passed whole.
    ///
    /// - Parameter bytes: of its content, as they were transferred.
    func passed(_ bytes: Int, from origin: UpstreamOrigin)

    /// An exchange is recorded, or is not.
    ///
    /// Outcomes come in their order, one call after the other, but for those that it does not wait for.
    func finished(_ outcome: RecordingOutcome)

    /// Whether reporting an outcome may take a while, as writing a line does: then it is not called on an event loop.
    func waits(for outcome: RecordingOutcome) -> Bool
}
