// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import COpenSSL

/// Certificates or keys that cannot be used, in words that name the file and the way out.
package struct TLSError: Error, Equatable, Sendable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) {
        self.description = description
    }

    /// OpenSSL's last words, behind a colon; empty where it has none.
    static var reason: String {
        let code = ERR_peek_last_error()
        ERR_clear_error()
        guard code != 0, let text = ERR_reason_error_string(code) else { return "" }
        return ": " + String(cString: text)
    }
}
