// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiReports

/// The requests and the outcomes of a step, for people who look into a failure.
struct StepExchange {
    /// Requests whose fields are reported, of a step that sends many. 3.
    private static let toldRequests = 3
    /// Outcomes that are reported. 5.
    private static let toldOutcomes = 5

    let evidence: StepEvidence

    private var step: Step { evidence.step }

    /// The request as the step has it; the line of curl does as a client is expected to do: follow redirections, and undo codings.
    var request: Report.Request {
        let url = Report.Request.base + step.target(0)
        let many =
            step.isNumbered ? "\(Report.Request.base)\(step.path)?n=[0-\(step.times - 1)]" : "\(url)#[1-\(step.times)]"
        var request = Report.Request(step.method, step.times > 1 ? many : url)
        request.headers = step.headers
        request.body = step.body
        let seconds = step.cancellation == nil ? step.timeout : ContractPlan.cancelAfter / 1_000
        request.options = ["-i", "-L", "--compressed", "--max-time", "\(seconds)"]
        if evidence.speaksHTTP2 { request.options.append("--http2-prior-knowledge") }
        if step.times > 1 {
            request.options += ["--parallel", "--parallel-immediate"]
        } else if step.target.contains(where: { "[]{}".contains($0) }) {
            request.options.append("--globoff")
        }
        if let body = step.body, body.count > Report.Request.contentLimit {
            request.bodyCommand =
                "curl -sS \"\(Report.Request.base)\(ContractConversation.planPath)\" | jq -r '.steps[] | select(.id == \"\(step.id)\")"
                + " | .bodyBase64 // (.body | @base64)' | base64 -d"
        }
        return request
    }

    /// The requests that came over the wire, and the outcomes that the client reports.
    var details: [(name: String, text: String)] {
        let told = Array(evidence.entries.prefix(Self.toldRequests))
        let more = evidence.entries.count - told.count
        var wire = told.isEmpty ? "no request came" : told.map(Self.text).joined(separator: "\n")
        if more > 0 { wire += "(and \(Counts.count(more, "request")) more)" }
        let outcomes = evidence.outcomes.prefix(Self.toldOutcomes).map(\.summary)
        let others = evidence.outcomes.count - outcomes.count
        let client = (outcomes + (others > 0 ? ["(and \(others) more)"] : [])).joined(separator: "\n")
        return [("wire", wire), ("client", client.isEmpty ? "nothing" : client)]
    }

    private static func text(_ entry: JournalEntry) -> String {
        let end: String =
            switch entry.abandonment {
            case nil: ""
            case .connectionClosed: "    (given up: the client ended the connection)\n"
            case .streamReset(let code): "    (given up: the client reset the stream with code \(code))\n"
            }
        return JournalText([entry]).text + end
    }
}

extension Verdict {
    /// The verdict, with the step's request and its outcome if it is a failure.
    func with(_ evidence: StepEvidence) -> Verdict {
        guard result == .fail else { return self }
        let exchange = StepExchange(evidence: evidence)
        var verdict = self
        verdict.request = exchange.request
        verdict.details = exchange.details
        return verdict
    }
}
