// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiEventLoops
import MockapiFixtures
import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Synchronization
import Testing

@testable import MockServer

/// What a long journal costs those who read it.
@Suite(.supervised) struct JournalReportTests {
    private func append(
        _ sequence: UInt64, to journal: Journal, ring: Int, connection: UInt64 = 1, stream: UInt32 = 0
    ) {
        var head = RequestHead()
        head.bytes = Array("GET /a".utf8)
        head.method = ByteRange(0, 3)
        head.target = ByteRange(4, 6)
        head.path = head.target
        var record = JournalRecord(peer: .none)
        record.sequence = sequence
        record.receivedAt = sequence * 1_000_000_000
        record.outcome = JournalRecord.Outcome.miss.rawValue
        record.connection = connection
        record.stream = stream
        record.version = Int32(HTTPVersion.http11.rawValue)
        journal.ring(ring)?.append(record, names: nil, head: head, trailers: [], body: [])
    }

    @Test func `only the entries that are asked for are read`() throws {
        let journal = Journal(limit: 64 * 1024 * 1024, rings: 2)
        let count: UInt64 = 60_000
        for sequence in 1...count { append(sequence, to: journal, ring: Int(sequence % 2)) }
        let one = journal.select(JournalFilter(limit: 1))
        #expect(one.total == 60_000)
        #expect(one.places.map(\.sequence) == [count])
        #expect(try #require(journal.entry(one.places[0], of: one)).sequence == count)
        #expect(journal.select(JournalFilter(since: 59_990)).places.map(\.sequence) == Array(59_990...count))
        #expect(journal.select(JournalFilter(sequence: 777)).places.map(\.sequence) == [777])
        #expect(journal.select(JournalFilter(limit: 5000)).places.map(\.sequence) == Array(55_001...count))
        #expect(journal.select(JournalFilter(limit: 0)).places.isEmpty)
    }

    @Test func `the newest entries are counted among those that are there`() {
        let journal = Journal(limit: 1024 * 1024, entries: 2, rings: 2)
        for ring in 0..<2 { append(journal.nextSequence(), to: journal, ring: ring) }
        // Requests that are held have a number, and no entry.
        let held = journal.nextSequence()
        for _ in 1...3 { _ = journal.nextSequence() }
        #expect(journal.select().places.map(\.sequence) == [1, 2])
        journal.remove([], recordable: [])
        append(held, to: journal, ring: 0)
        #expect(journal.select().places.map(\.sequence) == [2, 3])
        #expect(journal.select().total == 2)
        #expect(journal.allKept.map(\.sequence) == [1, 2, 3])
    }

    @Test func `an entry that newer ones have hidden stays hidden when one of them is removed`() {
        let journal = Journal(limit: 1024 * 1024, entries: 2, rings: 1)
        for _ in 1...3 { append(journal.nextSequence(), to: journal, ring: 0) }
        journal.remove([3], recordable: [])
        #expect(journal.select().places.map(\.sequence) == [2])
        for _ in 4...5 { append(journal.nextSequence(), to: journal, ring: 0) }
        #expect(journal.select().places.map(\.sequence) == [4, 5])
    }

    @Test func `a ring that is full shows an unbroken run, and what has given way is gone`() throws {
        let journal = Journal(limit: 1024 * 1024, rings: 1)
        for sequence in 1...10_000 { append(UInt64(sequence), to: journal, ring: 0) }
        let before = journal.select()
        #expect(before.places.count < 10_000)
        #expect(before.places.map(\.sequence) == Array((10_001 - UInt64(before.places.count))...10_000))
        for sequence in 10_001...10_100 { append(UInt64(sequence), to: journal, ring: 0) }
        let left = before.places.compactMap { journal.entry($0, of: before)?.sequence }
        #expect(left == before.places.map(\.sequence).suffix(left.count))
        #expect(left.count == before.places.count - 100)
        journal.removeAll()
        #expect(before.places.allSatisfy { journal.entry($0, of: before) == nil })
        #expect(journal.select().places.isEmpty && journal.size == 0)
    }

    @Test func `ten thousand responses that were given up are found by their streams`() {
        let journal = Journal(limit: 64 * 1024 * 1024, rings: 2)
        for number in 1...10_000 {
            let connection = UInt64(number)
            append(connection * 2 - 1, to: journal, ring: number % 2, connection: connection)
            append(connection * 2, to: journal, ring: number % 2, connection: connection)
            journal.note(.connectionClosed, connection: connection, stream: 0)
        }
        let selection = journal.select()
        #expect(selection.abandonments.count == 10_000)
        #expect(selection.abandonments.keys.allSatisfy { $0 % 2 == 0 })
        #expect(journal.newest?.abandonment == .connectionClosed)
        // One more, and the older half is forgotten.
        journal.note(.streamReset(code: 8), connection: 10_000, stream: 0)
        append(20_001, to: journal, ring: 0, connection: 10_001, stream: 3)
        journal.note(.streamReset(code: 8), connection: 10_001, stream: 3)
        #expect(journal.select().abandonments.count == 5001)
        #expect(journal.newest?.abandonment == .streamReset(code: 8))
    }

    @Test func `a list in pieces is the text of the whole`() throws {
        let elements = (0..<40).map { number in
            JSONNode.object(["n": .integer(number), "text": .string(String(repeating: "a\n", count: 400))])
        }
        for count in [0, 1, 40] {
            var list = AdminList("requests", count: count, before: ["meta": .object(["total": .integer(count)])]) {
                $0 % 2 == 0 ? elements[$0] : nil
            }
            let there = (0..<count).filter { $0 % 2 == 0 }.map { elements[$0] }
            let whole = JSONNode.object([
                "requests": .array(there), "meta": .object(["total": .integer(count)]),
            ])
            #expect(list.text == JSONWriter.pretty(whole) + [10])
            var pieces = 0
            while list.nextPiece() != nil { pieces += 1 }
            #expect(pieces == (count == 40 ? 2 : 1))
        }
    }

    @Test func `a long journal is told in pieces, a short one at once`() async throws {
        try await TestServer.serving(["a.txt": "a"]) { server throws in
            let client = try server.connect()
            _ = try client.request("GET", "/a.txt")
            #expect(try client.request("GET", "/__admin/requests")["Content-Length"] != nil)
            for number in 1...200 { _ = try client.request("GET", "/a.txt?n=\(number)", ["X-A: \(number)"]) }
            let answer = try client.request("GET", "/__admin/requests")
            #expect(answer["Transfer-Encoding"] == "chunked")
            #expect(answer["Content-Type"] == "application/json")
            let requests = try #require(JSONParser.parse(answer.text)["requests"]?.array)
            #expect(requests.count == 201)
            #expect(requests.first?["request"]?["url"]?.string == "/a.txt?n=200")
            let id = try #require(requests.last?["id"]?.string)
            #expect(try client.request("GET", "/__admin/requests/\(id)").status == 200)
            let gone = try client.request("GET", "/__admin/requests/99999999-2222-4333-8444-555555555555")
            #expect(gone.status == 404)
            #expect(try client.request("HEAD", "/__admin/requests").status == 200)
            #expect(try client.request("HEAD", "/__admin/requests/\(id)").status == 200)
            #expect(try client.request("GET", "/a.txt").text == "a")
        }
    }

    /// Counts the reports that were begun.
    private final class Begun: Sendable {
        let count = Atomic(0)
    }

    private func status(_ answer: StreamedResponse) -> Int? {
        guard case .response(let response) = answer.next() else { return nil }
        return response.head.status
    }

    @Test func `a connection has one report under way, and no more wait than may`() async throws {
        let reports = AdminReports()
        let begun = Begun()
        let slow = StreamedResponse()
        reports.write(to: slow, of: 1, isHead: false) { _ in
            begun.count.add(1, ordering: .relaxed)
            return .list(
                AdminList("a", count: 100, before: ["b": .null]) { _ in .string(String(repeating: "a", count: 64_000)) }
            )
        }
        #expect(try await until({ begun.count.load(ordering: .relaxed) }, is: 1))
        let answers = (0..<AdminReports.waitingLimit + 1).map { _ in StreamedResponse() }
        for answer in answers {
            reports.write(to: answer, of: 1, isHead: false) { _ in
                begun.count.add(1, ordering: .relaxed)
                return .response(PlainResponse.text(200, ""))
            }
        }
        let statuses = Mutex<[Int]>([])
        let look = { @Sendable in
            for answer in answers { if let status = status(answer) { statuses.withLock { $0.append(status) } } }
        }
        #expect(
            try await until(
                {
                    look()
                    return statuses.withLock { $0 }
                }, is: [503]))
        #expect(begun.count.load(ordering: .relaxed) == 1)
        // The client that does not read goes away.
        slow.abandon()
        #expect(
            try await until(
                {
                    look()
                    return statuses.withLock { $0.count }
                }, is: answers.count))
        #expect(statuses.withLock { $0.filter { $0 == 200 }.count } == AdminReports.waitingLimit)
    }

    @Test func `no more is made while clients leave more text than they may all together`() async throws {
        let reports = AdminReports()
        let made = Begun()
        let answers = (0..<8).map { _ in StreamedResponse() }
        for (number, answer) in answers.enumerated() {
            reports.write(to: answer, of: UInt64(number), isHead: false) { _ in
                .list(
                    AdminList("a", count: 2, before: ["b": .null]) { _ in
                        made.count.add(1, ordering: .relaxed)
                        return .string(String(repeating: "a", count: AdminReports.textLimit / 2))
                    })
            }
        }
        // Two have made a piece, which nobody reads.
        #expect(try await until({ reports.pausedCount }, is: 6))
        #expect(made.count.load(ordering: .relaxed) == 2)
        for answer in answers { answer.abandon() }
        #expect(try await until({ made.count.load(ordering: .relaxed) }, is: 8))
        #expect(try await until({ reports.pausedCount }, is: 0))
    }

    @Test func `fixtures that are served no more are let go of, and their names stay`() async throws {
        final class Weak {
            weak var fixtures: ServedFixtures?
        }
        let loops = try EventLoopGroup.shared.get().loops.count
        try await TestServer.serving(["a.txt": "a"]) { server throws in
            var old: [Weak] = []
            for number in 0..<20 {
                try server.directory.write(
                    "s.stub.json",
                    #"{"name": "n\#(number)", "request": {"urlPath": "/s"}, "response": {"body": "\#(number)"}}"#)
                let loaded = try server.server.reload(server.directory.path, wireMock: false)
                let weak = Weak()
                weak.fixtures = loaded.served
                old.append(weak)
                server.server.replace(loaded)
                #expect(try server.get("/s").text == "\(number)")
            }
            // Each loop takes up the newest with its next request.
            #expect(old.filter { $0.fixtures != nil }.count <= loops + 1)
            let names = server.journal.entries.map { entry -> String? in
                guard case .stub("s.stub.json", let name, _) = entry.outcome else { return nil }
                return name
            }
            #expect(names == (0..<20).map { "n\($0)" })
            server.directory.remove("s.stub.json")
            try server.reload()
            let answer = try server.get("/__admin/requests?limit=1").text
            let stub = try JSONParser.parse(answer)["requests"]?.array?.first?["stubMapping"]
            #expect(stub?.object?.members.map(\.name) == ["id", "uuid", "name"])
            #expect(stub?["name"]?.string == "n19")
        }
    }

    @Test func `a message that ends too early is refused and kept as far as it was read`() throws {
        let answers = try FixtureResponder(fixtures: nil, stubs: [], configuration: MockServer.Configuration())
        let message = Array("POST /a?b=c HTTP/1.1\r\nHost: localhost\r\nX-A: 1\r\nContent-Length: 4\r\n\r\nab".utf8)
        for end in message.indices {
            #expect(answers.respond(to: Array(message[..<end]), isSecure: false).status == 400)
        }
        let entries = answers.journal.entries
        #expect(entries.count == message.count)
        #expect(entries.allSatisfy { $0.outcome == .refused })
        #expect(entries.last?.target == "/a?b=c")
    }
}
