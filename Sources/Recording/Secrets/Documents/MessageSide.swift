// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Which message a content is of.
package enum MessageSide: String, Sendable {
    case request
    case response
}
