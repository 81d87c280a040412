// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiFixtures
import MockapiHTTPSyntax
import MockapiReports
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The two streams of the command: results on one, everything else on the other.
enum Output {
    private static let isQueued = Atomic(false)

    /// Puts later output into a queue: a command that serves must not stand still because nobody reads its output.
    ///
    /// Without it a line is written before the next statement, however long that takes: every line of `check` counts.
    static func queue() {
        isQueued.store(true, ordering: .relaxed)
    }

    /// Writes a line to standard output.
    static func result(_ line: String) {
        write(shown(line, isColored: resultIsColored) + "\n", to: STDOUT_FILENO)
    }

    private static let logsJSON = Atomic(false)

    /// Makes every line on standard error an object of JSON from now on: collectors of such a log drop any other line.
    static func log(as format: LogFormat?) {
        logsJSON.store(format == .json, ordering: .relaxed)
    }

    /// Writes a line to standard error.
    static func note(_ line: String, _ event: LogEvent = .note) {
        guard logsJSON.load(ordering: .relaxed) else {
            return write(shown(line, isColored: errorIsColored) + "\n", to: STDERR_FILENO)
        }
        let event = event == .note && line.hasPrefix("error: ") ? .error : event
        write(event.line(line, in: .json) + "\n", to: STDERR_FILENO)
    }

    /// Writes findings to standard error: to a terminal with their source lines.
    ///
    /// - Parameter findings: with paths that can be opened.
    static func note(_ findings: [Finding]) {
        if errorIsTerminal, !logsJSON.load(ordering: .relaxed) { return show(findings, isResult: false) }
        for finding in findings { note(finding.description, .finding) }
    }

    /// Shows findings on a terminal, each with its source line.
    static func show(_ findings: [Finding], isResult: Bool) {
        var source = SourceLines()
        let width = terminalWidth(isResult ? STDOUT_FILENO : STDERR_FILENO)
        for finding in findings {
            let text = source.text(
                of: finding, isColored: isResult ? resultIsColored : errorIsColored, width: width)
            part(text + "\n", isResult: isResult)
        }
    }

    /// Columns of a terminal; 80 if it does not say.
    private static func terminalWidth(_ descriptor: Int32) -> Int {
        var size = winsize()
        return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }

    /// Lines without control characters, and their colours.
    private static func shown(_ text: String, isColored: Bool) -> String {
        text.split(ascii: "\n", omittingEmptySubsequences: false).map { line in
            let line = String(line).printable
            return isColored ? LineColors.painted(line) : line
        }.joined(separator: "\n")
    }

    /// Writes to one of the streams without ending the line; to a log of JSON each line that is not empty.
    static func part(_ text: String, isResult: Bool) {
        if !isResult, logsJSON.load(ordering: .relaxed) {
            for line in text.split(ascii: "\n") { note(String(line)) }
            return
        }
        write(text, to: isResult ? STDOUT_FILENO : STDERR_FILENO)
    }

    static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }
    static var resultIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Columns of the terminal that standard error is; nil if it is not one.
    static var errorColumns: Int? { errorIsTerminal ? terminalWidth(STDERR_FILENO) : nil }

    /// Whether standard error is in colour.
    static let errorIsColored = isColored(errorIsTerminal)
    /// Whether standard output is.
    static let resultIsColored = isColored(resultIsTerminal)

    /// Whether the user wants colours (no-color.org, force-color.org); if nothing is said, whether a terminal has them.
    private static func isColored(_ isTerminal: Bool) -> Bool {
        if !variable("NO_COLOR").isEmpty { return false }
        let forced = variable("FORCE_COLOR")
        if !forced.isEmpty { return forced != "0" }
        return isTerminal && !["", "dumb"].contains(variable("TERM"))
    }

    private static func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }

    private static func write(_ text: String, to descriptor: Int32) {
        let bytes = Array(text.utf8)
        guard isQueued.load(ordering: .relaxed) else { return QueuedWriter.deliver(bytes[...], to: descriptor) }
        let writer = descriptor == STDOUT_FILENO ? QueuedWriter.output : .error
        writer.write(bytes, lines: bytes.count { $0 == UInt8(ascii: "\n") })
    }

    /// Opens /dev/null in the place of a standard descriptor that is closed: the next file or socket would take it, and get the output.
    static func fillStandardDescriptors() {
        for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest number that is free is this one, since those below are taken.
            _ = open("/dev/null", O_RDWR)
        }
    }
}
