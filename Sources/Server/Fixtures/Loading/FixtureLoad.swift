// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiSystemIO

/// One load of a fixture directory.
struct FixtureLoad {
    private let root: String
    /// The name of the file if it alone is served.
    private let soleFile: String?
    private let files: [FileEntry]
    private let dialect: FixtureSet.Dialect
    private let bodies: BodyFiles
    private let templatesAll: Bool
    private var findings: [Finding]
    private var stubs: [Stub] = []
    private var leftOut: [FixtureSet.LeftOut] = []
    /// Where each id was written first.
    private var ids: [StubID: Place] = [:]

    init(_ source: FixtureLoader.Source, walk: DirectoryWalk, wireMock: Bool, templatesAll: Bool = false) {
        self.templatesAll = templatesAll
        root = source.path
        soleFile = source.file
        files = walk.files
        findings = walk.findings
        dialect = wireMock || Self.looksLikeWireMock(walk.files) ? .wireMock : .mockapi
        bodies = BodyFiles(root: source.path, files: walk.files)
    }

    mutating func fixtureSet() -> FixtureSet {
        for file in files where isStubFile(file.path) { readStubs(of: file) }
        if dialect == .wireMock, !["mappings", "__files"].contains(where: { isFolder($0) }) {
            report(
                .warning, "a WireMock root has stubs in \"mappings\" and bodies in \"__files\", and here is neither",
                at: ".")
        }
        checkIssuers()
        for file in files where isContract(file.path) { readContract(of: file) }
        var plain = PlainFiles(root: root, dialect: dialect)
        for file in files where isPlainFile(file.path) { plain.add(file) }
        var set = FixtureSet(
            root: root, dialect: dialect, stubs: stubs, files: plain.claimed(),
            findings: (findings + plain.findings).sorted(), leftOut: leftOut)
        set.templatesAll = templatesAll
        set.bodyFiles = bodies.named
        set.soleFile = soleFile
        return set
    }

    /// Whether there is a folder of this name, be it empty.
    private func isFolder(_ name: String) -> Bool {
        FileStatus(path: "\(root)/\(name)")?.kind == .directory
    }

    /// Reports stubs whose tokens nobody issues.
    private mutating func checkIssuers() {
        let issuers = stubs.filter { $0.access?.authentication?.oauth2 != nil }.compactMap(\.name)
        for stub in stubs {
            guard let name = stub.access?.authentication?.bearer?.issuer, !issuers.contains(name) else { continue }
            let way = Nearest.word(to: name, among: issuers).map { "; did you mean \"\($0.word)\"?" } ?? ""
            findings.append(
                Finding(.error, "no stub with \"oauth2\" has the name \"\(name)\" of the issuer\(way)", at: stub.place))
        }
    }

    /// Whether there are `mappings/**/*.json` and no stub files of the format's own.
    private static func looksLikeWireMock(_ files: [FileEntry]) -> Bool {
        files.contains { isMapping($0.path) } && !files.contains { $0.path.hasSuffix(".stub.json") }
    }

    private static func isMapping(_ path: String) -> Bool {
        path.hasPrefix("mappings/") && path.hasSuffix(".json")
    }

    private func isStubFile(_ path: String) -> Bool {
        dialect == .wireMock ? Self.isMapping(path) : path.hasSuffix(".stub.json")
    }

    private func isPlainFile(_ path: String) -> Bool {
        // WireMock serves the files in `__files` by their paths, bodies of stubs too.
        if dialect == .wireMock { return path.hasPrefix("__files/") }
        if isStubFile(path) || isContract(path) || bodies.named.contains(ExactText(path)) { return false }
        return path.utf8.contains(UInt8(ascii: "/")) || path == soleFile || !path.hasPrefix("README")
    }

    /// Whether a file is a contract, which stands beside a plain file and lists a client's needs.
    private func isContract(_ path: String) -> Bool {
        dialect == .mockapi && path.hasSuffix(".contract.json")
    }

    private mutating func readContract(of file: FileEntry) {
        guard file.status.size <= StubFileReader.contractLimit,
            let text = try? file.read(
                in: root,
                { path throws(SystemError) in try FileReader.read(path, limit: StubFileReader.contractLimit) }
            ).0
        else {
            // It was there when the directory was listed, and is no more, or is hardly a contract.
            if file.status.size > StubFileReader.contractLimit {
                report(.warning, "larger than 16 MiB; it is not read as a contract", at: file.path)
            }
            return
        }
        var reader = StubFileReader(path: file.path, text: text, dialect: dialect, bodies: bodies)
        reader.readContract()
        findings += reader.findings
    }

    private mutating func report(_ severity: Finding.Severity, _ text: String, at path: String) {
        findings.append(Finding(severity, text, at: Place(path: path)))
    }

    private mutating func readStubs(of file: FileEntry) {
        guard file.status.size <= StubFileReader.sizeLimit else {
            report(.error, "larger than 256 MiB; split it into several stub files", at: file.path)
            leftOut.append(FixtureSet.LeftOut(place: Place(path: file.path)))
            return
        }
        do {
            let (text, _) = try file.read(in: root) { path throws(SystemError) in
                try FileReader.read(path, limit: StubFileReader.sizeLimit)
            }
            var reader = StubFileReader(
                path: file.path, text: text, dialect: dialect, bodies: bodies, templatesAll: templatesAll)
            let parsed = reader.read()
            findings += reader.findings
            leftOut += reader.leftOut
            for stub in parsed { add(stub) }
        } catch {
            // It was there when the directory was listed.
            if error.isMissing { return }
            report(.error, "the file cannot be read: \(error.words)", at: file.path)
            leftOut.append(FixtureSet.LeftOut(place: Place(path: file.path)))
        }
    }

    private mutating func add(_ parsed: StubFileReader.Parsed) {
        if let first = ids.updateValue(parsed.idPlace, forKey: parsed.stub.uuid) {
            ids[parsed.stub.uuid] = first
            findings.append(
                Finding(
                    .error, "the id \(parsed.stub.id) is taken by \(first.path):\(first.line):\(first.column)",
                    at: parsed.idPlace))
            leftOut.append(FixtureSet.LeftOut(place: parsed.stub.place))
            return
        }
        stubs.append(parsed.stub)
    }
}
