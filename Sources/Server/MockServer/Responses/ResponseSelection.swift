// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiContentCodings
import MockapiFixtures
import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiSystemIO

/// Chooses which part of a response a request gets: which coding, which ranges, or that it has it already.
final class ResponseSelection {
    /// Responses that are kept whose files have changed; beyond them all are made again. 256.
    private static let renewedLimit = 256

    private let files: OpenFileCache
    /// The root of the fixtures that are served now, which clients do not see.
    private let root: @Sendable () -> String
    private let rewritten: RewriteCache
    private let identity: ServerIdentity
    /// The responses whose files have changed since they were laid out, with their replacements; the keys live as long as their entries.
    @exclusivity(unchecked) private var renewed: [ObjectIdentifier: (old: PreparedResponse, new: PreparedResponse)] =
        [:]
    /// Why the last response could not be sent.
    @exclusivity(unchecked) private var failure: String?

    init(files: OpenFileCache, identity: ServerIdentity, root: @escaping @Sendable () -> String) {
        self.files = files
        self.root = root
        self.identity = identity
        rewritten = RewriteCache(identity: identity)
    }

    func response(_ laidOut: PreparedResponse, for head: borrowing RequestHead) -> Response {
        let prepared = seen(laidOut, for: head)
        let known = renewed.isEmpty ? prepared : renewed[ObjectIdentifier(prepared)]?.new ?? prepared
        if let response = attempt(known, for: head) { return response }
        guard let new = prepared.renewed() else { return unreadable(prepared) }
        if renewed.count >= Self.renewedLimit { renewed.removeAll() }
        renewed[ObjectIdentifier(prepared)] = (prepared, new)
        return attempt(new, for: head) ?? unreadable(prepared)
    }

    /// The response for this client, which has TLS or not.
    @inline(__always)
    private func seen(_ prepared: PreparedResponse, for head: borrowing RequestHead) -> PreparedResponse {
        guard let other = prepared.withoutTLS, !head.isSecure, !identity.base(for: head).hasPrefix("https:") else {
            return prepared
        }
        return other
    }

    /// The work that a response needs before it can be chosen and that would hold the loop for long; nil if there is none.
    func longWork(_ laidOut: PreparedResponse, for head: borrowing RequestHead) -> LongWork? {
        guard laidOut.mayTakeLong else { return nil }
        let prepared = seen(laidOut, for: head)
        let known = renewed.isEmpty ? prepared : renewed[ObjectIdentifier(prepared)]?.new ?? prepared
        let isCoded = known.coding.map { AcceptEncoding(head).accepts($0.rawValue) } ?? false
        if known.isRewritable {
            guard known.hasRewritableBody || isCoded else { return nil }
            return rewritten.missing(of: known, isCoded: isCoded, for: head).map { .rewriting($0) }
        }
        return isCoded && !known.isCoded ? .coding(known) : nil
    }

    /// Keeps the result of long work.
    func take(_ made: RewriteCache.Making.Made) { rewritten.add(made) }

    /// Work that is done beside the loop.
    enum LongWork: Sendable {
        case coding(PreparedResponse)
        case rewriting(RewriteCache.Making)

        /// Nil if the response keeps the result itself, or if there is none: the loop then finds out why.
        func run() -> RewriteCache.Making.Made? {
            switch self {
            case .coding(let response):
                _ = response.codedBody()
                return nil
            case .rewriting(let making): return making.make()
            }
        }
    }

    /// Why a response differs from the intended one; nil if it does not. Asked once after each response.
    func failure(of response: Response) -> String? {
        guard response.status == 503 else { return nil }
        defer { failure = nil }
        return failure
    }

    /// Nil if the file of the body has changed since the response was laid out, or the body cannot be coded.
    private func attempt(_ prepared: PreparedResponse, for head: borrowing RequestHead) -> Response? {
        if prepared.isNegotiated { return negotiated(prepared, for: head) }
        guard prepared.selectable != .nothing, ConditionalFields.arePresent(in: head) else {
            return whole(prepared, isHead: head.equals(head.method, "HEAD"))
        }
        return isCurrent(prepared.body) ? select(Representation(prepared), for: head) : nil
    }

    /// Whether a body is the same as when its response was laid out.
    private func isCurrent(_ body: Body) -> Bool {
        guard case .file(let file) = body else { return true }
        return files.file(for: file) != nil
    }

    private func negotiated(_ prepared: PreparedResponse, for head: borrowing RequestHead) -> Response? {
        guard isCurrent(prepared.body) else { return nil }
        var isCoded = false
        if let coding = prepared.coding {
            let accepted = AcceptEncoding(head)
            isCoded = accepted.accepts(coding.rawValue)
            if !isCoded, !accepted.acceptsIdentity {
                return PlainResponse.text(
                    406,
                    "this response exists uncoded and in the coding \(coding.rawValue); Accept-Encoding rules out both\n",
                    fields: Self.linesBesideContent(of: prepared.fields))
            }
        }
        guard var representation = representation(of: prepared, isCoded: isCoded, for: head) else { return nil }
        if prepared.coding != nil, !isCoded { representation = representation.weakened() }
        guard var response = select(representation, for: head) else { return nil }
        if !prepared.trailers.isEmpty, response.head.status == prepared.status {
            addTrailers(prepared, head, &response)
        }
        return response
    }

    /// Nil if the file of the body has changed since it was loaded, or the body cannot be coded.
    private func representation(
        of prepared: PreparedResponse, isCoded: Bool, for head: borrowing RequestHead
    ) -> Representation? {
        if prepared.isRewritable {
            return rewritten.representation(of: prepared, isCoded: isCoded, for: head)
        }
        return isCoded ? prepared.codedBody().map { Representation(prepared, coded: $0) } : Representation(prepared)
    }

    /// Trailers go to a client that says it takes them, in HTTP/1.1 (RFC 9110 §6.5.1, RFC 9112 §7.1.2).
    private func addTrailers(_ prepared: PreparedResponse, _ head: borrowing RequestHead, _ response: inout Response) {
        guard response.head.framing != .none, head.version != .http10, let te = head.firstValue("te"),
            WeightedList.parse(head.string(te)).contains(where: { $0.value == "trailers" && $0.weight > 0 })
        else { return }
        let names = prepared.trailers.map(\.name).joined(separator: ", ")
        response.head = ResponseHead(
            status: prepared.status, reason: prepared.reason,
            fields: response.head.fields + [WireField("Trailer", names)],
            framing: .chunked)
        response.trailers = prepared.trailers
    }

    /// Conditional requests and ranges, for a 200 with content asked for by GET or HEAD.
    private func select(_ representation: Representation, for head: borrowing RequestHead) -> Response? {
        let isHead = head.equals(head.method, "HEAD")
        guard representation.response.selectable != .nothing, isHead || head.equals(head.method, "GET"),
            ConditionalFields.arePresent(in: head)
        else { return whole(representation, isHead: isHead) }
        let conditions = ConditionalFields(head)
        let now = Int(Clock.wall() / 1_000_000_000)
        switch Preconditions.evaluate(conditions, representation.validators, now: now) {
        case .failed:
            return PlainResponse.text(
                412, "a precondition of the request is not met\n",
                fields: Self.linesBesideContent(of: representation.head.fields), isHead: isHead)
        case .notModified: return Response(head: notModified(representation))
        case .proceed: break
        }
        guard !isHead, representation.response.selectable == .ranges, let range = conditions.range,
            Preconditions.allowsRange(conditions, representation.validators, now: now)
        else { return whole(representation, isHead: isHead) }
        switch ByteRanges.evaluate(range, length: representation.body.count) {
        case .ignored: return whole(representation, isHead: false)
        case .unsatisfiable:
            return PlainResponse.text(
                416, "the content has \(representation.body.count) bytes; no requested range is in it\n",
                fields: [WireField("Content-Range", "bytes */\(representation.body.count)")]
                    + Self.linesBesideContent(of: representation.head.fields))
        case .satisfiable(let ranges): return partial(representation, ranges)
        }
    }

    private func whole(_ representation: Representation, isHead: Bool) -> Response? {
        if isHead { return Response(head: representation.recordedHead ?? representation.head) }
        return representation.whole ?? whole(representation.head, representation.body, representation.response)
    }

    /// The response as it was laid out at load, which nearly every request gets.
    private func whole(_ prepared: PreparedResponse, isHead: Bool) -> Response? {
        if isHead { return isCurrent(prepared.body) ? Response(head: prepared.recordedHead ?? prepared.head) : nil }
        return prepared.whole ?? whole(prepared.head, prepared.body, prepared)
    }

    private func whole(_ head: ResponseHead, _ body: Body, _ prepared: PreparedResponse) -> Response? {
        guard case .file(let file) = body, let open = files.file(for: file) else { return nil }
        if file.size == 0 { return Response(head: head) }
        return Response(head: head, body: .file(open, 0..<file.size))
    }

    /// Without the metadata of the representation, except the fields that caches need (RFC 9110 §15.4.5).
    private func notModified(_ representation: Representation) -> ResponseHead {
        let repeated: Set = ["content-location", "etag", "last-modified"]
        return ResponseHead(
            status: 304,
            fields: representation.head.fields.filter {
                repeated.contains($0.name.lowercased()) || !Self.isOfRepresentation($0)
            }, framing: .none)
    }

    /// The lines of a stub that are not about the content it has, for a response that is made in its place: cookies, CORS, rate limits,
    /// links.
    private static func linesBesideContent(of fields: [WireField]) -> [WireField] {
        fields.filter { !isOfRepresentation($0) }
    }

    /// Whether a line describes the representation (RFC 9110 §8, RFC 9530).
    private static func isOfRepresentation(_ field: WireField) -> Bool {
        let name = field.name.lowercased()
        return name.hasPrefix("content-")
            || ["etag", "last-modified", "accept-ranges", "trailer", "digest", "repr-digest"].contains(name)
    }

    private func partial(_ representation: Representation, _ ranges: [Range<Int>]) -> Response? {
        let length = representation.body.count
        guard let slice = slicer(representation) else { return nil }
        if ranges.count == 1, let range = ranges.first {
            let fields =
                representation.head.fields.filter { !Self.isOfContent($0) }
                + [WireField("Content-Range", Self.contentRange(range, length))]
            return Response(
                head: ResponseHead(status: 206, fields: fields, framing: .length(range.count)), body: slice(range))
        }
        return multipart(representation, ranges, slice)
    }

    /// Whether a line has a checksum of the content of its own message, which a part does not share; those of the representation stay (RFC 9530 §3).
    private static func isOfContent(_ field: WireField) -> Bool {
        let name = field.name.lowercased()
        return FieldNames.isDigest(name) && name != "repr-digest" && name != "digest"
    }

    private static func contentRange(_ range: Range<Int>, _ length: Int) -> String {
        "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(length)"
    }

    /// Several ranges as multipart/byteranges, in the order they were asked for (§14.6, §15.3.7.2).
    private func multipart(
        _ representation: Representation, _ ranges: [Range<Int>], _ slice: (Range<Int>) -> BodySource
    ) -> Response {
        let boundary = Self.boundary(representation)
        let type = representation.response.mediaType
        var parts: [BodySource] = []
        for (index, range) in ranges.enumerated() {
            let contentType = type.isEmpty ? "" : "Content-Type: \(type)\r\n"
            let contentRange = Self.contentRange(range, representation.body.count)
            parts.append(
                .bytes(
                    Array(
                        "\(index == 0 ? "" : "\r\n")--\(boundary)\r\n\(contentType)Content-Range: \(contentRange)\r\n\r\n"
                            .utf8)))
            parts.append(slice(range))
        }
        parts.append(.bytes(Array("\r\n--\(boundary)--\r\n".utf8)))
        let body = BodySource.parts(parts)
        let fields =
            representation.head.fields.filter { $0.name.lowercased() != "content-type" && !Self.isOfContent($0) }
            + [WireField("Content-Type", "multipart/byteranges; boundary=\(boundary)")]
        return Response(head: ResponseHead(status: 206, fields: fields, framing: .length(body.count)), body: body)
    }

    /// Long enough to be in no content by chance, and the same for the same representation.
    private static func boundary(_ representation: Representation) -> String {
        let hash = FNVHash.of("\(representation.head.fields)\(representation.body.count)")
        return "mockapi-" + String(hash, radix: 36) + "-part"
    }

    private func slicer(_ representation: Representation) -> ((Range<Int>) -> BodySource)? {
        switch representation.body {
        case .empty: return { _ in .none }
        case .bytes(let bytes): return { .slice(bytes, $0) }
        case .file(let file):
            guard let open = files.file(for: file) else { return nil }
            return { .file(open, $0) }
        }
    }

    /// 503, whose file may be there again when it is next asked for.
    private func unreadable(_ prepared: PreparedResponse) -> Response {
        guard case .file(let file) = prepared.body else {
            return PlainResponse.text(500, "the body of this response cannot be coded\n")
        }
        let status = FileStatus(path: file.path)
        let why =
            status == nil ? SystemError.lastWords : status?.kind == .file ? "it is being changed" : "it is not a file"
        let root = root() + "/"
        let path = file.path.hasPrefix(root) ? String(file.path.dropFirst(root.count)) : file.path
        let text = "\(path) has changed since it was loaded, and cannot be read again: \(why)".printable
        failure = text
        return PlainResponse.text(503, text + "\n", fields: [WireField("Retry-After", "1")])
    }
}
