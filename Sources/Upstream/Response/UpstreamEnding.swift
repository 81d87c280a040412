// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// What is known of a response when its last byte has come.
package struct UpstreamEnding: Hashable, Sendable {
    package var trailers: [UpstreamField]
    package var info: UpstreamInfo
}
