// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Why a template cannot be parsed or rendered, and at which byte of it.
struct TemplateFailure: Error {
    let offset: Int
    let message: String

    init(_ offset: Int, _ message: String) {
        self.offset = offset
        self.message = message
    }
}
