// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiRecording

/// Says how many responses are still being written when a signal has ended a recording, if that takes a while.
enum DrainingNote {
    /// How long nothing is said, and then between two lines. 1 s, 2 s.
    private static let pauses = (first: Duration.seconds(1), further: Duration.seconds(2))

    /// Returns when all that has passed is on the disk.
    static func drain(_ session: RecordingSession, _ signals: StopSignals?) async {
        let telling = Task {
            var pause = pauses.first
            while true {
                try await Task.sleep(for: pause)
                pause = pauses.further
                let count = session.unwritten
                guard signals?.hasCome ?? false, count > 0 else { continue }
                Output.note(
                    "writing \(count) \(count == 1 ? "response" : "responses") that came before the end; a second signal ends without them"
                )
            }
        }
        await session.drain()
        telling.cancel()
    }
}
