// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPServer
import MockapiHTTPWire
import MockapiJSONText
import MockapiStubMatching
import Synchronization

/// Stubs as the admin API lists and changes them, in WireMock's shapes; files change only if the server may write them.
struct StubAdmin {
    /// Stubs that the admin API has added and not taken away. 10,000.
    static let limit = 10_000
    /// The name of its stubs in messages and the journal, in place of a file.
    static let label = "/__admin/mappings"

    private let core: ServerCore

    init(_ core: ServerCore) {
        self.core = core
    }

    func resource(_ path: ArraySlice<String>, _ body: [UInt8]) -> AdminResource? {
        guard let name = path.first else {
            return AdminResource(
                get: list,
                post: { _ in changing(body) { () throws(AdminError) in try add(body) } },
                delete: { _ in changing { () throws(AdminError) in try remove(withFiles: true) { _ in true } } })
        }
        guard path.count == 1 else { return nil }
        switch name {
        case "reset": return resetting(all: false)
        // WireMock 2 knew it beside the shorter path.
        case "new": return .post { () in changing(body) { () throws(AdminError) in try add(body) } }
        case "save": return .post { () in changing { () throws(AdminError) in try save() } }
        case "import":
            return .post { () in changing(body) { () throws(AdminError) in try importAll(AdminContent.node(body)) } }
        case "remove":
            return .post { () in changing(body) { () throws(AdminError) in try remove(AdminContent.node(body)) } }
        case "edit":
            return .post { () in
                changing(body) { () throws(AdminError) in
                    let node = try AdminContent.node(body)
                    _ = try replace(node.stubID ?? "", by: node)
                    return Response(head: ResponseHead(status: 204, fields: [], framing: .none))
                }
            }
        case "find-by-metadata": return .post { () throws(AdminError) in try find(AdminContent.node(body)) }
        case "remove-by-metadata":
            return .post { () in
                changing(body) { () throws(AdminError) in
                    let matcher = try AdminContent.node(body)
                    let ids = try AdminContent.ids(of: core.current.set.stubs, withMetadata: matcher, core.stop)
                    return try remove { ids.contains($0.id) }
                }
            }
        case "unmatched":
            return AdminResource(
                get: { _ in list { (core, _) in unmatched(core) } },
                delete: { _ in
                    changing { () throws(AdminError) in
                        let matched = matchedIDs(core)
                        return try remove { !matched.contains($0.id) }
                    }
                })
        default:
            return AdminResource(
                get: { (_) throws(AdminError) in .node(WireMockWords.mapping(try stub(name))) },
                put: { (_) throws(AdminError) in
                    // An unknown id is 404, whatever the content is.
                    _ = try stub(name)
                    return changing(body) { () throws(AdminError) in try replace(name, by: AdminContent.node(body)) }
                },
                delete: { (_) throws(AdminError) in
                    try AdminError.requireUUID(name)
                    return changing { () throws(AdminError) in
                        let stub = try stub(name)
                        return try remove { $0 === stub }
                    }
                })
        }
    }

    // MARK: Reading

    /// In the order in which stubs are asked: priority, then by rank.
    func list(_ query: AdminQuery) throws(AdminError) -> AdminResource.Content {
        let offset = try query.number("offset") ?? 0
        let limit = try query.number("limit")
        let set = core.current.set
        return .report(isLong: set.stubs.count > CurrentFixtures.smallSet) {
            let all = StubIndex.selectionOrder(of: set)
            return .list(Self.list(all.dropFirst(offset).prefix(limit ?? all.count), of: set, total: all.count))
        }
    }

    private static func list(_ ordinals: some Sequence<Int>, of set: FixtureSet, total: Int? = nil) -> AdminList {
        let page = Array(ordinals)
        return AdminList(
            "mappings", count: page.count, before: ["meta": .object(["total": .integer(total ?? page.count)])]
        ) {
            WireMockWords.mapping(set.stubs[page[$0]])
        }
    }

    /// Lists those of the stubs that are meant, however many there are.
    private func list(
        _ isMeant: @escaping @Sendable (ServerCore, FixtureSet) throws(AdminError) -> (Stub) -> Bool
    ) -> AdminResource.Content {
        let set = core.current.set
        return .attempt(isLong: true) { [core] () throws(AdminError) in
            let test = try isMeant(core, set)
            return .list(Self.list(StubIndex.selectionOrder(of: set).filter { test(set.stubs[$0]) }, of: set))
        }
    }

    private func find(_ matcher: JSONNode) -> AdminResource.Content {
        let set = core.current.set
        return .search { (stop) throws(AdminError) in
            let ids = try AdminContent.ids(of: set.stubs, withMetadata: matcher, stop)
            return .list(
                Self.list(StubIndex.selectionOrder(of: set).filter { ids.contains(set.stubs[$0].id) }, of: set))
        }
    }

    /// The stubs that none of the requests in the journal matched.
    private func unmatched(_ core: ServerCore) -> (Stub) -> Bool {
        let matched = matchedIDs(core)
        return { !matched.contains($0.id) }
    }

    private func matchedIDs(_ core: ServerCore) -> Set<String> {
        Set(
            core.journal.entries.compactMap { entry in
                if case .stub(_, _, let id) = entry.outcome { id } else { nil }
            })
    }

    private func stub(_ id: String) throws(AdminError) -> Stub {
        try AdminError.requireUUID(id)
        guard let stub = StubID(id).flatMap({ uuid in core.current.set.stubs.first { $0.uuid == uuid } }) else {
            throw AdminError(404, "there is no stub with the id \(id)")
        }
        return stub
    }

    // MARK: Changing

    /// Changes stubs: at once if that is short, else beside the loops.
    private func changing(
        _ content: [UInt8] = [], readsFiles: Bool = false,
        _ change: @escaping @Sendable () throws(AdminError) -> Response
    ) -> AdminResource.Content {
        let isLong =
            content.count > AdminContent.shortLimit || core.current.set.stubs.count > CurrentFixtures.smallSet
            || readsFiles && core.current.set.dialect == .wireMock
        return .attempt(isLong: isLong) { () throws(AdminError) in .response(try change()) }
    }

    private func add(_ content: [UInt8]) throws(AdminError) -> Response {
        let node = try AdminContent.node(content)
        if node.isPersistent { try FixtureFiles(core).requireWritable() }
        let set = core.current.set
        let stub = try readNew(node, set) { id in set.stubs.contains { $0.uuid == id } }
        // The errors of a stub show in an index of it alone.
        let alone = FixtureSet(root: set.root, dialect: set.dialect, stubs: [stub])
        let errors = StubIndex(alone).findings.filter { $0.severity == .error }
        guard errors.isEmpty else { throw AdminError(errors) }
        try core.current.add(stub, bytes: content.count)
        if node.isPersistent { try FixtureFiles(core).save([stub]) }
        return AdminResponse.json(201, WireMockWords.mapping(stub))
    }

    private func replace(_ id: String, by node: JSONNode) throws(AdminError) -> Response {
        if node.isPersistent { try FixtureFiles(core).requireWritable() }
        let stub = try core.current.edit { (stubs, fixtures) throws(AdminError) in
            guard let place = StubID(id).flatMap({ uuid in stubs.firstIndex { $0.uuid == uuid } }) else {
                throw AdminError(404, "there is no stub with the id \(id)")
            }
            let stub = try read(node.named(id), replacing: stubs[place], fixtures.set)
            if node.isPersistent { try FixtureFiles(core).requireOwnFile(of: stub) }
            stubs[place] = stub
            return stub
        }
        if node.isPersistent { try FixtureFiles(core).save([stub]) }
        return AdminResponse.json(200, WireMockWords.mapping(stub))
    }

    /// - Parameter withFiles: whether the files of stubs go, too, that are not persistent.
    private func remove(withFiles: Bool = false, _ isMeant: (Stub) -> Bool) throws(AdminError) -> Response {
        let removed = try core.current.edit { (stubs, _) throws(AdminError) in
            let removed = stubs.filter(isMeant)
            stubs.removeAll(where: isMeant)
            return removed
        }
        try FixtureFiles(core).forget(removed.filter { withFiles || $0.source.isPersistent })
        return AdminResponse.json(200, .object([:]))
    }

    /// Removes the stub with the id of this one, else one with the same request; it is not an error if there is none.
    private func remove(_ node: JSONNode) throws(AdminError) -> Response {
        let removed = try core.current.edit { (stubs, _) throws(AdminError) -> [Stub] in
            let request = node["request"].map { JSONWriter.compact($0) }
            // A client's builder draws an id for a stub that it only describes: then the request decides.
            let place =
                node.stubID.flatMap { id in stubs.lastIndex { $0.id == id } }
                ?? request.flatMap { request in
                    stubs.lastIndex { $0.source["request"].map { JSONWriter.compact($0) } == request }
                }
            return place.map { [stubs.remove(at: $0)] } ?? []
        }
        try FixtureFiles(core).forget(removed.filter(\.source.isPersistent))
        return AdminResponse.empty
    }

    /// Adds many; the first of them is asked first.
    private func importAll(_ node: JSONNode) throws(AdminError) -> Response {
        guard let mappings = node["mappings"]?.array else {
            throw .unreadable("expected {\"mappings\": […]}", at: "/mappings")
        }
        let options = node["importOptions"].flatMap { $0.isNull ? nil : $0 }
        if let policy = options?["duplicatePolicy"], !policy.isNull,
            policy.string != "OVERWRITE", policy.string != "IGNORE"
        {
            throw .unreadable("expected \"OVERWRITE\" or \"IGNORE\"", at: "/importOptions/duplicatePolicy")
        }
        if mappings.contains(where: \.isPersistent) { try FixtureFiles(core).requireWritable() }
        let imported = try add(
            mappings, overwriting: options.map { $0["duplicatePolicy"]?.string == "OVERWRITE" } ?? true,
            deletingOthers: options?["deleteAllNotInImport"]?.bool ?? false)
        let persistent = imported.filter(\.source.isPersistent)
        if !persistent.isEmpty { try FixtureFiles(core).save(persistent) }
        return AdminResponse.empty
    }

    /// Adds stubs all at once, or none; the first of them is asked first.
    ///
    /// - Returns: those that are new or have taken the place of another, the last first.
    func add(
        _ mappings: [JSONNode], overwriting overwrites: Bool = true, deletingOthers deletesOthers: Bool = false
    ) throws(AdminError) -> [Stub] {
        try core.current.edit { (stubs, fixtures) throws(AdminError) -> [Stub] in
            var added: [Stub] = []
            var places = Dictionary(
                stubs.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
            var imported: Set<String> = []
            for (number, mapping) in mappings.enumerated().reversed() {
                do throws(AdminError) {
                    let replaced = mapping.stubID.flatMap { places[$0] }
                    if let id = mapping.stubID, replaced != nil {
                        imported.insert(id)
                        if !overwrites { continue }
                    }
                    let stub =
                        if let replaced {
                            try read(mapping, replacing: stubs[replaced], fixtures.set)
                        } else {
                            try readNew(mapping, fixtures.set) { places[$0.text] != nil }
                        }
                    imported.insert(stub.id)
                    added.append(stub)
                    if let place = replaced {
                        stubs[place] = stub
                    } else {
                        places[stub.id] = stubs.count
                        stubs.append(stub)
                    }
                } catch {
                    throw error.below("/mappings/\(number)")
                }
            }
            if deletesOthers { stubs.removeAll { !imported.contains($0.id) } }
            return added
        }
    }

    /// Makes the stubs that were added persistent, and writes them.
    private func save() throws(AdminError) -> Response {
        try FixtureFiles(core).requireWritable()
        let persistent = JSONObject.Member(name: "persistent", value: .bool(true))
        let stubs = core.current.set.stubs.filter(\.isOfAdmin)
        try FixtureFiles(core).save(add(stubs.map { $0.source.named($0.id, persistent) }))
        return AdminResponse.empty
    }

    /// Takes stubs away whose ids are known, if they are there.
    func remove(_ ids: Set<StubID>) throws(AdminError) {
        try core.current.edit { (stubs, _) throws(AdminError) in stubs.removeAll { ids.contains($0.uuid) } }
    }

    /// Restores the stubs of files and of code, and no others, each at its beginning.
    private func reset() -> Response {
        FixtureFiles(core).readAgain()
        if !core.current.set.stubs.elementsEqual(core.current.ready.givenStubs, by: ===) {
            try? core.current.edit { (stubs, fixtures) throws(AdminError) in stubs = fixtures.givenStubs }
        }
        core.resetStates()
        core.holds.reset()
        return AdminResponse.empty
    }

    /// - Parameter all: whether all else begins again, too, that is counted or drawn.
    func resetting(all: Bool) -> AdminResource {
        .post { () in
            changing(readsFiles: true) { () in
                defer {
                    if all { core.resetEffects() }
                    core.journal.forget()
                }
                return reset()
            }
        }
    }

    /// Reads a new stub; an id that is made for it differs from those of all other stubs, even saved ones.
    private func readNew(
        _ node: JSONNode, _ set: FixtureSet, isTaken: (StubID) -> Bool
    ) throws(AdminError) -> Stub {
        var stub = try read(node, replacing: nil, set)
        guard core.isWritable, node.stubID == nil else { return stub }
        while isTaken(stub.uuid) { stub = try read(node, replacing: nil, set) }
        return stub
    }

    private func read(_ node: JSONNode, replacing replaced: Stub?, _ set: FixtureSet) throws(AdminError) -> Stub {
        guard node.object != nil else { throw .unreadable("expected an object, found \(node.kindName)", at: nil) }
        if node["mappings"] != nil {
            throw .unreadable("expected one stub; several are added by /__admin/mappings/import", at: "/mappings")
        }
        if let metadata = node["metadata"], !metadata.isNull, metadata.object == nil {
            throw .unreadable("expected an object, found \(metadata.kindName)", at: "/metadata")
        }
        if let priority = node["priority"]?.number?.integer, Int32(exactly: priority) == nil {
            throw .unreadable("expected a whole number of 32 bits", at: "/priority")
        }
        let number = core.adminStubCount.wrappingAdd(1, ordering: .relaxed).oldValue
        let text = JSONWriter.compact(AddedStub.pruned(node).withDefaults)
        let read = AddedStub(
            ofAdmin: text, label: Self.label, number: number, root: set.root,
            templatesAll: set.templatesAll, replacing: replaced)
        guard let stub = read.stub else { throw AdminError(read.findings) }
        for finding in read.findings where replaced == nil {
            core.context.log?.tell(.finding, "of a stub that was added, \(stub.id): \(finding.message)")
        }
        return stub
    }
}
