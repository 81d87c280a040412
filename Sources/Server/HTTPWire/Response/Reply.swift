// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The response to a request: it is here whole, or comes while it is sent.
package enum Reply: Sendable {
    case whole(Response)
    case streamed(StreamedResponse)
}
