// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

extension [URLQueryItem] {
    /// The items as the content of a form: `name=value&name=value`.
    var form: Data {
        Data(map { "\($0.name.percentEncoded)=\(($0.value ?? "").percentEncoded)" }.joined(separator: "&").utf8)
    }
}
