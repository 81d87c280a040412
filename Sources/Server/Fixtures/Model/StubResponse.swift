// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiContentCodings

/// A response of a stub: one step of a sequence, or the only one.
package struct StubResponse: Sendable {
    package var status: Int
    /// The field lines in order, with their case and repeats. A Content-Type line is always here if there is a body of a
    /// known type; lines of the message's framing never are.
    package var headers: [HeaderLine]
    package var body: Body
    /// The coding that the body is sent in if the client accepts it; the body itself is stored decoded.
    package var contentEncoding: ContentCoding?
    /// Whether a Vary line that names Accept-Encoding is added if the body is coded; a recorded response has the
    /// lines that came.
    package var addsVary = true
    /// The parts that are rendered for each request; nil for a response that is the same for all.
    package var templates: ResponseTemplates?
    /// The values that few responses have, behind one word of memory; nil for none of them.
    private var extras: Extras?

    private final class Extras: Sendable {
        let values: Values

        init(_ values: Values) { self.values = values }
    }

    private struct Values: Sendable {
        var reason: String?
        var stubLines: [HeaderLine] = []
        var contentLength: Int?
        var trailers: [HeaderLine] = []
        var isLatin1 = false
        var rewriteOrigins: [String] = []
        var delay = ResponseDelay()
        var fault: Fault?
        var faultEndsConnection = false
        var proxy: ProxyTarget?
        var faultRules: [FaultRule] = []
        var delayRules: [DelayRule] = []
        var isAsWritten = false
        var hasRanges = true
        var shiftsDates = false

        static let none = Values()

        var isNone: Bool {
            reason == nil && stubLines.isEmpty && contentLength == nil && trailers.isEmpty && !isLatin1
                && rewriteOrigins.isEmpty && delay.isNone && fault == nil && !faultEndsConnection && proxy == nil
                && faultRules.isEmpty && delayRules.isEmpty && !isAsWritten && hasRanges
                && !shiftsDates
        }
    }

    private var values: Values {
        get { extras?.values ?? .none }
        set { extras = newValue.isNone ? nil : Extras(newValue) }
    }

    package init(
        status: Int = 200, reason: String? = nil, headers: [HeaderLine] = [], body: Body = .empty,
        contentEncoding: ContentCoding? = nil, contentLength: Int? = nil, trailers: [HeaderLine] = [],
        rewriteOrigins: [String] = [], delay: ResponseDelay = ResponseDelay(), fault: Fault? = nil,
        faultEndsConnection: Bool = false
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.contentEncoding = contentEncoding
        values = Values(
            reason: reason, contentLength: contentLength, trailers: trailers, rewriteOrigins: rewriteOrigins,
            delay: delay, fault: fault, faultEndsConnection: faultEndsConnection)
    }

    /// The reason phrase of HTTP/1.1; nil for the usual one of the status.
    package var reason: String? {
        get { extras?.values.reason }
        set { values.reason = newValue }
    }
    /// The lines that name the stub, as WireMock writes them; none outside of a WireMock root.
    package var stubLines: [HeaderLine] {
        get { extras?.values.stubLines ?? [] }
        set { values.stubLines = newValue }
    }
    /// The Content-Length that a response to HEAD states if it was recorded without its body.
    package var contentLength: Int? {
        get { extras?.values.contentLength }
        set { values.contentLength = newValue }
    }
    package var trailers: [HeaderLine] {
        get { extras?.values.trailers ?? [] }
        set { values.trailers = newValue }
    }
    /// Whether the lines, the trailers and the reason are sent in ISO 8859-1 rather than in UTF-8.
    package var isLatin1: Bool {
        get { extras?.values.isLatin1 ?? false }
        set { values.isLatin1 = newValue }
    }
    /// Origins (`https://images.example.com`) whose absolute URLs are pointed at this server: in a text body, and in the lines Location,
    /// Content-Location, Link and Refresh.
    package var rewriteOrigins: [String] {
        get { extras?.values.rewriteOrigins ?? [] }
        set { values.rewriteOrigins = newValue }
    }
    package var delay: ResponseDelay {
        get { extras?.values.delay ?? ResponseDelay() }
        set { values.delay = newValue }
    }
    package var fault: Fault? {
        get { extras?.values.fault }
        set { values.fault = newValue }
    }
    /// Whether a fault of WireMock's hits the whole connection over HTTP/2, not the stream alone.
    package var faultEndsConnection: Bool {
        get { extras?.values.faultEndsConnection ?? false }
        set { values.faultEndsConnection = newValue }
    }
    /// Where the response comes from; nil if it is this one.
    package var proxy: ProxyTarget? {
        get { extras?.values.proxy }
        set { values.proxy = newValue }
    }
    /// Faults that go before `fault`, the first that holds.
    package var faultRules: [FaultRule] {
        get { extras?.values.faultRules ?? [] }
        set { values.faultRules = newValue }
    }
    /// Delays beside `delay`, the first that holds.
    package var delayRules: [DelayRule] {
        get { extras?.values.delayRules ?? [] }
        set { values.delayRules = newValue }
    }

    /// Whether the response is never turned into a 206, 304, 412 or 416, whatever the request asks for.
    package var isAsWritten: Bool {
        get { extras?.values.isAsWritten ?? false }
        set { values.isAsWritten = newValue }
    }

    /// Whether a request for a range gets a part, and a request for a range that is not there 416.
    package var hasRanges: Bool {
        get { extras?.values.hasRanges ?? true }
        set { values.hasRanges = newValue }
    }

    /// Whether dates in the body move by the time since the recording.
    package var shiftsDates: Bool {
        get { extras?.values.shiftsDates ?? false }
        set { values.shiftsDates = newValue }
    }

    /// Whether the response goes out whole and at once.
    package var isPrompt: Bool {
        guard let values = extras?.values else { return true }
        return values.delay.isNone && values.fault == nil && values.faultRules.isEmpty && values.delayRules.isEmpty
    }

    /// Whether it is sent as it stands: nothing renders, delays or spoils it, and it is from here.
    package var isPlain: Bool { templates == nil && proxy == nil && isPrompt }

    /// The faults that rules have and the response by itself has not, each once.
    package var faultKinds: [Fault.Kind] {
        var kinds: [Fault.Kind] = []
        for rule in faultRules where rule.fault.kind != fault?.kind && !kinds.contains(rule.fault.kind) {
            kinds.append(rule.fault.kind)
        }
        return kinds
    }

    /// Changes the field lines one by one; nil takes one away. A changed line is not a template any more.
    package mutating func changeHeaders(_ change: (HeaderLine) -> HeaderLine?) {
        var lines: [HeaderLine] = []
        var origins: [Int?] = []
        for (index, line) in headers.enumerated() {
            guard let new = change(line) else { continue }
            lines.append(new)
            origins.append(new == line ? index : nil)
        }
        headers = lines
        templates = templates?.with(lines: origins)
    }

    /// Puts other content in the place of the body; it is a template if the body was.
    package mutating func replaceContent(_ content: [UInt8]) {
        body = .bytes(content)
        templates = templates?.with(body: content)
    }

    /// Puts another status in the place of this one.
    package mutating func replaceStatus(_ status: Int) {
        self.status = status
        templates = templates?.withoutStatus
    }
}
