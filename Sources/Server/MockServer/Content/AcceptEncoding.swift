// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// Which content codings a request accepts (RFC 9110 §12.5.3).
struct AcceptEncoding {
    private var weights: [String: Int] = [:]
    private var isPresent = false

    init(_ head: borrowing RequestHead) {
        for field in head.fields where head.equalsIgnoringCase(field.name, "accept-encoding") {
            isPresent = true
            for member in WeightedList.parse(head.string(field.value)) { weights[member.value] = member.weight }
        }
    }

    /// Whether a coding may be sent. A client that says nothing is sent none, though it would have to take any.
    func accepts(_ coding: String) -> Bool {
        guard isPresent else { return false }
        let weight = weights[coding] ?? weights["x-" + coding] ?? weights["*"] ?? 0
        // If two are acceptable, the one of the greater weight is preferred.
        return weight > 0 && weight >= weights["identity"] ?? 0
    }

    /// Whether the content may be sent without a coding; true unless it is ruled out.
    var acceptsIdentity: Bool {
        (weights["identity"] ?? weights["*"] ?? 1000) > 0
    }
}
