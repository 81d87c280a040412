// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiTestSupport
import MockapiWireSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Each form of an expectation holds for its request, and fails for each change of what it asks for, and for no other change.
@Suite(.supervised) struct ExpectationFormsTests {
    /// What is changed of the request.
    enum Change: CaseIterable {
        case method, methodCase, pathCase, segment, slash, page, noPage, moreQuery, queryOrder, accept, acceptCase,
            noTrace
        case cookie, noCookie, password, host, id, nameCase, tagOrder, member, spelling, size, time
    }

    /// The changes that more than one form fails for.
    private static let ofMethod: Set<Change> = [.method, .methodCase]
    private static let ofPath: Set<Change> = [.pathCase, .segment, .slash]
    private static let ofPage: Set<Change> = [.page, .noPage]
    private static let ofText: Set<Change> = [.id, .nameCase, .tagOrder, .member, .spelling, .size, .time]
    private static let ofJSON = ofText.subtracting([.spelling])

    struct Form {
        let match: RequestMatch
        fileprivate let changes: Set<Change>

        fileprivate init(_ match: RequestMatch, _ changes: Set<Change>) {
            self.match = match
            self.changes = changes
        }

        /// One that asks for something beside method and path.
        fileprivate init(_ change: (RequestMatch) -> RequestMatch, _ changes: Set<Change>) {
            self.init(change(.post("/api/items/42")), changes.union(ofMethod).union(ofPath))
        }
    }

    private static let body =
        #"{"id": 7, "name": "Ann", "tags": ["a", "b"], "at": "2026-11-25T10:00:00Z"}"#

    static let lines: [Form] = [
        Form(.anyURL(), []),
        Form(.anyURL("POST"), ofMethod),
        Form(.any("/api/items/42"), ofPath),
        Form(.post("/api/items/42"), ofMethod.union(ofPath)),
        Form(.post("/api/items/{id}"), ofMethod.union([.pathCase, .slash])),
        Form(.post("/api/**"), ofMethod.union([.pathCase])),
        Form(.post("/api/items/{id}").pathParameter("id", "42"), ofMethod.union(ofPath)),
        Form(.post("/api/items/{id}").pathParameter("id", .matches("4[0-2]")), ofMethod.union(ofPath)),
        Form(.path(matching: "/api/items/4[0-2]"), ofPath),
        Form(.path(matching: "/api/items/4[0-2]", method: "POST"), ofMethod.union(ofPath)),
        Form(.url("/api/items/42?page=2&sort=-date"), ofPath.union(ofPage).union([.moreQuery, .queryOrder])),
        Form(.url(matching: #"/api/items/42\?page=2.*"#), ofPath.union(ofPage).union([.queryOrder])),
        Form(.post("/api/items/42?page=2"), ofMethod.union(ofPath).union(ofPage)),
        Form({ $0.query("page", "2") }, ofPage),
        Form({ $0.query("page", .matches("[12]")) }, ofPage),
        Form({ $0.query("page", .contains("2")) }, ofPage),
        Form({ $0.query("page", .doesNotContain("3")) }, [.page]),
        Form({ $0.query("page", .doesNotMatch("[3-9]")) }, [.page]),
        Form({ $0.query("page", "2").query("sort", "-date").noOtherQuery() }, ofPage.union([.moreQuery])),
        Form({ $0.header("Accept", "application/json") }, [.accept, .acceptCase]),
        Form({ $0.header("accept", .equalTo("application/json", ignoringCase: true)) }, [.accept]),
        Form({ $0.header("Accept", .contains("json")) }, [.accept, .acceptCase]),
        Form({ $0.header("Accept", .doesNotContain("xml")) }, [.accept]),
        Form({ $0.header("Accept", .matches("application/[jy].*")) }, [.accept, .acceptCase]),
        Form({ $0.header("Accept", .matches("APPLICATION/[JY].*", ignoringCase: true)) }, [.accept]),
        Form({ $0.header("X-Trace", .matches(".+")) }, [.noTrace]),
        Form({ $0.cookie("theme", "dark") }, [.cookie, .noCookie]),
        Form({ $0.cookie("theme", .contains("dar")) }, [.cookie, .noCookie]),
        Form({ $0.basicAuth("ann", "pw") }, [.password]),
        Form({ $0.host("shop.example") }, [.host]),
        Form({ $0.host(.matches("shop\\..*")) }, [.host]),
        Form({ $0.port(8080) }, [.host]),
        Form({ $0.scheme("http") }, []),
        Form({ $0.header("X-Trace", .equalTo(number: 5)) }, [.noTrace]),
        Form({ $0.header("X-Trace", .greaterThan(4)) }, [.noTrace]),
        Form({ $0.header("X-Trace", .lessThan(5.5)) }, [.noTrace]),
        Form({ $0.header("X-Trace", .present) }, [.noTrace]),
        Form({ $0.header("X-None", .absent) }, []),
        Form({ $0.query("page", .all(of: .contains("2"), .doesNotContain("3"))) }, ofPage),
        Form({ $0.query("page", .any(of: .equalTo("1"), .equalTo("2"))) }, ofPage),
        Form({ $0.query("page", .not(.equalTo("3"))) }, [.page]),
        Form({ $0.query("page", .hasExactly(.equalTo("2"))) }, ofPage),
        Form({ $0.query("page", .includes(.equalTo("2"))) }, ofPage),
    ]

    static let bodies: [Form] = [
        Form({ $0.body(.equalTo(body)) }, ofText),
        Form({ $0.body(.equalTo(body, ignoringCase: true)) }, ofText.subtracting([.nameCase])),
        Form({ $0.body(.sha256("0d8df534adf63224be8baf5c949a78bd0642d2815f608da7e0161d269b8b3057")) }, ofText),
        Form({ $0.body(.contains(#""name": "Ann""#)) }, [.nameCase, .spelling]),
        Form({ $0.body(.doesNotContain("ann")) }, [.nameCase]),
        Form({ $0.body(.matches(#"(?s).*"id": 7,.*"#)) }, [.id, .spelling]),
        Form({ $0.body(.doesNotMatch(#"\{"id": ?8,.*"#)) }, [.id]),
        Form({ $0.body(.equalToJSON(body)) }, ofJSON),
        Form({ $0.body(.equalToJSON(body, ignoringArrayOrder: true)) }, ofJSON.subtracting([.tagOrder])),
        Form({ $0.body(.equalToJSON(body, ignoringExtraElements: true)) }, ofJSON.subtracting([.member, .size])),
        Form({ $0.body(.equalToJSON(#"{"id": 7}"#, ignoringExtraElements: true)) }, [.id]),
        Form(
            { $0.body(.equalToJSON(#"{"name": "${json-unit.any-string}", "id": 7.0}"#, ignoringExtraElements: true)) },
            [.id]),
        Form({ $0.body(.matchesJSONPath("$[?(@.id == 7)]")) }, [.id]),
        Form({ $0.body(.matchesJSONPath("$.id", "7")) }, [.id]),
        Form({ $0.body(.matchesJSONPath("$.name", .matches("A.*"))) }, [.nameCase]),
        Form({ $0.body(.matchesJSONPath("$.tags[0]", "a")) }, [.tagOrder]),
        Form({ $0.body(.matchesJSONPath("$.tags", .equalToJSON(#"["a", "b"]"#))) }, [.tagOrder]),
        Form({ $0.body(.matchesJSONPath("$.at", .before("2026-11-26T00:00:00Z"))) }, [.time]),
        Form({ $0.body(.matchesJSONPath("$.at", .after("2026-11-25T00:00:00Z"))) }, []),
        Form({ $0.body(.matchesJSONPath("$.at", .equalToDateTime("2026-11-25T11:00:00+01:00"))) }, [.time]),
        Form({ $0.body(.matchesJSONSchema(#"{"properties": {"id": {"const": 7}}}"#)) }, [.id]),
        Form({ $0.body(.matchesJSONSchema(#"{"maxProperties": 4}"#)) }, [.member, .size]),
        Form({ $0.body(.contains("Ann")).body(.contains(#""id": 7"#)) }, [.nameCase, .id, .spelling]),
    ]

    /// The request, and what it is with one change.
    struct Asked {
        var method = "POST"
        var path = "/api/items/42"
        var query = ["page=2", "sort=-date"]
        var fields = [
            "Host": "shop.example:8080", "Accept": "application/json", "X-Trace": "5", "Cookie": "id=1; theme=dark",
            "Authorization": "Basic YW5uOnB3", "Content-Type": "application/json",
        ]
        var body = ExpectationFormsTests.body

        init(_ change: Change?) {
            switch change {
            case nil: break
            case .method: method = "PUT"
            case .methodCase: method = "post"
            case .pathCase: path = "/API/items/42"
            case .segment: path = "/api/items/43"
            case .slash: path += "/"
            case .page: query[0] = "page=3"
            case .noPage: query.removeFirst()
            case .moreQuery: query.append("x=1")
            case .queryOrder: query.reverse()
            case .accept: fields["Accept"] = "text/xml"
            case .acceptCase: fields["Accept"] = "Application/JSON"
            case .noTrace: fields["X-Trace"] = nil
            case .cookie: fields["Cookie"] = "id=1; theme=light"
            case .noCookie: fields["Cookie"] = nil
            case .password: fields["Authorization"] = "Basic YW5uOnBX"
            case .host: fields["Host"] = "other.example"
            case .id: replace("7", "8")
            case .nameCase: replace("Ann", "ann")
            case .tagOrder: replace(#"["a", "b"]"#, #"["b", "a"]"#)
            case .member: replace("{", #"{"more": 1, "#)
            case .spelling: replace(": ", ":")
            case .size: replace("{", #"{"more": ""# + String(repeating: "x", count: 3_000_000) + #"", "#)
            case .time: replace("25T", "27T")
            }
        }

        var target: String { path + "?" + query.joined(separator: "&") }
        var lines: [String] { fields.map { "\($0.key): \($0.value)" } }

        private mutating func replace(_ text: String, _ other: String) {
            body = body.replacing(text, with: other)
        }
    }

    @Test(arguments: [nil] + Change.allCases) func `a form fails for what it asks for, and for nothing else`(
        change: Change?
    ) async throws {
        let server = try await MockServer.start(stubs: [RequestMatch.anyURL().respond(204)])
        let forms = Self.lines + Self.bodies
        for form in forms { server.expect(form.match, .once, at: CallSite()) }
        let asked = Asked(change)
        let port = try #require(server.baseURL.port)
        let status = try await blocking {
            try WireClient(port: port).request(asked.method, asked.target, asked.lines, body: asked.body).status
        }
        #expect(status == 204)
        for (form, result) in zip(forms, server.verification(allowsUnmatched: true)) {
            let fails = change.map(form.changes.contains) ?? false
            #expect((result.failure != nil) == fails, "\(result.name): \(result.failure?.text ?? "met")")
        }
        await server.stop()
    }
}
