// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The judgement on live responses by recorded ones.
///
///     let findings = ResponseComparison(recorded: [sample]).findings(in: [response])
package struct ResponseComparison: Sendable {
    package var recorded: [ResponseSample]
    package var pins = ContractPins.none
    /// JSON paths of values that differ from response to response.
    package var volatilePaths: [String] = []
    /// Names of header lines whose values do.
    package var volatileHeaders: [String] = []

    /// - Parameter recorded: every response that is known: the steps of a sequence are samples.
    package init(recorded: [ResponseSample]) {
        self.recorded = recorded
    }

    /// The differences of the live responses, sorted by place.
    package func findings(in live: [ResponseSample]) -> [DriftFinding] {
        var findings: [DriftFinding] = []
        let statuses = Set(recorded.map(\.status))
        var strange = Set<Int>()
        let isOpen = recorded.contains(where: \.isStatusOpen)
        for response in live
        where !isOpen && !statuses.contains(response.status) && strange.insert(response.status).inserted {
            let finding = DriftFinding(
                .breaking, .statusChanged, at: "status",
                recorded: statuses.sorted().map(String.init).joined(separator: ", "), received: String(response.status),
                sample: recorded.first?.index ?? 0, site: .status)
            findings += pins.applied(to: [finding], documents: [], headers: [], status: response.status)
        }
        for status in statuses.union(isOpen ? live.map(\.status) : []).sorted() {
            let responses = live.filter { $0.status == status }
            guard !responses.isEmpty else { continue }
            findings += compare(recorded.filter { $0.status == status || $0.isStatusOpen }, responses, status)
        }
        return findings.sorted(by: DriftFinding.precedes)
    }

    private func compare(_ known: [ResponseSample], _ responses: [ResponseSample], _ status: Int) -> [DriftFinding] {
        var headers = HeaderComparison(known, responses, volatile: volatileHeaders)
        headers.compare()
        var bodies = BodyComparison(known, responses, noise: Noise(marks: volatilePaths))
        bodies.compare(keepsDocuments: pins.readsValues)
        var lines: [(name: String, values: [String])] = []
        for line in responses[0].headers
        where !lines.contains(where: { $0.name.lowercased() == line.name.lowercased() }) {
            lines.append((line.name, responses[0].values(of: line.name)))
        }
        return pins.applied(
            to: headers.findings + bodies.findings, documents: bodies.documents, headers: lines, status: status)
    }
}
