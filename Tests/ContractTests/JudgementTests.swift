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

/// The judgement of each requirement on evidence that is written down, so that whatever a client may do is judged, not what some client did.
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

    @Test func `there are judgements`() {
        #expect(Self.files.count >= 8)
    }

    @Test(arguments: files)
    func `evidence that is written down is judged as it says`(_ file: String) throws {
        let text = try String(contentsOfFile: Self.folder + "/" + file, encoding: .utf8)
        var requirement: Requirement?
        var judged = 0
        for block in text.replacing("\\t", with: "\t").components(separatedBy: "\n\n") {
            var lines = block.split(separator: "\n").map(String.init)
            if let title = lines.first, title.hasPrefix("# ") {
                let id = title.dropFirst(2)
                requirement = try #require(ContractRequirements.all.first { $0.id == id }, "\(id)")
                lines.removeFirst()
            }
            guard let expected = lines.popLast() else { continue }
            let requirement = try #require(requirement)
            let judgement = requirement.judge(try WrittenEvidence(lines, of: requirement.step).evidence)
            #expect("\(judgement.words)" == expected, "\(requirement.id) in \(file):\n\(lines.joined(separator: "\n"))")
            judged += 1
        }
        #expect(judged > 0)
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
    private(set) var evidence: StepEvidence

    init(_ lines: [String], of step: Step) throws {
        let known = lines.filter { $0.hasPrefix(": ") }.flatMap { $0.dropFirst(2).split(separator: " ") }
        let requests = lines.filter { $0.hasPrefix("> ") }.enumerated().map { Self.entry($1.dropFirst(2), $0, step) }
        let reports = try lines.filter { $0.hasPrefix("< ") }.map { try Self.outcome($0.dropFirst(2)) }
        evidence = StepEvidence(
            step, outcomes: reports, journal: requests,
            base: known.first { $0.hasPrefix("base=") }.map { String($0.dropFirst(5)) } ?? "",
            tellsKinds: known.contains("tells"))
        evidence.endsLate = known.contains("late")
        evidence.isClosedByClient = known.contains("closed")
        evidence.endedAt = known.first { $0.hasPrefix("ended=") }.flatMap { Double($0.dropFirst(6)) }.map { 100 + $0 }
        try #require(known.allSatisfy { $0.contains("=") || ["tells", "late", "closed"].contains($0) })
    }

    /// Parts with ` | ` between them: what the line begins with, and fields.
    private static func parts(_ line: Substring) -> (words: [Substring], fields: [(name: String, value: String)]) {
        let parts = line.split(separator: " | ")
        let fields = parts.dropFirst().map { part in
            let name = part.prefix { $0 != ":" }
            return (String(name), String(part.dropFirst(name.count + 2)))
        }
        return (parts.first?.split(separator: " ", omittingEmptySubsequences: false) ?? [], fields)
    }

    private static func entry(_ line: Substring, _ index: Int, _ step: Step) -> JournalEntry {
        let (words, fields) = parts(line)
        let end =
            words.dropFirst().first { "/?h".contains($0.first ?? " ") && $0 != "h2" && !$0.hasPrefix("host=") } ?? ""
        let target = end.hasPrefix("/contract/") || end.hasPrefix("http") ? String(end) : step.path + end
        let path =
            target.hasPrefix("http") ? "/" + target.split(separator: "/").dropFirst(2).joined(separator: "/") : target
        let mark = { (name: String) in words.first { $0.hasPrefix(name + "=") }?.dropFirst(name.count + 1) }
        let body = Array((mark("body") ?? "").utf8)
        let authority = mark("host").map(String.init) ?? "127.0.0.1:8080"
        let method = words.first.flatMap { HTTPRequest.Method(String($0)) } ?? .get
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

    private static func outcome(_ line: Substring) throws -> StepOutcome {
        var (words, fields) = parts(line)
        var outcome = StepOutcome()
        if let word = words.first, word.hasPrefix("#") {
            outcome.index = Int(word.dropFirst())
            words.removeFirst()
        }
        let word = try #require(words.first)
        outcome.failure = StepOutcome.Failure(rawValue: String(word))
        outcome.status = Int(word)
        try #require(outcome.failure != nil || outcome.status != nil || word == "-", "\(line)")
        let content = words.dropFirst().joined(separator: " ")
        outcome.body = samples[content[...]] ?? Array(content.utf8)
        outcome.used = Set(fields.filter { $0.name == "used" }.map(\.value))
        outcome.headers = fields.filter { $0.name != "used" }
        return outcome
    }
}
