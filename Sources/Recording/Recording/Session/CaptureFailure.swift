// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiUpstream

/// Why there is no exchange of a request.
enum CaptureFailure: Error {
    case upstream(UpstreamError)
    /// Nobody waits for the response any more.
    case cancelled
}
