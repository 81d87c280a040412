// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiProxy
import MockapiRecording
import Synchronization

/// Reports a recording line by line; on a terminal unchanged responses are counted in one line that is written over.
final class RecordingPrinter: RecordingReport {
    enum Style: Sendable {
        /// A line for each outcome.
        case lines
        /// A line for each outcome but the unchanged ones, and a line that is written over.
        case live
        /// Only exchanges that were not recorded.
        case quiet
    }

    /// Between two writings of the line that is written over. 100 ms.
    private static let pause = Duration.milliseconds(100)
    /// Letters of it: fewer than any terminal has in a line.
    private static let width = 79

    private struct State {
        var tally = RecordingTally()
        var isProgressShown = false
        var shownAt: ContinuousClock.Instant?
    }

    private let main: String
    private let style: Style
    private let isResult: Bool
    private let state = Mutex(State())

    /// - Parameters:
    ///   - main: the origin that lines need not mention.
    ///   - isResult: whether the lines go to standard output.
    init(main: String, style: Style, isResult: Bool) {
        self.main = main
        self.style = style
        self.isResult = isResult
    }

    var tally: RecordingTally { state.withLock { $0.tally } }

    func passed(_ bytes: Int, from origin: UpstreamOrigin) {
        state.withLock { state in
            state.tally.add(bytes, from: origin.text)
            showProgress(&state)
        }
    }

    func waits(for outcome: RecordingOutcome) -> Bool {
        style != .quiet || outcome.kind == .refused || outcome.kind == .failed
    }

    func finished(_ outcome: RecordingOutcome) {
        state.withLock { state in
            state.tally.add(outcome)
            let hasFailed = outcome.kind == .refused || outcome.kind == .failed
            switch style {
            case .quiet where hasFailed: Output.note(OutcomeLine.text(outcome, main: main))
            case .quiet: break
            case .live where outcome.kind == .unchanged: showProgress(&state)
            case .live, .lines:
                clearProgress(&state)
                line(OutcomeLine.text(outcome, main: main))
            }
        }
    }

    /// The last line.
    func summarize() {
        state.withLock { state in
            clearProgress(&state)
            if style != .quiet { line("  " + state.tally.summary) }
        }
    }

    private func line(_ text: String) {
        if isResult { Output.result(text) } else { Output.note(text) }
    }

    private func showProgress(_ state: inout State) {
        guard style == .live else { return }
        let now = ContinuousClock.now
        if let last = state.shownAt, now - last < Self.pause { return }
        state.shownAt = now
        state.isProgressShown = true
        Output.part("\r\u{1B}[K" + String("  = \(state.tally.progress)".prefix(Self.width)), isResult: isResult)
    }

    private func clearProgress(_ state: inout State) {
        guard state.isProgressShown else { return }
        state.isProgressShown = false
        Output.part("\r\u{1B}[K", isResult: isResult)
    }
}
