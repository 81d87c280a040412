// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiSecretsSupport
import Testing

extension Planted: CustomTestStringConvertible {
    package var testDescription: String { "\(kind), \(text.count) bytes" }
}
