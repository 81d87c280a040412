// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiSystemIO
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The files of a WireMock root, as the admin API reads and changes them: never outside the root, never through a link, each whole or not at all.
struct FixtureFiles {
    private static let bodies = "__files"
    private static let mappings = "mappings"
    /// Bytes that the name of a mapping's file has before its id, at most. 80.
    private static let nameLimit = 80

    private let core: ServerCore

    init(_ core: ServerCore) {
        self.core = core
    }

    /// Throws unless the server may write.
    func requireWritable() throws(AdminError) {
        try requireRoot()
        guard core.isWritable else {
            throw AdminError(
                403,
                "nothing is written to the fixture directory: start the server with \(core.context.names(.writesFixtures))",
                40)
        }
    }

    private func requireRoot() throws(AdminError) {
        guard core.current.set.dialect == .wireMock, !core.current.set.root.isEmpty else {
            throw AdminError(501, "only a WireMock root has files that the admin API reads and writes", 40)
        }
    }

    // MARK: Bodies

    /// The paths of all body files below `__files`, sorted.
    func list() throws(AdminError) -> [String] {
        try requireRoot()
        return FixtureLoader.paths(of: core.current.set.root)
            .filter { $0.hasPrefix(Self.bodies + "/") }.map { String($0.dropFirst(Self.bodies.count + 1)) }.sorted()
    }

    func read(_ path: ArraySlice<String>) throws(AdminError) -> [UInt8] {
        try requireRoot()
        let names = try Self.names(path)
        return try working(in: [Self.bodies] + names.dropLast()) { (folder) throws(SystemError) in
            try folder.read(names[names.count - 1], limit: AdminContent.limit)
        }
    }

    func put(_ bytes: [UInt8], at path: ArraySlice<String>) throws(AdminError) {
        try requireWritable()
        let names = try Self.names(path)
        guard bytes.count <= AdminContent.limit else {
            throw AdminError(413, "the content is longer than \(AdminContent.limit / 1024) KiB")
        }
        try write(bytes, to: [Self.bodies] + names)
        try reload()
    }

    func delete(_ path: ArraySlice<String>) throws(AdminError) {
        try requireWritable()
        let names = try Self.names(path)
        try remove([Self.bodies] + names)
        try reload()
    }

    /// Serves the bodies as they are now, if the directory can be served.
    private func reload() throws(AdminError) {
        let current = core.fixtures
        guard
            var set = try? FixtureLoader.load(
                root: current.set.root, wireMock: true, templatesAll: current.set.templatesAll)
        else { return }
        set.stubs += CurrentFixtures.added(current.set.stubs, beside: set.stubs)
        let generation = core.current.nextGeneration()
        core.current.replace(
            with: ServedFixtures(reloaded: set, generation: generation, previous: current))
    }

    /// Serves the files of a WireMock root as they are now, as WireMock does with a reset.
    ///
    /// Errors are reported; the earlier fixtures stay if the server's standard refuses the new ones.
    func readAgain() {
        let current = core.fixtures
        let written = Set(core.mappingFiles.withLock { Array($0.keys) })
        guard current.set.dialect == .wireMock, !current.set.root.isEmpty,
            let set = try? FixtureCache.load(
                current.set.root, wireMock: true, templatesAll: current.set.templatesAll),
            !set.stubs.elementsEqual(
                current.givenStubs.lazy.filter { !$0.isAdded || written.contains($0.uuid) }, by: ===)
        else { return }
        for finding in set.findings where finding.severity == .error || core.standard == .strict {
            core.context.log?.tell(.finding, "\(finding)")
        }
        if core.standard.refuses(set.findings) { return }
        var next = set
        next.stubs += CurrentFixtures.added(current.set.stubs, beside: set.stubs)
        core.current.replace(
            with: ServedFixtures(
                reloaded: next, generation: core.current.nextGeneration(), previous: current, written: written))
    }

    // MARK: Mappings

    /// Writes each stub to its file, or to a new one if it has none, so that resets keep it.
    ///
    /// - Parameter wanted: the names below the root of new files, as far as no other stub's file has them.
    func save(_ stubs: [Stub], at wanted: [StubID: [String]] = [:]) throws(AdminError) {
        try requireWritable()
        let taken = wanted.isEmpty ? [] : Set(FixtureLoader.paths(of: core.current.set.root))
        for stub in stubs {
            let name = wanted[stub.uuid].flatMap { taken.contains($0.joined(separator: "/")) ? nil : $0 }
            let place = try place(of: stub, wanted: name)
            let members = (WireMockWords.mapping(stub).object?.members ?? []).filter { $0.name != "uuid" }
            try write(JSONWriter.pretty(JSONNode(.object(JSONObject(members)))) + [UInt8(ascii: "\n")], to: place)
            core.mappingFiles.withLock { $0[stub.uuid] = place }
        }
        let ids = Set(stubs.map(\.uuid))
        core.current.changeGiven { given in given.filter { !ids.contains($0.uuid) } + stubs }
    }

    /// Deletes the files of removed stubs; a file that holds other stubs too stays.
    func forget(_ stubs: [Stub]) throws(AdminError) {
        guard core.isWritable, core.current.set.dialect == .wireMock else { return }
        var gone: Set<StubID> = []
        for stub in stubs {
            guard let place = ownFile(of: stub) else { continue }
            do throws(AdminError) { try remove(place) } catch { if error.status != 404 { throw error } }
            core.mappingFiles.withLock { $0[stub.uuid] = nil }
            gone.insert(stub.uuid)
        }
        if gone.isEmpty { return }
        core.current.changeGiven { $0.filter { !gone.contains($0.uuid) } }
    }

    /// Throws if the stub is one of several in a file, so that it cannot be written by itself.
    func requireOwnFile(of stub: Stub) throws(AdminError) { _ = try place(of: stub, wanted: nil) }

    /// Writes the body of a stub, under the wanted name below `__files` unless another file has it.
    ///
    /// - Returns: the name that the stub calls it by.
    func saveBody(_ bytes: [UInt8], of id: StubID, at wanted: [String]) throws(AdminError) -> String {
        try requireWritable()
        var names = wanted
        if let own = core.current.set.stubs.first(where: { $0.uuid == id })?.source["response"]?["bodyFileName"]?.string
        {
            names = own.split(ascii: "/").map(String.init)
        } else if FixtureLoader.paths(of: core.current.set.root).contains(
            "\(Self.bodies)/\(wanted.joined(separator: "/"))")
        {
            names[names.count - 1] = "\(id.text)-\(names[names.count - 1])"
        }
        try write(bytes, to: [Self.bodies] + names)
        return names.joined(separator: "/")
    }

    private func place(of stub: Stub, wanted: [String]?) throws(AdminError) -> [String] {
        if let file = ownFile(of: stub) { return file }
        if let given = given(stub), given.place.path.hasPrefix(Self.mappings + "/") {
            throw AdminError(422, "\(given.place.path) has several stubs, and is not written: change it by hand")
        }
        if let wanted { return wanted }
        let request = stub.source["request"]
        let method = stub.request.method ?? "any"
        let url = ["url", "urlPath", "urlPathTemplate", "urlPathPattern", "urlPattern"].lazy
            .compactMap { request?[$0]?.string }.first
        return [Self.mappings, Self.fileName(stub.name ?? "\(method)-\(url ?? "any")") + "-\(stub.id).json"]
    }

    /// The file that holds the stub and no other.
    private func ownFile(of stub: Stub) -> [String]? {
        if let written = core.mappingFiles.withLock({ $0[stub.uuid] }) { return written }
        guard let place = given(stub)?.place, place.pointer.isEmpty, place.path.hasPrefix(Self.mappings + "/") else {
            return nil
        }
        return place.path.split(ascii: "/").map(String.init)
    }

    private func given(_ stub: Stub) -> Stub? {
        core.current.ready.givenStubs.first { $0.uuid == stub.uuid }
    }

    /// The letters and digits of a text in lower case, with a hyphen for each run of other characters.
    private static func fileName(_ text: String) -> String {
        var name: [UInt8] = []
        for byte in text.lowercased().utf8 {
            let isPlain = byte &- 0x61 < 26 || byte &- 0x30 < 10
            if !isPlain, name.isEmpty || name.last == UInt8(ascii: "-") { continue }
            name.append(isPlain ? byte : UInt8(ascii: "-"))
        }
        name = Array(name.prefix(nameLimit))
        if name.last == UInt8(ascii: "-") { name.removeLast() }
        return name.isEmpty ? "stub" : String(decoding: name, as: UTF8.self)
    }

    // MARK: The disk

    /// The names that the path of a URL consists of.
    private static func names(_ path: ArraySlice<String>) throws(AdminError) -> [String] {
        let names = path.map { String(decoding: PercentCoding.decode($0.utf8), as: UTF8.self) }
        guard !names.isEmpty, names.allSatisfy(Folder.isName) else {
            throw AdminError(403, "Access to file \(names.joined(separator: "/").printable) is not permitted", 40)
        }
        return names
    }

    private func working<Result>(
        in path: [String], creates: Bool = false, _ work: (Folder) throws(SystemError) -> Result
    ) throws(AdminError) -> Result {
        do throws(SystemError) {
            var folder = try Folder(path: core.current.set.root)
            for name in path { folder = try folder.folder(name, creates: creates) }
            return try work(folder)
        } catch {
            switch error.code {
            case ENOENT: throw AdminError(404, "there is no such file")
            case ELOOP, ENOTDIR:
                throw AdminError(403, "a part of this path is a symbolic link or not a folder, and is not followed", 40)
            case EISDIR: throw AdminError(403, "this is not a file", 40)
            case EFBIG: throw AdminError(413, "the file is longer than \(AdminContent.limit / 1024) KiB")
            default: throw AdminError(500, "the file cannot be used: \(error)")
            }
        }
    }

    private func write(_ bytes: [UInt8], to path: [String]) throws(AdminError) {
        try working(in: Array(path.dropLast()), creates: true) { (folder) throws(SystemError) in
            try folder.replace(path[path.count - 1], with: bytes)
        }
    }

    private func remove(_ path: [String]) throws(AdminError) {
        try working(in: Array(path.dropLast())) { (folder) throws(SystemError) in
            try folder.remove(path[path.count - 1])
        }
    }
}
