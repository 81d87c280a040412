// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures

/// Why a request to the admin API is refused, with WireMock's code.
struct AdminError: Error {
    let status: Int
    let text: String
    let code: Int
    /// The parameter at fault, or a JSON pointer into the content.
    let pointer: String?
    /// The problem, where the text is only a title; the first of several.
    var detail: String?
    /// The other problems.
    var others: [AdminError] = []

    init(_ status: Int, _ text: String, _ code: Int = 10, _ pointer: String? = nil) {
        self.status = status
        self.text = text
        self.code = code
        self.pointer = pointer
    }

    /// Why content is not a stub, one entry per finding.
    init(_ findings: [Finding], code: Int = 10, below prefix: String = "") {
        let errors = findings.filter { $0.severity == .error }.map { finding in
            var pointer = finding.place.pointer
            if pointer.hasPrefix(prefix) { pointer.removeFirst(prefix.count) }
            var error = AdminError(422, "Error parsing JSON", code, pointer)
            error.detail = finding.text
            return error
        }
        self = errors.first ?? AdminError(422, "expected one stub")
        others = Array(errors.dropFirst())
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
