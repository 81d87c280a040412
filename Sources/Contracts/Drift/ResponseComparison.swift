// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The judgement on live responses by recorded ones.
///
///     let findings = ResponseComparison(recorded: [sample]).compare([response]).findings
package struct ResponseComparison: Sendable {
    package var recorded: [ResponseSample]
    package var pins = ContractPins.none
    /// JSON paths of values that differ from response to response, in their form too.
    package var volatilePaths: [String] = []
    /// JSON paths of values that do, but not in their form: times, UUIDs, counters.
    package var movingPaths: [String] = []
    /// Names of header lines whose values do.
    package var volatileHeaders: [String] = []

    /// - Parameter recorded: every response that is known: the steps of a sequence are samples.
    package init(recorded: [ResponseSample]) {
        self.recorded = recorded
    }

    /// Holds live responses against the recorded ones.
    package func compare(_ live: [ResponseSample]) -> Comparison {
        var comparison = Comparison()
        let statuses = Set(recorded.map(\.status))
        var strange = Set<Int>()
        let isOpen = recorded.contains(where: \.isStatusOpen)
        for response in live
        where !isOpen && !statuses.contains(response.status) && strange.insert(response.status).inserted {
            let finding = DriftFinding(
                .breaking, .statusChanged, at: "status",
                recorded: statuses.sorted().map(String.init).joined(separator: ", "), received: String(response.status),
                sample: recorded.first?.index ?? 0, site: .status)
            comparison.findings += pins.applied(to: [finding], documents: [], headers: [], status: response.status)
        }
        if !live.isEmpty { comparison.compared.statuses = 1 }
        for status in statuses.union(isOpen ? live.map(\.status) : []).sorted() {
            let responses = live.filter { $0.status == status }
            guard !responses.isEmpty else { continue }
            compare(
                recorded.filter { $0.status == status || $0.isStatusOpen }, responses, status, into: &comparison)
        }
        comparison.findings.sort(by: DriftFinding.precedes)
        return comparison
    }

    private func compare(
        _ known: [ResponseSample], _ responses: [ResponseSample], _ status: Int, into comparison: inout Comparison
    ) {
        var headers = HeaderComparison(known, responses, volatile: volatileHeaders)
        headers.compare()
        if known.contains(where: { $0.headers.contains { ResponseSample.isLasting($0.name) } }) {
            comparison.compared.headerSets += 1
        }
        let noise = Noise(marks: volatilePaths, moving: movingPaths)
        var bodies = BodyComparison(known, responses, noise: noise)
        switch bodies.compare(keepsDocuments: pins.readsValues, keepsPlaces: !pins.pins.isEmpty || !noise.isEmpty) {
        case .compared(let parts): comparison.compared += parts
        case .blocked(let reason): comparison.obstacle = comparison.obstacle ?? reason
        }
        var lines: [(name: String, values: [String])] = []
        for line in responses[0].headers
        where !lines.contains(where: { $0.name.lowercased() == line.name.lowercased() }) {
            lines.append((line.name, responses[0].values(of: line.name)))
        }
        let names = Set((known + responses).flatMap(\.headers).map { $0.name.lowercased() })
        let unknown = pins.unknownPlaces(in: bodies.places, headers: names).map { "contract: " + $0 }
        let slips = unknown + noise.unknownMarks(in: bodies.places ?? [])
        comparison.findings += pins.known(in: bodies.places, headers: names).applied(
            to: headers.findings + bodies.findings, documents: bodies.documents, headers: lines, status: status)
        comparison.findings += slips.map { place in
            DriftFinding(
                .warning, .placeUnknown, at: "", recorded: place, sample: known.first?.index ?? 0, site: .status)
        }
    }
}
