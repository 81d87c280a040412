// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPTypes
import MockapiFixtures
import MockapiHTTPSyntax
import MockapiMetering
import MockapiStubMatching

/// Looks for requests in a journal with the matching that stubs are chosen by.
package struct RequestSearch {
    private let index: StubIndex
    /// The method that is asked for; nil for any.
    private let method: String?
    private let scratch = MatchScratch()

    /// - Throws: `MockServerError` if the match has a broken pattern, or asks for a feature that no request can have: a stub like that
    ///   matches nothing, which shows; a search for it would find nothing, whatever comes.
    package init(_ match: RequestMatch) throws(MockServerError) {
        var set = FixtureSet(root: "")
        try set.add([match.stub([MockResponse()], nil, nil, "request match")], from: 0)
        index = StubIndex(set)
        let unmet = set.findings.map { Finding(.error, $0.text, at: $0.place) }
        method = set.stubs.first?.request.method
        let errors = unmet + index.findings.filter { $0.severity == .error }
        guard errors.isEmpty else { throw MockServerError(.fixturesUnusable(findings: errors.map(\.description))) }
    }

    /// The search with a set of one stub.
    init(_ index: StubIndex, method: String?) {
        self.index = index
        self.method = method
    }

    /// Bounds the work of a search through a whole journal to that of eight requests, and ends it if nobody waits for it.
    func boundWork(stop: WorkStop) {
        scratch.shareWork(stop: stop)
    }

    /// Whether a test was given up, so that it is not known of a request whether it is one of these.
    var hasGivenUp: Bool { scratch.hasGivenUp }

    package func matches(_ entry: JournalEntry) -> Bool {
        matches(ArrivedRequest(entry))
    }

    func matches(_ request: ArrivedRequest) -> Bool {
        if index.readsClients { scratch.clientAddress = request.clientAddress }
        scratch.sentBody = RequestContent.bytes(request.body, of: request.head, by: index.set.dialect)
        defer { scratch.sentBody = nil }
        return takesMethod(of: request.head)
            && index.match(
                request.head, body: content(request.body, of: request.head), matchesAnyHost: false, scratch: scratch
            ).outcome != .none
    }

    /// The content that a pattern is applied to.
    private func content(_ body: [UInt8], of head: borrowing RequestHead) -> [UInt8] {
        RequestContent.seen(body, of: head, by: index.set.dialect)
    }

    /// Stubs of GET match HEAD (RFC 9110 §9.3.2), and yet it is another request.
    private func takesMethod(of head: borrowing RequestHead) -> Bool {
        guard let method, head.equals(head.method, "HEAD") else { return true }
        return method.utf8.elementsEqual("HEAD".utf8)
    }

    /// Whether any request with this content is one of these.
    func matches(content: [UInt8]) -> Bool {
        index.match(RequestHead(), body: content, matchesAnyHost: true, scratch: scratch).outcome != .none
    }

    /// The differences that keep a request from being one of these, in the words of a miss; nil if it has nothing in
    /// common.
    package func differences(from entry: JournalEntry) -> [String]? {
        nearMiss(entry).map { told($0, entry) }
    }

    private func told(_ miss: NearMiss, _ entry: JournalEntry) -> [String] {
        let texts = miss.differences.map(\.text)
        return takesMethod(of: RequestHead(entry)) ? texts : ["method: expected \(method ?? ""), found HEAD"] + texts
    }

    /// How far a request is from being one of these; nil if it has nothing in common.
    func distance(of entry: JournalEntry) -> Double? { nearMiss(entry)?.distance }

    /// The request that comes nearest.
    package func nearest(of entries: [JournalEntry]) -> (entry: JournalEntry, differences: [String])? {
        var best: (entry: JournalEntry, miss: NearMiss)?
        for entry in entries {
            guard let miss = nearMiss(entry), miss.distance < best?.miss.distance ?? .infinity else { continue }
            best = (entry, miss)
        }
        return best.map { ($0.entry, told($0.miss, $0.entry)) }
    }

    private func nearMiss(_ entry: JournalEntry) -> NearMiss? {
        if index.readsClients { scratch.clientAddress = entry.clientAddress }
        let head = RequestHead(entry)
        return index.nearMisses(
            for: head, body: content(entry.body, of: head), matchesAnyHost: false, scratch: scratch, limit: 1
        ).first
    }
}

extension JournalEntry {
    /// The address that the request came from, without its port.
    var clientAddress: String {
        let address = peer.prefix(upTo: peer.lastIndex(ascii: ":") ?? peer.endIndex)
        return address.hasPrefix("[") ? String(address.dropFirst().dropLast()) : String(address)
    }
}

extension RequestHead {
    /// A request as it came, out of the journal.
    init(_ entry: JournalEntry) {
        self.init(
            method: entry.request.method.rawValue, target: entry.origin, authority: entry.request.authority ?? "",
            isSecure: entry.request.scheme == "https", fields: entry.fields)
    }

    init(
        method: String, target: String, authority: String, isSecure: Bool, fields: [(name: String, value: String)]
    ) {
        self.init()
        self.method = append(method)
        self.target = append(target)
        let path = target.prefix(before: "?")
        self.path = append(String(path))
        if path.endIndex < target.endIndex {
            query = append(String(target.suffix(behind: path.endIndex)))
        }
        self.authority = append(authority)
        self.isSecure = isSecure
        self.fields = fields.map { Field(name: append($0.name), value: append($0.value)) }
    }

    private mutating func append(_ text: String) -> ByteRange {
        let start = bytes.count
        bytes.append(contentsOf: text.utf8)
        return ByteRange(start, bytes.count)
    }
}
