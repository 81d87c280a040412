// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiDrift
import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiSystemIO

/// Finds the file and the line of a finding.
package struct FixtureSites {
    private let root: String
    private let fixture: VerifiedFixture
    private var maps: [String: LineMap] = [:]

    package init(root: String, _ fixture: VerifiedFixture) {
        self.root = root
        self.fixture = fixture
    }

    package mutating func place(of finding: DriftFinding) -> (file: String, line: Int) {
        guard let stub = fixture.stub else {
            guard case .body(let offset) = finding.site, finding.sample < ResponseSample.firstLearnt else {
                return (fixture.path, 1)
            }
            return (fixture.path, line(of: offset, in: fixture.path))
        }
        let response = Self.response(in: fixture.written, step: finding.sample)
        switch finding.site {
        case .status:
            return (fixture.path, line(of: response?["status"]?.offset ?? response?.offset ?? 0, in: fixture.path))
        case .header(let name):
            let offset = Self.offset(ofLine: name, in: response) ?? response?.offset ?? 0
            return (fixture.path, line(of: offset, in: fixture.path))
        case .body(let offset):
            if finding.sample >= ResponseSample.firstLearnt { return (fixture.path, fixture.line) }
            if let file = (response?["bodyFile"] ?? response?["bodyFileName"])?.string {
                let path = Self.path(of: file, beside: fixture.path, isWireMock: response?["bodyFile"] == nil)
                if stub.responses.indices.contains(finding.sample),
                    stub.responses[finding.sample].templates?.body != nil, maps[path] == nil
                {
                    // Offsets are those of the text in which the templates are replaced; its lines are the same.
                    let text = FileReader.contents("\(root)/\(path)") ?? []
                    maps[path] = LineMap(TemplateShape.json(text) ?? text)
                }
                return (path, line(of: offset, in: path))
            }
            if let body = response?["jsonBody"] {
                let found = Self.node(at: finding.pointer, in: body)
                return (fixture.path, line(of: found.offset, in: fixture.path))
            }
            let body = response?["body"] ?? response?["base64Body"]
            return (fixture.path, line(of: body?.offset ?? response?.offset ?? 0, in: fixture.path))
        }
    }

    private mutating func line(of offset: Int, in path: String) -> Int {
        if offset == 0 { return 1 }
        if maps[path] == nil { maps[path] = LineMap(FileReader.contents("\(root)/\(path)") ?? []) }
        return maps[path]?.position(of: offset).line ?? 1
    }

    private static func response(in written: JSONNode?, step: Int) -> JSONNode? {
        if let single = written?["response"] { return single }
        let steps = written?["responses"]?.array ?? []
        return steps.indices.contains(step) ? steps[step] : steps.first
    }

    /// Where a header line stands; nil if nobody has written one.
    private static func offset(ofLine name: String, in response: JSONNode?) -> Int? {
        let name = name.lowercased()
        switch response?["headers"]?.value {
        case .array(let lines):
            return lines.first { $0.string?.lowercased().hasPrefix(name + ":") ?? false }?.offset
        case .object(let object): return object.members.first { $0.name.lowercased() == name }?.nameOffset
        default: return nil
        }
    }

    /// Whether somebody has written a header line into a stub.
    static func hasLine(_ name: String, in written: JSONNode?, step: Int) -> Bool {
        offset(ofLine: name, in: response(in: written, step: step)) != nil
    }

    static func path(of file: String, beside stub: String, isWireMock: Bool) -> String {
        if isWireMock { return "__files/\(file)" }
        var parts = stub.split(ascii: "/").dropLast()
        for part in file.split(ascii: "/") where part != "." {
            if part == ".." { parts = parts.dropLast() } else { parts.append(part) }
        }
        return parts.joined(separator: "/")
    }

    /// The value at a pointer, or the nearest one above it.
    private static func node(at pointer: String, in body: JSONNode) -> JSONNode {
        var node = body
        for name in JSONPointer.tokens(pointer) {
            switch node.value {
            case .array(let elements):
                guard
                    let next = Int(name).flatMap({ elements.indices.contains($0) ? elements[$0] : nil })
                        ?? elements.first
                else { return node }
                node = next
            case .object(let object):
                guard let next = object[name] else { return node }
                node = next
            default: return node
            }
        }
        return node
    }
}
