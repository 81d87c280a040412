// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiJSONText

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension Coverage {
    /// `{"stubs": [{"file", "line", "id", "name", "hits", "parts": [{"step", "status", "line", "hits"}]}], "scenarios", "parts", "covered",
    /// "percent"}`; a plain file has no id.
    package var node: JSONNode {
        .object([
            "stubs": .array(fixtures.map(Self.node)), "scenarios": .array(scenarios.map(Self.node)),
            "parts": .integer(parts), "covered": .integer(coveredParts),
            "percent": JSONNode(.number(JSONNumber(literal: Self.text(percent)))),
        ])
    }

    private static func node(_ scenario: Scenario) -> JSONNode {
        let states = scenario.states.map { state in
            JSONNode.object(["state": .string(state.name), "reached": .bool(state.isReached)])
        }
        return .object(["name": .string(scenario.name), "states": .array(states)])
    }

    /// The same as text, with a line end.
    package var json: [UInt8] { JSONWriter.pretty(node) + [UInt8(ascii: "\n")] }

    private static func node(_ fixture: Fixture) -> JSONNode {
        var members: [JSONObject.Member] = [
            .init(name: "file", value: .string(fixture.file)), .init(name: "line", value: .integer(fixture.line)),
        ]
        if !fixture.isPlainFile { members.append(.init(name: "id", value: .string(fixture.id))) }
        if !fixture.digest.isEmpty { members.append(.init(name: "digest", value: .string(fixture.digest))) }
        if let name = fixture.name { members.append(.init(name: "name", value: .string(name))) }
        members.append(.init(name: "hits", value: .integer(fixture.hits)))
        if let branch = fixture.branch {
            members.append(.init(name: "scenario", value: .string(branch.scenario)))
            if let state = branch.state { members.append(.init(name: "state", value: .string(state))) }
            if let next = branch.next { members.append(.init(name: "newState", value: .string(next))) }
        }
        members.append(.init(name: "parts", value: .array(fixture.parts.map(node))))
        return JSONNode(.object(JSONObject(members)))
    }

    private static func node(_ part: Part) -> JSONNode {
        var members: [JSONObject.Member] = [
            .init(name: "step", value: .integer(part.step)), .init(name: "status", value: .integer(part.status)),
        ]
        if let fault = part.fault { members.append(.init(name: "fault", value: .string(fault))) }
        members.append(.init(name: "line", value: .integer(part.line)))
        members.append(.init(name: "hits", value: .integer(part.hits)))
        return JSONNode(.object(JSONObject(members)))
    }

    /// Reads the document that `node` has written; nil for another.
    package init?(_ node: JSONNode) {
        guard let stubs = node["stubs"]?.array else { return nil }
        fixtures = stubs.compactMap { node in
            guard let file = node["file"]?.string else { return nil }
            let parts = (node["parts"]?.array ?? []).compactMap { part -> Part? in
                guard let step = part["step"]?.number?.integer, let hits = part["hits"]?.number?.integer else {
                    return nil
                }
                // A sum of numbers from a file must not overflow.
                return Part(
                    step: step, status: part["status"]?.number?.integer ?? 0, fault: part["fault"]?.string,
                    line: part["line"]?.number?.integer ?? 0, hits: min(max(0, hits), 1 << 40))
            }
            return Fixture(
                file: file, line: node["line"]?.number?.integer ?? 1, id: node["id"]?.string ?? "",
                name: node["name"]?.string, digest: node["digest"]?.string ?? "", parts: parts)
        }
    }

    /// The lines of stubs and their steps as lcov's tracefile.
    ///
    /// - Parameter directory: the fixture directory as seen from the place where the report is read.
    package func lcov(directory: String) -> String {
        var lines: [String] = []
        var index = 0
        while index < fixtures.count {
            let file = fixtures[index].file
            var hits: [Int: Int] = [:]
            var branches: [Int: [Int]] = [:]
            while index < fixtures.count, fixtures[index].file == file {
                let fixture = fixtures[index]
                hits[fixture.line, default: 0] += fixture.hits
                for part in fixture.parts {
                    if part.line != fixture.line { hits[part.line, default: 0] += part.hits }
                    branches[part.line, default: []].append(part.hits)
                }
                index += 1
            }
            lines += ["TN:mockapi", "SF:\(directory)/\(file)"]
            lines += Self.branchLines(branches)
            for (line, count) in hits.sorted(by: { $0.key < $1.key }) { lines.append("DA:\(line),\(count)") }
            lines += ["LF:\(hits.count)", "LH:\(hits.values.count { $0 > 0 })", "end_of_record"]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The parts of a line that has several, since its count is that of all of them.
    private static func branchLines(_ branches: [Int: [Int]]) -> [String] {
        let several = branches.filter { $0.value.count > 1 }.sorted { $0.key < $1.key }
        if several.isEmpty { return [] }
        var lines: [String] = []
        for (line, hits) in several {
            // A dash stands for a line that was not reached at all.
            let isDead = hits.allSatisfy { $0 == 0 }
            for (number, count) in hits.enumerated() {
                lines.append("BRDA:\(line),0,\(number),\(isDead ? "-" : "\(count)")")
            }
        }
        let all = several.flatMap(\.value)
        return lines + ["BRF:\(all.count)", "BRH:\(all.count { $0 > 0 })"]
    }

    /// To a tenth, cut off, so that a coverage below 100 is not shown as 100.
    package static func text(_ percent: Double) -> String {
        let tenths = Int(percent * 10)
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }

    /// Adds this run to those whose coverage a directory holds, and gives their sum, and notes on the parts that do not count.
    ///
    /// - Throws: `TextFile.Failure` if the directory cannot be written.
    package func merged(in directory: String) throws(TextFile.Failure) -> (all: Coverage, notes: [String]) {
        try TextFile.makeDirectory(directory)
        var all = self
        var notes: [String] = []
        var changed: Set<String> = []
        for name in try TextFile.names(in: directory) where name.hasSuffix(".coverage.json") {
            guard let bytes = TextFile.read("\(directory)/\(name)", limit: 256 * 1024 * 1024),
                let node = try? JSONParser.parse(bytes), let other = Coverage(node)
            else {
                let file = "\(directory)/\(name)"
                notes.append("\(file) is not coverage that a run has written, and does not count: remove it")
                continue
            }
            changed.formUnion(all.merge(other))
        }
        if !changed.isEmpty {
            let what = changed.count == 1 ? "1 fixture" : "\(changed.count) fixtures"
            notes.append("earlier runs in \(directory) used \(what) in earlier versions, which do not count")
        }
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let name = "\(time.tv_sec)-\(time.tv_nsec)-\(getpid()).coverage.json"
        try TextFile.write(json, to: "\(directory)/\(name)")
        return (all, notes)
    }
}
