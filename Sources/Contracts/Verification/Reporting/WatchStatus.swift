// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiDrift
import MockapiJSONText

/// The status of a service that is verified again and again: of the last time, and how often.
package struct WatchStatus: Sendable {
    /// Findings that are reported. 100.
    private static let findingLimit = 100

    private let service: String
    private var runs = 0
    /// Seconds since 1970.
    private var finishedAt = 0.0
    private var duration = 0.0
    private var counts = VerdictCounts([])
    private var levels: [DriftLevel: Int] = [:]
    private var findings: [LocatedFinding] = []
    /// The result of the last run; `pending` before the first.
    package private(set) var state = "pending"
    /// The state that was reported; nil for none.
    private var told: String?
    /// Whether the last run could not be made, so that there are no counts.
    private var isUnmade = false

    package init(against service: String) {
        self.service = service
    }

    /// Whether the state differs from the reported one.
    package var isNews: Bool { state != "pending" && state != told }

    /// Takes note that the state was reported.
    package mutating func hasBeenTold() {
        told = state
    }

    /// Takes the findings of a run.
    ///
    /// - Parameter report: nil if it could not be done.
    package mutating func take(_ report: DriftReport?, at moment: Double, duration: Double) {
        runs += 1
        finishedAt = moment
        self.duration = duration
        isUnmade = report == nil
        guard let report else {
            state = "unchecked"
            counts = VerdictCounts([])
            levels = [:]
            findings = []
            return
        }
        counts = report.counts
        let all = report.findings
        levels = Dictionary(all.map { ($0.finding.level, 1) }, uniquingKeysWith: +)
        findings = Array(all.sorted { $0.finding.level > $1.finding.level }.prefix(Self.findingLimit))
        state =
            if counts.unchecked > 0 {
                "unchecked"
            } else if counts.broken > 0 {
                "broken"
            } else {
                counts.drifted > 0 ? "drifted" : "honoured"
            }
    }

    private var states: [(name: String, count: Int)] {
        [
            ("honoured", counts.honoured), ("compatible", counts.compatible), ("drifted", counts.drifted),
            ("broken", counts.broken), ("skipped", counts.skipped), ("unchecked", counts.unchecked),
        ]
    }

    /// The state in Prometheus' text format.
    package var metrics: String {
        var lines = [
            "# HELP mockapi_verify_fixtures Fixtures by the result of the last run.",
            "# TYPE mockapi_verify_fixtures gauge",
        ]
        lines += states.map { "mockapi_verify_fixtures{state=\"\($0.name)\"} \($0.count)" }
        lines += ["# HELP mockapi_verify_findings Changes by level.", "# TYPE mockapi_verify_findings gauge"]
        lines += DriftLevel.allCases.map { "mockapi_verify_findings{level=\"\($0.rawValue)\"} \(levels[$0] ?? 0)" }
        lines += [
            "# HELP mockapi_verify_last_run_made Whether the last run could be made.",
            "# TYPE mockapi_verify_last_run_made gauge", "mockapi_verify_last_run_made \(isUnmade ? 0 : 1)",
            "# HELP mockapi_verify_runs_total Runs since the start.", "# TYPE mockapi_verify_runs_total counter",
            "mockapi_verify_runs_total \(runs)",
            "# HELP mockapi_verify_last_run_timestamp_seconds When the last run ended.",
            "# TYPE mockapi_verify_last_run_timestamp_seconds gauge",
            "mockapi_verify_last_run_timestamp_seconds \(finishedAt)",
            "# HELP mockapi_verify_last_run_duration_seconds How long it took.",
            "# TYPE mockapi_verify_last_run_duration_seconds gauge",
            "mockapi_verify_last_run_duration_seconds \(duration)",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    /// The state as JSON.
    package var json: [UInt8] {
        let summary = JSONObject(states.map { .init(name: $0.name, value: .integer($0.count)) })
        let node = JSONNode.object([
            "state": .string(state), "against": .string(service), "runs": .integer(runs),
            "finishedAt": .integer(Int(finishedAt)), "summary": JSONNode(.object(summary)),
            "findings": .array(findings.map { DriftReport.node($0) }),
        ])
        return JSONWriter.pretty(node) + [UInt8(ascii: "\n")]
    }
}
