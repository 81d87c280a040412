// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiDrift
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiJSONText
package import MockapiProxy
package import MockapiRecording
package import MockapiUpstream

/// A response as it came and was judged, with its request.
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
        let spool = ContentSpool(ReceivedHead(response.head), directory: directory)
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
    /// Why a response must not replace the recorded one: it is an outage, a refusal, a limit, or no data; nil if it may.
    package func reasonToKeep(instead answer: JudgedAnswer) -> String? {
        let status = answer.response.status
        let statuses = samples.map(\.status)
        let wasGood = statuses.allSatisfy { $0 < 300 || $0 == 304 }
        let isRefusal =
            status >= 500 || [401, 403, 407, 408, 425, 429, 430].contains(status) || wasGood && status >= 300
        if !statuses.contains(status), isRefusal { return "the service answered \(status)" }
        let comparison = ResponseComparison(recorded: samples)
        let known = comparison.recorded.first?.mediaType ?? ""
        let new = answer.sample.mediaType
        if new == "text/html", known != new, !known.isEmpty { return "a page has come in the place of \(known)" }
        if MediaType.isJSON(new), !MediaType.isJSON(known), !known.isEmpty {
            return "JSON has come in the place of \(known)"
        }
        if isAccident(answer.sample) { return "an object has come that shares no member with the recorded one" }
        let findings = comparison.compare([answer.sample]).findings
        if let found = findings.first(where: { [.bodyMalformed, .mediaTypeMismatch, .bodyMissing].contains($0.id) }) {
            return found.text
        }
        if findings.contains(where: { $0.id == .itemsEmpty && $0.pointer.isEmpty }) {
            return "the response has no items"
        }
        return nil
    }

    /// Members that describe an error, in small letters.
    private static let errorNames: Set<String> = ["error", "errors", "message", "detail", "fault", "exception"]

    /// Whether an object has come that shares no member with any that was recorded, as that of an error has none; in the place of a list, one
    /// that speaks of an error.
    func isAccident(_ answer: ResponseSample) -> Bool {
        func names(_ sample: ResponseSample) -> Set<String>? {
            (try? JSONParser.parse(sample.body))?.object.map { Set($0.members.map(\.name)) }
        }
        guard let new = names(answer) else { return false }
        let recorded = samples.filter { $0.status == answer.status && !$0.body.isEmpty }
        let known = recorded.compactMap(names).filter { !$0.isEmpty }
        if known.isEmpty {
            return !recorded.isEmpty && recorded.allSatisfy { (try? JSONParser.parse($0.body))?.array != nil }
                && new.contains { Self.errorNames.contains($0.lowercased()) }
        }
        return known.allSatisfy { $0.isDisjoint(with: new) }
    }
}
