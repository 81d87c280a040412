// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPTypes
import MockapiTestSupport
import Testing

@testable import MockServer
@testable import MockapiContract

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The judgements of requirements on evidence that is written down, so that a judgement waits for no client that gives cause for it.
///
/// A file of `Judgements` has cases with blank lines between them:
///
///     # redirect.302                the requirement of this case and those below it
///     : ended=3 tells               what else is known of the step
///     > GET | X-Contract: Kept      a request: method, the end of the target, marks, and fields
///     > GET /there c=2 t=1.5        on another connection, 1.5 s later than the first one may be
///     < #0 200 there | A: b         a report: status or failure, content, and fields
///     pass                          the judgement
@Suite(.supervised) struct JudgementTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Judgements").path
    private static let files = (try? FileManager.default.contentsOfDirectory(atPath: folder))?.sorted() ?? []

    private struct Case {
        let requirement: Requirement
        let lines: [String]
        let judgement: String
    }

    private static func cases(_ file: String) throws -> [Case] {
        let text = try String(contentsOfFile: folder + "/" + file, encoding: .utf8)
        var requirement: Requirement?
        var cases: [Case] = []
        for block in text.replacing("\\t", with: "\t").components(separatedBy: "\n\n") {
            var lines = block.split(separator: "\n").map(String.init)
            if let title = lines.first, title.hasPrefix("# ") {
                let id = title.dropFirst(2)
                requirement = ContractRequirements.all.first { $0.id == id }
                try #require(requirement != nil, "\(id)")
                lines.removeFirst()
            }
            guard let judgement = lines.popLast() else { continue }
            cases.append(Case(requirement: try #require(requirement), lines: lines, judgement: judgement))
        }
        return cases
    }

    /// Requirements without a case that passes, whose requests or contents are too many or too long for these files. The list only shrinks.
    private static let unpassed: Set = [
        "answer.fields", "body.pieces", "coding.gzip", "coding.gzip.large", "coding.gzip.pieces", "concurrent.50",
        "fault.slow", "h2.streams", "url.long",
    ]

    @Test func `each requirement that has judgements has one that passes and one that fails`() throws {
        let cases = try Self.files.flatMap(Self.cases)
        let all = Set(cases.map(\.requirement.id))
        let passed = Set(cases.filter { $0.judgement == "pass" }.map(\.requirement.id))
        let failed = Set(cases.filter { $0.judgement.hasPrefix("fail: ") }.map(\.requirement.id))
        #expect(all.subtracting(passed) == Self.unpassed)
        #expect(all == failed)
        #expect(all.count == 131)
    }

    @Test(arguments: files)
    func `evidence that is written down is judged as it says`(_ file: String) throws {
        let cases = try Self.cases(file)
        for one in cases {
            let place = "\(one.requirement.id) in \(file):\n\(one.lines.joined(separator: "\n"))"
            let evidence = try WrittenEvidence(one.lines, of: one.requirement.step).evidence
            #expect(one.requirement.judge(evidence).words == one.judgement, "\(place)")
        }
        #expect(!cases.isEmpty)
    }

    @Test(arguments: [
        "GET", "= GET", ": early", ": late=1", ": ended=x", "> G ET", "> GET here", "> GET /a /b", "> GET c=x",
        "> GET reset", "> GET h3", "> GET | A", "< #x 200", "< ok", "< 200 | A",
    ])
    func `a line of another form is an error`(_ line: String) throws {
        let step = try #require(ContractRequirements.all.first).step
        _ = try WrittenEvidence(["> GET", "< 200"], of: step)
        #expect(throws: WrittenEvidence.UnknownWord.self) { try WrittenEvidence(["> GET", line], of: step) }
    }
}

extension Judgement {
    fileprivate var words: String {
        switch self {
        case .pass: "pass"
        case .advice(let text): "advice: \(text)"
        case .fail(let text): "fail: \(text)"
        case .notApplicable(let text): "n/a: \(text)"
        }
    }
}

/// Evidence that is read from lines.
private struct WrittenEvidence {
    struct UnknownWord: Error {
        let word: String
    }

    private(set) var evidence: StepEvidence

    init(_ lines: [String], of step: Step) throws(UnknownWord) {
        var known: [Substring] = []
        var requests: [JournalEntry] = []
        var reports: [StepOutcome] = []
        for line in lines {
            let rest = line.dropFirst(2)
            switch line.prefix(2) {
            case ": ": known += rest.split(separator: " ")
            case "> ": requests.append(try Self.entry(rest, requests.count, step))
            case "< ": reports.append(try Self.outcome(rest))
            default: throw UnknownWord(word: line)
            }
        }
        for word in known where !["tells", "late", "closed"].contains(word) {
            let isNumber = word.hasPrefix("ended=") && Double(word.dropFirst(6)) != nil
            guard isNumber || word.hasPrefix("base=") else { throw UnknownWord(word: String(word)) }
        }
        evidence = StepEvidence(
            step, outcomes: reports, journal: requests,
            base: known.first { $0.hasPrefix("base=") }.map { String($0.dropFirst(5)) } ?? "",
            tellsKinds: known.contains("tells"))
        evidence.endsLate = known.contains("late")
        evidence.isClosedByClient = known.contains("closed")
        evidence.endedAt = known.first { $0.hasPrefix("ended=") }.flatMap { Double($0.dropFirst(6)) }.map { 100 + $0 }
    }

    /// Throws for a mark that is none, or has not the number that it should have.
    private static func check(_ marks: ArraySlice<Substring>) throws(UnknownWord) {
        for word in marks where !["h2", "closed", "refused", "fault"].contains(word) {
            let value = word.drop { $0 != "=" }.dropFirst()
            let isKnown =
                switch word.split(separator: "=", maxSplits: 1).first.map({ word.contains("=") ? "\($0)=" : "" }) {
                case "body=", "host=": true
                case "t=": Double(value) != nil
                case "c=": UInt64(value) != nil
                case "status=": Int(value) != nil
                case "reset=": UInt32(value) != nil
                default: false
                }
            guard isKnown else { throw UnknownWord(word: String(word)) }
        }
    }

    /// Parts with ` | ` between them: what the line begins with, and fields.
    private static func parts(
        _ line: Substring
    ) throws(UnknownWord) -> (words: [Substring], fields: [(name: String, value: String)]) {
        let parts = line.split(separator: " | ")
        var fields: [(name: String, value: String)] = []
        for part in parts.dropFirst() {
            guard let colon = part.firstIndex(of: ":") else { throw UnknownWord(word: String(part)) }
            fields.append((String(part[..<colon]), String(part[colon...].dropFirst(2))))
        }
        return (parts.first?.split(separator: " ", omittingEmptySubsequences: false) ?? [], fields)
    }

    private static func entry(_ line: Substring, _ index: Int, _ step: Step) throws(UnknownWord) -> JournalEntry {
        let (words, fields) = try parts(line)
        let second = words.dropFirst().first ?? ""
        let hasEnd = ["/", "?", "http://"].contains { second.hasPrefix($0) }
        let end = hasEnd ? second : ""
        try check(words.dropFirst(hasEnd ? 2 : 1))
        let target = end.hasPrefix("/contract/") || end.hasPrefix("http") ? String(end) : step.path + end
        let path =
            target.hasPrefix("http") ? "/" + target.split(separator: "/").dropFirst(2).joined(separator: "/") : target
        let mark = { (name: String) in words.first { $0.hasPrefix(name + "=") }?.dropFirst(name.count + 1) }
        let body = Array((mark("body") ?? "").utf8)
        let authority = mark("host").map(String.init) ?? "127.0.0.1:8080"
        guard let method = words.first.flatMap({ HTTPRequest.Method(String($0)) }) else {
            throw UnknownWord(word: String(line))
        }
        return JournalEntry(
            sequence: UInt64(index + 1), receivedAt: 100 + (mark("t").flatMap { Double($0) } ?? Double(index) / 100),
            duration: .zero, addedDelay: .zero, protocolName: words.contains("h2") ? "HTTP/2.0" : "HTTP/1.1",
            tlsVersion: nil, connection: mark("c").flatMap { UInt64($0) } ?? 1, stream: nil, peer: "",
            request: HTTPRequest(method: method, scheme: "http", authority: authority, path: path),
            trailers: HTTPFields(), body: body, bodySize: body.count,
            outcome: words.contains("refused") ? .refused : .unmatched, status: 200,
            fault: words.contains("fault") ? "EMPTY_RESPONSE" : nil, responseSize: 0,
            abandonment: words.contains("closed")
                ? .connectionClosed : mark("reset").flatMap { UInt32($0) }.map { .streamReset(code: $0) },
            fields: fields, target: target, statusOfStub: mark("status").flatMap { Int($0) } ?? 200,
            isForElsewhere: false)
    }

    private static let samples: [Substring: [UInt8]] = [
        "@whole": CodedSamples.whole.text, "@coded": CodedSamples.whole.bytes,
        "@chain": CodedSamples.chain.text, "@chained": CodedSamples.chain.bytes, "@ordered": CodedSamples.ordered.bytes,
    ]

    private static func outcome(_ line: Substring) throws(UnknownWord) -> StepOutcome {
        var (words, fields) = try parts(line)
        var outcome = StepOutcome()
        if let word = words.first, word.hasPrefix("#") {
            guard let index = Int(word.dropFirst()) else { throw UnknownWord(word: String(word)) }
            outcome.index = index
            words.removeFirst()
        }
        let word = words.first ?? ""
        outcome.failure = StepOutcome.Failure(rawValue: String(word))
        outcome.status = Int(word)
        guard outcome.failure != nil || outcome.status != nil || word == "-" else {
            throw UnknownWord(word: String(line))
        }
        let content = words.dropFirst().joined(separator: " ")
        outcome.body = samples[content[...]] ?? Array(content.utf8)
        outcome.used = Set(fields.filter { $0.name == "used" }.map(\.value))
        outcome.headers = fields.filter { $0.name != "used" }
        return outcome
    }
}
