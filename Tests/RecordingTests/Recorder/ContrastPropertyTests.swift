// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiJSONText
import MockapiRecording
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

/// Services at random, which answer by one to three places of a request, while others are noise.
@Suite(.supervised) struct ContrastPropertyTests {
    // Two senders that different places tell from themselves are those of 81, three of several steps each those of 101 and 177.
    @Test(arguments: Array(1...UInt64(Thoroughness.rounds(8, thorough: 200))) + [81, 101, 177])
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
        let asked = try Self.asked(in: directory)
        let order = calls + calls.reversed() + service.shuffled(calls) + calls + calls
        let renoised = service.shuffled(calls).map { service.withNewNoise($0) }
        let strangers = service.strangers(beside: calls, asked: asked)
        try await Replay.of(directory) { replay in
            let wrong = try await blocking { [port = replay.port] in
                let client = try WireClient(port: port)
                func ask(_ call: RandomService.Call) throws -> WireResponse {
                    var head = "\(call.method) \(call.target) HTTP/1.1\r\nHost: localhost\r\n"
                    for field in call.fields { head += "\(field.name): \(field.value)\r\n" }
                    try client.send(Array("\(head)Content-Length: \(call.body.count)\r\n\r\n".utf8) + call.body)
                    return try client.response()
                }
                func wrong(_ calls: [RandomService.Call], _ what: String, _ isRight: (WireResponse, String) -> Bool)
                    throws -> [String]
                {
                    try calls.compactMap { call in
                        let answer = try ask(call)
                        return isRight(answer, call.answer) || call.mayBeMissed && answer.status == 404
                            ? nil : "\(what): \(call.shown): \(answer.status) \(answer.text.prefix(60))"
                    }
                }
                // What one recording cannot tell from noise may be missed, and is never answered as another request.
                return try wrong(order, "recorded") { $0.text == $1 }
                    + wrong(renoised, "with new noise") { $0.status == 404 || $0.text == $1 }
                    + wrong(strangers, "never recorded") { answer, _ in answer.status == 404 }
            }
            let count = order.count + renoised.count + strangers.count
            #expect(wrong.isEmpty, "\(wrong.count) of \(count): \(wrong.prefix(3))")
        }
        let before = directory.snapshot()
        // A sequence goes by its order.
        let isOrdered = calls.contains {
            $0.mayBeMissed || $0.deciding.contains { [.trace, .date].contains($0.place) }
        }
        let again = try await record(isOrdered ? calls : service.shuffled(calls))
        #expect(again.filter { $0.kind != .unchanged }.map { "\($0.files) \($0.notes)" } == [])
        let changed = directory.snapshot().filter { before[$0.key] != $0.value }.keys.sorted()
        #expect(changed == [])
    }

    /// The places by which all stubs of an endpoint tell their requests apart, by its number.
    private static func asked(in directory: TemporaryDirectory) throws -> [Int: Set<String>] {
        var asked: [Int: Set<String>] = [:]
        for path in directory.visible() where path.hasSuffix(".stub.json") {
            let recorded = try JSONParser.parse(directory.bytes(path))["recorded"]
            let places = Set((recorded?["by"]?.array ?? []).compactMap(\.string))
            guard let number = Int(path.dropFirst().prefix { $0 != "/" }) else { continue }
            asked[number] = asked[number]?.intersection(places) ?? places
        }
        return asked
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
        let number: Int
        let kind: Int
        /// The places that decide about the response, with their values, and those that are noise.
        let deciding: [(place: Place, value: Int)]
        let quiet: [Place]
        /// Whether a secret of it could be guessed, so that nothing tells it from the same with another.
        var mayBeMissed: Bool { deciding.contains { $0.place.isGuessable } }
        var shown: String {
            "\(method) \(target) \(fields.map { "\($0.name): \($0.value)" }) \(String(decoding: body.prefix(300), as: UTF8.self))"
        }
    }

    /// A place of a request, of which a number is the value.
    enum Place: CaseIterable {
        case header, version, accept, cookie, path, query, hiddenQuery, order, form, hiddenForm, formOrder, json,
            hiddenJSON, deepJSON, part, picture, partOrder, xml, attribute, hiddenXML, token, key, session, trace, date,
            weakQuery, weakForm, weakJSON, weakKey, weakSession

        var kind: Int {
            switch self {
            case .form, .hiddenForm, .formOrder, .weakForm: 1
            case .json, .hiddenJSON, .deepJSON, .weakJSON: 2
            case .part, .picture, .partOrder: 3
            case .xml, .attribute, .hiddenXML: 4
            default: 0
            }
        }

        /// How a stub says that it asks for it; nil for one that each stub asks for.
        var name: String? {
            switch self {
            case .header: "header:x-colour"
            case .accept: "header:accept"
            case .cookie: "cookie:theme"
            case .hiddenQuery: "query:traceId"
            case .order: "order of query:tag"
            case .hiddenForm: "form:nonce"
            case .formOrder: "order of form:i"
            case .hiddenJSON: "$.messageId"
            case .deepJSON, .hiddenXML: "content"
            case .picture: "part:f"
            case .partOrder: "order of parts"
            case .version, .path, .query, .form, .json, .part, .xml, .attribute: nil
            case .token, .key, .session, .trace, .date, .weakQuery, .weakForm, .weakJSON, .weakKey, .weakSession: ""
            }
        }

        /// Whether no stub may ask for it, so that what was never recorded is one more in their order.
        var isUnasked: Bool { name == "" }

        var isSecret: Bool { [.token, .key, .session].contains(self) || isGuessable }

        var isGuessable: Bool { [.weakQuery, .weakForm, .weakJSON, .weakKey, .weakSession].contains(self) }

        /// Whether each value of it is another order of a few.
        var isOrder: Bool { [.order, .formOrder, .partOrder].contains(self) }
    }

    private(set) var calls: [Call] = []
    private var random: SplitMix
    /// Noise of the recording is below it, and new noise above.
    private static let noise = 1_000
    /// As many numbers that no two requests have the same by chance.
    private static let unique = 1_000_000_000

    init(seed: UInt64) {
        random = SplitMix(seed: seed)
        for number in 0..<8 { calls += endpoint(number) }
    }

    private mutating func number(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

    mutating func shuffled(_ calls: [Call]) -> [Call] { calls.shuffled(using: &random) }

    private mutating func endpoint(_ number: Int) -> [Call] {
        let kind = self.number(5)
        // The order of parts that are no text is not asked for.
        let other = self.number(2) == 0 ? Place.picture : .partOrder
        let places = Place.allCases.filter { ($0.kind == 0 || $0.kind == kind) && $0 != other }
            .shuffled(using: &random)
            .reduce(into: [Place]()) { places, place in
                // Two secrets are of two senders each.
                if !place.isSecret || !places.contains(where: \.isSecret) { places.append(place) }
            }
        let deciding = Array(places.prefix(1 + self.number(3)))
        let noise = Array(places.dropFirst(deciding.count).prefix(self.number(3)))
        // Places are noise only where what looks different there says nothing.
        // Of parts there are no other orders than those recorded.
        // A secret is another for each sender, and not for each request; beside one, what a stub may ask for would tell senders apart.
        let hasSecret = deciding.contains(where: \.isSecret)
        let quiet = noise.filter {
            ![.path, .query, .form, .json, .part, .xml, .attribute, .partOrder].contains($0) && !$0.isSecret
                && (!hasSecret || $0.isUnasked)
        }
        var calls: [Call] = []
        for first in 0..<2 + self.number(2) {
            for second in 0..<(deciding.count > 1 ? 2 : 1) {
                for third in 0..<(deciding.count > 2 ? 2 : 1) {
                    let values = zip(deciding, [first, second, third]).map { (place: $0, value: $1) }
                    // Some values are answered alike.
                    let answer = "{\"endpoint\":\(number),\"values\":[\(first == 2 ? 1 : first),\(second),\(third)]}"
                    for _ in 0..<1 + self.number(3) {
                        var call = self.call(number, kind, values, quiet, noise: 0)
                        call.answer = answer
                        calls.append(call)
                    }
                }
            }
        }
        return calls
    }

    /// The same call with other noise.
    mutating func withNewNoise(_ call: Call) -> Call {
        var other = self.call(call.number, call.kind, call.deciding, call.quiet, noise: Self.noise)
        other.answer = call.answer
        return other
    }

    /// Calls that were never made, which differ from others in one of the places that decide.
    ///
    /// - Parameter asked: the places that the stubs of an endpoint ask for.
    mutating func strangers(beside calls: [Call], asked: [Int: Set<String>]) -> [Call] {
        calls.flatMap { call in
            call.deciding.indices.compactMap { index in
                let place = call.deciding[index].place
                guard !place.isOrder, !place.isUnasked,
                    place.name.map({ asked[call.number]?.contains($0) == true }) ?? true
                else {
                    return nil
                }
                var values = call.deciding
                values[index].value = 50 + self.number(40)
                return self.call(call.number, call.kind, values, call.quiet, noise: 0)
            }
        }
    }

    private mutating func call(
        _ number: Int, _ kind: Int, _ deciding: [(place: Place, value: Int)], _ quiet: [Place], noise: Int
    ) -> Call {
        let values = deciding + quiet.map { (place: $0, value: noise + self.number(Self.noise)) }
        var call = Call(
            target: "/\(Self.prefix)\(number)", number: number, kind: kind, deciding: deciding, quiet: quiet)
        func value(_ place: Place) -> Int { values.first { $0.place == place }?.value ?? 0 }
        func order(_ place: Place) -> [Int] {
            let value = value(place)
            // There are few orders: new noise is of other values.
            return [value % 2, 1 - value % 2] + [value < Self.noise ? value / 2 % 3 + 2 : value]
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
            UpstreamField("X-Request-Id", "\(self.number(Self.unique))"),
        ]
        func has(_ place: Place) -> Bool { values.contains { $0.place == place } }
        func secret(_ place: Place) -> String { "zK\(value(place))q7Rm2Vx9Tb4Wd8Lp3Hs\(value(place))" }
        if has(.token) { call.fields.append(UpstreamField("Authorization", "Bearer \(secret(.token))")) }
        if has(.key) { call.fields.append(UpstreamField("X-Api-Key", secret(.key))) }
        if has(.session) { call.fields.append(UpstreamField("Cookie", "sid=\(secret(.session))")) }
        func word(_ place: Place) -> String { "summer-\(value(place))" }
        if has(.weakKey) { call.fields.append(UpstreamField("X-Api-Key", word(.weakKey))) }
        if has(.weakSession) { call.fields.append(UpstreamField("Cookie", "sid=\(word(.weakSession))")) }
        if has(.weakQuery) { call.target += "&client_secret=\(word(.weakQuery))" }
        if has(.trace) {
            call.fields.append(UpstreamField("traceparent", "00-4bf92f3577b34da6a3ce929d\(id(.trace).suffix(8))-01"))
        }
        if has(.date) {
            call.fields.append(UpstreamField("X-Amz-Date", "2026112\(value(.date) % 9)T10\(1_000 + value(.date))Z"))
        }
        if kind > 0 { call.method = "POST" }
        switch kind {
        case 1:
            call.fields.append(UpstreamField("Content-Type", "application/x-www-form-urlencoded"))
            let tags = order(.formOrder).map { "i=\($0)" }.joined(separator: "&")
            let weak = has(.weakForm) ? "&client_secret=\(word(.weakForm))" : ""
            call.body = Array("f=\(value(.form))&nonce=\(200_000_000 + value(.hiddenForm))&\(tags)\(weak)".utf8)
        case 2:
            call.fields.append(UpstreamField("Content-Type", "application/json"))
            let weak = has(.weakJSON) ? ",\"client_secret\":\"\(word(.weakJSON))\"" : ""
            let text =
                "{\"f\":\(value(.json)),\"messageId\":\"\(id(.hiddenJSON))\",\"list\":[{\"traceId\":\"\(id(.deepJSON))\"}]\(weak)}"
            call.body = Array(text.utf8)
        case 3: addParts(to: &call, order: value(.partOrder), text: value(.part), picture: picture(values))
        case 4:
            call.fields.append(UpstreamField("Content-Type", "application/xml"))
            let text =
                "<a v=\"\(value(.attribute))\"><f>\(value(.xml))</f><nonce>\(id(.hiddenXML))</nonce></a>"
            call.body = Array(text.utf8)
        default: break
        }
        return call
    }

    /// In front of an endpoint's number in its path.
    private static let prefix = "e"

    private func picture(_ values: [(place: Place, value: Int)]) -> Int? {
        values.first { $0.place == .picture }?.value
    }

    private mutating func addParts(to call: inout Call, order: Int, text: Int, picture: Int?) {
        let boundary = "b\(self.number(Self.unique))"
        call.fields.append(UpstreamField("Content-Type", "multipart/form-data; boundary=\(boundary)"))
        let names = ["a", "b", "c"]
        var parts = names.indices.map { index in
            Array("Content-Disposition: form-data; name=\"\(names[(index + order) % 3])\"\r\n\r\n\(text)".utf8)
        }
        if let picture {
            let head =
                "Content-Disposition: form-data; name=\"f\"; filename=\"w.jpg\"\r\nContent-Type: image/jpeg\r\n\r\n"
            let bytes = [UInt8(picture % 200), UInt8(picture / 200 % 200)]
            parts.append(
                Array(head.utf8) + [0xFF, 0xD8, 0xFF, 0xE0] + (0..<250).flatMap { _ in bytes })
        }
        call.body =
            parts.flatMap { Array("--\(boundary)\r\n".utf8) + $0 + [13, 10] } + Array("--\(boundary)--\r\n".utf8)
    }
}
