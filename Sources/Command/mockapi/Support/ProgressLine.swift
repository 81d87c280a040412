// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Synchronization

/// How far a command has come, on a line of the terminal that is written over; nowhere else.
final class ProgressLine: Sendable {
    /// Letters of the bar. 24.
    private static let width = 24
    /// From when on the time left is reported: before, too little is known of it. 3 s.
    private static let patience = Duration.seconds(3)

    private let start = ContinuousClock.now
    private let isShown = Mutex(false)

    /// Shows a bar, and how long the rest will take at the pace so far.
    ///
    /// - Parameter unit: the unit of the count, such as `runs`; nothing if it is clear.
    func show(_ done: Int, of total: Int, unit: String = "", _ text: String = "") {
        guard Output.errorIsTerminal else { return }
        let full = total > 0 ? min(Self.width, max(0, done) * Self.width / total) : 0
        let bar = String(repeating: "━", count: full) + String(repeating: "╌", count: Self.width - full)
        let counted = unit.isEmpty ? "\(done) of \(total)" : "\(done) of \(total) \(unit)"
        isShown.withLock { isShown in
            isShown = true
            Output.part("\r\u{1B}[K  \(bar) \(counted)\(text)\(left(done, of: total))", isResult: false)
        }
    }

    func end() {
        isShown.withLock { isShown in
            if isShown { Output.part("\r\u{1B}[K", isResult: false) }
            isShown = false
        }
    }

    private func left(_ done: Int, of total: Int) -> String {
        let taken = ContinuousClock.now - start
        guard done > 0, done < total, taken > Self.patience else { return "" }
        let seconds = Int((taken * (Double(total - done) / Double(done))).components.seconds)
        return seconds < 90 ? ", about \(max(1, seconds)) s left" : ", about \(seconds / 60 + 1) min left"
    }
}
