// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// The meaning of a request's header fields beyond their text, gathered field by field.
struct HTTP2HeadNotes {
    /// Bytes of the header section as RFC 9113 §6.5.2 counts them.
    var size = 0
    var host: ByteRange?
    var cookies = 0
    var contentLength: Int?
    var expectsContinue = false
    var hasUnknownExpectation = false
    /// The port that the scheme has of itself; -1 if it is unknown.
    var defaultPort = -1
    var isConnect = false
    var rules = HTTP2HeadRules()
}

extension HTTP2Stream {
    private static let host: StaticString = "host"

    /// Bytes that each field counts for beyond its name and value (RFC 9113 §6.5.2).
    private static let fieldOverhead = 32

    /// Takes a field of the header section; a field beyond a limit is counted and not kept.
    func add(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>, _ limits: RequestLimits) {
        notes.size += name.count + value.count + Self.fieldOverhead
        guard notes.size <= limits.maxHead else {
            if refusal == nil { refuseAsTooLarge(name, value, limits) }
            return
        }
        guard head.fields.count < RequestLimits.maxFields else {
            refusal = RequestError(431, "the request has more than \(RequestLimits.maxFields) field lines")
            return
        }
        if let flaw = notes.rules.flaw(name, value) { return refuseAsMalformed(flaw) }
        if name.first == ASCII.colon { return addPseudo(name, value) }
        let field = append(name, value)
        head.fields.append(field)
        note(field, limits)
    }

    /// Refuses a field by which the header section is too large; of a target that is so alone, the journal shows the beginning.
    private func refuseAsTooLarge(
        _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>, _ limits: RequestLimits
    ) {
        guard value.count > limits.maxHead, name.isText(":path") else {
            refusal = .headTooLarge(limits)
            return
        }
        refusal = .targetTooLarge(limits)
        head.target = append(UnsafeBufferPointer(rebasing: value.prefix(RequestLimits.maxRefusedLine)))
        head.path = head.target
    }

    func addTrailer(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
        notes.size += name.count + value.count + Self.fieldOverhead
        guard request.trailers.count < RequestLimits.maxFields, notes.size <= RequestLimits.maxTrailers else {
            refusal = RequestError(
                431, "the trailers of the request are longer than \(RequestLimits.maxTrailers) bytes")
            return
        }
        if let flaw = HTTP2HeadRules.flawOfTrailer(name, value) { return refuseAsMalformed(flaw) }
        request.trailers.append(append(name, value))
    }

    /// Notes why the request is malformed: it gets a response, and then its stream is reset (RFC 9113 §8.1.1).
    func refuseAsMalformed(_ flaw: RequestError) {
        if refusal == nil { refusal = flaw }
        isMalformed = true
    }

    private func append(
        _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>
    ) -> RequestHead.Field {
        RequestHead.Field(name: append(name), value: append(value))
    }

    private func append(_ text: StaticString) -> ByteRange {
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private func append(_ bytes: UnsafeBufferPointer<UInt8>) -> ByteRange {
        let start = head.bytes.count
        head.bytes.append(contentsOf: bytes)
        return ByteRange(start, start + bytes.count)
    }

    /// `:method`, `:scheme`, `:authority` and `:path` (RFC 9113 §8.3.1); each of them has been found to be there once.
    private func addPseudo(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
        switch name[name.count - 1] {
        case UInt8(ascii: "h"): addTarget(value)
        case UInt8(ascii: "d"):
            head.method = append(value)
            if head.method.count > RequestLimits.maxMethod {
                refusal = RequestError(501, "the method is longer than \(RequestLimits.maxMethod) bytes")
            }
        case UInt8(ascii: "y"): head.authority = append(value)
        case UInt8(ascii: "e"):
            notes.defaultPort = value.isText("https") ? 443 : value.isText("http") ? 80 : -1
        default: break
        }
    }

    private func addTarget(_ value: UnsafeBufferPointer<UInt8>) {
        head.target = append(value)
        let end = ByteWords.targetEnd(in: value, from: 0, to: value.count)
        guard end == value.count else {
            refusal = RequestError(
                400, "the request target has byte 0x\(HTTP1Parser.hex(value[end])), which must be percent-encoded")
            return
        }
        head.splitTarget(at: value.firstIndex(of: ASCII.question).map { Int(head.target.start) + $0 })
    }

    private func note(_ field: RequestHead.Field, _ limits: RequestLimits) {
        switch field.name.count {
        case 4 where head.equals(field.name, "host"): notes.host = field.value
        case 6 where head.equals(field.name, "cookie"): notes.cookies += 1
        case 6 where head.equals(field.name, "expect"):
            head.bytes.withUnsafeBufferPointer { bytes in
                bytes.forEachListMember(of: field.value) { member in
                    let isKnown = bytes.equals(member, "100-continue")
                    if isKnown { notes.expectsContinue = true } else { notes.hasUnknownExpectation = true }
                }
            }
        case 14 where head.equals(field.name, "content-length"):
            // The rules have already refused a value that is not a number.
            var length = 0
            for byte in head.bytes[field.value.range] where length <= limits.maxBody {
                length = length * 10 + Int(byte &- 0x30)
            }
            notes.contentLength = length
        default: break
        }
    }

    /// Judges a header section that is complete.
    ///
    /// - Parameters:
    ///   - named: the last authority that was found valid, which most requests of a connection share.
    ///   - endsStream: whether no content follows.
    func finishHead(_ limits: RequestLimits, named: inout [UInt8], endsStream: Bool) {
        head.version = .http2
        phase = .content
        notes.size = 0
        guard refusal == nil else { return }
        if let flaw = notes.rules.flaw(of: head, isOrigin: notes.defaultPort > 0) { return refuseAsMalformed(flaw) }
        if head.equals(head.method, "CONNECT") {
            notes.isConnect = true
            head.target = head.authority
            head.path = head.authority
        }
        resolveAuthority(&named)
        if notes.cookies > 1 { joinCookies() }
        if !head.isASCII { head.readLatin1() }
        if notes.hasUnknownExpectation {
            refusal = RequestError(417, "the only expectation known is 100-continue")
        }
        if let length = notes.contentLength, length > limits.maxBody { refusal = Self.contentTooLarge(limits) }
        if endsStream { judgeLength(atEnd: true) }
    }

    /// Compares the content that has come with the announced length (RFC 9113 §8.1.1).
    ///
    /// - Parameter atEnd: whether the content is complete.
    func judgeLength(atEnd: Bool) {
        guard refusal == nil, !notes.isConnect, let length = notes.contentLength else { return }
        let count = request.body.count
        guard atEnd ? count != length : count > length else { return }
        refuseAsMalformed(
            RequestError(
                400,
                "content-length announces \(length) bytes, and the content has \(atEnd ? "\(count)" : "more")"))
    }

    static func contentTooLarge(_ limits: RequestLimits) -> RequestError {
        .contentTooLarge(limits)
    }

    /// `:authority` stands for Host, which must say the same if it is there too (RFC 9113 §8.3.1).
    private func resolveAuthority(_ named: inout [UInt8]) {
        if let host = notes.host {
            if head.authority.isEmpty {
                head.authority = host
            } else if !Authority.areEquivalent(
                head.bytes[head.authority.range], head.bytes[host.range], defaultPort: notes.defaultPort)
            {
                return refuseAsMalformed(RequestError(400, "host says something other than :authority"))
            }
        } else if !head.authority.isEmpty {
            // Matchers of the Host line apply to `:authority`, so it is among the fields.
            head.fields.insert(RequestHead.Field(name: append(Self.host), value: head.authority), at: 0)
        }
        if head.equals(head.authority, named) { return }
        let authority = head.bytes[head.authority.range]
        if Authority.isValid(authority, allowsEmpty: true) {
            named = Array(authority)
        } else {
            refusal = RequestError(400, ":authority is not a host with an optional port")
        }
    }

    /// Puts a Cookie that came in pieces together again (RFC 9113 §8.2.3).
    private func joinCookies() {
        let whole = head
        let cookies = whole.fields.indices.filter { whole.equals(whole.fields[$0].name, "cookie") }
        let start = whole.bytes.count
        for (count, index) in cookies.enumerated() {
            if count > 0 { head.bytes.append(contentsOf: "; ".utf8) }
            head.bytes.append(contentsOf: whole.bytes[whole.fields[index].value.range])
        }
        guard let first = cookies.first else { return }
        head.fields[first].value = ByteRange(start, head.bytes.count)
        for index in cookies.dropFirst().reversed() { head.fields.remove(at: index) }
    }
}
