// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiRecording

/// The counts of a recording so far.
struct RecordingTally {
    private var kinds: [RecordingOutcome.Kind: Int] = [:]
    private var requests: [(origin: String, count: Int)] = []
    private var bytes = 0

    mutating func add(_ outcome: RecordingOutcome) {
        kinds[outcome.kind, default: 0] += 1
    }

    mutating func add(_ bytes: Int, from origin: String) {
        self.bytes += bytes
        if let index = requests.firstIndex(where: { $0.origin == origin }) {
            requests[index].count += 1
        } else {
            requests.append((origin, 1))
        }
    }

    func count(_ kind: RecordingOutcome.Kind) -> Int { kinds[kind] ?? 0 }

    /// Whether something did not come to be recorded.
    var hasFailures: Bool { count(.refused) + count(.failed) > 0 }

    /// Such as `3 new, 1 changed, 12 unchanged, 0 refused, 0 failed`, and how many were left out, if any.
    var summary: String {
        "\(count(.new)) new, \(count(.changed)) changed, \(count(.unchanged)) unchanged, \(count(.refused)) refused, "
            + "\(count(.failed)) failed" + (count(.leftOut) > 0 ? ", \(count(.leftOut)) left out" : "")
    }

    /// Such as `12 unchanged · 34 requests, 1.2 MB: api.example.com 30, images.example.com 4`.
    var progress: String {
        let total = requests.reduce(0) { $0 + $1.count }
        let hosts = requests.map { origin, count in
            "\(origin.drop { $0 != "/" }.drop { $0 == "/" }) \(count)"
        }
        return "\(count(.unchanged)) unchanged · \(total) \(total == 1 ? "request" : "requests"), "
            + ByteCount.text(bytes) + (hosts.isEmpty ? "" : ": " + hosts.joined(separator: ", "))
    }
}
