// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// What a request gets: a response that is here whole, or one that comes while it is sent.
package enum Reply: Sendable {
    case whole(Response)
    case streamed(StreamedResponse)
}
