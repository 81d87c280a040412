// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiDrift
import MockapiJSONText

/// The drift that is known, and is not reported again until it changes.
package struct DriftBaseline: Sendable {
    private var known: Set<Key> = []
    /// Lines of an earlier form, which name no request: nothing distinguishes their subject from its neighbours, so they are not known any more.
    package private(set) var earlierLines = 0
    /// The lines by their subjects, in their order.
    private var lines: [(stub: Stub, bytes: [UInt8])] = []

    /// The identity of a stub, without the line it stands at, since that moves.
    private struct Stub: Hashable {
        var file: String
        var request: String
    }

    /// The identity of a finding: values of the day come and go, their forms do not.
    private struct Key: Hashable {
        var stub: Stub
        var pointer: String
        var id: String
        var level: String
        var received: String
    }

    package init() {}

    /// - Parameter text: the text that `bytes` wrote; nil is returned for another.
    package init?(_ text: [UInt8]) {
        for line in text.split(separator: UInt8(ascii: "\n")) where !line.allSatisfy({ $0 <= 0x20 }) {
            guard let node = try? JSONParser.parse(Array(line)) else { return nil }
            if node["summary"] != nil || node["reason"] != nil { continue }
            guard let key = Self.key(node) else { return nil }
            guard node["request"]?.string != nil, node["fixture"]?.string != nil else {
                earlierLines += 1
                continue
            }
            known.insert(key)
            lines.append((key.stub, Array(line)))
        }
    }

    /// The baseline of a report: its earlier findings that are still there, the reported ones, and the known ones of stubs that were not judged.
    package func bytes(with verdicts: [FixtureVerdict]) -> [UInt8] {
        var judged: Set<Stub> = []
        var bytes: [UInt8] = []
        for verdict in verdicts {
            switch verdict.state {
            case .skipped, .unchecked: continue
            default: judged.insert(Self.stub(verdict))
            }
            for located in verdict.findings + verdict.known where located.finding.level > .info {
                bytes += JSONWriter.compact(Self.node(located, of: verdict))
                bytes.append(UInt8(ascii: "\n"))
            }
        }
        for line in lines where !judged.contains(line.stub) { bytes += line.bytes + [UInt8(ascii: "\n")] }
        return bytes
    }

    /// Takes the known findings out of a verdict.
    package func apply(to verdict: inout FixtureVerdict) {
        let stub = verdict
        verdict.forgive { located in Self.key(Self.node(located, of: stub)).map(known.contains) ?? false }
    }

    private static func stub(_ verdict: FixtureVerdict) -> Stub { Stub(file: verdict.path, request: verdict.identity) }

    /// The finding as it is reported, with the stub that it is of.
    private static func node(_ located: LocatedFinding, of verdict: FixtureVerdict) -> JSONNode {
        var members = DriftReport.node(located).object?.members ?? []
        members.append(.init(name: "fixture", value: .string(verdict.path)))
        members.append(.init(name: "request", value: .string(verdict.identity)))
        return JSONNode(.object(JSONObject(members)))
    }

    private static func key(_ node: JSONNode) -> Key? {
        guard let file = node["file"]?.string, let pointer = node["pointer"]?.string, let id = node["id"]?.string,
            let level = node["level"]?.string
        else { return nil }
        let stub = Stub(file: node["fixture"]?.string ?? file, request: node["request"]?.string ?? "")
        let received = node["received"]?.string ?? ""
        return Key(
            stub: stub, pointer: pointer, id: id, level: level, received: make(of: received, DriftID(rawValue: id)))
    }

    /// The form of a value: its type if that has changed, or the text with each number as 0.
    private static func make(of received: String, _ id: DriftID?) -> String {
        switch id {
        case .typeChanged?: return String(received.prefix { $0 != " " })
        // A contract asks for a value, not a form.
        case .valueChanged?, .statusChanged?, .enumValueAdded?, .variantAdded?: return received
        default: break
        }
        var made: [UInt8] = []
        for byte in received.utf8 {
            if byte &- 0x30 < 10 {
                if made.last != UInt8(ascii: "0") { made.append(UInt8(ascii: "0")) }
            } else {
                made.append(byte)
            }
        }
        return String(decoding: made, as: UTF8.self)
    }
}
