// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiReports

/// Whether a client meets a requirement.
package struct Verdict: Sendable {
    package enum Result: String, Sendable {
        case pass
        case fail
        case notApplicable = "not applicable"
    }

    package let id: String
    package let title: String
    package let result: Result
    package var expected: String
    /// The behaviour that was seen instead; empty for a pass.
    package let seen: String
    /// For a failure, why it is known, such as a defect of the system the client is built on; for a pass, a possible improvement.
    package var note = ""
    /// How long it took, in seconds.
    package var duration = 0.0
    /// Whether a pass rests on nothing but an error of the client.
    var restsOnError = false
    /// For a failure: the request that was to be sent.
    package var request: Report.Request?
    /// For a failure: the bytes on the wire and the client's report, by name.
    package var details: [(name: String, text: String)] = []

    /// The request, its outcome, and a line of curl, each with its name; empty unless it is a failure.
    package var evidence: String {
        guard let request else { return "" }
        let told = [("request", request.text)] + details + [("curl", request.curl)]
        return told.map { "\($0.0): \($0.1)" }.joined(separator: "\n")
    }

    package init(
        _ id: String, _ title: String, _ result: Result, expected: String, seen: String = "", note: String = ""
    ) {
        self.id = id
        self.title = title
        self.result = result
        self.expected = expected
        self.seen = seen
        self.note = note
    }
}
