// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockServer
package import MockapiFixtures
package import MockapiJSONText
import MockapiSystemIO

/// The expectations on the requests of a run, in a file: the counterpart of `expect` in Swift.
///
///     {"expectations": [
///       {"request": {"method": "GET", "urlPath": "/api/contents"}, "times": 2, "protocol": "HTTP/2.0"},
///       {"inOrder": [{"urlPath": "/login"}, {"urlPath": "/api/contents"}]},
///       {"oneConnection": true}
///     ]}
package struct ExpectationFile: Sendable {
    /// The errors in a file.
    package struct Failure: Error {
        package let findings: [Finding]
    }

    /// The largest file that is read. 16 MiB.
    private static let sizeLimit = 16 * 1024 * 1024

    package let expectations: [Expectation]

    package init(path: String) throws(Failure) {
        let text: [UInt8]?
        let mistake: String
        do throws(SystemError) {
            text = try FileReader.readAnything(path, limit: Self.sizeLimit)
            mistake = "the file is larger than 16 MiB"
        } catch {
            text = nil
            mistake = "the file cannot be read: \(error.words)"
        }
        guard let text else { throw Failure(findings: [Finding(.error, mistake, at: Place(path: path))]) }
        try self.init(text, path: path)
    }

    /// - Parameter path: the path of the file in findings.
    package init(_ text: [UInt8], path: String) throws(Failure) {
        var reader = ExpectationReader(text, path: path)
        expectations = reader.read()
        guard reader.findings.isEmpty else { throw Failure(findings: reader.findings) }
    }
}

/// Reads expectations, and finds all that is wrong with them.
private struct ExpectationReader {
    private static let keys: Set = ["request", "times", "atLeast", "atMost", "protocol", "inOrder", "oneConnection"]
    private static let counts = ["times", "atLeast", "atMost"]

    private let path: String
    private let text: [UInt8]
    private let lines: LineMap
    private(set) var findings: [Finding] = []

    init(_ text: [UInt8], path: String) {
        self.text = text
        self.path = path
        lines = LineMap(text)
    }

    private mutating func report(_ text: String, at offset: Int, _ pointer: String) {
        let (line, column) = lines.position(of: offset)
        findings.append(Finding(.error, text, at: Place(path: path, line: line, column: column, pointer: pointer)))
    }

    mutating func read() -> [Expectation] {
        let root: JSONNode
        do throws(JSONError) {
            root = try JSONParser.parse(text)
        } catch {
            report("this is not JSON: \(error.message)", at: error.offset, "")
            return []
        }
        for member in root.object?.members ?? [] where !["$schema", "expectations"].contains(member.name) {
            report(
                "unknown key \"\(member.name)\"; there is \"expectations\"", at: member.nameOffset, "/\(member.name)")
        }
        guard let list = root["expectations"]?.array else {
            report("expected {\"expectations\": […]}", at: root.offset, "")
            return []
        }
        if list.isEmpty {
            report("this list has no expectation, so every run would pass", at: root.offset, "/expectations")
        }
        return list.enumerated().compactMap { expectation($1, "/expectations/\($0)") }
    }

    private mutating func expectation(_ node: JSONNode, _ pointer: String) -> Expectation? {
        guard let object = node.object else {
            report("expected an object", at: node.offset, pointer)
            return nil
        }
        for member in object.members where !Self.keys.contains(member.name) {
            report(
                "unknown key \"\(member.name)\"; there are \(Self.keys.sorted().joined(separator: ", "))",
                at: member.nameOffset, "\(pointer)/\(member.name)")
        }
        if let order = node["inOrder"] {
            guard let requests = order.array, !requests.isEmpty, object.members.count == 1 else {
                report("\"inOrder\" is a list of requests, and stands alone", at: order.offset, "\(pointer)/inOrder")
                return nil
            }
            let matches = requests.enumerated().compactMap { request($1, "\(pointer)/inOrder/\($0)") }
            return Expectation(.order(matches))
        }
        if let one = node["oneConnection"] {
            guard one.bool == true, object.members.allSatisfy({ ["oneConnection", "request"].contains($0.name) }) else {
                report(
                    "\"oneConnection\" is true, and stands alone or beside \"request\"", at: one.offset,
                    "\(pointer)/oneConnection")
                return nil
            }
            return Expectation(.oneConnection(node["request"].flatMap { request($0, "\(pointer)/request") }))
        }
        guard let asked = node["request"] else {
            report("expected \"request\", \"inOrder\" or \"oneConnection\"", at: node.offset, pointer)
            return nil
        }
        let match = request(asked, "\(pointer)/request")
        let count = count(node, pointer)
        let wire = wire(node["protocol"], "\(pointer)/protocol")
        return match.map { Expectation(.count($0, count, wire)) }
    }

    private mutating func count(_ node: JSONNode, _ pointer: String) -> RequestCount {
        var bounds: [String: Int] = [:]
        for name in Self.counts {
            guard let value = node[name] else { continue }
            guard let number = value.number?.integer, number >= 0 else {
                report("expected a whole number from 0", at: value.offset, "\(pointer)/\(name)")
                continue
            }
            bounds[name] = number
        }
        if bounds.count == 2, let least = bounds["atLeast"], let most = bounds["atMost"], least <= most {
            return RequestCount(least...most)
        }
        if bounds.count > 1 {
            report("of \"times\", \"atLeast\" and \"atMost\" only one says how often", at: node.offset, pointer)
        }
        if let times = bounds["times"] { return .times(times) }
        if let most = bounds["atMost"] { return .atMost(most) }
        return .atLeast(bounds["atLeast"] ?? 1)
    }

    private mutating func wire(_ node: JSONNode?, _ pointer: String) -> WireProtocol? {
        guard let node else { return nil }
        let wire = node.string.flatMap(WireProtocol.init)
        if wire == nil { report("expected \"HTTP/1.1\" or \"HTTP/2.0\"", at: node.offset, pointer) }
        return wire
    }

    private mutating func request(_ node: JSONNode, _ pointer: String) -> RequestMatch? {
        guard node.object != nil else {
            report("expected an object such as {\"urlPath\": \"/\"}", at: node.offset, pointer)
            return nil
        }
        let match = RequestMatch(written: node)
        do throws(MockServerError) {
            _ = try RequestSearch(match)
            return match
        } catch {
            for (text, inner) in Self.findings(of: error) {
                report(text, at: node.offset, pointer + inner)
            }
            return nil
        }
    }

    /// The findings that a stub with this request would have, and where in the request they are.
    private static func findings(of error: MockServerError) -> [(text: String, pointer: String)] {
        guard case .fixturesUnusable(let findings) = error.reason else { return [("\(error)", "")] }
        return findings.map { finding in
            let start = finding.firstRange(of: ": error: ")?.upperBound ?? finding.startIndex
            let text = finding[start...]
            guard text.hasSuffix(")"), let open = text.lastIndex(of: "(") else { return (String(text), "") }
            let pointer = text[text.index(after: open)...].dropLast()
            guard pointer.hasPrefix("/request") else { return (String(text), "") }
            return (
                String(text[..<open].dropLast()), String(pointer.dropFirst("/request".count))
            )
        }
    }
}

/// The JSON Schema (draft 2020-12) of a file of expectations.
package enum ExpectationSchema {
    /// The identifier of the schema, wherever a copy of it lies.
    package static let id = "urn:mockapi:expectations"

    /// The schema as text, with a line end.
    package static var json: String {
        String(decoding: JSONWriter.pretty(node) + [UInt8(ascii: "\n")], as: UTF8.self)
    }

    package static var node: JSONNode {
        let count = JSONNode.object(["type": .string("integer"), "minimum": .integer(0)])
        let request = JSONNode.object(["$ref": .string("#/$defs/request")])
        return .object([
            "$schema": .string("https://json-schema.org/draft/2020-12/schema"), "$id": .string(id),
            "title": .string("mockapi expectations"),
            "description": .string("What requests a run is expected to send (mockapi run --expect)."),
            "type": .string("object"),
            "properties": .object([
                "$schema": .object(["type": .string("string")]),
                "expectations": .object([
                    "type": .string("array"),
                    "items": .object([
                        "oneOf": .array([
                            shape(
                                ["request"],
                                [
                                    ("request", request), ("times", count), ("atLeast", count), ("atMost", count),
                                    (
                                        "protocol",
                                        .object(["enum": .array([.string("HTTP/1.1"), .string("HTTP/2.0")])])
                                    ),
                                ]),
                            shape(
                                ["inOrder"],
                                [
                                    (
                                        "inOrder",
                                        .object([
                                            "type": .string("array"), "items": request, "minItems": .integer(1),
                                        ])
                                    )
                                ]),
                            shape(
                                ["oneConnection"],
                                [("oneConnection", .object(["const": .bool(true)])), ("request", request)]),
                        ])
                    ]),
                ]),
            ]),
            "required": .array([.string("expectations")]), "additionalProperties": .bool(false),
            "$defs": FixtureSchema.node["$defs"] ?? .object([:]),
        ])
    }

    private static func shape(_ required: [String], _ properties: [(String, JSONNode)]) -> JSONNode {
        .object([
            "type": .string("object"), "required": .array(required.map { .string($0) }),
            "properties": JSONNode(.object(JSONObject(properties.map { .init(name: $0.0, value: $0.1) }))),
            "additionalProperties": .bool(false),
        ])
    }
}
