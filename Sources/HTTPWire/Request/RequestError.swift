// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Why a message is refused: the status to answer with and the reason in words. The connection ends behind it.
package struct RequestError: Error, Equatable, Sendable {
    package var status: Int
    package var text: String

    package init(_ status: Int, _ text: String) {
        self.status = status
        self.text = text
    }
}
