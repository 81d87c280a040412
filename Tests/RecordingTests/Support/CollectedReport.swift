// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiProxy
import MockapiRecording
import Synchronization

/// Keeps what a recording tells.
final class CollectedReport: RecordingReport {
    private let waits: Bool
    private let all = Mutex<[RecordingOutcome]>([])
    private let bytes = Mutex<Int>(0)

    /// - Parameter waits: whether outcomes come in their order, as to a report that writes lines.
    init(waits: Bool = true) { self.waits = waits }

    func waits(for outcome: RecordingOutcome) -> Bool { waits }

    var outcomes: [RecordingOutcome] { all.withLock { $0 } }
    /// Content of the responses that passed whole.
    var passed: Int { bytes.withLock { $0 } }

    func passed(_ bytes: Int, from origin: UpstreamOrigin) {
        self.bytes.withLock { $0 += bytes }
    }

    func finished(_ outcome: RecordingOutcome) {
        all.withLock { $0.append(outcome) }
    }
}
