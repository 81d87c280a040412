// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiYAMLText

/// The kind of a body, and the parts of it that can be compared.
enum ComparableBody {
    enum Kind: Sendable {
        case json
        case jsonLines
        case events
        case form
        case xml
        case table
        case html
        case text
        case svg
        case image
        case yaml
        case message
        case binary

        /// The kind of a media type in lower case; nil if the type does not say one.
        static func of(_ type: String) -> Kind? {
            if jsonLinesTypes.contains(type) { return .jsonLines }
            if MediaType.isJSON(type) { return .json }
            if MediaType.isYAML(type) { return .yaml }
            if messageTypes.contains(type) { return .message }
            switch type {
            case "": return nil
            case "text/event-stream": return .events
            case "application/x-www-form-urlencoded": return .form
            case "text/csv", "text/tab-separated-values", "application/csv": return .table
            case "text/html", "application/xhtml+xml": return .html
            case "image/svg+xml": return .svg
            case "application/octet-stream": return nil
            default: break
            }
            if MediaType.isXML(type) { return .xml }
            if type.hasPrefix("image/") { return .image }
            return type.hasPrefix("text/") ? .text : .binary
        }

        private static let jsonLinesTypes: Set<String> = [
            "application/x-ndjson", "application/jsonl", "application/x-jsonlines", "application/ndjson",
            "application/json-lines", "application/json-seq", "application/jsonlines", "application/x-jsonl",
        ]
        private static let messageTypes: Set<String> = [
            "application/protobuf", "application/x-protobuf", "application/vnd.google.protobuf",
            "application/x-google-protobuf",
        ]
    }

    static func kind(of sample: ResponseSample) -> Kind {
        let kind = Kind.of(sample.mediaType)
        // A service that says text/plain may send JSON all the same.
        if let kind, kind != .text || sample.mediaType != "text/plain" { return kind }
        let start = sample.body.first { $0 > 0x20 && $0 < 0x7F }
        if start == UInt8(ascii: "{") || start == UInt8(ascii: "["), (try? JSONParser.check(sample.body)) != nil {
            return .json
        }
        if let kind { return kind }
        if let signature = Signature.of(Array(sample.body.prefix(512))) {
            return Signature.expected(for: "image/\(signature)").isEmpty ? .binary : .image
        }
        return String(validating: sample.body, as: UTF8.self) == nil ? .binary : .text
    }

    static func hasByteOrderMark(_ body: [UInt8]) -> Bool { body.starts(with: [0xEF, 0xBB, 0xBF]) }

    /// A body as JSON values, each with its place; nil if it is not of its kind.
    ///
    /// - Parameter isWhole: whether an event at the end of a stream counts only with the blank line that ends it.
    static func documents(_ body: [UInt8], _ kind: Kind, isWhole: Bool = false) -> [JSONNode]? {
        switch kind {
        case .json: (try? JSONParser.parse(body)).map { [$0] }
        case .jsonLines: lines(body)
        case .events: events(body, isWhole: isWhole)
        case .form: [form(body)]
        case .xml: XMLDocument.parse(body).map { [$0.node] }
        // YAML has no control characters (YAML 1.2 §5.1).
        case .yaml where body.contains { $0 < 0x20 && ![0x09, 0x0A, 0x0D].contains($0) || $0 == 0x7F }: nil
        case .yaml: (try? YAMLParser.parse(body, isOnly: true)).map { [$0] }
        default: nil
        }
    }

    /// Whether a body is several values, each a sample of one item.
    static func isList(_ kind: Kind) -> Bool {
        switch kind {
        case .jsonLines, .events: true
        default: false
        }
    }

    private static func lines(_ body: [UInt8]) -> [JSONNode]? {
        var nodes: [JSONNode] = []
        for line in body.dropFirst(hasByteOrderMark(body) ? 3 : 0).split(separator: 0x0A) {
            // A record separator stands in front of each text of a sequence (RFC 7464).
            let text = line.drop { $0 <= 0x20 }
            if text.isEmpty { continue }
            guard let node = try? JSONParser.parse(Array(text)) else { return nil }
            nodes.append(node.moved(by: text.startIndex))
        }
        return nodes
    }

    /// Whether the last event of a stream has the blank line that ends it.
    static func endsAsStream(_ body: [UInt8]) -> Bool {
        events(body, isWhole: true)?.count == events(body, isWhole: false)?.count
    }

    /// The events of a stream (HTML Living Standard §9.2): their names, and their data as JSON if it is.
    /// nil if a line does not belong to a stream: lines of other fields are to be passed over, but a stream has none.
    private static func events(_ body: [UInt8], isWhole: Bool) -> [JSONNode]? {
        var nodes: [JSONNode] = []
        var name = "message"
        var data: [UInt8] = []
        var dataStart = 0
        var hasData = false
        var isStrange = false
        var start = hasByteOrderMark(body) ? 3 : 0
        func finish() {
            guard hasData else { return }
            let value =
                (try? JSONParser.parse(data))?.moved(by: dataStart)
                ?? JSONNode(.string(String(decoding: data, as: UTF8.self)), offset: dataStart)
            nodes.append(
                JSONNode(
                    .object(
                        JSONObject([.init(name: "event", value: .string(name)), .init(name: "data", value: value)])),
                    offset: dataStart))
        }
        while start < body.count {
            let end = body[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? body.count
            let line = body[start..<end]
            if line.isEmpty {
                finish()
                (name, data, hasData) = ("message", [], false)
            } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
                var value = line[(colon + 1)...]
                if value.first == 0x20 { value = value.dropFirst() }
                switch String(decoding: line[..<colon], as: UTF8.self) {
                case "event": name = value.isEmpty ? "message" : String(decoding: value, as: UTF8.self)
                case "data":
                    if hasData { data.append(0x0A) } else { dataStart = value.startIndex }
                    data += value
                    hasData = true
                case "", "id", "retry": break
                default: isStrange = true
                }
            } else {
                // A name alone has an empty value.
                switch String(decoding: line, as: UTF8.self) {
                case "data":
                    if hasData { data.append(0x0A) } else { dataStart = line.startIndex }
                    hasData = true
                case "event": name = "message"
                case "id", "retry": break
                default: isStrange = true
                }
            }
            let isPair = end + 1 < body.count && body[end] == 0x0D && body[end + 1] == 0x0A
            start = end + (isPair ? 2 : 1)
        }
        if !isWhole { finish() }
        return nodes.isEmpty && isStrange ? nil : nodes
    }

    private static func form(_ body: [UInt8]) -> JSONNode {
        var members: [JSONObject.Member] = []
        for pair in QueryText.pairs(of: body) {
            let name = QueryText.decoded(pair.name)
            let value = QueryText.decoded(pair.value ?? [])
            let start = pair.name.startIndex
            members.append(.init(name: name, nameOffset: start, value: JSONNode(.string(value), offset: start)))
        }
        return JSONNode(.object(JSONObject(members)))
    }
}

extension JSONNode {
    /// The same with its places as in a text that begins so many bytes before.
    fileprivate func moved(by distance: Int) -> JSONNode {
        if distance == 0 { return self }
        var node = self
        node.offset += distance
        switch value {
        case .array(let elements): node.value = .array(elements.map { $0.moved(by: distance) })
        case .object(var object):
            for index in object.members.indices {
                object.members[index].nameOffset += distance
                object.members[index].value = object.members[index].value.moved(by: distance)
            }
            node.value = .object(object)
        default: break
        }
        return node
    }
}
