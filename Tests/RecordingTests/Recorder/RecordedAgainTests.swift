// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiRecording
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

/// Exchanges with secrets in and around them, recorded once more.
@Suite(.supervised) struct RecordedAgainTests {
    @Test(arguments: 1...UInt64(Thoroughness.rounds(4, thorough: 200)))
    func `exchanges at random change no byte when they are recorded again, in whatever order`(seed: UInt64) async throws
    {
        var source = RandomExchanges(seed: seed)
        let exchanges = (0..<30).map { source.exchange($0) }
        let directory = try TemporaryDirectory()
        func record(_ exchanges: [RandomExchanges.Item]) async throws -> [RecordingOutcome] {
            try await directory.inSession { session in
                var outcomes: [RecordingOutcome] = []
                for item in exchanges {
                    outcomes.append(try await session.record("GET", item.target, fields: item.fields, item.answer))
                }
                return outcomes
            }
        }
        let first = try await record(exchanges)
        #expect(first.allSatisfy { $0.kind == .new }, "\(first.filter { $0.kind != .new })")
        let before = directory.snapshot()
        for file in before {
            let text = String(decoding: file.value, as: UTF8.self)
            #expect(source.credentials.allSatisfy { !text.contains($0) && !file.key.contains($0) })
        }
        for order in [exchanges, exchanges.reversed(), source.shuffled(exchanges)] {
            let again = try await record(order)
            let changed = directory.snapshot().filter { before[$0.key] != $0.value }
            #expect(changed.isEmpty, "\(changed.mapValues { String(decoding: $0, as: UTF8.self) })")
            #expect(again.allSatisfy { $0.kind != .refused }, "\(again.filter { $0.kind == .refused })")
        }
    }
}

/// Requests and answers of members and values at random, in which a few credentials stand again and again.
private struct RandomExchanges {
    struct Item {
        var target: String
        var fields: [UpstreamField]
        var answer: Answer
    }

    private var state: UInt64
    let credentials: [String]
    private let words = ["password", "projects", "production", "12345678", "red", "a plain sentence", "2026-10-29"]

    init(seed: UInt64) {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        let letters = Array("ABCDEFGHJKMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789")
        var credentials: [String] = []
        for number in 0..<6 {
            var credential = "k\(number)"
            for _ in 0..<14 { credential.append(letters[Self.next(&state, letters.count)]) }
            credentials.append(credential)
        }
        self.state = state
        self.credentials = credentials
    }

    private static func next(_ state: inout UInt64, _ count: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state >> 33) % count
    }

    private mutating func next(_ count: Int) -> Int { Self.next(&state, count) }
    private mutating func any(_ texts: [String]) -> String { texts[next(texts.count)] }

    mutating func exchange(_ number: Int) -> Item {
        var fields: [UpstreamField] = []
        // What the first requests show themselves by is known to all that follow.
        if number < credentials.count {
            fields.append(UpstreamField("Authorization", "Bearer \(credentials[number])"))
        } else if next(2) == 0 {
            fields.append(UpstreamField("Cookie", "session=\(any(credentials + words.filter { !$0.contains(" ") }))"))
        }
        var answer = Answer.json(value(depth: 0))
        if next(3) == 0 { answer.fields.append(UpstreamField("Set-Cookie", "sid=\(any(credentials)); Path=/")) }
        if next(4) == 0 { answer.fields.append(UpstreamField("X-Note", "of \(any(credentials + words))")) }
        let query = ["", "?token=\(any(credentials))", "?q=\(any(words).replacing(" ", with: "+"))"]
        return Item(
            target: "/\(any(words.filter { !$0.contains(" ") }))/\(number)\(any(query))", fields: fields, answer: answer
        )
    }

    mutating func shuffled(_ items: [Item]) -> [Item] {
        var items = items
        for index in items.indices { items.swapAt(index, next(items.count)) }
        return items
    }

    private mutating func value(depth: Int) -> String {
        switch next(depth > 3 ? 6 : 9) {
        case 0: return "null"
        case 1: return String(next(100_000_000))
        case 2: return "\"\(any(words))\""
        case 3: return "\"\(any(credentials))\""
        case 4: return "\"of \(any(credentials)), or \(any(words))\""
        case 5: return "true"
        case 6:
            var members: [String] = []
            for name in ["token", "name", "password", "items", "note"].prefix(next(6)) {
                let isSecret = name == "token" || name == "password"
                members.append("\"\(name)\":\(isSecret ? "\"\(any(credentials + words))\"" : value(depth: depth + 1))")
            }
            return "{" + members.joined(separator: ",") + "}"
        default:
            var elements: [String] = []
            for _ in 0..<next(5) { elements.append(value(depth: depth + 1)) }
            return "[" + elements.joined(separator: ",") + "]"
        }
    }
}
