// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiProxy

/// The receiver of the outcomes of a session's requests; from any thread.
package protocol RecordingReport: Sendable {
    /// A response has passed whole.
    ///
    /// - Parameter bytes: of its content, as they were transferred.
    func passed(_ bytes: Int, from origin: UpstreamOrigin)

    /// An exchange is recorded, or is not; one call after the other.
    func finished(_ outcome: RecordingOutcome)
}
