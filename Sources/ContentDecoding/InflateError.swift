// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Why bytes are not what their coding says.
struct InflateError: Error {
    let text: String
}
