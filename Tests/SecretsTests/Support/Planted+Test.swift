// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import SecretsSupport
import Testing

extension Planted: CustomTestStringConvertible {
    package var testDescription: String { "\(kind), \(text.count) bytes" }
}
