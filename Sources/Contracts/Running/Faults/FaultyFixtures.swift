// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiFixtures
import MockapiJSONText

/// A response that a command made use of.
package struct UsedResponse: Sendable {
    /// Which fixture it is of, by its place in the set.
    enum Subject: Hashable, Sendable {
        case stub(Int)
        case file(Int)
    }

    let subject: Subject
    /// Relative to the fixture directory.
    package let file: String
    package let line: Int
    package let name: String?
    /// The raw path of the first request that it matched.
    let path: String
    let method: String
    package let isHTTP2: Bool

    /// Whether users mean it: by its file, its file and line, or its name.
    package func isCalled(_ text: String) -> Bool {
        text == file || text == "\(file):\(line)" || text == name
    }

    /// The responses to the requests of a journal, each once, in the order of the fixtures.
    static func all(in entries: [JournalEntry], of set: FixtureSet) -> [UsedResponse] {
        let stubs = Dictionary(set.stubs.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        let files = Dictionary(set.files.enumerated().map { ($1.path, $0) }, uniquingKeysWith: { first, _ in first })
        var used: [Subject: UsedResponse] = [:]
        for entry in entries {
            let path = String(entry.origin.prefix { $0 != "?" })
            let subject: Subject
            let place: Place
            var name: String?
            switch entry.outcome {
            case .stub(_, _, let id):
                guard let ordinal = stubs[id] else { continue }
                subject = .stub(ordinal)
                place = set.stubs[ordinal].place
                name = set.stubs[ordinal].name
            case .file(let file):
                guard let ordinal = files[file] else { continue }
                subject = .file(ordinal)
                place = Place(path: file, line: 1, column: 1)
            default: continue
            }
            if used[subject] != nil { continue }
            used[subject] = UsedResponse(
                subject: subject, file: place.path, line: max(1, place.line), name: name, path: path,
                method: entry.method, isHTTP2: entry.protocolName == "HTTP/2.0")
        }
        return used.values.sorted { $0.order < $1.order }
    }

    /// Whether its content is known when a request comes, and not before.
    func isComputed(in set: FixtureSet) -> Bool {
        guard case .stub(let ordinal) = subject else { return false }
        let response = set.stubs[ordinal].responses.first
        return set.stubs[ordinal].resource != nil || response?.proxy != nil || response?.templates?.fileName != nil
    }

    private var order: (Int, Int) {
        switch subject {
        case .stub(let ordinal): (0, ordinal)
        case .file(let ordinal): (1, ordinal)
        }
    }

    /// The response that a first request gets.
    func response(in set: FixtureSet) -> StubResponse {
        switch subject {
        case .stub(let ordinal): return set.stubs[ordinal].responses.first ?? StubResponse()
        case .file(let ordinal):
            let file = set.files[ordinal]
            let lines = [HeaderLine("Content-Type", file.mediaType), HeaderLine("ETag", file.entityTag)]
            return StubResponse(headers: lines, body: file.body)
        }
    }
}

/// Fixtures with one response that is wrong, once.
struct FaultyFixtures {
    /// The stub that has the fault.
    static let stubID = StubID.made(0x6661_756C_7400)
    private static let loopID = StubID.made(0x6C6F_6F70_0000)
    private static let loopPath = "/__mockapi/redirect-loop"
    /// How long a response that comes slowly takes. 2 s.
    private static let slowSeconds = 2

    /// Why a fault does not concern a response.
    struct Inapplicable: Error {
        let reason: String
    }

    let set: FixtureSet

    /// - Parameter seed: the seed that the place of a cut is drawn from.
    init(_ fault: FaultName, at response: UsedResponse, of set: FixtureSet, seed: UInt64) throws(Inapplicable) {
        if fault.isOfHTTP2, !response.isHTTP2 { throw Inapplicable(reason: "the client speaks HTTP/1.1") }
        if fault == .wrongType, response.isComputed(in: set) {
            throw Inapplicable(reason: "the response is made for each request")
        }
        let spoiled = try Self.spoiled(
            response.response(in: set), fault, hasContent: response.method != "HEAD" && !response.isComputed(in: set),
            draw: Self.draw(seed, "\(fault.rawValue) \(response.file) \(response.line)"))
        var set = set
        // A stub that is used once goes before its original, since of two that are alike the later one wins.
        switch response.subject {
        case .stub(let ordinal):
            let stub = set.stubs[ordinal]
            set.stubs.insert(
                Stub(
                    uuid: Self.stubID, name: stub.name, place: stub.place,
                    // A resource goes before other stubs with its pattern.
                    priority: stub.resource == nil ? stub.priority : 1, request: stub.request, responses: [spoiled],
                    afterLast: .unmatched, scenario: stub.scenario?.staying, written: stub.written,
                    access: stub.access),
                at: ordinal + 1)
        case .file:
            set.stubs.append(
                Stub(
                    uuid: Self.stubID, place: Place(path: response.file, line: 1, column: 1), priority: .max,
                    request: RequestPattern(url: .path(response.path)), responses: [spoiled], afterLast: .unmatched))
        }
        if fault == .redirectLoop {
            set.stubs.append(
                Stub(
                    uuid: Self.loopID, place: Place(path: response.file, line: 1, column: 1), priority: 1,
                    request: RequestPattern(url: .path(Self.loopPath)), responses: [Self.redirection]))
        }
        self.set = set
    }

    private static let redirection = StubResponse(status: 302, headers: [HeaderLine("Location", loopPath)])

    private static func draw(_ seed: UInt64, _ text: String) -> UInt64 { FNVHash.of(text, seed: seed) }

    private static func spoiled(
        _ original: StubResponse, _ fault: FaultName, hasContent: Bool, draw: UInt64
    ) throws(Inapplicable) -> StubResponse {
        var response = original
        response.fault = nil
        response.faultEndsConnection = false
        response.faultRules = []
        response.proxy = nil
        let count =
            hasContent && original.status >= 200 && ![204, 304].contains(original.status) ? original.body.count : 0
        // Somewhere in the middle half.
        let middle = count / 4 + Int(draw % UInt64(max(1, count / 2)))
        // How long it is when it is rendered is not known.
        let cut = response.templates?.body == nil ? middle : min(1, middle)
        let needsContent: Set<FaultName> = [
            .resetInBody, .truncated, .truncatedNoLength, .slow, .malformedJSON, .empty, .badGzip, .stalledWindow,
        ]
        if needsContent.contains(fault), count == 0 { throw Inapplicable(reason: "the response has no content") }
        switch fault {
        case .timeout: response.fault = .stall(afterBytes: nil)
        case .refused: response.fault = .emptyResponse
        case .reset: response.fault = .connectionResetByPeer
        case .resetInBody: response.fault = .resetStream(code: HTTP2ErrorCode.internalError, afterBytes: cut)
        case .truncated: response.fault = .truncateBody(afterBytes: cut)
        case .truncatedNoLength: response.fault = .truncateChunks(afterBytes: cut)
        case .internalError: response = page(500, "text/plain; charset=utf-8", "internal server error\n")
        case .badGatewayPage:
            response = page(502, "text/html", "<html><body><h1>502 Bad Gateway</h1></body></html>\n")
        case .tooManyRequests: response = page(429, "text/plain; charset=utf-8", "too many requests\n", retry: true)
        case .unavailable: response = page(503, "text/plain; charset=utf-8", "service unavailable\n", retry: true)
        case .slow:
            response.fault = .slowBody(bytesPerSecond: max(1, count / slowSeconds))
            if let bytes = withoutEnd(of: original) { response.replaceContent(bytes) }
        case .malformedJSON: response.replaceContent(try malformed(original))
        case .wrongType: replaceType(of: &response)
        case .empty:
            response.replaceContent([])
            response.body = .empty
        case .badGzip: response.fault = .badGzip
        case .redirectLoop: response = redirection
        case .resetStream: response.fault = .resetStream(code: HTTP2ErrorCode.internalError, afterBytes: nil)
        case .refusedStream: response.fault = .refusedStream
        case .goAway: response.fault = .goAway(code: 0, afterThisStream: false)
        case .stalledWindow: response.fault = .stall(afterBytes: cut)
        }
        return response
    }

    private static func page(_ status: Int, _ type: String, _ text: String, retry: Bool = false) -> StubResponse {
        let lines = [HeaderLine("Content-Type", type)] + (retry ? [HeaderLine("Retry-After", "1")] : [])
        return StubResponse(status: status, headers: lines, body: .bytes(Array(text.utf8)))
    }

    private static func replaceType(of response: inout StubResponse) {
        let isType = { (line: HeaderLine) in line.name.lowercased() == "content-type" }
        let isPage = response.headers.contains { isType($0) && $0.value.lowercased().hasPrefix("text/html") }
        response.changeHeaders { isType($0) ? nil : $0 }
        response.headers.append(HeaderLine("Content-Type", isPage ? "application/octet-stream" : "text/html"))
    }

    /// A JSON text without its trailing white space, for which readers of JSON do not wait; nil if it is not JSON or has none.
    private static func withoutEnd(of response: StubResponse) -> [UInt8]? {
        let isSpace = { (byte: UInt8) in [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
        guard let bytes = response.body.loaded(), bytes.last.map(isSpace) ?? false,
            (try? JSONParser.parse(bytes)) != nil,
            let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return nil }
        return Array(bytes[...last])
    }

    /// A JSON text without its last mark, or with one too many in front.
    private static func malformed(_ response: StubResponse) throws(Inapplicable) -> [UInt8] {
        guard let bytes = response.body.loaded(), let node = try? JSONParser.parse(bytes) else {
            throw Inapplicable(reason: "the response is not JSON")
        }
        let isNested = node.object != nil || node.array != nil
        guard isNested, let end = bytes.lastIndex(where: { $0 == UInt8(ascii: "}") || $0 == UInt8(ascii: "]") }) else {
            return [UInt8(ascii: "{")] + bytes
        }
        return Array(bytes[..<end])
    }
}
