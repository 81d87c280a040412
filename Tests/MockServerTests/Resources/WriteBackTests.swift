// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file that requests change by `writeBack`, and that a person changes, too.
@Suite(.supervised) struct WriteBackTests {
    private static let json = ["Content-Type: application/json"]
    private static let stub = #"{"resource": {"collection": "/a", "from": "a.json", "writeBack": true}}"#

    private static func serving(
        _ items: String, _ body: (TestServer, TemporaryDirectory) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory(["a.stub.json": stub, "a.json": items])
        try await TestServer.serving(directory) { server async throws in try await body(server, directory) }
    }

    private static func compact(_ directory: TemporaryDirectory) -> String {
        guard let node = try? JSONParser.parse(directory.text("a.json")) else { return "" }
        return String(decoding: JSONWriter.compact(node), as: UTF8.self)
    }

    @Test func `what a person wrote is not written over, and the change is refused`() async throws {
        try await Self.serving(#"[{"id": 1}]"#) { server, directory in
            let edit = #"[{"id": 1, "t": "edited by hand"}]"#
            try directory.write("a.json", edit)
            for method in ["POST", "PUT", "PATCH", "DELETE"] {
                let target = method == "POST" ? "/a" : "/a/1"
                let answer = try server.request(method, target, Self.json, body: "{}")
                #expect(answer.status == 409)
                #expect(
                    try JSONParser.parse(answer.body)["detail"]?.string
                        == "\(directory.path)/a.json was changed by somebody else since it was read or written here, and is not overwritten: it must be read again first"
                )
            }
            #expect(directory.text("a.json") == edit)
            #expect(try server.get("/a").text == #"[{"id":1}]"#)
            try server.reload()
            #expect(try server.request("POST", "/a", Self.json, body: #"{"n": 1}"#).status == 201)
            let written = #"[{"id":1,"t":"edited by hand"},{"id":2,"n":1}]"#
            #expect(try await until({ Self.compact(directory) }, is: written))
        }
    }

    @Test func `a file that is set back to what it was is another state, and what was added since is gone`()
        async throws
    {
        let first = #"[{"id": 1}]"#
        try await Self.serving(first) { server, directory in
            #expect(try server.request("POST", "/a", Self.json, body: #"{"n": 1}"#).status == 201)
            #expect(try await until({ Self.compact(directory) }, is: #"[{"id":1},{"id":2,"n":1}]"#))
            try directory.write("a.json", first)
            try server.reload()
            #expect(try server.get("/a").text == #"[{"id":1}]"#)
            #expect(try server.request("POST", "/a", Self.json, body: #"{"n": 2}"#).status == 201)
            #expect(try await until({ Self.compact(directory) }, is: #"[{"id":1},{"id":2,"n":2}]"#))
        }
    }

    @Test func `a half-done edit stays, and one that is undone leaves all as it was`() async throws {
        let first = #"[{"id": 1}]"#
        try await Self.serving(first) { server, directory in
            let half = #"[{"id":1,"t":"20 new items"},"#
            try directory.write("a.json", half)
            #expect(try server.request("POST", "/a", Self.json, body: "{}").status == 409)
            #expect(try server.request("POST", "/__admin/reset").status == 200)
            #expect(directory.text("a.json") == half)
            try directory.write("a.json", first)
            #expect(try server.request("POST", "/a", Self.json, body: "{}").status == 201)
            #expect(try await until({ Self.compact(directory) }, is: #"[{"id":1},{"id":2}]"#))
        }
    }

    @Test func `a file that is gone and comes back is written again`() async throws {
        let first = #"[{"id": 1}]"#
        try await Self.serving(first) { server, directory in
            directory.remove("a.json")
            #expect(try server.request("POST", "/a", Self.json, body: "{}").status == 201)
            let refused = "\(directory.path)/a.json cannot be written: No such file or directory"
            #expect(
                try await until({ try server.request("DELETE", "/a/2") }) {
                    try $0.status == 500 && JSONParser.parse($0.body)["detail"]?.string == refused
                })
            try directory.write("a.json", first)
            #expect(
                try await until({ try server.request("PUT", "/a/1", Self.json, body: #"{"n": 1}"#).status }) {
                    $0 == 200
                })
            #expect(try await until({ Self.compact(directory) }) { $0.hasPrefix(#"[{"id":1,"n":1}"#) })
        }
    }

    /// An edit stays until a reload has taken it over, and an item that was answered with 201 until an edit has taken its place.
    @Test func `of edits, reloads and changes in any order none is lost`() async throws {
        var random = SystemRandomNumberGenerator()
        try await Self.serving("[]") { server, directory in
            var expected: [Int] = []
            var isEdited = false
            func ids() throws -> [Int] {
                (try JSONParser.parse(server.get("/a").body).array ?? []).compactMap { $0["id"]?.number?.integer }
            }
            for round in 0..<Thoroughness.rounds(100, thorough: 1000) {
                switch Int.random(in: 0..<4, using: &random) {
                case 0:
                    // What was answered is in the file before somebody edits that.
                    if !isEdited {
                        let text = expected
                        _ = try await until(
                            { (try? JSONParser.parse(directory.text("a.json")))?.array?.count ?? -1 }, is: text.count)
                    }
                    expected = [1_000_000 + round]
                    try directory.write("a.json", "[{\"id\": \(1_000_000 + round), \"by\": \"hand\"}]")
                    isEdited = true
                case 1:
                    try server.reload()
                    isEdited = false
                    #expect(try ids() == expected)
                default:
                    let answer = try server.request("POST", "/a", Self.json, body: "{\"id\": \(round)}")
                    #expect(answer.status == (isEdited ? 409 : 201))
                    if !isEdited { expected.append(round) }
                }
                if isEdited { #expect(Self.compact(directory) == "[{\"id\":\(expected[0]),\"by\":\"hand\"}]") }
            }
            if isEdited { try server.reload() }
            #expect(try ids() == expected)
        }
    }

    private static func git(_ directory: TemporaryDirectory, _ arguments: [String]) async throws {
        let identity = ["-c", "user.name=a", "-c", "user.email=a@a.example", "-c", "commit.gpgsign=false"]
        let end = try await Command(line: ["/usr/bin/git", "-C", directory.path] + identity + arguments).end()
        #expect(end.code == 0, "git \(arguments): \(end)")
    }

    /// What a person and Git write is there until it is read, whatever is asked meanwhile; what was answered with 201 is there until then.
    @Test(.enabled(if: access("/usr/bin/git", X_OK) == 0))
    func `of edits, what Git puts there, reloads and requests in any order none is lost`() async throws {
        try await Self.serving("[]\n") { server, directory in
            try await Self.git(directory, ["init", "-q"])
            try await Self.git(directory, ["add", "."])
            try await Self.git(directory, ["commit", "-qm", "first"])
            var expected: [Int] = []
            /// What somebody else has written since the file was read, and what was in it before that.
            var foreign: String?
            var settled: String? = "[]\n"
            func ids(_ text: some Sequence<UInt8>) -> [Int] {
                let items = (try? JSONParser.parse(Array(text)))?.array
                return items?.compactMap { $0["id"]?.number?.integer } ?? [-1]
            }
            func settle() async throws {
                guard foreign == nil else { return }
                let ids = expected
                _ = try await until(
                    { (try? JSONParser.parse(directory.text("a.json")))?.array?.count ?? -1 }, is: ids.count)
                settled = directory.text("a.json")
            }
            for round in 0..<Thoroughness.rounds(60, thorough: 1000) {
                switch Int.random(in: 0..<8) {
                case 0, 1:
                    // At times before what was answered is in the file.
                    if Bool.random() { try await settle() } else if foreign == nil { settled = nil }
                    let text = "[{\"id\": \(1_000_000 + round), \"by\": \"hand\"}]\n"
                    try directory.write("a.json", text)
                    foreign = text
                case 2:
                    guard foreign == nil || settled != nil else { continue }
                    try await settle()
                    let changes = [
                        ["commit", "-qam", "\(round)", "--allow-empty"], ["checkout", "-q", "HEAD", "--", "a.json"],
                        ["reset", "-q", "--hard", "HEAD"], ["checkout", "-q", "HEAD^{/first}", "--", "a.json"],
                    ]
                    try await Self.git(directory, changes[Int.random(in: 0..<changes.count)])
                    let text = directory.text("a.json")
                    foreign = text == settled ? nil : text
                case 3:
                    try server.reload()
                    if let text = foreign { (expected, settled) = (ids(text.utf8), text) }
                    foreign = nil
                    #expect(ids(try server.get("/a").body) == expected)
                default:
                    let answer = try server.request("POST", "/a", Self.json, body: "{\"id\": \(round)}")
                    #expect(answer.status == (foreign == nil ? 201 : 409), "\(answer.text) \(foreign ?? "")")
                    if answer.status == 201 { expected.append(round) }
                }
                if let foreign { #expect(directory.text("a.json") == foreign) }
            }
            try await settle()
            try server.reload()
            if let text = foreign { expected = ids(text.utf8) }
            #expect(ids(try server.get("/a").body) == expected)
        }
    }

    @Test func `items whose ids differ in the form of an accent are two`() async throws {
        try await TestServer.serving(stub: #"{"resource": {"collection": "/a"}}"#) { server throws in
            #expect(try server.request("POST", "/a", Self.json, body: "{\"id\": \"\u{E9}\"}").status == 201)
            #expect(try server.request("POST", "/a", Self.json, body: "{\"id\": \"e\u{301}\"}").status == 201)
            #expect(try server.get("/a/%C3%A9").text == "{\"id\":\"\u{E9}\"}")
            #expect(try server.get("/a/e%CC%81").text == "{\"id\":\"e\u{301}\"}")
            #expect(try server.request("DELETE", "/a/%C3%A9").status == 204)
            #expect(try server.get("/a").text == "[{\"id\":\"e\u{301}\"}]")
        }
    }

    @Test(arguments: [
        ("page=1", "page"), ("limit=10", "limit"), ("sort=-id", "sort"), ("utm_source=x", "utm_source"),
        ("_fields=id", "_fields"), ("_q=a", "_q"), ("id[gt]=0", "id[gt]"), ("titel=x", "titel"),
        ("_sort=titel", "titel"),
        ("callback=f", "callback"), ("author.nam=a", "author.nam"),
    ])
    func `a list asked for by what no item has is refused, with the names that there are`(
        query: String, name: String
    ) async throws {
        let files: KeyValuePairs = [
            "a.stub.json": #"{"resource": {"collection": "/a", "from": "a.json"}}"#,
            "a.json": #"[{"id": 1, "title": "x", "author": {"name": "a"}}, {"id": 2}]"#,
        ]
        try await TestServer.serving(files) { server throws in
            let answer = try server.get("/a?\(query)")
            #expect(answer.status == 400)
            #expect(
                try JSONParser.parse(answer.body)["detail"]?.string
                    == "no item has \"\(name)\"; id, title, author, _sort, _order, _page and _limit are known here")
            #expect(try server.get("/a?author.name=a").text.hasPrefix(#"[{"id":1,"#))
            #expect(try server.get("/a?title=y").text == "[]")
        }
    }

    @Test func `a list may be asked for by what an earlier item had, and an empty one by anything`() async throws {
        try await TestServer.serving(stub: #"{"resource": {"collection": "/a"}}"#) { server throws in
            #expect(try server.get("/a?n=1").text == "[]")
            #expect(try server.get("/a?_q=1").status == 400)
            #expect(try server.request("POST", "/a", Self.json, body: #"{"n": 1}"#).status == 201)
            #expect(try server.request("POST", "/a", Self.json, body: #"{"m": 1}"#).status == 201)
            #expect(try server.request("DELETE", "/a/1").status == 204)
            #expect(try server.get("/a?n=1").text == "[]")
            #expect(try server.get("/a?o=1").status == 400)
        }
    }

    @Test func `what a killed server has left beside the file is removed, and nothing else`() async throws {
        let directory = try TemporaryDirectory(["a.stub.json": Self.stub, "a.json": "[]"])
        let names = [".mockapi-write-1", ".mockapi-write-2", ".mockapi-other"]
        for name in names { try directory.write(name, "[") }
        // A file that another server may be writing is younger.
        for name in names where name != ".mockapi-write-2" {
            var times = [timeval(tv_sec: 1, tv_usec: 0), timeval(tv_sec: 1, tv_usec: 0)]
            #expect(utimes("\(directory.path)/\(name)", &times) == 0)
        }
        try await TestServer.serving(directory) { server throws in #expect(try server.get("/a").text == "[]") }
        let left = names.filter { access("\(directory.path)/\($0)", F_OK) == 0 }
        #expect(left == [".mockapi-write-2", ".mockapi-other"])
    }
}
