// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiDrift
package import MockapiProxy
package import MockapiRecording
package import MockapiUpstream

/// A response as it came and was judged, with the request that it answers.
package struct JudgedAnswer: Sendable {
    package let request: AskedRequest
    package let origin: UpstreamOrigin
    package let response: ReceivedResponse
    /// The content without its coding.
    let sample: ResponseSample

    /// The exchange that a recorder writes.
    ///
    /// - Parameter directory: that of the fixtures.
    package func exchange(in directory: String) throws(RecordingError) -> Exchange {
        let spool = ContentSpool(response.head, directory: directory)
        spool.push(response.body)
        while spool.store() {}
        return Exchange(
            origin: origin.text, method: request.method, target: request.target, requestFields: request.fields,
            requestBody: request.body ?? [], head: response.head, trailers: [], content: try spool.finish())
    }
}

/// A response as it came, in its coding.
package struct ReceivedResponse: Sendable {
    package var head: UpstreamHead
    package var body: [UInt8] = []

    var status: Int { head.status }
}

extension VerifiedFixture {
    /// Why a response must not take the place of what was recorded: it is an outage, a refusal, a limit, or no data; nil for one that may.
    package func reasonToKeep(instead answer: JudgedAnswer) -> String? {
        let status = answer.response.status
        let statuses = samples.map(\.status)
        if !statuses.contains(status), status >= 500 || [401, 403, 407, 408, 425, 429, 430].contains(status) {
            return "the service answered \(status)"
        }
        let comparison = ResponseComparison(recorded: samples)
        let known = comparison.recorded.first?.mediaType ?? ""
        let new = answer.sample.mediaType
        if new == "text/html", known != new, !known.isEmpty { return "a page has come in the place of \(known)" }
        let findings = comparison.compare([answer.sample]).findings
        if let found = findings.first(where: { [.bodyMalformed, .mediaTypeMismatch, .bodyMissing].contains($0.id) }) {
            return found.text
        }
        return nil
    }
}
