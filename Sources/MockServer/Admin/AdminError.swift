// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Why a request to the admin API is refused, with WireMock's code.
struct AdminError: Error {
    let status: Int
    let text: String
    let code: Int
    /// The parameter at fault.
    let pointer: String?

    init(_ status: Int, _ text: String, _ code: Int = 10, _ pointer: String? = nil) {
        self.status = status
        self.text = text
        self.code = code
        self.pointer = pointer
    }

    static func requireUUID(_ text: String) throws(AdminError) {
        if !isUUID(text) { throw AdminError(400, "\(text) is not a valid UUID") }
    }

    /// Whether a text is 8-4-4-4-12 hexadecimal digits.
    static func isUUID(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.count) == [8, 4, 4, 4, 12] && parts.allSatisfy { $0.allSatisfy(\.isHexDigit) }
    }
}
