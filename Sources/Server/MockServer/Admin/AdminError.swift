// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax

/// Why a request to the admin API is refused, with WireMock's code.
struct AdminError: Error {
    let status: Int
    let text: String
    let code: Int
    /// The parameter at fault, or a JSON pointer into the content.
    let pointer: String?
    /// The problem, if the text is only a title; the first of several.
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
            var pointer = Self.pointer(finding.place.pointer)
            if pointer.hasPrefix(prefix) { pointer.removeFirst(prefix.count) }
            var error = AdminError(422, Self.unreadable, code, pointer)
            error.detail = finding.text
            return error
        }
        self = errors.first ?? AdminError(422, "expected one stub")
        others = Array(errors.dropFirst())
    }

    /// The title of an error in a content.
    static let unreadable = "Error parsing JSON"

    /// The keys that WireMock reads together with the object that has them; its pointers name that object.
    private static let parts: Set = [
        "equalTo", "contains", "doesNotContain", "matches", "doesNotMatch", "equalToJson", "equalToXml", "and", "or",
        "not", "matchesJsonPath", "matchesXPath", "matchesJsonSchema", "hasExactly", "includes", "binaryEqualTo",
        "before", "after", "equalToDateTime", "matchesPathTemplate", "base64Body",
    ]

    private static func pointer(_ pointer: String) -> String {
        guard let slash = pointer.lastIndex(of: "/"), parts.contains(String(pointer[pointer.index(after: slash)...]))
        else { return pointer }
        return String(pointer[..<slash])
    }

    static func requireUUID(_ text: String) throws(AdminError) {
        if !TextLook.isUUID(text.utf8) { throw AdminError(400, "\(text) is not a valid UUID") }
    }
}

extension AdminError {
    /// A search that was given up: its findings so far are not the requested result.
    ///
    /// - Parameters:
    ///   - what: the part that takes too much, with its verb.
    ///   - subject: the subject that it was applied to.
    static func givenUp(_ what: String, _ subject: String) -> AdminError {
        AdminError(422, "the search was given up: \(what) more steps than allowed on \(subject)")
    }

    /// An error in a content, in WireMock's words for it.
    static func unreadable(_ detail: String, at pointer: String?) -> AdminError {
        var error = AdminError(422, unreadable, 10, pointer)
        error.detail = detail
        return error
    }

    /// The same error, with another name for the part at fault.
    func naming(_ pointer: String, _ name: String) -> AdminError {
        var error = AdminError(status, text, code, self.pointer == pointer ? name : self.pointer)
        error.detail = detail
        error.others = others.map { $0.naming(pointer, name) }
        return error
    }

    /// The same error, with its pointer below another.
    func below(_ prefix: String) -> AdminError {
        var error = AdminError(status, text, code, pointer.map { prefix + $0 } ?? prefix)
        error.detail = detail
        error.others = others.map { $0.below(prefix) }
        return error
    }
}
