// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Fixtures
import HTTPMessage
import HTTPServer
import HTTPWire
import JSONText
import StubMatching

/// The resources below `/__admin`, in WireMock's shapes.
struct AdminAPI {
    private let core: ServerCore

    init(_ core: ServerCore) {
        self.core = core
    }

    /// Whether a request is for the admin API, which no stub can take over.
    static func claims(_ head: borrowing RequestHead) -> Bool {
        let prefix: StaticString = "/__admin"
        let length = prefix.utf8CodeUnitCount
        guard head.path.count >= length else { return false }
        let start = Int(head.path.start)
        // The second letter is telling: hardly any other path has it.
        guard head.bytes[start + 1] == UInt8(ascii: "_") else { return false }
        for index in 0..<length where head.bytes[start + index] != prefix.utf8Start[index] { return false }
        return head.path.count == length || head.bytes[start + length] == ASCII.slash
    }

    func respond(to head: borrowing RequestHead) -> ResponsePlan {
        let path = head.string(head.path).split(separator: "/").dropFirst().map(String.init)
        let query = AdminQuery(head)
        let method = head.string(head.method)
        let isHead = method == "HEAD"
        guard let resource = resource(path) else {
            return Self.error(404, "\(head.string(head.path)) is no resource of the admin API", isHead: isHead)
        }
        guard resource.methods.contains(isHead ? "GET" : method) else {
            let allowed = (resource.methods + (resource.methods.contains("GET") ? ["HEAD"] : []) + ["OPTIONS"]).sorted()
            if method == "OPTIONS" { return PlainAnswer.options(allowed) }
            return Self.error(
                405, "\(method) is not allowed here", fields: [WireField("Allow", allowed.joined(separator: ", "))])
        }
        do throws(AdminError) {
            return Self.json(200, try resource.answer(method, query), isHead: isHead)
        } catch {
            return Self.error(error.status, error.text, code: error.code, pointer: error.pointer, isHead: isHead)
        }
    }

    private struct Resource {
        let methods: [String]
        let answer: (_ method: String, _ query: AdminQuery) throws(AdminError) -> JSONNode
    }

    private func resource(_ path: [String]) -> Resource? {
        switch path.count {
        case 0: return Resource(methods: ["GET"]) { (_, _) throws(AdminError) in try mappings(AdminQuery()) }
        case 1 where path[0] == "health": return get { _ in health }
        case 1 where path[0] == "version": return get { _ in .object(["version": .string(mockapiVersion)]) }
        case 1 where path[0] == "mappings":
            return Resource(methods: ["GET"]) { (_, query) throws(AdminError) in try mappings(query) }
        case 2 where path[0] == "mappings":
            return Resource(methods: ["GET"]) { (_, _) throws(AdminError) in try mapping(path[1]) }
        case 1 where path[0] == "requests":
            return Resource(methods: ["GET", "DELETE"]) { (method, query) throws(AdminError) in
                if method == "DELETE" {
                    core.journal.removeAll()
                    return .object([:])
                }
                return try requests(query)
            }
        case 2 where path[0] == "requests" && path[1] == "unmatched": return get { _ in unmatched }
        case 2 where path[0] == "requests":
            return Resource(methods: ["GET"]) { (_, _) throws(AdminError) in try request(path[1]) }
        default: return nil
        }
    }

    private func get(_ answer: @escaping (AdminQuery) -> JSONNode) -> Resource {
        Resource(methods: ["GET"]) { (_, query) throws(AdminError) in answer(query) }
    }

    // MARK: Resources

    private var health: JSONNode {
        .object([
            "status": .string("healthy"), "message": .string("mockapi is ok"), "version": .string(mockapiVersion),
            "uptimeInSeconds": .integer((Clock.monotonic() - core.startedAt) / 1_000_000_000),
            "timestamp": .string(Timestamp.format(nanoseconds: Clock.wall())),
        ])
    }

    /// In the order in which stubs are asked: priority, then by rank.
    private func mappings(_ query: AdminQuery) throws(AdminError) -> JSONNode {
        let offset = try query.number("offset") ?? 0
        let limit = try query.number("limit")
        let fixtures = core.fixtures
        let all = StubIndex.selectionOrder(of: fixtures.set)
        let page = all.dropFirst(offset).prefix(limit ?? all.count)
        return .object([
            "mappings": .array(page.map { AdminJSON.mapping(fixtures.set.stubs[$0]) }),
            "meta": .object(["total": .integer(all.count)]),
        ])
    }

    private func mapping(_ id: String) throws(AdminError) -> JSONNode {
        try AdminError.requireUUID(id)
        guard let stub = core.fixtures.set.stubs.first(where: { $0.id == id.lowercased() }) else {
            throw AdminError(404, "there is no stub with the id \(id)")
        }
        return AdminJSON.mapping(stub)
    }

    /// Newest first.
    private func requests(_ query: AdminQuery) throws(AdminError) -> JSONNode {
        var entries = core.journal.entries
        let total = entries.count
        if query["unmatched"] == "true" { entries.removeAll { $0.answer != .unmatched } }
        if let id = query["matchingStub"] {
            guard AdminError.isUUID(id) else { throw AdminError(400, "\(id) is not a valid UUID", 15, "matchingStub") }
            entries.removeAll { $0.stub?.id != id.lowercased() }
        }
        if let text = query["since"] {
            guard let since = Timestamp.parse(text) else {
                throw AdminError(400, "\(text) is not an ISO 8601 date and time with a zone", 10, "since")
            }
            entries.removeAll { $0.receivedAt < since }
        }
        let newest = entries.reversed().prefix(try query.number("limit") ?? entries.count)
        return .object([
            "requests": .array(newest.map { AdminJSON.serveEvent($0, core.fixtures.set) }),
            "meta": .object(["total": .integer(total)]),
            "requestJournalDisabled": .bool(!core.journal.isEnabled),
        ])
    }

    private func request(_ id: String) throws(AdminError) -> JSONNode {
        try AdminError.requireUUID(id)
        guard let entry = core.journal.entries.first(where: { AdminJSON.id(of: $0) == id.lowercased() }) else {
            throw AdminError(404, "there is no request with the id \(id)")
        }
        return AdminJSON.serveEvent(entry, core.fixtures.set)
    }

    private var unmatched: JSONNode {
        .object([
            "requests": .array(core.journal.unmatched.map { AdminJSON.loggedRequest($0) }),
            "requestJournalDisabled": .bool(!core.journal.isEnabled),
        ])
    }

    // MARK: Answers

    private static func json(_ status: Int, _ node: JSONNode, fields: [WireField] = [], isHead: Bool) -> ResponsePlan {
        PlainAnswer.content(
            status, "application/json", JSONWriter.pretty(node) + [UInt8(ascii: "\n")],
            fields: [WireField("Access-Control-Allow-Origin", "*")] + fields, isHead: isHead)
    }

    private static func error(
        _ status: Int, _ text: String, code: Int = 10, pointer: String? = nil, fields: [WireField] = [],
        isHead: Bool = false
    ) -> ResponsePlan {
        var members: [JSONObject.Member] = [.init(name: "code", value: .integer(code))]
        if let pointer { members.append(.init(name: "source", value: .object(["pointer": .string(pointer)]))) }
        members.append(.init(name: "title", value: .string(text)))
        return json(
            status, .object(["errors": .array([JSONNode(.object(JSONObject(members)))])]), fields: fields,
            isHead: isHead)
    }
}
