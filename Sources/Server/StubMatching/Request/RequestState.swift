// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiJSONText
import MockapiMetering
import MockapiRegularExpressions

/// One request as matching sees it: pointers into its head and body, and the data derived from them so far.
///
/// The buffers keep their memory from request to request.
struct RequestState {
    struct Cookie: BitwiseCopyable {
        /// Ranges of the head's bytes.
        var nameStart: UInt32
        var nameEnd: UInt32
        var valueStart: UInt32
        var valueEnd: UInt32
    }

    /// A part of the path.
    struct Reach: BitwiseCopyable {
        var start: Int
        var end: Int
        static let none = Reach(start: .max, end: -1)
    }

    enum Multipart {
        case unread
        /// The reason that the body cannot be read into parts.
        case broken(String)
        case parts([MultipartBody.Part])
    }

    enum JSON {
        case unread
        case broken
        case tooLarge
        /// It was not read, since the request has taken all the work it may.
        case tooMuchWork
        case value(JSONBody)
    }

    /// The parts of a request beside its method and its target, by which the stubs of one target are told apart.
    private struct Rest {
        var head = Bytes(start: nil, count: 0)
        var fields = UnsafeBufferPointer<RequestHead.Field>(start: nil, count: 0)
        var authority = Bytes(start: nil, count: 0)
        var body = Bytes(start: nil, count: 0)
        var matchesAnyHost = true
        var isSecure = false
        var client = Growable<UInt8>(capacity: 48)
        var hasClient = false
        var sentBody: [UInt8]?
        var frozenMilliseconds: Int64?
    }

    private(set) var method = Bytes(start: nil, count: 0)
    private(set) var path = Bytes(start: nil, count: 0)
    private(set) var rawQuery = Bytes(start: nil, count: 0)
    /// Path and query; without the `?` if the query is empty.
    private(set) var full = Bytes(start: nil, count: 0)
    /// Whether nothing has been looked at but the method and the target: the other parts can be read by no way that does not note it.
    private(set) var isOfTargetAlone = true
    private var rest = Rest()

    var hasQuery = false
    var hasForm = false
    /// Whether the fields of the form are not known: they are too many, or were not paid for.
    var isFormGivenUp = false
    var hasCookies = false
    var hasHost = false
    var hasFileName = false
    var json = JSON.unread
    var multipart = Multipart.unread
    /// The extractions from the body, by the number of the extractor.
    var extractions: [Int: Extraction] = [:]
    /// The documents that engines have read the body into, XML for instance; by their own names.
    var documents: [String: any Sendable] = [:]
    /// The tests of the stub at hand that were given up: noted each time that a test is asked for, since the next stub begins with none.
    var givenUp: GivenUp = []
    /// Whether a test of any request was given up.
    var hasGivenUp = false
    /// The stubs that did not match because something was given up.
    var exceeding: [ExceedingStub] = []
    let budget: MatchBudget
    /// Ends the matching if nobody waits for it any more; nil if nothing does.
    var stop: WorkStop?
    /// Whether near misses are looked for.
    var isExplaining = false

    var query = DecodedPairs(bytes: 1024, pairs: 32)
    var form = DecodedPairs(bytes: 16, pairs: 4)
    var cookies = Growable<Cookie>(capacity: 16)
    var host = Growable<UInt8>(capacity: 128)
    var joined = Growable<UInt8>(capacity: 16)
    var fileName = Growable<UInt8>(capacity: 256)
    var value = Growable<UInt8>(capacity: 128)
    /// The values of the variables of the template at hand: ranges of `path`, by variable.
    var captures = Growable<Reach>(capacity: 16)
    /// For each piece of the template at hand: from which place on, up to which end, it is known not to match.
    var dead = Growable<Reach>(capacity: 16)
    /// How often a piece of the template at hand was put to the path.
    var tries = 0
    var cursors = Growable<Cursor>(capacity: 16)
    /// The steps of the templates' trie that the path leads to.
    var steps = Growable<TrieStep>(capacity: 16)
    /// The verdicts of patterns on this request's targets, by twice a pattern's number, plus one for path and query
    /// together.
    var verdicts = Growable<UInt64>(capacity: 16)
    private var generation: UInt64 = 0
    private var newestGeneration: UInt64 = 0
    /// The index that verdicts and extractions are noted for, if several are asked for one request.
    private var index: KnownTargets.Owner?
    /// The same for the others.
    private var elsewhere: [ObjectIdentifier: (generation: UInt64, extractions: [Int: Extraction])] = [:]
    private var lazyPatterns: RegularExpressionMatcher?

    init(isOnLoop: Bool = false) {
        budget = MatchBudget(isOnLoop: isOnLoop)
    }

    func deallocate() {
        query.deallocate()
        form.deallocate()
        cookies.deallocate()
        host.deallocate()
        joined.deallocate()
        fileName.deallocate()
        value.deallocate()
        captures.deallocate()
        dead.deallocate()
        cursors.deallocate()
        steps.deallocate()
        verdicts.deallocate()
        rest.client.deallocate()
    }

    /// Takes up the next request; the pointers must stay valid until `end()`.
    ///
    /// - Parameter goesOn: whether it is the last request again, so that it may take no more than some work beside the rest of its budget.
    mutating func begin(
        _ request: RequestHead, bytes: Bytes, fields: UnsafeBufferPointer<RequestHead.Field>, body: Bytes,
        matchesAnyHost: Bool, goesOn: Bool = false
    ) {
        isOfTargetAlone = true
        rest.head = bytes
        rest.fields = fields
        rest.body = body
        rest.matchesAnyHost = matchesAnyHost
        rest.authority = Self.slice(bytes, request.authority)
        rest.isSecure = request.isSecure
        method = Self.slice(bytes, request.method)
        path = Self.slice(bytes, request.path)
        rawQuery = request.query.map { Self.slice(bytes, $0) } ?? Bytes(start: nil, count: 0)
        if let target = Self.target(of: request, in: bytes) { full = target } else { join() }
        hasQuery = false
        hasForm = false
        isFormGivenUp = false
        hasCookies = false
        hasHost = false
        hasFileName = false
        givenUp = []
        isExplaining = false
        if !exceeding.isEmpty { exceeding = [] }
        if goesOn { grantMore() } else { budget.begin(rest.body.count, stop: stop) }
        if !elsewhere.isEmpty { elsewhere = [:] }
        forgetVerdicts()
    }

    /// Lets the report on an unmatched request cost something of its own.
    func grantMore() { budget.grant(rest.body.count) }

    /// Drops the known facts on tests that were given up, if no stub is chosen by them.
    mutating func forgetGivenUp() {
        if givenUp.isEmpty { return }
        givenUp = []
        hasGivenUp = true
    }

    /// Drops the values that the body was read into, which may be large.
    mutating func dropBody() {
        if case .unread = json {} else { json = .unread }
        if case .unread = multipart {} else { multipart = .unread }
        if !extractions.isEmpty {
            budget.meter.giveBack(extractions.values.reduce(0) { $0 + $1.made })
            extractions = [:]
        }
        if !elsewhere.isEmpty { elsewhere = [:] }
        if !documents.isEmpty { documents = [:] }
    }

    /// Path and query of a head, without the `?` if the query is empty; nil if they do not stand side by side in its bytes.
    @inline(__always)
    static func target(of request: borrowing RequestHead, in bytes: Bytes) -> Bytes? {
        guard let query = request.query, !query.isEmpty else { return slice(bytes, request.path) }
        guard query.start == request.path.end &+ 1 else { return nil }
        return slice(bytes, ByteRange(Int(request.path.start), Int(query.end)))
    }

    @inline(__always)
    private static func slice(_ bytes: Bytes, _ range: ByteRange) -> Bytes {
        bytes.slice(Int(range.start), Int(range.end))
    }

    private mutating func join() {
        joined.removeAll()
        joined.reserve(path.count + rawQuery.count + 1)
        for byte in path { joined.append(byte) }
        joined.append(ASCII.question)
        for byte in rawQuery { joined.append(byte) }
        full = joined.all
    }

    var patterns: RegularExpressionMatcher {
        mutating get {
            if let lazyPatterns { return lazyPatterns }
            let context = RegularExpressionMatcher.ofStubs()
            lazyPatterns = context
            return context
        }
    }

    private mutating func forgetVerdicts() {
        newestGeneration &+= 4
        generation = newestGeneration
    }

    /// Goes on with another index for the same request: verdicts and extractions are noted by the numbers that patterns and extractors have in one index.
    mutating func turn(to index: KnownTargets.Owner) {
        if self.index === index { return }
        if let last = self.index { elsewhere[ObjectIdentifier(last)] = (generation, extractions) }
        self.index = index
        if let noted = elsewhere.removeValue(forKey: ObjectIdentifier(index)) {
            (generation, extractions) = noted
        } else {
            forgetVerdicts()
            if !extractions.isEmpty { extractions = [:] }
        }
    }

    /// The earlier verdict of a pattern on this request; nil if it was not asked.
    func verdict(_ slot: Int) -> RegularExpressionMatcher.Outcome? {
        guard slot < verdicts.count else { return nil }
        let entry = verdicts[slot]
        return entry & ~3 == generation ? RegularExpressionMatcher.Outcome(rawValue: UInt8(entry & 3)) : nil
    }

    mutating func remember(_ verdict: RegularExpressionMatcher.Outcome, _ slot: Int) {
        if slot >= verdicts.count { verdicts.resize(slot + 1, filling: 0) }
        verdicts[slot] = generation | UInt64(verdict.rawValue)
    }
}

/// The parts of a request beside its method and its target, and the time: each look at one of them is noted.
extension RequestState {
    @inline(__always)
    private mutating func noted<Part>(_ part: Part) -> Part {
        isOfTargetAlone = false
        return part
    }

    /// The lines of the header section.
    var fields: UnsafeBufferPointer<RequestHead.Field> {
        @inline(__always)
        mutating get { noted(rest.fields) }
    }

    /// The bytes of the head, which the ranges of fields point into.
    var head: Bytes {
        @inline(__always)
        mutating get { noted(rest.head) }
    }

    var authority: Bytes {
        mutating get { noted(rest.authority) }
    }

    var body: Bytes {
        @inline(__always)
        mutating get { noted(rest.body) }
    }

    /// The body in the coding or charset that it was sent in, if `body` is in another; nil for the same.
    var sentBody: [UInt8]? {
        mutating get { noted(rest.sentBody) }
    }

    var matchesAnyHost: Bool {
        mutating get { noted(rest.matchesAnyHost) }
    }

    var isSecure: Bool {
        mutating get { noted(rest.isSecure) }
    }

    /// The address that the request comes from; nil if it is not known.
    var client: Bytes? {
        mutating get { noted(rest.hasClient ? rest.client.all : nil) }
    }

    /// The time, in seconds and nanoseconds since 1970: that of a clock, unless it stands still.
    mutating func now(_ clock: MatchClock) -> (seconds: Int, nanoseconds: Int) {
        isOfTargetAlone = false
        guard let frozen = rest.frozenMilliseconds else { return clock.now() }
        let second = frozen >= 0 ? frozen / 1000 : (frozen - 999) / 1000
        return (Int(second), Int(frozen - second * 1000) * 1_000_000)
    }

    mutating func setClient(_ address: String?) {
        rest.client.removeAll()
        rest.hasClient = address != nil
        for byte in (address ?? "").utf8 { rest.client.append(byte) }
    }

    mutating func setSentBody(_ body: [UInt8]?) { rest.sentBody = body }

    mutating func freeze(atMilliseconds time: Int64?) { rest.frozenMilliseconds = time }
}
