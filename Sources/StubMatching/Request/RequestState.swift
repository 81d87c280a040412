// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPMessage
import JSONText

/// One request as matching sees it: pointers into its head and body, and what has been worked out of them so far.
///
/// The buffers keep their memory from request to request.
struct RequestState {
    struct Parameter: BitwiseCopyable {
        var nameHash: UInt32
        /// Ranges of `decoded`.
        var nameStart: UInt32
        var nameEnd: UInt32
        var valueStart: UInt32
        var valueEnd: UInt32
    }

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

    /// What took more steps than it may; it counts as not matching, and so does its negation.
    struct GivenUp: OptionSet {
        let rawValue: UInt8
        static let pattern = GivenUp(rawValue: 1)
        static let comparison = GivenUp(rawValue: 2)
    }

    enum JSON {
        case unread
        case broken
        case tooManyValues
        case value(JSONBody)
    }

    private(set) var head = Bytes(start: nil, count: 0)
    private(set) var fields = UnsafeBufferPointer<RequestHead.Field>(start: nil, count: 0)
    private(set) var method = Bytes(start: nil, count: 0)
    private(set) var path = Bytes(start: nil, count: 0)
    private(set) var query = Bytes(start: nil, count: 0)
    /// Path and query; without the `?` where the query is empty.
    private(set) var full = Bytes(start: nil, count: 0)
    private(set) var authority = Bytes(start: nil, count: 0)
    private(set) var body = Bytes(start: nil, count: 0)
    private(set) var matchesAnyHost = true

    var hasQuery = false
    var hasCookies = false
    var hasHost = false
    var hasFileName = false
    var json = JSON.unread
    /// What the stub at hand asked that was given up.
    var givenUp: GivenUp = []
    /// The ordinals of stubs that did not match because something was given up.
    var exceedingPatterns: [Int] = []
    var exceedingComparisons: [Int] = []
    let budget = JSONBudget()
    /// Whether near misses are looked for: a large body is then not read as JSON.
    var isExplaining = false

    var decoded = Growable<UInt8>(capacity: 1024)
    var parameters = Growable<Parameter>(capacity: 32)
    var cookies = Growable<Cookie>(capacity: 16)
    var host = Growable<UInt8>(capacity: 128)
    var joined = Growable<UInt8>(capacity: 16)
    var fileName = Growable<UInt8>(capacity: 256)
    var value = Growable<UInt8>(capacity: 128)
    /// What the variables of the template at hand stand for: ranges of `path`, by variable.
    var captures = Growable<Reach>(capacity: 16)
    /// By piece of the template at hand: from which place on, up to which end, it is known not to match.
    var dead = Growable<Reach>(capacity: 16)
    var cursors = Growable<Cursor>(capacity: 16)
    /// What patterns said of this request's targets: twice a pattern's number, plus one for path and query together.
    var verdicts = Growable<UInt64>(capacity: 16)
    private var generation: UInt64 = 0
    private var lazyPatterns: PatternContext?

    func deallocate() {
        decoded.deallocate()
        parameters.deallocate()
        cookies.deallocate()
        host.deallocate()
        joined.deallocate()
        fileName.deallocate()
        value.deallocate()
        captures.deallocate()
        dead.deallocate()
        cursors.deallocate()
        verdicts.deallocate()
    }

    /// Takes up the next request; the pointers must stay valid until `end()`.
    mutating func begin(
        _ request: RequestHead, bytes: Bytes, fields: UnsafeBufferPointer<RequestHead.Field>, body: Bytes,
        matchesAnyHost: Bool
    ) {
        head = bytes
        self.fields = fields
        self.body = body
        self.matchesAnyHost = matchesAnyHost
        method = Self.slice(bytes, request.method)
        path = Self.slice(bytes, request.path)
        authority = Self.slice(bytes, request.authority)
        query = request.query.map { Self.slice(bytes, $0) } ?? Bytes(start: nil, count: 0)
        if query.isEmpty {
            full = path
        } else if let range = request.query, range.start == request.path.end &+ 1 {
            full = Self.slice(bytes, ByteRange(Int(request.path.start), Int(range.end)))
        } else {
            join()
        }
        hasQuery = false
        hasCookies = false
        hasHost = false
        hasFileName = false
        givenUp = []
        isExplaining = false
        if !exceedingPatterns.isEmpty { exceedingPatterns = [] }
        if !exceedingComparisons.isEmpty { exceedingComparisons = [] }
        budget.refill(body.count)
        generation &+= 4
    }

    /// Drops the JSON that was read, which may be large.
    mutating func dropJSON() {
        if case .unread = json { return }
        json = .unread
    }

    @inline(__always)
    private static func slice(_ bytes: Bytes, _ range: ByteRange) -> Bytes {
        bytes.slice(Int(range.start), Int(range.end))
    }

    private mutating func join() {
        joined.removeAll()
        joined.reserve(path.count + query.count + 1)
        for byte in path { joined.append(byte) }
        joined.append(ASCII.question)
        for byte in query { joined.append(byte) }
        full = joined.all
    }

    @inline(__always)
    func bytes(_ range: ByteRange) -> Bytes { Self.slice(head, range) }

    var patterns: PatternContext {
        mutating get {
            if let lazyPatterns { return lazyPatterns }
            let context = PatternContext()
            lazyPatterns = context
            return context
        }
    }

    /// What a pattern said of this request before; nil where it was not asked.
    func verdict(_ slot: Int) -> PatternContext.Outcome? {
        guard slot < verdicts.count else { return nil }
        let entry = verdicts[slot]
        return entry & ~3 == generation ? PatternContext.Outcome(rawValue: UInt8(entry & 3)) : nil
    }

    mutating func remember(_ verdict: PatternContext.Outcome, _ slot: Int) {
        if slot >= verdicts.count { verdicts.resize(slot + 1, filling: 0) }
        verdicts[slot] = generation | UInt64(verdict.rawValue)
    }

    @inline(__always)
    func name(_ parameter: Parameter) -> Bytes { decoded.slice(parameter.nameStart, parameter.nameEnd) }

    @inline(__always)
    func value(_ parameter: Parameter) -> Bytes { decoded.slice(parameter.valueStart, parameter.valueEnd) }
}
