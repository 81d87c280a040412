// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Recorded fixtures in WireMock's words: a mapping for each response, with a scenario if a request had several.
struct RecordedMappings {
    /// One mapping, without its body.
    struct Mapping {
        let id: StubID
        /// The members without the response.
        var members: [JSONObject.Member]
        /// The members of the response without the body.
        var response: [JSONObject.Member]
        let body: [UInt8]
        let isText: Bool
        /// The names that its file below `mappings` and that of its body below `__files` are to have.
        let file: [String]
        let bodyFile: [String]

        /// The mapping with its body written out, or in a file.
        func node(bodyFileName: String?, isPersistent: Bool) -> JSONNode {
            var response = response
            if let bodyFileName {
                response.append(.init(name: "bodyFileName", value: .string(bodyFileName)))
            } else if !body.isEmpty {
                response.append(
                    isText
                        ? .init(name: "body", value: .string(String(decoding: body, as: UTF8.self)))
                        : .init(name: "base64Body", value: .string(Data(body).base64EncodedString())))
            }
            var members = members
            members.append(.init(name: "response", value: JSONNode(.object(JSONObject(response)))))
            if isPersistent { members.append(.init(name: "persistent", value: .bool(true))) }
            return JSONNode(.object(JSONObject(members)))
        }
    }

    private static let bodies: Set = ["body", "jsonBody", "base64Body", "bodyFileName"]

    private let spec: RecordSpec
    private var scenarios = 0
    /// The names of files that are given already.
    private var taken: Set<[String]> = []
    private(set) var mappings: [Mapping] = []

    init(_ spec: RecordSpec) {
        self.spec = spec
    }

    /// Adds recorded exchanges to a directory, in the order in which they came.
    ///
    /// - Parameter lines: matchers of header lines that all of it is to have besides.
    mutating func add(_ set: FixtureSet, lines: [JSONObject.Member]) {
        let stubs = set.stubs.sorted {
            ($0.source["recorded"]?["at"]?.string ?? "", $0.place.path)
                < ($1.source["recorded"]?["at"]?.string ?? "", $1.place.path)
        }
        // If two stubs match a request, the last added responds: the stub with fewer conditions comes first.
        for stub in stubs.enumerated().sorted(by: { Self.isWider($0, $1) }) { add(stub.element, lines) }
    }

    private static func isWider(_ left: (offset: Int, element: Stub), _ right: (offset: Int, element: Stub)) -> Bool {
        let counts = [left, right].map { $0.element.source["request"]?["queryParameters"]?.object?.members.count ?? 0 }
        return counts[0] == counts[1] ? left.offset < right.offset : counts[0] < counts[1]
    }

    private mutating func add(_ stub: Stub, _ lines: [JSONObject.Member]) {
        let source = stub.source
        let written = source["responses"]?.array ?? source["response"].map { [$0] } ?? []
        let steps = Array(zip(written, stub.responses)).prefix(spec.hasScenarios ? written.count : 1)
        let request = request(Self.inlined(stub), of: source["recorded"]?["request"]?.string ?? "", lines)
        let stem = stub.place.path.replacing(bytesOf: ".stub.json", with: "").split(ascii: "/").map(String.init)
        let scenario = "scenario-\(scenarios + 1)-\(stem.joined(separator: "-"))"
        if steps.count > 1 { scenarios += 1 }
        for (number, step) in steps.enumerated() {
            var members: [JSONObject.Member] = [.init(name: "name", value: .string(stem.joined(separator: "_")))]
            members.append(.init(name: "request", value: request))
            if let priority = source["priority"] { members.append(.init(name: "priority", value: priority)) }
            if steps.count > 1 {
                members.append(.init(name: "scenarioName", value: .string(scenario)))
                let state = number == 0 ? "Started" : "\(scenario)-\(number + 1)"
                members.append(.init(name: "requiredScenarioState", value: .string(state)))
                if number + 1 < steps.count {
                    members.append(.init(name: "newScenarioState", value: .string("\(scenario)-\(number + 2)")))
                }
            }
            let response = WireMockWords.response(ofStep: step.0).object?.members ?? []
            let id = StubID.derived(from: String(decoding: JSONWriter.compact(request), as: UTF8.self), ordinal: number)
            let body = step.1.body.bytes ?? []
            let bodyName =
                step.0["bodyFile"]?.string?.split(ascii: "/").last.map(String.init) ?? "\(stem.last ?? "body").txt"
            mappings.append(
                Mapping(
                    id: id, members: [.init(name: "id", value: .string(id.text))] + members,
                    response: response.filter { !Self.bodies.contains($0.name) }, body: body,
                    isText: String(validating: body, as: UTF8.self) != nil,
                    file: free("mappings", stem.dropLast() + [Self.name(stem)]),
                    bodyFile: free("__files", stem.dropLast() + [bodyName])))
        }
    }

    /// A stub's `request`; the content of its file stands in a mapping.
    private static func inlined(_ stub: Stub) -> JSONNode {
        let request = stub.source["request"] ?? .null
        if FileMatcher.file(in: request) == nil { return request }
        let matchers = stub.request.body.map { StubWriter.matcher($0.compared) }
        let members = (request.object?.members ?? []).map { member in
            member.name == KeyName.bodyPatterns.rawValue
                ? JSONObject.Member(name: member.name, value: .array(matchers)) : member
        }
        return JSONNode(.object(JSONObject(members)))
    }

    /// The name of a mapping's file, without a second `.json`.
    private static func name(_ stem: [String]) -> String {
        let name = stem.last ?? "stub"
        return name.hasSuffix(".json") ? name : name + ".json"
    }

    /// The names of a file, with a number in the last if it is given already.
    private mutating func free(_ folder: String, _ names: [String]) -> [String] {
        let name = names.last ?? ""
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        var number = 1
        var free = names
        while !taken.insert([folder] + free).inserted {
            number += 1
            free = names.dropLast() + ["\(name[..<dot])-\(number)\(name[dot...])"]
        }
        return free
    }

    /// The target of a recorded request, such as `GET /a?x=1`, if its stub asks for just the parameters that came; nil if some may differ.
    private static func target(of written: JSONNode, _ recorded: String) -> String? {
        guard written["otherQueryParameters"]?.string == "refuse",
            let parameters = written["queryParameters"]?.object?.members,
            parameters.allSatisfy({ $0.value.object?.members.map(\.name) == ["equalTo"] })
        else { return nil }
        let words = recorded.split(ascii: " ")
        guard words.count == 2, words[0] == written["method"]?.string ?? "", !words[1].contains("redacted."),
            let question = words[1].firstIndex(of: "?")
        else { return nil }
        let pairs = words[1][question...].dropFirst().split(ascii: "&")
        return pairs.count == parameters.count ? String(words[1]) : nil
    }

    /// Matchers of parameters that ask for just the values that came, in the order in which they came.
    private static func parameters(_ written: JSONNode, _ recorded: String) -> JSONNode {
        let query = recorded.firstIndex(ascii: "?").map { String(recorded.suffix(behind: $0)) }
        let pairs = QueryText.decodedPairs(of: query ?? "")
        let members = (written.object?.members ?? []).map { member in
            let matchers = member.value["hasExactly"]?.array ?? [member.value]
            let sent = pairs.filter { $0.name == member.name }.map(\.value)
            let isExact = matchers.allSatisfy { $0.object?.members.map(\.name) == ["equalTo"] }
            guard isExact, matchers.compactMap({ $0["equalTo"]?.string }).sorted() == sent.sorted() else {
                return member
            }
            let values = JSONNode.array(sent.map { .object(["equalTo": .string($0)]) })
            return JSONObject.Member(name: member.name, value: .object(["hasExactly": values]))
        }
        return JSONNode(.object(JSONObject(members)))
    }

    /// A recorded request in WireMock's words: no further parameters than those that came, and the lines that are asked for.
    private func request(_ written: JSONNode, of recorded: String, _ lines: [JSONObject.Member]) -> JSONNode {
        var members = written.object?.members ?? []
        if let target = Self.target(of: written, recorded) {
            members = members.filter { $0.name != "queryParameters" }.map { member in
                member.name == "urlPath" ? .init(name: "url", value: .string(target)) : member
            }
        }
        let isWhole = written["otherQueryParameters"] != nil && written["queryParameters"] == nil
        members.removeAll { $0.name == "otherQueryParameters" }
        for index in members.indices {
            switch members[index].name {
            case "urlPath" where isWhole: members[index].name = "url"
            case "queryParameters": members[index].value = Self.parameters(members[index].value, recorded)
            case "bodyPatterns":
                members[index].value = .array((members[index].value.array ?? []).map { pattern($0) })
            case "headers" where !lines.isEmpty:
                let names = Set(lines.map { $0.name.lowercased() })
                let others = members[index].value.object?.members.filter { !names.contains($0.name.lowercased()) }
                members[index].value = JSONNode(.object(JSONObject((others ?? []) + lines)))
            default: break
            }
        }
        if !lines.isEmpty, written["headers"] == nil {
            members.append(.init(name: "headers", value: JSONNode(.object(JSONObject(lines)))))
        }
        return JSONNode(.object(JSONObject(members)))
    }

    private func pattern(_ written: JSONNode) -> JSONNode {
        guard let flags = spec.jsonFlags, written["equalToJson"] != nil else { return written }
        let names: Set = ["ignoreArrayOrder", "ignoreExtraElements"]
        let others = written.object?.members.filter { !names.contains($0.name) } ?? []
        return JSONNode(
            .object(
                JSONObject(
                    others + [
                        .init(name: "ignoreArrayOrder", value: .bool(flags.ignoresOrder)),
                        .init(name: "ignoreExtraElements", value: .bool(flags.ignoresExtra)),
                    ])))
    }
}
