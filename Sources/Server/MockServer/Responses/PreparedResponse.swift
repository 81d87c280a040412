// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiContentCodings
import MockapiFixtures
import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiSystemIO
import Synchronization

/// A response that is laid out once, at load or when its stub is first asked: all that nearly every request needs is here already.
final class PreparedResponse: Sendable {
    /// The part of a response that a request may select.
    enum Selectable {
        /// It is sent as written.
        case nothing
        /// All of it, which a condition may hold back (RFC 9110 §13).
        case whole
        /// Ranges of it too (RFC 9110 §14).
        case ranges

        init(_ fields: [WireField], _ status: Int, _ count: Int, hasRanges: Bool) {
            let refused = fields.contains { $0.name.lowercased() == "accept-ranges" && $0.value.lowercased() == "none" }
            self = status != 200 ? .nothing : count == 0 || refused || !hasRanges ? .whole : .ranges
        }
    }

    // The members that a plain request needs come first: they lie in one line of the processor's cache.

    /// The response to a plain request: all of the body, as it is; nil if that is in a file.
    let whole: Response?
    /// The head of the response to a plain request.
    let head: ResponseHead
    /// Whether the response depends on more than which stub it is: coding, rewriting, trailers.
    let isNegotiated: Bool
    /// Bytes of a body that is coded or rewritten on the loop, which takes some ten milliseconds. 256 KiB.
    private static let loopLimit = 256 * 1024

    /// Whether its body may have to be coded or rewritten, and is too large for that to be done on the loop.
    var mayTakeLong: Bool { isNegotiated && body.count > Self.loopLimit }

    /// Whether it is sent as it stands: nothing renders, delays or spoils it, and it is from here.
    let isPlain: Bool
    /// Whether it is that of a plain file, whose tag and date are the file's.
    let isOfFile: Bool
    /// Whether it is sent as it is, whatever a request selects.
    let isAsWritten: Bool
    /// Whether its stub lets a request select ranges of it.
    private let hasRanges: Bool
    /// How much of it a request may select.
    let selectable: Selectable
    let body: Body
    let status: Int
    let reason: String?
    /// Whether the lines and the reason are written in ISO 8859-1 rather than in UTF-8.
    let isLatin1: Bool
    /// The field lines without those of the framing.
    let fields: [WireField]
    let trailers: [WireField]
    let coding: ContentCoding?
    /// Which line that of the coding is; nil for the last.
    let codingPlace: Int?
    let rewriteOrigins: [String]
    /// The response to HEAD with the length of a body that was not recorded; nil if it is that of the response to GET.
    let recordedHead: ResponseHead?
    /// The validators that conditional requests are compared with.
    let validators: Validators
    /// The media type of the Content-Type line; empty if there is none.
    let mediaType: String
    /// The body in its content coding, made when first asked for.
    private let coded = Mutex<[UInt8]?>(nil)

    /// Whether the body is text in which origins are rewritten.
    let hasRewritableBody: Bool
    /// Whether one of the origins to rewrite stands in a line.
    let hasRewritableLines: Bool
    /// Delays and faults; nil if the response goes out whole and at once.
    let delivery: PreparedDelivery?
    /// Where the response comes from; nil if it is this one.
    let proxy: ProxyTarget?
    /// The response to a client without TLS if it differs, as with a recorded cookie; nil if it is this one.
    let withoutTLS: PreparedResponse?
    /// Which step of its stub it is, from 0.
    let step: Int
    /// The templates that it is rendered from for each request; nil if it is the same for all.
    let templated: TemplatedResponse?

    /// - Parameters:
    ///   - salt: distinguishes this response from others in random draws.
    ///   - isOfHead: whether it responds to HEAD alone.
    ///   - step: which step of its stub it is, from 0.
    ///   - pathTemplate: the path with variables that its stub has.
    ///   - selects: whether the stub's conditions let a request select a part of it.
    ///   - dates: how far rendered dates move; nil if they stay.
    ///   - original: the response that this one was rendered from; nil for a response that was laid out at load.
    init(
        response: StubResponse, salt: UInt64, isOfHead: Bool = false, step: Int = 0, pathTemplate: String? = nil,
        selects: Bool = true, withoutTLS: PreparedResponse? = nil, dates: ShiftedDates? = nil,
        rendered original: PreparedResponse? = nil
    ) {
        self.withoutTLS = withoutTLS
        self.step = step
        isOfFile = false
        proxy = response.proxy
        delivery = original.map(\.delivery) ?? PreparedDelivery(response, salt: salt)
        // A rendered response is not looked through again.
        templated =
            original == nil
            ? TemplatedResponse(response, salt: salt, isOfHead: isOfHead, pathTemplate: pathTemplate, dates: dates)
            : nil
        status = response.status
        reason = response.reason
        let isLatin1 = response.isLatin1
        self.isLatin1 = isLatin1
        body = response.body
        trailers = response.trailers.map { WireField($0.name, $0.value, isLatin1: isLatin1) }
        coding = response.contentEncoding
        rewriteOrigins = response.rewriteOrigins
        var fields = response.headers.map { WireField($0.name, $0.value, isLatin1: isLatin1) }
        fields += response.stubLines.map { WireField($0.name, $0.value) }
        let place = coding == nil ? nil : fields.firstIndex { $0.name.lowercased() == "content-encoding" }
        if let place { fields.remove(at: place) }
        codingPlace = place
        if coding != nil, response.addsVary { Self.addVary(to: &fields) }
        self.fields = fields
        validators = Validators(fields)
        mediaType = fields.value(of: "content-type") ?? ""
        hasRewritableBody = !rewriteOrigins.isEmpty && body.count > 0 && ContentOrigins.areIn(mediaType)
        hasRewritableLines = Self.areNamed(response.rewriteOrigins, in: fields)
        isNegotiated = coding != nil || hasRewritableBody || hasRewritableLines || !trailers.isEmpty
        isAsWritten = !selects || response.isAsWritten || original?.isAsWritten == true
        hasRanges = response.hasRanges && original?.hasRanges != false
        selectable = isAsWritten ? .nothing : Selectable(fields, status, body.count, hasRanges: hasRanges)
        isPlain = delivery == nil && proxy == nil && templated == nil
        head = ResponseHead(
            status: status, reason: reason, isLatin1: isLatin1, fields: fields,
            framing: Self.framing(status, body.count))
        whole = Response(head, body)
        // A response to HEAD without a length has none.
        let length = response.contentLength.map { Self.framing(response.status, $0) }
        let framing = length ?? (isOfHead && response.body.count == 0 ? ResponseHead.Framing.none : nil)
        recordedHead = framing.map {
            ResponseHead(
                status: response.status, reason: response.reason, isLatin1: isLatin1, fields: fields, framing: $0)
        }
    }

    /// A client may keep a file, and asks each time whether it has changed (RFC 9111 §5.2.2.4): without a word it would take a
    /// tenth of the file's age for a response, for days (§4.2.2).
    static let revalidated = "no-cache"

    init(file: PlainFile) {
        withoutTLS = nil
        step = 0
        isOfFile = true
        proxy = nil
        status = 200
        reason = nil
        isLatin1 = false
        body = file.body
        trailers = []
        coding = nil
        codingPlace = nil
        rewriteOrigins = []
        recordedHead = nil
        delivery = nil
        templated = nil
        fields =
            [
                WireField("Content-Type", file.mediaType), WireField("ETag", file.entityTag),
                Self.lastModified(file.lastModified), WireField("Accept-Ranges", "bytes"),
                WireField("Cache-Control", Self.revalidated),
            ] + (file.contentCoding.map { [WireField("Content-Encoding", $0)] } ?? [])
        validators = Validators(fields)
        mediaType = file.mediaType
        hasRewritableBody = false
        hasRewritableLines = false
        isNegotiated = false
        isAsWritten = false
        hasRanges = true
        selectable = Selectable(fields, 200, file.body.count, hasRanges: true)
        isPlain = true
        head = ResponseHead(status: 200, fields: fields, framing: .length(file.body.count))
        whole = Response(head, file.body)
    }

    /// The same response with another body, whose file has changed.
    init(_ other: PreparedResponse, body file: FileBody, modified: Int) {
        withoutTLS = nil
        step = other.step
        proxy = other.proxy
        status = other.status
        reason = other.reason
        isLatin1 = other.isLatin1
        body = .file(file)
        trailers = other.trailers
        coding = other.coding
        codingPlace = other.codingPlace
        rewriteOrigins = other.rewriteOrigins
        recordedHead = other.recordedHead
        delivery = other.delivery
        templated = other.templated
        isOfFile = other.isOfFile
        fields =
            other.isOfFile
            ? other.fields.map { field in
                switch field.name {
                case "ETag": WireField("ETag", file.quickTag)
                case "Last-Modified": Self.lastModified(modified)
                default: field
                }
            } : other.fields
        validators = Validators(fields)
        mediaType = other.mediaType
        hasRewritableBody = other.hasRewritableBody && file.size > 0
        hasRewritableLines = other.hasRewritableLines
        isNegotiated = other.isNegotiated
        isAsWritten = other.isAsWritten
        hasRanges = other.hasRanges
        selectable = isAsWritten ? .nothing : Selectable(fields, status, file.size, hasRanges: hasRanges)
        isPlain = other.isPlain
        head = ResponseHead(
            status: status, reason: reason, isLatin1: isLatin1, fields: fields,
            framing: Self.framing(status, file.size))
        whole = Response(head, body)
    }

    /// A date that is not in the future (RFC 9110 §8.8.2.1).
    private static func lastModified(_ second: Int) -> WireField {
        WireField("Last-Modified", HTTPDate.format(min(second, Int(Clock.wall() / 1_000_000_000))))
    }

    /// Whether something is rewritten.
    var isRewritable: Bool { hasRewritableBody || hasRewritableLines }

    private static func areNamed(_ origins: [String], in fields: [WireField]) -> Bool {
        guard !origins.isEmpty else { return false }
        let rewriter = OriginRewriter(origins.map { (origin: $0, base: "") })
        return fields.contains { field in
            let value = Array(field.value.utf8)
            return rewriter.rewritten(value) != value
        }
    }

    /// The field lines with their origins rewritten.
    func fields(rewrittenBy rewriter: OriginRewriter) -> [WireField] {
        guard hasRewritableLines else { return fields }
        return fields.map { field in
            let value = String(decoding: rewriter.rewritten(Array(field.value.utf8)), as: UTF8.self)
            return WireField(field.name, value, isLatin1: field.isLatin1)
        }
    }

    /// No Content-Length in 1xx, 204 and 304 (RFC 9110 §8.6).
    static func framing(_ status: Int, _ length: Int) -> ResponseHead.Framing {
        status < 200 || status == 204 || status == 304 ? .none : .length(length)
    }

    /// A response that depends on Accept-Encoding says so (RFC 9110 §12.5.5).
    private static func addVary(to fields: inout [WireField]) {
        let named = fields.contains {
            $0.name.lowercased() == "vary" && ($0.value == "*" || $0.value.lowercased().contains("accept-encoding"))
        }
        if !named { fields.append(WireField("Vary", "Accept-Encoding")) }
    }

    /// Whether the body has been coded.
    var isCoded: Bool { coded.withLockIfAvailable { $0 != nil } ?? false }

    /// The body in its coding; nil if it has none, cannot be coded, or is not in memory.
    func codedBody() -> [UInt8]? {
        guard let coding, let bytes = body.loaded() else { return nil }
        return coded.withLock { coded in
            if coded == nil { coded = try? coding.encode(bytes) }
            return coded
        }
    }
}

/// A plain file, whose response is laid out when it is first asked for: its entity tag takes reading all of it.
final class PreparedFile: Sendable {
    private let file: PlainFile
    private let prepared = LazyObject<PreparedResponse>()
    /// Whether a path of the file leads on to another.
    let hasFolderPath: Bool

    init(_ file: PlainFile) {
        self.file = file
        hasFolderPath = file.folderPath != nil
    }

    /// The same for all requests.
    var response: PreparedResponse { prepared.get { PreparedResponse(file: file) } }

    /// The response to a request for a page's folder without its slash, which leads to the one with it; nil for any other.
    ///
    /// A browser would look for the page's links beside the folder rather than in it.
    func redirect(_ head: borrowing RequestHead) -> Response? {
        guard let folder = file.folderPath,
            PercentCoding.decode(head.string(head.path).utf8).elementsEqual(folder.utf8)
        else { return nil }
        let query = head.query.map { "?" + head.string($0) } ?? ""
        let target = "\(head.string(head.path))/\(query)"
        return PlainResponse.text(
            301, "this page is at \(target)\n",
            fields: [WireField("Location", target), WireField("Cache-Control", PreparedResponse.revalidated)],
            isHead: head.equals(head.method, "HEAD"))
    }
}

extension PreparedResponse {
    /// The same response with the file of its body as it lies there now; nil if there is none, or if the body is in memory.
    func renewed() -> PreparedResponse? {
        guard case .file(let old) = body else { return nil }
        for path in [old.path] + (old.laterPath.map { [$0] } ?? []) {
            guard let file = OpenFile(path: path), let status = FileStatus(descriptor: file.descriptor),
                status.kind == .file, status.size <= FileReader.sizeLimit
            else { continue }
            let body = FileBody(path: path, size: status.size, modified: status.modified, inode: status.inode)
            return PreparedResponse(self, body: body, modified: status.modifiedSecond)
        }
        return nil
    }
}

extension Response {
    /// Nil if the body is in a file, which may change.
    init?(_ head: ResponseHead, _ body: Body) {
        switch body {
        case .empty: self.init(head: head)
        case .bytes(let bytes): self.init(head: head, body: .bytes(bytes))
        case .file: return nil
        }
    }
}

extension [WireField] {
    /// The value of the first line with a name, given in lower case.
    func value(of lowercasedName: String) -> String? {
        first { $0.name.lowercased() == lowercasedName }?.value
    }
}
