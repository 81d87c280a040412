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

    /// - Parameter connection: the one the request came by; nil where there is none, and the answer is made at once.
    func respond(to head: borrowing RequestHead, body: [UInt8] = [], connection: UInt64?) -> ResponsePlan {
        let path = head.string(head.path).split(separator: "/").dropFirst().map(String.init)
        let query = AdminQuery(head)
        let method = head.string(head.method)
        let isHead = method == "HEAD"
        // Whether a server lives is no secret: a page may ask, and a container by whatever name it has for this one.
        let isPublic = path == ["health"]
        if !isPublic, let refusal = refusal(of: head) { return Self.error(refusal, isHead: isHead) }
        guard let resource = resource(path, body) else {
            return Self.error(
                AdminError(404, "\(head.string(head.path)) is no resource of the admin API"), isHead: isHead)
        }
        guard resource.methods.contains(isHead ? "GET" : method) else {
            let allowed = (resource.methods + (resource.methods.contains("GET") ? ["HEAD"] : []) + ["OPTIONS"]).sorted()
            if method == "OPTIONS" { return PlainAnswer.options(allowed) }
            return Self.error(
                AdminError(405, "\(method) is not allowed here"),
                fields: [WireField("Allow", allowed.joined(separator: ", "))])
        }
        do throws(AdminError) {
            switch try resource.answer(method, query) {
            case .node(let node): return Self.json(200, node, isHead: isHead, isPublic: isPublic)
            case .report(let isLong, let make):
                guard let connection, isLong else { return Self.plan(make(), isHead: isHead) }
                let answer = LiveAnswer()
                core.reports.write(to: answer, of: connection, isHead: isHead, make)
                return ResponsePlan(live: answer)
            }
        } catch {
            return Self.error(error, isHead: isHead)
        }
    }

    /// Why a request is not answered that a web page may have sent from a browser on this machine.
    private func refusal(of head: borrowing RequestHead) -> AdminError? {
        if !core.identity.isAdministered(by: head) {
            let name = String(decoding: Authority.host(head.bytes[head.authority.range]), as: UTF8.self)
            return AdminError(
                421,
                "\(name) is no name of this server: ask by localhost, by an IP address or by the machine's name, "
                    + "or start the server with --admin-host \(name)")
        }
        for field in head.fields where head.equalsIgnoringCase(field.name, "origin") {
            if core.identity.isOwn(head.bytes[field.value.range], for: head) { continue }
            return AdminError(
                403,
                "pages of \(head.string(field.value)) may ask for /__admin/health and nothing else here: "
                    + "ask without a browser, or by the browser's address line")
        }
        // A page among the fixtures is one of this server, whoever wrote it; what a person asks for in the address line is "none"
        // (Fetch Metadata Request Headers, §2.3).
        for field in head.fields where head.equalsIgnoringCase(field.name, "sec-fetch-site") {
            if head.equalsIgnoringCase(field.value, "none") { continue }
            return AdminError(
                403,
                "a page asks for this in a browser, and may ask for /__admin/health and nothing else here: "
                    + "ask without a browser, or by the browser's address line")
        }
        return nil
    }

    struct Resource {
        /// What is answered, at once or when the report is made.
        enum Answer {
            case node(JSONNode)
            /// - isLong: whether making it takes longer than an event loop has.
            case report(isLong: Bool, @Sendable () -> AdminReports.Content)
        }

        let methods: [String]
        let answer: (_ method: String, _ query: AdminQuery) throws(AdminError) -> Answer
    }

    private func resource(_ path: [String], _ body: [UInt8]) -> Resource? {
        switch path.count {
        case 0: return get { (_) throws(AdminError) in try mappings(AdminQuery()) }
        case 1 where path[0] == "health": return get { _ in .node(health) }
        case 1 where path[0] == "version": return get { _ in .node(.object(["version": .string(mockapiVersion)])) }
        case 1 where path[0] == "mappings": return get { (query) throws(AdminError) in try mappings(query) }
        case 2 where path == ["mappings", "reset"]:
            return post {
                core.fixtures.resetStates()
                core.fixtures.resetResources()
            }
        case 2 where path[0] == "mappings": return get { (_) throws(AdminError) in .node(try mapping(path[1])) }
        case 1 where path[0] == "requests":
            return Resource(methods: ["GET", "DELETE"]) { (method, query) throws(AdminError) in
                if method == "DELETE" {
                    core.journal.removeAll()
                    return .node(.object([:]))
                }
                return try requests(query)
            }
        case 1 where path[0] == "reset":
            return post {
                core.fixtures.resetStates()
                core.resetEffects()
                core.fixtures.resetResources()
                core.journal.removeAll()
            }
        case 1 where path[0] == "scenarios": return get { _ in ScenarioAdmin.list(core.fixtures) }
        case 2 where path == ["scenarios", "reset"]: return post { core.fixtures.resetStates() }
        case 3 where path[0] == "scenarios" && path[2] == "state":
            return Resource(methods: ["PUT"]) { (_, _) throws(AdminError) in
                let name = String(decoding: PercentCoding.decode(path[1].utf8), as: UTF8.self)
                return .node(try ScenarioAdmin.set(name, body, core.fixtures))
            }
        case 2 where path[0] == "requests" && path[1] == "unmatched": return get { _ in unmatched }
        case 2 where path[0] == "requests": return get { (_) throws(AdminError) in try request(path[1]) }
        default: return nil
        }
    }

    private func get(_ answer: @escaping (AdminQuery) throws(AdminError) -> Resource.Answer) -> Resource {
        Resource(methods: ["GET"]) { (_, query) throws(AdminError) in try answer(query) }
    }

    private func post(_ action: @escaping () -> Void) -> Resource {
        Resource(methods: ["POST"]) { _, _ in
            action()
            return .node(.object([:]))
        }
    }

    // MARK: Resources

    private var health: JSONNode {
        .object([
            "status": .string("healthy"), "message": .string("mockapi is ok"), "version": .string(mockapiVersion),
            "uptimeInSeconds": .integer((Clock.monotonic() - core.startedAt) / 1_000_000_000),
            "timestamp": .string(Timestamp.format(nanoseconds: Clock.wall())),
        ])
    }

    /// How many stubs are listed at once. 100.
    private static let shortList = 100
    /// Bytes of the journal that are told at once. 32 KiB.
    private static let shortJournal = 32 * 1024

    /// In the order in which stubs are asked: priority, then by rank.
    private func mappings(_ query: AdminQuery) throws(AdminError) -> Resource.Answer {
        let offset = try query.number("offset") ?? 0
        let limit = try query.number("limit")
        let set = core.fixtures.set
        return .report(isLong: set.stubs.count > Self.shortList) {
            let all = StubIndex.selectionOrder(of: set)
            let page = Array(all.dropFirst(offset).prefix(limit ?? all.count))
            return .list(
                AdminList("mappings", count: page.count, before: ["meta": .object(["total": .integer(all.count)])]) {
                    AdminJSON.mapping(set.stubs[page[$0]])
                })
        }
    }

    private func mapping(_ id: String) throws(AdminError) -> JSONNode {
        try AdminError.requireUUID(id)
        guard let stub = core.fixtures.set.stubs.first(where: { $0.id == id.lowercased() }) else {
            throw AdminError(404, "there is no stub with the id \(id)")
        }
        return AdminJSON.mapping(stub)
    }

    private var isJournalLong: Bool { core.journal.size > Self.shortJournal }

    /// Newest first.
    private func requests(_ query: AdminQuery) throws(AdminError) -> Resource.Answer {
        var filter = JournalFilter(isUnmatched: query["unmatched"] == "true")
        if let id = query["matchingStub"] {
            guard AdminError.isUUID(id) else { throw AdminError(400, "\(id) is not a valid UUID", 15, "matchingStub") }
            filter.stub = id.lowercased()
        }
        if let text = query["since"] {
            guard let since = DateText.seconds(text) else {
                throw AdminError(400, "\(text) is not an ISO 8601 date and time with a zone", 10, "since")
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
                        AdminJSON.serveEvent($0, stubs, events: core.journal.subEvents.json(of: $0.sequence))
                    }
                })
        }
    }

    private static func stubsByID(_ core: ServerCore) -> [String: Stub] {
        Dictionary(core.fixtures.set.stubs.lazy.map { ($0.id, $0) }) { first, _ in first }
    }

    private func request(_ id: String) throws(AdminError) -> Resource.Answer {
        try AdminError.requireUUID(id)
        return .report(isLong: isJournalLong) { [core] in
            let entry = AdminJSON.sequence(of: id.lowercased()).flatMap { sequence in
                let selection = core.journal.select(JournalFilter(sequence: sequence))
                return selection.places.first.flatMap { core.journal.entry($0, of: selection) }
            }
            guard let entry else {
                return .plan(Self.error(AdminError(404, "there is no request with the id \(id)")))
            }
            let events = core.journal.subEvents.json(of: entry.sequence)
            return .plan(Self.json(200, AdminJSON.serveEvent(entry, Self.stubsByID(core), events: events)))
        }
    }

    private var unmatched: Resource.Answer {
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

    // MARK: Answers

    private static let mediaType = "application/json"

    /// The head of an answer that comes in pieces.
    static func listHead(_ framing: ResponseHead.Framing) -> ResponseHead {
        ResponseHead(status: 200, fields: [WireField("Content-Type", mediaType)], framing: framing)
    }

    /// A report as one answer.
    private static func plan(_ content: AdminReports.Content, isHead: Bool) -> ResponsePlan {
        switch content {
        case .plan(var plan):
            if isHead { plan.body = .none }
            return plan
        case .list(let list): return PlainAnswer.content(200, mediaType, list.text, isHead: isHead)
        }
    }

    /// - Parameter isPublic: whether pages of other origins may read it.
    private static func json(
        _ status: Int, _ node: JSONNode, fields: [WireField] = [], isHead: Bool = false, isPublic: Bool = false
    ) -> ResponsePlan {
        PlainAnswer.content(
            status, mediaType, JSONWriter.pretty(node) + [UInt8(ascii: "\n")],
            fields: (isPublic ? [PlainAnswer.readableByPages] : []) + fields, isHead: isHead)
    }

    static func error(_ error: AdminError, fields: [WireField] = [], isHead: Bool = false) -> ResponsePlan {
        var members: [JSONObject.Member] = [.init(name: "code", value: .integer(error.code))]
        if let pointer = error.pointer {
            members.append(.init(name: "source", value: .object(["pointer": .string(pointer)])))
        }
        members.append(.init(name: "title", value: .string(error.text)))
        return json(
            error.status, .object(["errors": .array([JSONNode(.object(JSONObject(members)))])]), fields: fields,
            isHead: isHead)
    }
}
