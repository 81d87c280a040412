// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPServer
import MockapiHTTPWire
import MockapiJSONText
import MockapiSystemIO
import Synchronization

/// Recordings as WireMock's clients ask for them: stubs of the exchanges that proxy stubs have passed on.
struct RecordingAdmin {
    private let core: ServerCore

    init(_ core: ServerCore) {
        self.core = core
    }

    func resource(_ path: ArraySlice<String>, _ body: [UInt8]) -> AdminResource? {
        guard path.count == 1 else { return nil }
        switch path.first {
        case "status":
            return .get { [core] _ in
                .node(.object(["status": .string(core.recording.withLock { $0.name })]))
            }
        case "start":
            return .post { () in
                .attempt(isLong: true) { () throws(AdminError) in
                    try start(body)
                    return .response(AdminResponse.json(200, .object([:])))
                }
            }
        case "stop":
            return .post { () in
                .work { await respond { () async throws(AdminError) in try await stop() } }
            }
        case "snapshot":
            return .post { () in
                .work {
                    await respond { () async throws(AdminError) in
                        let spec = try readSpec(body)
                        return response(try await record(spec, since: 0), spec)
                    }
                }
            }
        default: return nil
        }
    }

    /// The page that WireMock has its buttons on: here it says how to ask, since no page may.
    var page: AdminResource {
        .get { [core] _ in
            let address = "http://\(core.context.identity.authority)/__admin/recordings"
            let text = """
                <!doctype html><meta charset="utf-8"><title>mockapi: recorder</title>
                <h1>Recorder</h1><p>Status: \(core.recording.withLock { $0.name }). Pages may not start a recording; a shell may:</p>
                <pre>curl -X POST \(address)/start -d '{"targetBaseUrl": "https://api.example.com"}'
                curl -X POST \(address)/stop</pre>

                """
            return .report(isLong: false) {
                .response(PlainResponse.content(200, "text/html; charset=utf-8", Array(text.utf8)))
            }
        }
    }

    private func respond(_ make: () async throws(AdminError) -> Response) async -> Response {
        do throws(AdminError) { return try await make() } catch { return AdminResponse.error(error) }
    }

    // MARK: Beginning and end

    private func recorder() throws(AdminError) -> any ForwardedRecorder {
        guard let recorder = core.forwarder?.recorder else {
            throw AdminError(
                501,
                "this server reaches no others, so there is nothing to record: it needs \(core.context.names(.outgoing))",
                40)
        }
        return recorder
    }

    /// The requested recording, if it can be done here.
    private func readSpec(_ body: [UInt8]) throws(AdminError) -> RecordSpec {
        let spec = try RecordSpec(body)
        _ = try recorder()
        if spec.isPersistent == true { try FixtureFiles(core).requireWritable() }
        try requireJournal(for: spec)
        return spec
    }

    private func requireJournal(for spec: RecordSpec) throws(AdminError) {
        guard core.journal.isEnabled || !spec.looksIntoJournal else {
            throw AdminError(422, "\"filters\" and \"captureHeaders\" look into the journal, which is off")
        }
    }

    /// Begins to record; a recording that is under way goes on.
    private func start(_ body: [UInt8]) throws(AdminError) {
        let spec = try readSpec(body)
        if case .recording = core.recording.withLock({ $0 }) { return }
        var proxy: StubID?
        if let base = spec.targetBaseURL {
            let stub = JSONNode.object([
                "request": .object(["method": .string("ANY")]), "response": .object(["proxyBaseUrl": .string(base)]),
            ])
            do throws(AdminError) {
                proxy = try StubAdmin(core).add([stub]).first?.uuid
            } catch {
                throw .unreadable(error.detail ?? error.text, at: "/targetBaseUrl")
            }
        }
        let since = core.journal.nextSequence()
        core.recording.withLock { $0 = .recording(spec, since: since, proxy: proxy) }
    }

    /// Ends the recording under way; if it cannot be recorded, it stays under way.
    private func stop() async throws(AdminError) -> Response {
        let state = core.recording.withLock { state in
            defer { if case .recording = state { state = .stopped } }
            return state
        }
        guard case .recording(let spec, let since, let proxy) = state else {
            throw AdminError(400, "Not currently recording.", 30)
        }
        do throws(AdminError) {
            let stubs = try await record(spec, since: since)
            if let proxy { try StubAdmin(core).remove([proxy]) }
            return response(stubs, spec)
        } catch {
            core.recording.withLock { if case .stopped = $0 { $0 = state } }
            throw error
        }
    }

    // MARK: Recording

    /// Makes stubs of the requests that were passed on since then, and serves them; those that go first come first.
    func record(_ spec: RecordSpec, since: UInt64) async throws(AdminError) -> [Stub] {
        let recorder = try recorder()
        try requireJournal(for: spec)
        if recorder.lost > since, recorder.lost > 0 {
            core.context.log?.tell(
                .note,
                "more was passed on than can be kept for recording: the oldest "
                    + "exchange is left out")
        }
        let folder: RecordingFolder
        do throws(SystemError) {
            folder = try RecordingFolder()
        } catch {
            throw AdminError(500, "no folder can be made for the recording: \(error.words)")
        }
        var recorded = RecordedMappings(spec)
        for (number, part) in try parts(spec, since, recorder).enumerated() {
            let place = "\(folder.path)/\(number)"
            for problem in await recorder.record(part.numbers, beside: part.own, into: place) {
                core.context.log?.tell(.note, "not recorded: \(problem)")
            }
            guard let set = try? FixtureLoader.load(root: place) else { continue }
            recorded.add(set, lines: part.lines)
        }
        return try serve(recorded.mappings, spec)
    }

    private struct Part {
        var numbers: Set<UInt64> = []
        var own: [OwnExchange] = []
        /// Matchers of header lines, which its stubs are to have.
        let lines: [JSONObject.Member]
    }

    /// A request that got a response from here, with that response, if it is still known.
    private func own(_ entry: JournalEntry) -> OwnExchange? {
        guard let sent = core.journal.responses.response(to: entry.sequence),
            let content = WireMockWords.content(of: sent)
        else { return nil }
        let ours: Set = ["matched-stub-id", "matched-stub-name"]
        return OwnExchange(
            number: entry.sequence, base: "http://\(core.context.identity.authority)", method: entry.method,
            target: entry.origin, fields: entry.fields.map { WireField($0.name, $0.value) }, body: entry.body,
            status: entry.status,
            responseFields: sent.head.fields.filter { !ours.contains($0.name.lowercased()) }, content: content)
    }

    /// The requests that are meant, each with those that have the same values in the lines that are captured.
    private func parts(
        _ spec: RecordSpec, _ since: UInt64, _ recorder: any ForwardedRecorder
    ) throws(AdminError) -> [Part] {
        guard core.journal.isEnabled else { return [Part(numbers: recorder.numbers(after: since), lines: [])] }
        let forwarded = recorder.numbers(after: since)
        let gone = core.journal.givenWay(forwarded)
        let search = try spec.filters.map { (pattern) throws(AdminError) in try AdminContent.search(pattern) }
        var parts: [Part] = []
        var places: [[UInt8]: Int] = [:]
        if spec.looksIntoJournal {
            tell(gone.count, "whose entries in the journal have given way to later ones")
        } else if !gone.isEmpty {
            places[Array("{}".utf8)] = 0
            parts.append(Part(numbers: gone, lines: []))
        }
        var unknown = 0
        for entry in core.journal.allKept where entry.sequence > since {
            if let ids = spec.ids, !ids.contains(AdminJSON.id(of: entry)) { continue }
            if let search, !search.matches(entry) { continue }
            // Distinguished by the text of their stubs: secrets, which these do not show, are one.
            let lines = spec.headers.map { header in
                let value = entry.fields.first { $0.name.lowercased() == header.name.lowercased() }?.value
                guard let value else {
                    return JSONObject.Member(name: header.name, value: .object(["absent": .bool(true)]))
                }
                return Self.line(header, recorder.writable(header.name, value))
            }
            let key = JSONWriter.compact(JSONNode(.object(JSONObject(lines))))
            let place = places[key] ?? parts.count
            if place == parts.count {
                places[key] = place
                parts.append(Part(lines: lines))
            }
            parts[place].numbers.insert(entry.sequence)
            if spec.takesOwn, !forwarded.contains(entry.sequence) {
                if let own = own(entry) { parts[place].own.append(own) } else { unknown += 1 }
            }
        }
        tell(unknown, "whose own responses are no longer kept")
        return parts
    }

    private func tell(_ count: Int, _ reason: String) {
        if count == 0 { return }
        core.context.log?.tell(.note, "not recorded: \(Counts.count(count, "request")) \(reason)")
    }

    /// - Parameter value: nil for a secret.
    private static func line(_ header: (name: String, ignoresCase: Bool), _ value: String?) -> JSONObject.Member {
        var matcher: [String: JSONNode] = ["matches": .string(".+")]
        if let value {
            matcher = ["equalTo": .string(value)]
            if header.ignoresCase { matcher["caseInsensitive"] = .bool(true) }
        }
        let members = matcher.sorted { $0.key > $1.key }.map { JSONObject.Member(name: $0.key, value: $0.value) }
        return .init(name: header.name, value: JSONNode(.object(JSONObject(members))))
    }

    private func serve(_ mappings: [RecordedMappings.Mapping], _ spec: RecordSpec) throws(AdminError) -> [Stub] {
        let files = FixtureFiles(core)
        let writes = spec.isPersistent ?? (core.isWritable && core.current.set.dialect == .wireMock)
        var nodes: [JSONNode] = []
        for mapping in mappings {
            let hasFile = writes && spec.extracts(mapping.body.count, isText: mapping.isText)
            let name = hasFile ? try files.saveBody(mapping.body, of: mapping.id, at: mapping.bodyFile) : nil
            nodes.append(mapping.node(bodyFileName: name, isPersistent: writes))
        }
        let stubs = try StubAdmin(core).add(nodes)
        if writes {
            let places = mappings.map { ($0.id, ["mappings"] + $0.file) }
            try files.save(stubs, at: Dictionary(places) { first, _ in first })
        }
        return stubs
    }

    private func response(_ stubs: [Stub], _ spec: RecordSpec) -> Response {
        if spec.givesIDs { return AdminResponse.json(200, .object(["ids": .array(stubs.map { .string($0.id) })])) }
        return AdminResponse.json(200, .object(["mappings": .array(stubs.map { WireMockWords.mapping($0) })]))
    }
}
