// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer

/// The outcome of one request, as a client saw it.
package struct StepOutcome: Sendable {
    /// Why there is no response, or not all of it, in the client's view.
    package enum Failure: String, Sendable, CaseIterable {
        case timeout
        /// The connection was refused, lost or reset, or ended too early.
        case connection
        /// The bytes that came are not HTTP.
        case `protocol`
        /// The content could not be decoded.
        case decoding
        case redirects
        /// The server's certificate was refused, or TLS could not be set up for another reason.
        case certificate
        case cancelled
        /// Neither a response nor an error came, long after the step's time was up; the program that plays the step says so, not the client.
        case hang
        /// None of these; it meets no requirement.
        case other
    }

    /// Nil if a client that is a networking does not report it.
    package var status: Int?
    package var headers: [(name: String, value: String)] = []
    package var body: [UInt8] = []
    package var failure: Failure?
    /// The client's own words for the failure.
    package var detail = ""
    /// Which of the step's requests it is of, from 0; nil if that is not said.
    package var index: Int?
    /// The parts of the step that the client put together, by their names in the plan.
    package var used: Set<String> = []

    package init() {}

    package init(status: Int?, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    package init(_ failure: Failure, _ detail: String) {
        self.failure = failure
        self.detail = detail
    }

    /// The value of the first header with a name, in any case.
    package func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The values of all headers with a name, as one list (RFC 9110 §5.3).
    package func values(_ name: String) -> String {
        headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value).joined(separator: ", ")
    }

    /// Whether it is a response with this status; a response without a reported status is a success.
    package func hasStatus(_ status: Int) -> Bool {
        failure == nil && (self.status == status || self.status == nil && (200..<300).contains(status))
    }

    /// The outcome in a few words: `200, 12 bytes`, or `connection (reset by peer)`.
    package var summary: String {
        if let failure { return detail.isEmpty ? failure.rawValue : "\(failure.rawValue) (\(detail))" }
        return "\(status.map(String.init) ?? "an untold status"), \(Counts.count(body.count, "byte"))"
    }
}
