// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiFixtures
import MockapiJSONText

/// The parts of a response that a command may need: fields of its JSON, header lines, and the status.
struct ResponseParts: Sendable {
    struct Part: Sendable {
        enum Kind: Sendable {
            case field(FieldPlace)
            /// A list, and how many items it has at least.
            case list(FieldPlace, items: Int)
            /// The statuses of the stub's steps, each once.
            case status([Int])
            /// The lines of a name, by it as it was written first.
            case line(String, values: [String])
        }

        let kind: Kind
        /// Which of the responses it is of.
        let response: Int

        /// The name of the part in a contract.
        var path: String {
            switch kind {
            case .field(let place), .list(let place, _): place.text
            case .status: "status"
            case .line(let name, _): "header:\(name)"
            }
        }

        /// JSON Schema's names.
        var types: [String] {
            switch kind {
            case .field(let place): place.types
            case .list: ["array"]
            case .status: ["integer"]
            case .line: ["string"]
            }
        }
    }

    /// Bytes of a body beyond which its fields are left alone. 16 MiB.
    private static let bodyLimit = 16 * 1024 * 1024

    let used: UsedResponse
    /// The raw paths that it matched.
    let paths: [String]
    let parts: [Part]

    /// The responses that requests were given, with their parts.
    static func all(in entries: [JournalEntry], of set: FixtureSet) -> [ResponseParts] {
        UsedResponse.all(in: entries, of: set).enumerated().map { index, used in
            ResponseParts(used, index, entries, set)
        }
    }

    private init(_ used: UsedResponse, _ index: Int, _ entries: [JournalEntry], _ set: FixtureSet) {
        self.used = used
        var paths: [String] = []
        if case .file(let ordinal) = used.subject {
            for entry in entries where entry.outcome == .file(set.files[ordinal].path) {
                let path = String(entry.origin.prefix { $0 != "?" })
                if !paths.contains(path) { paths.append(path) }
            }
        }
        self.paths = paths
        let responses = Self.responses(used, set)
        var fields = FieldPlaces()
        var statuses: [Int] = []
        var lines: [(name: String, values: [String])] = []
        for response in responses {
            if !statuses.contains(response.status) { statuses.append(response.status) }
            for line in response.headers {
                // Those of a plain file are the server's, but for its type.
                if case .file = used.subject, line.name != "Content-Type" { continue }
                if let known = lines.firstIndex(where: { $0.name.lowercased() == line.name.lowercased() }) {
                    if !lines[known].values.contains(line.value) { lines[known].values.append(line.value) }
                } else {
                    lines.append((line.name, [line.value]))
                }
            }
            if let node = Self.json(of: response) { fields.add(node, isTemplate: response.templates?.body != nil) }
        }
        // The line that is needed most often comes first, so that it is found soonest.
        lines.sort { $0.name.lowercased() == "content-type" && $1.name.lowercased() != "content-type" }
        parts =
            fields.places.map { Part(kind: .field($0), response: index) }
            + [Part(kind: .status(statuses), response: index)]
            + lines.map { Part(kind: .line($0.name, values: $0.values), response: index) }
            + fields.lists.map { Part(kind: .list($0.place, items: $0.items), response: index) }
    }

    private static func responses(_ used: UsedResponse, _ set: FixtureSet) -> [StubResponse] {
        switch used.subject {
        case .stub(let ordinal): set.stubs[ordinal].responses
        case .file: [used.response(in: set)]
        }
    }

    private static func json(of response: StubResponse) -> JSONNode? {
        guard response.body.count > 0, response.body.count <= bodyLimit, let bytes = response.body.loaded(),
            let first = bytes.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }),
            first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        else { return nil }
        return try? JSONParser.parse(bytes)
    }

    // MARK: Changing

    /// Changes some parts of the responses of a set.
    static func change(
        _ parts: [Part], _ question: NeedsSearch.Question, of responses: [ResponseParts], in set: inout FixtureSet
    ) {
        var byResponse: [Int: [Part]] = [:]
        for part in parts { byResponse[part.response, default: []].append(part) }
        for (index, parts) in byResponse.sorted(by: { $0.key < $1.key }) {
            let response = responses[index]
            let changed = Self.responses(response.used, set).map { Self.changed($0, parts, question) }
            switch response.used.subject {
            case .stub(let ordinal):
                let stub = set.stubs[ordinal]
                set.stubs[ordinal] = Stub(
                    uuid: stub.uuid, name: stub.name, place: stub.place, priority: stub.priority, request: stub.request,
                    responses: changed, afterLast: stub.afterLast, scenario: stub.scenario, resource: stub.resource,
                    sent: stub.sent, written: stub.written, access: stub.access, webhooks: stub.webhooks)
            case .file:
                // Stubs go before plain files, these after all others.
                for (number, path) in response.paths.enumerated() {
                    set.stubs.append(
                        Stub(
                            uuid: .made(UInt64(index << 16 + number)),
                            place: Place(path: response.used.file, line: 1, column: 1), priority: .max,
                            request: RequestPattern(method: "GET", url: .path(path)), responses: changed))
                }
            }
        }
    }

    private static func changed(
        _ original: StubResponse, _ parts: [Part], _ question: NeedsSearch.Question
    ) -> StubResponse {
        var response = original
        var fields: [JSONPlace: FieldChange] = [:]
        for part in parts {
            switch part.kind {
            case .field(let place), .list(let place, _): fields[place.place] = question.fieldChange
            case .status: response.replaceStatus(question.status(insteadOf: original.status))
            case .line(let name, _):
                response.changeHeaders { line in
                    guard line.name.lowercased() == name.lowercased() else { return line }
                    return question == .withoutLine ? nil : HeaderLine(line.name, unknownValue(of: line))
                }
            }
        }
        if !fields.isEmpty, let node = json(of: original) {
            response.replaceContent(node.changed(fields).map { JSONWriter.compact($0) } ?? [])
        }
        return response
    }

    private static func unknownValue(of line: HeaderLine) -> String {
        line.name.lowercased() == "content-type" ? "application/x-mockapi" : UnknownValue.like(line.value)
    }
}

extension NeedsSearch.Question {
    fileprivate var fieldChange: FieldChange? {
        switch self {
        case .withoutField: .remove
        case .nullField: .null
        case .otherType: .retype
        case .unknownString: .unknown
        case .shorterList: .shorten
        case .otherStatus, .otherStatusOfClass, .withoutLine, .unknownLine: nil
        }
    }

    /// A failure in the place of a success and the other way round, or another status of the same class.
    fileprivate func status(insteadOf status: Int) -> Int {
        if self == .otherStatus { return status < 400 ? 500 : 200 }
        switch status {
        case 200: return 203
        case 201..<300: return 200
        case 300..<400: return status == 302 ? 307 : 302
        case 400..<500: return status == 418 ? 400 : 418
        default: return status == 500 ? 503 : 500
        }
    }
}
