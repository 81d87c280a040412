// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

/// Reads one stub file: finds all mistakes in it, and makes stubs of the right parts.
struct StubFileReader {
    /// 256 MiB: a larger stub file is not a stub file.
    static let sizeLimit = 256 * 1024 * 1024
    /// 16 MiB, of a contract beside a plain file.
    static let contractLimit = 16 * 1024 * 1024

    /// Findings about one file; further ones are counted and not listed. 1,000.
    static let mostFindings = 1_000

    /// Relative to the fixture directory.
    let path: String
    let dialect: FixtureSet.Dialect
    let bodies: BodyFiles
    /// Whether the stubs are added at run time.
    private let isAdded: Bool
    /// Whether they come by the admin API.
    let isOfAdmin: Bool
    /// Whether the texts of all responses are templates.
    let templatesAll: Bool
    private let text: [UInt8]
    private var lines: LineMap?
    private(set) var findings: [Finding] = []
    /// How many of the findings are errors.
    private(set) var errorCount = 0
    /// The stubs and stub files that are not served because of their errors.
    private(set) var leftOut: [FixtureSet.LeftOut] = []
    /// The patterns of the stub at hand.
    private var patterns: [Pattern] = []
    /// Whether the stub at hand was recorded, so that its target is the target of a request.
    private(set) var isRecorded = false
    /// Whether the stub at hand matches HEAD alone.
    private(set) var asksForHead = false
    /// The scenario that the stub at hand belongs to.
    private(set) var scenarioName: String?
    /// Why the response at hand cannot be made; nil if it can.
    private var failure: String?
    private var readsResponse = false
    /// The field lines of the last response, which the next one shares if it has the same.
    private var lastHeaders: [HeaderLine] = []

    /// A stub and where its id was written, if it was.
    struct Parsed {
        var stub: Stub
        var idPlace: Place
    }

    init(
        path: String, text: [UInt8], dialect: FixtureSet.Dialect, bodies: BodyFiles, isAdded: Bool = false,
        isOfAdmin: Bool = false, templatesAll: Bool = false
    ) {
        self.templatesAll = templatesAll
        self.isAdded = isAdded
        self.isOfAdmin = isOfAdmin
        self.path = path
        self.text = text
        self.dialect = dialect
        self.bodies = bodies
    }

    var isWireMock: Bool { dialect == .wireMock }

    /// - Parameter ordinal: the place that the stub of a file with one stub takes in an id derived from it.
    mutating func read(ordinal: Int = 0) -> [Parsed] {
        let node: JSONNode
        do {
            node = try parsed()
        } catch {
            // A stub with a second stub behind it.
            let isFirst = (try? JSONParser.parse(text, options: dialect.options.union(.textBehind)))?.object != nil
            let empty = "; write {\"request\": {\"urlPath\": \"/…\"}, \"response\": {\"status\": 200}}"
            let cure = isFirst ? "; several stubs go into {\"\(listKey)\": […]}" : text.isEmpty ? empty : ""
            report(.error, "this is not JSON: \(error.message)\(cure)", offset: error.offset, pointer: .root)
            leftOut.append(FixtureSet.LeftOut(place: Place(path: path)))
            return []
        }
        let root = Cursor(isWireMock ? coerced(node) : node, .root)
        guard node.object != nil else {
            report(
                .error, "expected an object, found \(Self.name(of: node)); several stubs go into {\"\(listKey)\": […]}",
                at: root)
            leftOut.append(FixtureSet.LeftOut(place: Place(path: path)))
            return []
        }
        guard let list = root[listKey] else {
            check(root, against: .object(.stub))
            return stub(root, ordinal: ordinal).map { [$0] } ?? []
        }
        check(root, against: .object(isWireMock ? .mappingList : .stubList), deep: false)
        var stubs: [Parsed] = []
        let elements = list.elements
        for (ordinal, element) in elements.enumerated() {
            let before = errorCount
            check(element, against: .object(.stub))
            let end = ordinal + 1 < elements.count ? elements[ordinal + 1].node.offset : text.count
            if let stub = stub(element, ordinal: ordinal, end: end, errorsBefore: before) { stubs.append(stub) }
        }
        return stubs
    }

    /// Parses the text. In a WireMock root, text behind a mapping is ignored with a warning, as WireMock ignores it.
    private mutating func parsed() throws(JSONError) -> JSONNode {
        do throws(JSONError) {
            return try JSONParser.parse(text, options: dialect.options)
        } catch {
            guard isWireMock, let node = try? JSONParser.parse(text, options: dialect.options.union(.textBehind)) else {
                throw error
            }
            report(
                .warning, "\(error.message); it is ignored, as in WireMock", offset: error.offset, pointer: .root)
            return node
        }
    }

    /// Finds mistakes in a contract that stands beside a plain file; it does not change the response.
    mutating func readContract() {
        do throws(JSONError) {
            let node = try JSONParser.parse(text)
            check(Cursor(node, .root), against: .map(.object(.contractPart)))
        } catch {
            report(.error, "this is not JSON: \(error.message)", offset: error.offset, pointer: .root)
        }
    }

    /// A mapping, or a list of them, with its scalars as WireMock takes them.
    private func coerced(_ node: JSONNode) -> JSONNode {
        JacksonValues.coerced(node, to: .object(node[listKey] == nil ? .stub : .mappingList))
    }

    private var listKey: String { isWireMock ? "mappings" : "stubs" }

    /// - Parameter end: where the next stub begins; nil for the end of the file.
    private mutating func stub(_ cursor: Cursor, ordinal: Int, end: Int? = nil, errorsBefore: Int = 0) -> Parsed? {
        patterns = []
        guard cursor.node.object != nil else {
            leftOut.append(FixtureSet.LeftOut(place: place(of: cursor)))
            return nil
        }
        isRecorded = cursor[.recorded] != nil
        scenarioName = cursor[.scenarioName]?.node.string
        asksForHead = cursor[.request]?[.method]?.node.string == "HEAD"
        let identity = identity(of: cursor, ordinal: ordinal)
        let access = access(of: cursor)
        let isGuard = access?.isGuard ?? false
        let resource = resource(of: cursor)
        var request = isGuard ? guardedRequest(of: cursor) : request(cursor[.request])
        if let resource, let path = cursor["resource"]?["collection"] {
            request.url = .pathPattern(pattern(Resource.pattern(of: resource.collection), at: path))
        }
        var responses = cursor["resource"] == nil ? responses(of: cursor) : [StubResponse()]
        if cursor[.recorded] != nil {
            for index in responses.indices { responses[index].addsVary = false }
        }
        let name = cursor[.name]?.node.string
        if isWireMock {
            let lines = Self.stubLines(id: identity.id.text, name: name)
            for index in responses.indices { responses[index].stubLines = lines }
        }
        checkRecorded(cursor[.recorded])
        let webhooks = webhooks(of: cursor)
        let priority = isGuard ? StubAccess.guardPriority : cursor[.priority]?.node.number?.integer ?? 5
        let afterLast =
            cursor[.afterLast]?.node.string.flatMap(Stub.SequenceEnd.init) ?? (isGuard ? .unmatched : .repeatLast)
        let scenario = scenario(of: cursor)
        let hold = hold(of: cursor)
        guard errorCount == errorsBefore else {
            leftOut.append(FixtureSet.LeftOut(place: place(of: cursor), patterns: patterns))
            return nil
        }
        let written = StubSource(cursor.node, of: text, end: end ?? text.count, in: dialect)
        let stub = Stub(
            uuid: identity.id, name: name, place: place(of: cursor), priority: priority, request: request,
            responses: responses, afterLast: afterLast, scenario: scenario, hold: hold, resource: resource,
            sent: cursor[.recorded].flatMap { SentDigests($0.node) }, written: written,
            isAdded: isAdded, isOfAdmin: isOfAdmin, access: access, webhooks: webhooks)
        return Parsed(stub: stub, idPlace: identity.place)
    }

    /// The same lines, in the memory of those before if these are equal.
    mutating func shared(_ headers: [HeaderLine]) -> [HeaderLine] {
        // Equal texts may differ in bytes.
        let areSame = headers.elementsEqual(lastHeaders) {
            $0.name.utf8.elementsEqual($1.name.utf8) && $0.value.utf8.elementsEqual($1.value.utf8)
        }
        if !areSame { lastHeaders = headers }
        return lastHeaders
    }

    /// WireMock's lines; in a name, a question mark stands for each character that is not ASCII.
    private static func stubLines(id: String, name: String?) -> [HeaderLine] {
        let id = HeaderLine("Matched-Stub-Id", id)
        guard let name else { return [id] }
        let text = String(String.UnicodeScalarView(name.unicodeScalars.map { (" "..."~").contains($0) ? $0 : "?" }))
        return [id, HeaderLine("Matched-Stub-Name", text)]
    }

    private mutating func responses(of cursor: Cursor) -> [StubResponse] {
        if Self.isGuard(cursor) { return [StubResponse()] }
        if let steps = cursor[.responses] {
            if let single = cursor[.response] {
                report(.error, "\"response\" beside \"responses\"; leave one of them out", at: single)
            }
            return steps.elements.map { response($0) }
        }
        if let afterLast = cursor[.afterLast] {
            report(.error, "\"afterLast\" goes with \"responses\"", at: afterLast)
        }
        if let single = cursor[.response], !(isWireMock && single.node.isNull) { return [response(single)] }
        if !isWireMock {
            report(
                .error, "a stub needs \"response\" or \"responses\"; {\"status\": 200} answers with an empty body",
                at: cursor)
        }
        return [StubResponse()]
    }

    /// The part that the stub has in a scenario; nil if it names none.
    private mutating func scenario(of cursor: Cursor) -> ScenarioPart? {
        let required = cursor[.requiredScenarioState]
        let next = cursor[.newScenarioState]
        guard let name = cursor[.scenarioName]?.node.string else {
            if cursor[.scenarioName]?.node.isNull ?? true {
                for (key, value) in [("requiredScenarioState", required), ("newScenarioState", next)] {
                    guard let value, value.node.string != nil else { continue }
                    report(
                        isWireMock ? .warning : .error, "\"\(key)\" without \"scenarioName\", which says of what",
                        at: value)
                }
            }
            return nil
        }
        return ScenarioPart(
            name: name, required: required?.node.string, next: next?.node.string,
            requiredPlace: place(of: required ?? cursor))
    }

    /// The name of the hold that the stub's responses wait for; nil if they wait for nothing.
    private mutating func hold(of cursor: Cursor) -> String? {
        guard let written = cursor[.hold], let name = written.node.string else { return nil }
        if name.isEmpty {
            report(.error, "\"hold\" is empty; write a name to release it by, such as \"cart\"", at: written)
        }
        return name
    }

    /// The id, and where it was written.
    private mutating func identity(of cursor: Cursor, ordinal: Int) -> (id: StubID, place: Place) {
        let written = isWireMock ? cursor["id"] ?? cursor["uuid"] : cursor["id"]
        if let written, let text = written.node.string, !(isWireMock && text.isEmpty) {
            if let id = StubID(text) { return (id, place(of: written)) }
            report(
                .error,
                "expected a UUID such as \"\(StubID.derived(from: path, ordinal: ordinal).text)\", found \"\(text)\"",
                at: written)
        }
        return (StubID.derived(from: path, ordinal: ordinal), place(of: cursor))
    }
}

// MARK: Findings

extension StubFileReader {
    mutating func report(_ severity: Finding.Severity, _ text: String, at cursor: Cursor) {
        report(severity, text, offset: cursor.node.offset, pointer: cursor.pointer)
    }

    mutating func report(_ severity: Finding.Severity, _ text: String, offset: Int, pointer: Pointer) {
        if severity == .error { errorCount += 1 }
        // An error that is not listed would drop its stub in silence: warnings take no room from errors.
        guard !isFull || severity == .error && errorCount <= Self.mostFindings else { return }
        findings.append(Finding(severity, text, at: place(offset: offset, pointer: pointer)))
    }

    /// Whether no more findings are listed.
    var isFull: Bool { findings.count >= Self.mostFindings }

    /// Whether nothing that comes is listed, error or warning.
    var isExhausted: Bool { isFull && errorCount > Self.mostFindings }

    /// Reports an error in another file, once.
    mutating func report(_ text: String, at place: Place) {
        let finding = Finding(.error, text, at: place)
        if findings.contains(finding) { errorCount += 1 } else { report(finding) }
    }

    /// A finding about another file than the stub's own.
    mutating func report(_ finding: Finding) {
        if finding.severity == .error { errorCount += 1 }
        findings.append(finding)
    }

    /// Reports that a response cannot be made: an error, or in WireMock's dialect, which fails the requests that ask for it, a warning.
    mutating func reportFailure(_ text: String, at cursor: Cursor) {
        reportFailure(text, at: place(of: cursor))
    }

    mutating func reportFailure(_ text: String, at place: Place) {
        guard isWireMock, readsResponse else { return report(text, at: place) }
        failure = failure ?? text
        report(Finding(.warning, "\(text); it is answered 500", at: place))
    }

    /// Reads a response; if it cannot be made, returns its substitute.
    mutating func response(_ cursor: Cursor) -> StubResponse {
        readsResponse = true
        failure = nil
        defer { readsResponse = false }
        let response = writtenResponse(cursor)
        return failure.map(Self.failedResponse) ?? response
    }

    /// A pattern as it was written, which is compiled if the stub is served, and looked at if it is not.
    mutating func pattern(_ text: String, at cursor: Cursor) -> Pattern {
        let pattern = Pattern(text, at: place(of: cursor), isJava: isWireMock)
        patterns.append(pattern)
        return pattern
    }

    mutating func place(of cursor: Cursor) -> Place { place(offset: cursor.node.offset, pointer: cursor.pointer) }

    /// The lines are counted when the first place behind the file's start is asked for.
    private mutating func place(offset: Int, pointer: Pointer) -> Place {
        if offset == 0 { return Place(path: path, line: 1, column: 1, pointer: pointer.text) }
        let map = lines ?? LineMap(text)
        lines = map
        let position = map.position(of: offset)
        return Place(path: path, line: position.line, column: position.column, pointer: pointer.text)
    }

    /// A kind of value with its article, as messages name it.
    static func name(of node: JSONNode) -> String {
        switch node.value {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number(let number): number.literal.utf8.count <= 20 ? number.literal : "a number"
        case .string: "a string"
        case .array(let elements): elements.isEmpty ? "an empty list" : "a list"
        case .object: "an object"
        }
    }
}
