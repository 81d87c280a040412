// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiStubMatching

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The journal as the admin API shows and clears it, in WireMock's shapes.
struct RequestAdmin {
    /// Bytes of the journal that are reported at once. 32 KiB.
    private static let shortJournal = 32 * 1024
    /// How many stubs, or requests, are named as the nearest.
    private static let nearestLimit = 3

    private let core: ServerCore

    init(_ core: ServerCore) {
        self.core = core
    }

    func resource(_ path: ArraySlice<String>, _ body: [UInt8]) -> AdminResource? {
        guard let name = path.first else {
            return AdminResource(
                get: list,
                delete: { _ in
                    core.journal.forget()
                    return .node(.object([:]))
                })
        }
        if path.elementsEqual(["unmatched", "near-misses"]) { return .get { _ in unmatchedNearMisses } }
        guard path.count == 1 else { return nil }
        switch name {
        case "unmatched": return .get { _ in unmatched }
        case "reset": return .post(core.journal.forget)
        case "count": return .post { () throws(AdminError) in try searching(body, count) }
        case "find": return .post { () throws(AdminError) in try searching(body, find) }
        case "remove":
            return .post { () throws(AdminError) in try searching(body) { remove($0, by: $1, where: $1.matches) } }
        case "remove-by-metadata":
            return .post { () throws(AdminError) in
                let matcher = try AdminContent.node(body)
                return .search { [core] (stop) throws(AdminError) in
                    let ids = try AdminContent.ids(of: core.current.set.stubs, withMetadata: matcher, stop)
                    return remove(core) { entry in
                        if case .stub(_, _, let id) = entry.outcome { ids.contains(id) } else { false }
                    }
                }
            }
        default:
            return AdminResource(
                get: { (_) throws(AdminError) in
                    try AdminError.requireUUID(name)
                    return request(name.lowercased())
                },
                delete: { (_) throws(AdminError) in
                    try AdminError.requireUUID(name)
                    return .report(isLong: isJournalLong) { [core] in
                        if let sequence = AdminJSON.sequence(of: name.lowercased()) { Self.remove([sequence], core) }
                        return .response(AdminResponse.json(200, .object([:])))
                    }
                })
        }
    }

    // MARK: Lists

    private var isJournalLong: Bool { core.journal.size > Self.shortJournal }

    /// Newest first.
    private func list(_ query: AdminQuery) throws(AdminError) -> AdminResource.Content {
        var filter = JournalFilter(isUnmatched: query["unmatched"] == "true")
        if let id = query["matchingStub"] {
            guard TextLook.isUUID(id.utf8) else {
                throw AdminError(400, "Query parameter matchingStub value '\(id)' is not a valid UUID", 15)
            }
            filter.stub = id.lowercased()
        }
        if let text = query["since"] {
            guard let since = DateText.seconds(text) else {
                throw AdminError(400, "\(text) is not a valid ISO8601 date", 10, "since")
            }
            filter.since = since
        }
        filter.limit = try query.number("limit")
        return .report(isLong: isJournalLong) { [core, filter] in
            let selection = core.journal.select(filter)
            let stubs = Self.stubsByID(core)
            let count = selection.places.count
            return .list(
                AdminList(
                    "requests", count: count,
                    before: [
                        "meta": .object(["total": .integer(selection.total)]),
                        "requestJournalDisabled": .bool(!core.journal.isEnabled),
                    ]
                ) {
                    core.journal.entry(selection.places[count - 1 - $0], of: selection).map {
                        AdminJSON.serveEvent($0, stubs, of: core.journal)
                    }
                })
        }
    }

    private static func stubsByID(_ core: ServerCore) -> [String: Stub] {
        Dictionary(core.current.set.stubs.lazy.map { ($0.id, $0) }) { first, _ in first }
    }

    private func request(_ id: String) -> AdminResource.Content {
        .report(isLong: isJournalLong) { [core] in
            let entry = AdminJSON.sequence(of: id).flatMap { sequence in
                let selection = core.journal.select(JournalFilter(sequence: sequence))
                return selection.places.first.flatMap { core.journal.entry($0, of: selection) }
            }
            guard let entry else {
                return .response(AdminResponse.error(AdminError(404, "there is no request with the id \(id)")))
            }
            return .response(
                AdminResponse.json(200, AdminJSON.serveEvent(entry, Self.stubsByID(core), of: core.journal)))
        }
    }

    private var unmatched: AdminResource.Content {
        .report(isLong: isJournalLong) { [core] in
            let selection = core.journal.select(JournalFilter(isUnmatched: true))
            return .list(
                AdminList(
                    "requests", count: selection.places.count,
                    before: ["requestJournalDisabled": .bool(!core.journal.isEnabled)]
                ) {
                    core.journal.entry(selection.places[$0], of: selection).map { AdminJSON.loggedRequest($0) }
                })
        }
    }

    // MARK: Searches

    /// Looks for the requests that a posted pattern means.
    private func searching(
        _ body: [UInt8], _ respond: @escaping @Sendable (ServerCore, RequestSearch) -> AdminReports.Content
    ) throws(AdminError) -> AdminResource.Content {
        let pattern = try AdminContent.node(body)
        return .search { [core] (stop) throws(AdminError) in
            let search = try AdminContent.search(pattern)
            search.boundWork(stop: stop)
            let content = respond(core, search)
            guard !search.hasGivenUp else { throw Self.givenUp }
            return content
        }
    }

    private static let givenUp = AdminError.givenUp("the pattern takes", "a request of the journal")

    private func count(_ core: ServerCore, _ search: RequestSearch) -> AdminReports.Content {
        let count = core.journal.isEnabled ? core.journal.entries.lazy.filter(search.matches).count : -1
        return .response(
            AdminResponse.json(
                200,
                .object(["count": .integer(count), "requestJournalDisabled": .bool(!core.journal.isEnabled)])))
    }

    /// Oldest first.
    private func find(_ core: ServerCore, _ search: RequestSearch) -> AdminReports.Content {
        let found = core.journal.entries.filter(search.matches)
        return .list(
            AdminList(
                "requests", count: found.count, before: ["requestJournalDisabled": .bool(!core.journal.isEnabled)]
            ) { AdminJSON.loggedRequest(found[$0]) })
    }

    private static func remove(_ sequences: [UInt64], _ core: ServerCore) {
        core.journal.remove(sequences, recordable: core.forwarder?.recorder?.numbers(after: 0) ?? [])
    }

    private func remove(
        _ core: ServerCore, by search: RequestSearch? = nil, where isMeant: (JournalEntry) -> Bool
    ) -> AdminReports.Content {
        var found = core.journal.entries.filter(isMeant)
        // An entry that is not known to be meant stays, and all others with it.
        if search?.hasGivenUp == true { found = [] }
        Self.remove(found.map(\.sequence), core)
        let stubs = Self.stubsByID(core)
        return .list(
            AdminList("serveEvents", count: found.count) { [found] in
                AdminJSON.serveEvent(found[$0], stubs, of: core.journal)
            })
    }

    // MARK: Near misses

    func nearMisses(_ path: ArraySlice<String>, _ body: [UInt8]) -> AdminResource? {
        if path.elementsEqual(["request"]) {
            return .post { () throws(AdminError) in
                let node = try AdminContent.node(body)
                let (head, content) = try Self.request(of: node)
                return .search { [core] (stop) throws(AdminError) in
                    let scratch = MatchScratch()
                    scratch.stop = stop
                    let nearest = Self.nearest(to: head, content, node, core, scratch)
                    guard !scratch.hasGivenUp else { throw AdminError.givenUp("the stubs take", "the request") }
                    return Self.nearMisses(nearest)
                }
            }
        }
        guard path.elementsEqual(["request-pattern"]) else { return nil }
        return .post { () throws(AdminError) in
            let pattern = try AdminContent.node(body)
            return .search { [core] (stop) throws(AdminError) in
                let search = try AdminContent.search(pattern)
                search.boundWork(stop: stop)
                var nearest: [(distance: Double, entry: JournalEntry)] = []
                for entry in core.journal.entries {
                    guard let distance = search.distance(of: entry) else { continue }
                    nearest.append((distance, entry))
                    if nearest.count > 64 { nearest = Self.first(nearest) }
                }
                guard !search.hasGivenUp else { throw Self.givenUp }
                return Self.nearMisses(
                    Self.first(nearest).map { near in
                        Self.nearMiss(
                            AdminJSON.loggedRequest(near.entry), "requestPattern", Self.withMethod(pattern),
                            near.distance)
                    })
            }
        }
    }

    /// A pattern with WireMock's method if it names none.
    private static func withMethod(_ pattern: JSONNode) -> JSONNode {
        let members = pattern.object?.members ?? []
        if members.contains(where: { $0.name == "method" && !$0.value.isNull }) { return pattern }
        return JSONNode(
            .object(
                JSONObject(
                    [.init(name: "method", value: .string("ANY"))] + members.filter { $0.name != "method" })))
    }

    private static func first(
        _ all: [(distance: Double, entry: JournalEntry)]
    ) -> [(distance: Double, entry: JournalEntry)] {
        Array(all.sorted { ($0.distance, $0.entry.sequence) < ($1.distance, $1.entry.sequence) }.prefix(nearestLimit))
    }

    private var unmatchedNearMisses: AdminResource.Content {
        .search { [core] (stop) throws(AdminError) in
            let scratch = MatchScratch()
            scratch.shareWork(stop: stop)
            let nearest = core.journal.unmatched.suffix(100).flatMap { entry in
                Self.nearest(
                    to: RequestHead(entry), entry.body, AdminJSON.loggedRequest(entry),
                    isForElsewhere: entry.isForElsewhere, core,
                    scratch)
            }
            // A stub whose own tests are given up is as near as it is; all others are measured.
            guard !scratch.hasRunOut else {
                throw AdminError.givenUp("the stubs take", "the requests of the journal")
            }
            return Self.nearMisses(nearest)
        }
    }

    /// The stubs that come nearest to a request.
    private static func nearest(
        to head: RequestHead, _ body: [UInt8], _ request: JSONNode, isForElsewhere: Bool = false, _ core: ServerCore,
        _ scratch: MatchScratch
    ) -> [JSONNode] {
        let fixtures = core.fixtures
        let misses = fixtures.index.nearMisses(
            for: head, body: body, matchesAnyHost: !isForElsewhere && core.context.identity.isNamed(by: head),
            scratch: scratch,
            limit: nearestLimit)
        return misses.compactMap { miss in
            guard case .stub(let ordinal) = miss.subject else { return nil }
            return nearMiss(request, "stubMapping", WireMockWords.mapping(fixtures.set.stubs[ordinal]), miss.distance)
        }
    }

    private static func nearMiss(
        _ request: JSONNode, _ name: String, _ other: JSONNode, _ distance: Double
    ) -> JSONNode {
        JSONNode(
            .object(
                JSONObject([
                    .init(name: "request", value: request), .init(name: name, value: other),
                    .init(name: "matchResult", value: .object(["distance": .double(distance / (1 + distance))])),
                ])))
    }

    private static func nearMisses(_ all: [JSONNode]) -> AdminReports.Content {
        .list(
            AdminList("nearMisses", count: all.count) { all[$0] })
    }

    /// A request as WireMock's JSON has it.
    private static func request(of node: JSONNode) throws(AdminError) -> (RequestHead, [UInt8]) {
        let text = node["url"]?.string ?? node["absoluteUrl"]?.string ?? "/"
        var target = text[...]
        var authority = node["host"]?.string ?? ""
        var isSecure = node["scheme"]?.string == "https"
        if let scheme = ["https://", "http://"].first(where: target.hasPrefix) {
            isSecure = scheme == "https://"
            let rest = target.dropFirst(scheme.count)
            let slash = rest.firstIndex(ascii: "/") ?? rest.endIndex
            authority = String(rest[..<slash])
            target = rest[slash...]
        }
        if target.utf8.first != ASCII.slash { target = "/\(target)" }
        var fields: [(name: String, value: String)] = []
        for member in node["headers"]?.object?.members ?? [] {
            let values = member.value.array ?? [member.value]
            fields += values.compactMap { $0.string.map { (member.name, $0) } }
        }
        let cookies = (node["cookies"]?.object?.members ?? []).compactMap { member in
            member.value.string.map { "\(member.name)=\($0)" }
        }
        if !cookies.isEmpty, !fields.contains(where: { $0.name.lowercased() == "cookie" }) {
            fields.append(("Cookie", cookies.joined(separator: "; ")))
        }
        let decoded = node["bodyAsBase64"]?.string.flatMap { Data(base64Encoded: $0) }
        let body = decoded.map { Array($0) } ?? Array((node["body"]?.string ?? "").utf8)
        let head = RequestHead(
            method: node["method"]?.string ?? "GET", target: String(target), authority: authority, isSecure: isSecure,
            fields: fields)
        return (head, body)
    }
}
