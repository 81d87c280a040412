// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import Testing

@testable import MockapiUpstream

/// Heads and trailers of random lines, beside the rules for them on texts.
@Suite(.supervised) struct ResponseAssemblerTests {
    /// Heads in plain words: the meaning of the lines so far.
    private struct Plain {
        var heads: [String] = []
        var trailers: [String] = []
        var isFinal = false
        var status: Int?
        private var line = ""
        private var fields: [String] = []

        mutating func take(_ text: String) -> ResponseAssembler.Event {
            if isFinal {
                if !text.isEmpty { Self.add(text, to: &trailers) }
                return .none
            }
            guard let status else {
                if text.isEmpty { return .none }
                guard let match = text.wholeMatch(of: /(HTTP\/(1\.[^ ]*|2|2\.0)) ([0-9]+)( .*)?/) else {
                    return .malformed
                }
                let version = match.2 == "1.0" ? "HTTP/1.0" : match.2.hasPrefix("2") ? "HTTP/2" : "HTTP/1.1"
                line = "\(version) \(match.3) \((match.4 ?? " ").dropFirst())"
                self.status = Int(match.3)
                fields = []
                return .none
            }
            if !text.isEmpty {
                Self.add(text, to: &fields)
                return .none
            }
            heads.append(([line] + fields).joined(separator: "\n"))
            self.status = nil
            isFinal = status >= 200
            if !isFinal { return .none }
            if fields.contains(where: { $0.lowercased().hasPrefix("transfer-encoding: ") }) { return .head }
            let lengths = fields.filter { $0.lowercased().hasPrefix("content-length: ") }.flatMap { field in
                field.dropFirst(16).split(separator: ",").map { Int($0.filter { $0 != " " && $0 != "\t" }) }
            }
            return Set(lengths).count > 1 ? .twoLengths : .head
        }

        private static func trimmed(_ text: some StringProtocol) -> String {
            let isBlank = { (sign: Character) in sign == " " || sign == "\t" }
            return String(text.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
        }

        private static func add(_ text: String, to fields: inout [String]) {
            if let first = text.first, " \t".contains(first), let last = fields.indices.last {
                fields[last] += " " + trimmed(text)
                return
            }
            let name = text.prefix { $0 != ":" }
            fields.append("\(name): \(trimmed(text.dropFirst(name.count + 1)))")
        }
    }

    private static let statusLines = [
        "HTTP/1.1 200 OK", "HTTP/1.1 204", "HTTP/1.1 100 Continue", "HTTP/1.1 199 ", "HTTP/1.0 404 Not  Found",
        "HTTP/2 200 ", "HTTP/2.0 103", "HTTP/1.9 500 x", "HTTP/3 200", "HTTP/1.1", "HTTP/1.1 ", "HTTP/1.1 abc",
        "ICY 200 OK", "HTTP/1.1  200", "HTTP/1 200 OK",
    ]
    private static let fieldLines = [
        "A: b", "A:", "A:\tb \t", "B : c", " folded ", "\tmore", "no colon", ": x", "A: \té: ü", "Content-Length: 5",
        "content-length: 05,5", "Content-Length:6", "Content-Length:\t5 ,\t005 ", "Transfer-Encoding: chunked", "",
        "", "",
    ]

    @Test func `lines are heads and trailers as their rules say`() {
        var random = SplitMix(seed: 8)
        var events: [ResponseAssembler.Event] = []
        for _ in 0..<4000 {
            var assembler = ResponseAssembler()
            var plain = Plain()
            var (size, lines) = (0, [String]())
            for _ in 0..<random.below(14) {
                let isBegun = plain.status != nil || plain.isFinal
                let text = random.pick(isBegun || random.chance(10) ? Self.fieldLines : Self.statusLines)
                let line = Array((text + random.pick(["\r\n", "\n", "", "\r"])).utf8)
                lines.append(text)
                let event = line.withUnsafeBytes { assembler.take($0) }
                #expect(event == plain.take(text), "\(lines)")
                events.append(event)
                size += line.count
                #expect(assembler.size == size)
                #expect(assembler.isCut == (plain.status != nil) && assembler.isFinal == plain.isFinal, "\(lines)")
            }
            let heads = assembler.heads.map { head in
                (["\(head.version.rawValue) \(head.status) \(head.reason)"] + head.fields.map(\.description))
                    .joined(separator: "\n")
            }
            #expect(heads == plain.heads && assembler.trailers.map(\.description) == plain.trailers, "\(lines)")
            // An interim response that nothing follows was the final one.
            let isWhole = assembler.finish()
            #expect(isWhole == (plain.isFinal || plain.status == nil && !plain.heads.isEmpty), "\(lines)")
            #expect(assembler.isFinal == isWhole)
        }
        for event in [ResponseAssembler.Event.none, .head, .malformed, .twoLengths] { #expect(events.contains(event)) }
    }
}
