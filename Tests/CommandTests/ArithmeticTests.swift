// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Arithmetic that could end the process where a number of it came from outside.
///
/// Sums and differences of what is in memory stay far from the ends of their types. Products, and integers made of floating point, do not:
/// each that is not a constant, a small multiple of a count or a wrapping one stands here, with what bounds it.
@Suite(.supervised) struct ArithmeticTests {
    private static let root =
        URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path + "/Sources/"

    /// By file, how many such lines there are, and why none of them can overflow.
    private static let bounded: [String: (lines: Int, reason: String)] = [
        "Contract/Conversation/Patience.swift": (1, "limits are this package's own, 30 s at most"),
        "Fixtures/Model/ContentHash.swift": (2, "words are an eighth of the bytes in memory"),
        "Fixtures/Model/TimeText.swift": (1, "a power of ten of as many places as are given, 11 at most"),
        "HTTPSyntax/Base64.swift": (3, "the bits of four digits"),
        "HTTPSyntax/DateText.swift": (1, "each number has two digits, or four"),
        "HTTPSyntax/TextLook.swift": (3, "a year has four digits, a month and a day two"),
        "HTTPSyntax/HTTPDate.swift": (
            11, "years have four digits, and seconds are divided before days are multiplied"
        ),
        "EventLoops/TimerQueue.swift": (1, "places in a heap"),
        "SystemIO/Clock.swift": (1, "the system's clock, until the year 2554"),
        "HTTPServer/Server/ServerConfiguration.swift": (1, "a hundred years in nanoseconds"),
        "HTTPServer/TLS/OpenSSL/Certificate.swift": (2, "days that the code names"),
        "HTTPWire/Response/DeliverySchedule.swift": (
            4, "a pause is the delay's part of one piece, and bytes are fewer than the total"
        ),
        "HTTPWire/HTTP1/HTTP1Parser+Framing.swift": (
            1, "the length counts no further once it is beyond maxBody, 1 TiB at most"
        ),
        "HTTPWire/Limits/FrameBudget.swift": (1, "an hour in microseconds, times the frames of a second"),
        "HTTPWire/HTTP2/HTTP2Callbacks.swift": (1, "constants"),
        "HTTPWire/HTTP2/HTTP2Session+Callbacks.swift": (1, "maxHead is 1 GiB at most"),
        "HTTPWire/HTTP2/HTTP2Stream+Head.swift": (
            1, "the length counts no further once it is beyond maxBody, 1 TiB at most"
        ),
        "HTTPWire/Limits/ContentBudget.swift": (1, "a body in memory or maxBody, 1 TiB at most, rounded up"),
        "HTTPWire/Request/Request.swift": (1, "twice a body in memory"),
        "HTTPWire/Response/StreamedResponseState.swift": (1, "a place in a list"),
        "JSONText/JSONWriter.swift": (1, "levels of nesting"),
        "MockServer/Admin/AdminJSON.swift": (4, "moments and durations of the server's own clock"),
        "MockServer/Configuration.swift": (2, "clamped before it is converted, and nothing where it is not a number"),
        "MockServer/Watching/DirectoryChanges+Linux.swift": (1, "an hour in nanoseconds at most"),
        "MockServer/Resources/ResourceItems.swift": (1, "a sign, and bytes in memory"),
        "MockServer/Serving/StubMatcher.swift": (1, "four times the bytes of a request in memory"),
        "MockServer/Resources/ResourceQuery.swift": (1, "a billion each at most"),
        "MockServer/Responses/ShiftedDates.swift": (1, "seconds between two dates of four-digit years, times 1,000"),
        "MockServer/Content/WeightedList.swift": (1, "a weight is from 0 to 1"),
        "MockServer/Faults/SeededDraw.swift": (4, "milliseconds from 0 to those of a day"),
        "MockServer/Faults/GlobalDelay.swift": (1, "milliseconds from 0 to those of two days"),
        "MockServer/Faults/PreparedDelivery.swift": (2, "milliseconds from 0 to those of two days"),
        "MockServer/InProcess/FixtureResponse.swift": (2, "a delay of two days, and 1e18 at most"),
        "MockServer/Journal/Journal.swift": (1, "128 KiB for each of 1,024 loops at most"),
        "MockServer/Journal/JournalReader.swift": (2, "field lines of an entry in memory"),
        "MockServer/Journal/JournalRing.swift": (2, "field lines of a request in memory"),
        "MockServer/Logging/LineLimit.swift": (3, "nanoseconds are 500 seconds' at most, times constants"),
        "MockServer/Logging/StreamLog.swift": (1, "a rest of a division by a million at most"),
        "MockServer/Stubs/MockResponse.swift": (1, "seconds are 2^31 at most"),
        "Recording/Comparison/TextMake.swift": (1, "members of a set in memory"),
        "Recording/Exchange/StreamHash.swift": (1, "eight bytes for each text that is in memory"),
        "Recording/Derivation/UnsteadyValues.swift": (2, "years have four digits, all other numbers three at most"),
        "Recording/Senders/Base64Pattern.swift": (1, "two bytes at most"),
        "Reports/Findings/SourceLines.swift": (2, "the columns of a terminal, 65,535 at most"),
        "Reports/Report+TAP.swift": (1, "a billion seconds at most"),
        "Upstream/Transfer/Duration+Milliseconds.swift": (1, "seconds are less than 2^31 / 1000"),
        "Upstream/Transfer/IdleTimer.swift": (1, "milliseconds are 2^31 at most"),
        "Upstream/Transfer/Transfer+Callbacks.swift": (3, "libcurl's pieces of memory"),
        "Upstream/Transfer/Transfer.swift": (1, "milliseconds are 2^31 at most"),
        "mockapi/Commands/FaultRuns.swift": (2, "twenty faults, times the responses of a directory in memory"),
        "mockapi/Commands/Needs.swift": (1, "a command runs 1e11 seconds at most"),
        "mockapi/Options/ByteSize.swift": (1, "compared with the most before it is multiplied"),
        "mockapi/Options/VerifyOptions.swift": (1, "a number below 100,000, times the seconds of a week at most"),
        "mockapi/Support/ProgressLine.swift": (
            2, "what is counted is in memory, below 1e9; it takes 1e9 seconds at most"
        ),
        "mockapi/Recording/ByteCount.swift": (1, "bytes that were transferred"),
    ]

    /// A line without comments and the content of strings.
    private static func code(_ line: Substring) -> String {
        var code = String(line.replacing(/"(\\.|[^"\\])*"/, with: "\"\""))
        if let comment = code.firstRange(of: "//") { code.removeSubrange(comment.lowerBound...) }
        return code
    }

    /// Whether a line multiplies what is no constant and no small multiple of a count, and may trap.
    private static func multiplies(_ code: String) -> Bool {
        guard code.contains(" *") else { return false }
        // 60 * 1024 is a constant.
        let code = code.replacing(/\b\d[\d_]* \* (?=\d)/, with: "")
        guard code.contains(/[\w\)\]] \*=? [\w\(]/) else { return false }
        let isFloating = code.contains(/Double|\d\.\d|0x1p|squareRoot/)
        let isOfCount = code.contains(/(\.count|capacity) \* \d{1,2}\b|\b\d{1,2} \* \(?\w+(\.\w+)*\.count/)
        return !isFloating && !isOfCount
    }

    /// Whether a line makes an integer of floating point, by a conversion that traps.
    private static func truncates(_ code: String, _ names: Set<String>) -> Bool {
        guard code.contains("Int") else { return false }
        for match in code.matches(of: /\bU?Int(8|16|32|64)?\((?!exactly|clamping|truncating|bitPattern)(.*)/) {
            let argument = match.output.2
            if argument.contains(/\.rounded\(|Double|\b1e\d|\.double\b/) { return true }
            if let name = argument.prefixMatch(of: /(\w+)[\) ]/)?.output.1, names.contains(String(name)) { return true }
        }
        return false
    }

    /// What a file calls its floating point.
    private static func floatingNames(_ lines: [String]) -> Set<String> {
        var names: Set<String> = []
        for line in lines {
            for match in line.matches(of: /(\w+): Double\b/) { names.insert(String(match.output.1)) }
            for match in line.matches(of: /(?:let|var) (\w+) = .*(?:Double\(|\.rounded\(|exp\(|\b1e\d)/) {
                names.insert(String(match.output.1))
            }
        }
        return names
    }

    static func findings(in text: String) -> [String] {
        // Most files have neither, and patterns take their time.
        let isFloating = ["Double", ".rounded(", "1e", ".double"].contains { text.contains($0) }
        let suspects = text.split(separator: "\n").filter {
            $0.contains(" *") || isFloating && $0.contains(/\bInt|Double|=/)
        }
        let lines = suspects.map { code($0) }
        let names = isFloating ? floatingNames(lines) : []
        return lines.filter { multiplies($0) || isFloating && truncates($0, names) }
    }

    @Test func `what could overflow is found`() {
        let found = [
            "let size = length * 10 + digit", "size *= factor", "return Int(value.rounded())",
            "UInt64(Double(text) ?? 0)",
            "let rate: Double = read()\nlet bytes = Int(rate)", "delay.milliseconds * 1_000_000",
        ]
        for text in found { #expect(Self.findings(in: text).count == 1, "\(text)") }
        let passed = [
            "let limit = 16 * 1024", "grow(to: memory.count * 2)", "hash = hash &* prime", "// length * 10",
            "let text = \"a * b\"", "let cost = Double(a) * b", "Int(exactly: rate.rounded())",
            "let place: Int = Int(rank)",
        ]
        for text in passed { #expect(Self.findings(in: text) == [], "\(text)") }
    }

    @Test func `every product of numbers that are no constants is known to be bounded`() throws {
        let files = try FileManager.default.subpathsOfDirectory(atPath: Self.root)
        var left = Self.bounded
        for path in files.sorted() where path.hasSuffix(".swift") {
            // Behind the group: the room, and what is in it.
            let file = String(path.drop { $0 != "/" }.dropFirst())
            guard Self.reads(file) else { continue }
            let found = Self.findings(in: try String(contentsOfFile: Self.root + path, encoding: .utf8))
            let known = left.removeValue(forKey: file)?.lines ?? 0
            let text = found.map { $0.drop { $0 == " " } }.joined(separator: "\n")
            #expect(
                found.count == known,
                "\(file): check that no value from outside can overflow here, and say here what bounds it:\n\(text)")
        }
        #expect(left.keys.sorted() == [], "nothing is left to be said of these")
    }

    /// Whether a file belongs to a module that meets numbers from outside; matching and redaction meet texts alone.
    private static func reads(_ file: String) -> Bool {
        let modules = [
            "SystemIO", "HTTPSyntax", "EventLoops", "HTTPWire", "HTTPServer", "JSONText", "ContentCodings", "Fixtures",
            "Upstream", "Proxy", "Recording", "MockServer", "Reports", "Contract", "mockapi",
        ]
        return modules.contains { file.hasPrefix($0 + "/") }
    }
}
