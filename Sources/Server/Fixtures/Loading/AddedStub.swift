// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiJSONText
import MockapiSystemIO

/// Reads a stub that is added at run time.
package struct AddedStub {
    /// Nil if it has an error.
    package let stub: Stub?
    package let findings: [Finding]

    /// - Parameters:
    ///   - text: a stub as in a file with one stub.
    ///   - label: the name that messages give it, in the place of a file's path.
    ///   - number: tells it from others with the label.
    ///   - root: the fixture directory that body files are looked for in; empty for none.
    ///   - templatesAll: whether the texts of its responses are templates, whatever the stub says.
    package init(_ text: [UInt8], label: String, number: Int, root: String, templatesAll: Bool = false) {
        let status = root.isEmpty ? nil : FileStatus(path: root)
        let files = status.map { DirectoryWalk(root: root, status: $0).files } ?? []
        var reader = StubFileReader(
            path: label, text: text, dialect: .mockapi, bodies: BodyFiles(root: root, files: files), isAdded: true,
            templatesAll: templatesAll)
        let parsed = reader.read(ordinal: number)
        findings = reader.findings
        stub = parsed.count == 1 ? parsed[0].stub : nil
    }

    /// A stub that comes by the admin API, in WireMock's words.
    ///
    /// - Parameters:
    ///   - replaced: the stub that it replaces; nil for a new stub.
    package init(
        ofAdmin text: [UInt8], label: String, number: Int, root: String, templatesAll: Bool, replacing replaced: Stub?
    ) {
        // The directory's files are needed for suggestions only.
        var reader = StubFileReader(
            path: label, text: text, dialect: .wireMock, bodies: BodyFiles(root: root, files: []),
            isAdded: replaced?.isAdded ?? true, isOfAdmin: true, templatesAll: templatesAll)
        let parsed = reader.read(ordinal: number)
        findings = reader.findings
        stub = parsed.count == 1 ? parsed[0].stub : nil
    }
}

extension AddedStub {
    /// A stub without the unknown keys behind the first thousand, which are not reported: they would be read once more.
    package static func pruned(_ node: JSONNode) -> JSONNode {
        guard let members = node.object?.members, members.count > StubFileReader.mostFindings else { return node }
        var unknown = 0
        let kept = members.filter { member in
            if ObjectShape.stub.key(member.name) != nil { return true }
            unknown += 1
            return unknown <= StubFileReader.mostFindings + 1
        }
        return JSONNode(.object(JSONObject(kept)), offset: node.offset)
    }
}
