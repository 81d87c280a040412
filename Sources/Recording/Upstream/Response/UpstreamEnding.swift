// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The trailers and the connection of a response, known when its last byte has come.
package struct UpstreamEnding: Hashable, Sendable {
    package var trailers: [UpstreamField]
    package var info: UpstreamInfo
}
