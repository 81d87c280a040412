// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiJSONText
import MockapiMetering
import MockapiStubMatching
import MockapiSystemIO

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
        // The second letter is distinctive: hardly any other path has it.
        guard head.bytes[start + 1] == UInt8(ascii: "_") else { return false }
        for index in 0..<length where head.bytes[start + index] != prefix.utf8Start[index] { return false }
        return head.path.count == length || head.bytes[start + length] == ASCII.slash
    }

    /// - Parameter connection: the one the request came by; nil if there is none, and the response is made at once.
    func respond(to head: borrowing RequestHead, body: [UInt8] = [], connection: UInt64?) -> Reply {
        let path = head.string(head.path).split(ascii: "/").dropFirst().map(String.init)
        let query = AdminQuery(head)
        let method = head.string(head.method)
        let isHead = method == "HEAD"
        // Whether a server lives is not a secret: a page may ask, and a container by whatever name it has for this one.
        let isPublic = path == ["health"]
        if !isPublic, let refusal = refusal(of: head) { return .whole(AdminResponse.error(refusal, isHead: isHead)) }
        if !isPublic, let refusal = core.context.adminAccess.refusal(of: head) {
            let challenge = WireField("WWW-Authenticate", "Basic realm=\"admin\", charset=\"UTF-8\"")
            let fields = refusal.status == 401 ? [challenge] : []
            let error = AdminError(refusal.status, refusal.text, 40)
            return .whole(AdminResponse.error(error, fields: fields, isHead: isHead))
        }
        guard let resource = resource(path, body) else {
            let error = AdminError(404, "\(head.string(head.path)) is not a resource of the admin API")
            return .whole(AdminResponse.error(error, isHead: isHead))
        }
        // HEAD is GET without content (RFC 9110 §9.3.2): it is carried out as nothing else.
        guard let action = resource.actions[isHead ? "GET" : method] else {
            let allowed = (resource.actions.keys + (resource.actions["GET"] == nil ? [] : ["HEAD"]) + ["OPTIONS"])
                .sorted()
            if method == "OPTIONS" { return .whole(PlainResponse.options(allowed)) }
            return .whole(
                AdminResponse.error(
                    AdminError(405, "\(method) is not allowed here"),
                    fields: [WireField("Allow", allowed.joined(separator: ", "))]))
        }
        do throws(AdminError) {
            switch try action(query) {
            case .node(let node): return .whole(AdminResponse.json(200, node, isHead: isHead, isPublic: isPublic))
            case .report(let isLong, let make):
                guard let connection, isLong else { return .whole(AdminResponse.response(make(), isHead: isHead)) }
                return streamed(to: connection, isHead: isHead) { _ in make() }
            case .search(let make):
                guard let connection else {
                    return .whole(AdminResponse.response(try make(core.stop), isHead: isHead))
                }
                return streamed(to: connection, isHead: isHead) { stop in
                    AdminReports.Content { () throws(AdminError) in try make(stop) }
                }
            case .work(let make):
                guard let connection else { throw AdminError(501, "this needs a server that listens", 40) }
                return streamed(to: connection, isHead: false) { _ in .response(await make()) }
            }
        } catch {
            return .whole(AdminResponse.error(error, isHead: isHead))
        }
    }

    private func streamed(
        to connection: UInt64, isHead: Bool, _ make: @escaping @Sendable (WorkStop) async -> AdminReports.Content
    ) -> Reply {
        let response = StreamedResponse()
        core.reports.write(to: response, of: connection, isHead: isHead, server: core.stop, make)
        return .streamed(response)
    }

    /// The refusal of a request that a web page may have sent from a browser on this machine; nil for any other.
    private func refusal(of head: borrowing RequestHead) -> AdminError? {
        if !core.context.identity.isAdministered(by: head) {
            let name = String(decoding: Authority.host(head.bytes[head.authority.range]), as: UTF8.self)
            return AdminError(
                421,
                "\(name) is not a name of this server: use localhost, an IP address or the machine's name, "
                    + "or start the server with \(core.context.names(.adminHosts, name))")
        }
        for field in head.fields where head.equalsIgnoringCase(field.name, "origin") {
            if core.context.identity.isOwn(head.bytes[field.value.range], for: head) { continue }
            return AdminError(
                403,
                "pages of \(head.string(field.value)) may read /__admin/health and nothing else here: "
                    + "use another client, or the browser's address bar")
        }
        // A page among the fixtures is one of this server, whatever its source; a request from the address line is "none"
        // (Fetch Metadata Request Headers, §2.3).
        for field in head.fields where head.equalsIgnoringCase(field.name, "sec-fetch-site") {
            if head.equalsIgnoringCase(field.value, "none") { continue }
            return AdminError(
                403,
                "a page in a browser sends this request, and may read /__admin/health and nothing else here: "
                    + "use another client, or the browser's address bar")
        }
        return nil
    }

    /// The resource at a path below `/__admin`; nil if there is none.
    func resource(_ path: [String], _ body: [UInt8]) -> AdminResource? {
        switch path.first {
        case nil: return AdminResource.get { (_) throws(AdminError) in try StubAdmin(core).list(AdminQuery()) }
        case "mappings": return StubAdmin(core).resource(path.dropFirst(), body)
        case "requests": return RequestAdmin(core).resource(path.dropFirst(), body)
        case "near-misses": return RequestAdmin(core).nearMisses(path.dropFirst(), body)
        case "scenarios": return ScenarioAdmin.resource(path.dropFirst(), body, core)
        case "holds": return HoldAdmin.resource(path.dropFirst(), core)
        case "settings" where path.count == 1: return SettingsAdmin(core).resource(body)
        case "settings" where path.dropFirst().elementsEqual(["extended"]): return SettingsAdmin(core).extended(body)
        case "files": return files(path.dropFirst(), body)
        case "recordings": return RecordingAdmin(core).resource(path.dropFirst(), body)
        case "recorder" where path.count == 1: return RecordingAdmin(core).page
        case "shutdown" where path.count == 1: return shutdown
        case "docs" where path.dropFirst().elementsEqual(["openapi.json"]),
            "docs" where path.dropFirst().elementsEqual(["swagger"]):
            return AdminResource.get { _ in .node(AdminDocument(self).node) }
        case "docs" where path.count == 1, "swagger-ui" where path.count == 1: return AdminDocument(self).page
        case "health" where path.count == 1: return AdminResource.get { _ in .node(health) }
        case "version" where path.count == 1:
            return AdminResource.get { _ in .node(.object(["version": .string(mockapiVersion)])) }
        case "reset" where path.count == 1: return StubAdmin(core).resetting(all: true)
        default: return nil
        }
    }

    // MARK: Resources

    private func files(_ path: ArraySlice<String>, _ body: [UInt8]) -> AdminResource {
        let files = FixtureFiles(core)
        if path.isEmpty {
            return AdminResource.get { (_) throws(AdminError) in
                .attempt(isLong: true) { () throws(AdminError) in
                    .response(AdminResponse.line(try files.list()))
                }
            }
        }
        return AdminResource(
            get: { _ in
                .attempt(isLong: true) { () throws(AdminError) in
                    .response(PlainResponse.content(200, "application/octet-stream", try files.read(path)))
                }
            },
            put: { _ in
                .attempt(isLong: true) { () throws(AdminError) in
                    try files.put(body, at: path)
                    return .response(AdminResponse.empty)
                }
            },
            delete: { _ in
                .attempt(isLong: true) { () throws(AdminError) in
                    try files.delete(path)
                    return .response(AdminResponse.empty)
                }
            })
    }

    private var shutdown: AdminResource {
        .post { () throws(AdminError) in
            guard let end = core.shutDown else {
                throw AdminError(403, "the process that has started this server ends it", 40)
            }
            return .report(isLong: false) {
                end()
                return .response(AdminResponse.empty)
            }
        }
    }

    private var health: JSONNode {
        .object([
            "status": .string("healthy"), "message": .string("mockapi is ok"), "version": .string(mockapiVersion),
            "uptimeInSeconds": .integer((Clock.monotonic() - core.startedAt) / 1_000_000_000),
            "timestamp": .string(DateText.utc(nanosecond: Clock.wall())),
        ])
    }
}
