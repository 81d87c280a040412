// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiRecording
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

/// Services at random, which answer by one or two places of a request, while others are noise.
@Suite(.supervised) struct ContrastPropertyTests {
    @Test(arguments: 1...UInt64(Thoroughness.rounds(8, thorough: 300)))
    func `no request gets the response of another, in whatever order it is recorded and asked again`(seed: UInt64)
        async throws
    {
        var service = RandomService(seed: seed)
        let directory = try TemporaryDirectory()
        let calls = service.shuffled(service.calls)
        func record(_ calls: [RandomService.Call]) async throws -> [RecordingOutcome] {
            try await directory.inSession { session in
                var outcomes: [RecordingOutcome] = []
                for call in calls {
                    let exchange = try Answer.json(call.answer).exchange(
                        call.method, call.target, fields: call.fields, body: call.body,
                        origin: "https://api.example.com", directory: directory.path)
                    outcomes.append(await session.recorder.record(exchange))
                }
                return outcomes
            }
        }
        let outcomes = try await record(calls)
        #expect(outcomes.filter { $0.kind == .refused }.map(\.notes) == [])
        try await Replay.of(directory) { replay in
            let order = calls.reversed() + service.shuffled(calls) + calls
            let wrong = try await blocking { [port = replay.port] in
                let client = try WireClient(port: port)
                return try order.compactMap { call in
                    var head = "\(call.method) \(call.target) HTTP/1.1\r\nHost: localhost\r\n"
                    for field in call.fields { head += "\(field.name): \(field.value)\r\n" }
                    try client.send(Array("\(head)Content-Length: \(call.body.count)\r\n\r\n".utf8) + call.body)
                    let answer = try client.response()
                    return answer.text == call.answer
                        ? nil : "\(call.shown): \(answer.status) \(answer.text.prefix(60))"
                }
            }
            #expect(wrong.isEmpty, "\(wrong.count) of \(order.count): \(wrong.prefix(3))")
        }
        let before = directory.snapshot()
        let again = try await record(service.shuffled(calls))
        #expect(again.filter { $0.kind != .unchanged }.map { "\($0.files) \($0.notes)" } == [])
        let changed = directory.snapshot().filter { before[$0.key] != $0.value }.keys.sorted()
        #expect(changed == [])
    }
}

/// A service of some endpoints, and the calls that are made of it.
private struct RandomService {
    struct Call: Sendable {
        var method = "GET"
        var target: String
        var fields: [UpstreamField] = []
        var body: [UInt8] = []
        var answer = ""
        var shown: String {
            "\(method) \(target) \(fields.map { "\($0.name): \($0.value)" }) \(String(decoding: body.prefix(300), as: UTF8.self))"
        }
    }

    /// A place of a request, of which a number is the value.
    private enum Place: CaseIterable {
        case header, version, accept, cookie, path, query, hiddenQuery, order, form, hiddenForm, formOrder, json,
            hiddenJSON,
            deepJSON, part, picture, partOrder

        var kind: Int {
            switch self {
            case .form, .hiddenForm, .formOrder: 1
            case .json, .hiddenJSON, .deepJSON: 2
            case .part, .picture, .partOrder: 3
            default: 0
            }
        }
    }

    private(set) var calls: [Call] = []
    private var random: SplitMix

    init(seed: UInt64) {
        random = SplitMix(seed: seed)
        for number in 0..<8 { calls += endpoint(number) }
    }

    private mutating func number(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

    mutating func shuffled(_ calls: [Call]) -> [Call] { calls.shuffled(using: &random) }

    private mutating func endpoint(_ number: Int) -> [Call] {
        let kind = self.number(4)
        // The order of parts that are no text is not asked for.
        let other = self.number(2) == 0 ? Place.picture : .partOrder
        let places = Place.allCases.filter { ($0.kind == 0 || $0.kind == kind) && $0 != other }
            .shuffled(using: &random)
        let deciding = Array(places.prefix(1 + self.number(2)))
        let noise = Array(places.dropFirst(deciding.count).prefix(self.number(3)))
        // Places are noise only where what looks different there says nothing.
        let quiet = noise.filter { ![.path, .query, .form, .json, .part].contains($0) }
        var calls: [Call] = []
        for first in 0..<2 + self.number(2) {
            for second in 0..<(deciding.count == 2 ? 2 : 1) {
                let values = zip(deciding, [first, second]).map { ($0, $1) }
                // Some values are answered alike.
                let answer = "{\"endpoint\":\(number),\"values\":[\(first == 2 ? 1 : first),\(second)]}"
                for _ in 0..<1 + self.number(3) {
                    var call = self.call(number, kind, values + quiet.map { ($0, self.number(1_000)) })
                    call.answer = answer
                    calls.append(call)
                }
            }
        }
        return calls
    }

    private mutating func call(_ number: Int, _ kind: Int, _ values: [(Place, Int)]) -> Call {
        var call = Call(target: "/e\(number)")
        func value(_ place: Place) -> Int { values.first { $0.0 == place }?.1 ?? 0 }
        func order(_ place: Place) -> [Int] {
            let value = value(place)
            return [value % 2, 1 - value % 2] + [value / 2 % 3 + 2]
        }
        let hex = String(repeating: "0", count: 8)
        func id(_ place: Place) -> String { "4bf92f35\(hex)77b3" + String(10_000_000 + value(place)) }
        call.target += "/p\(value(.path))?q=\(value(.query))&traceId=\(id(.hiddenQuery))"
        if number.isMultiple(of: 3) { call.target += "&s=1&s=\(1 + value(.query) % 2)" }
        call.target += "&" + order(.order).map { "tag=\($0)" }.joined(separator: "&")
        call.fields = [
            UpstreamField("X-Colour", "c\(value(.header))"), UpstreamField("Stripe-Version", "v\(value(.version))"),
            UpstreamField("Accept", "text/v\(value(.accept))"),
            UpstreamField("Cookie", "theme=t\(value(.cookie)); x=1"),
            UpstreamField("X-Request-Id", "\(self.number(1_000_000))"),
        ]
        switch kind {
        case 1:
            call.method = "POST"
            call.fields.append(UpstreamField("Content-Type", "application/x-www-form-urlencoded"))
            let tags = order(.formOrder).map { "i=\($0)" }.joined(separator: "&")
            call.body = Array("f=\(value(.form))&nonce=\(200_000_000 + value(.hiddenForm))&\(tags)".utf8)
        case 2:
            call.method = "POST"
            call.fields.append(UpstreamField("Content-Type", "application/json"))
            let text =
                "{\"f\":\(value(.json)),\"messageId\":\"\(id(.hiddenJSON))\",\"list\":[{\"traceId\":\"\(id(.deepJSON))\"}]}"
            call.body = Array(text.utf8)
        case 3:
            call.method = "POST"
            call.fields.append(UpstreamField("Content-Type", "multipart/form-data; boundary=b\(self.number(99))"))
            let boundary =
                call.fields.last.map {
                    $0.value.suffix(from: $0.value.firstIndex(of: "=") ?? $0.value.startIndex).dropFirst()
                } ?? ""
            let names = ["a", "b", "c"]
            var parts = names.indices.map { index in
                let name = names[(index + value(.partOrder)) % 3]
                return Array("Content-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value(.part))".utf8)
            }
            if values.contains(where: { $0.0 == .picture }) {
                let head =
                    "Content-Disposition: form-data; name=\"f\"; filename=\"w.jpg\"\r\nContent-Type: image/jpeg\r\n\r\n"
                let picture = [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: UInt8(value(.picture) % 200), count: 500)
                parts.append(Array(head.utf8) + picture)
            }
            call.body =
                parts.flatMap { Array("--\(boundary)\r\n".utf8) + $0 + [13, 10] } + Array("--\(boundary)--\r\n".utf8)
        default: break
        }
        return call
    }
}
