// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPWire

/// An answer to what no fixture answers.
package struct FallbackAnswer: Sendable {
    package let status: Int
    package let mediaType: String
    package let bytes: [UInt8]

    package init(_ status: Int, _ mediaType: String, _ bytes: [UInt8]) {
        self.status = status
        self.mediaType = mediaType
        self.bytes = bytes
    }

    var plan: ResponsePlan { PlainAnswer.content(status, mediaType, bytes) }
}
