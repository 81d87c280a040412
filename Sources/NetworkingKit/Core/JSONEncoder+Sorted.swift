// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

extension JSONEncoder {
    /// An encoder that sorts keys and leaves slashes as they are.
    static var sorted: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}
