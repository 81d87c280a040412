// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiContentCodings
import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiSecrets
import MockapiStubMatching
import MockapiUpstream

/// Derives the matchers of a request's content.
struct RequestContent {
    /// The stand-in for the boundary of a multipart body, which differs each time.
    static let boundary = "boundary"
    /// The most bytes of non-text content that is matched by its bytes; beyond, it is neither matched nor stored. 64
    /// KiB.
    static let binaryLimit = 64 * 1024
    /// The most bytes of content that are matched by the text in the stub; more has a file of its own, so that the stub can be read. 16 KiB.
    static let shownLimit = 16 * 1024
    /// Fields of a form that are matched in any order; with more it is matched as a whole. 100.
    private static let fieldLimit = 100
    /// Bytes of a field that stands in the stub, in a form of more than `shownLimit` in which others are left open. 1 KiB.
    private static let fieldBytes = 1024

    /// Without its coding.
    private let body: [UInt8]
    private let mediaType: String
    private let redactor: Redactor
    private let unsteady: UnsteadyValues
    private(set) var placeholders: [String] = []
    private(set) var notes: [String] = []
    private(set) var stored: DerivedRequest.StoredContent?
    private(set) var operation: String?
    /// Parameters that stand for themselves, by which files are told apart.
    private(set) var items: [(name: String, value: String)] = []
    /// The values that were replaced.
    private(set) var credentials: [Credential] = []
    /// Values and orders that the matchers leave out, but for secrets.
    private(set) var left: [SentPlace: [[UInt8]]] = [:]
    /// The name of the account that the content names.
    private(set) var account: String?
    /// The places that it has and that vary by the user's word.
    private(set) var varying: [String] = []

    init(_ exchange: Exchange, redactor: Redactor, unsteady: UnsteadyValues = UnsteadyValues()) {
        self.unsteady = unsteady
        mediaType = exchange.requestFields.first { $0.name.lowercased() == "content-type" }?.value ?? ""
        let codings = exchange.requestFields.filter { $0.name.lowercased() == "content-encoding" }
            .map { $0.value.lowercased() }.joined(separator: ",")
        // As stubs see it when it is served.
        body =
            codings.isEmpty ? exchange.requestBody : Self.decoded(exchange.requestBody, codings) ?? exchange.requestBody
        self.redactor = redactor
    }

    mutating func patterns() -> [BodyMatcher] {
        let patterns = derived()
        guard body.count > Self.shownLimit, patterns.count == 1, let pattern = patterns.first,
            let content = FileMatcher.content(of: StubWriter.matcher(pattern))
        else { return patterns }
        stored = .init(
            bytes: content, fileExtension: MediaType.fileExtension(mediaType: mediaType, head: body),
            isText: String(validating: content, as: UTF8.self) != nil, isMatched: true)
        return patterns
    }

    private mutating func derived() -> [BodyMatcher] {
        guard !body.isEmpty else { return [] }
        if Self.multipartBoundary(of: mediaType) != nil, let parts = MultipartParts(body, mediaType: mediaType) {
            return multipart(parts)
        }
        guard MediaType.isText(mediaType: mediaType, head: body), let text = String(validating: body, as: UTF8.self)
        else { return binary() }
        let redaction = redactor.text(body, mediaType: mediaType, of: .request)
        placeholders = redaction.placeholders
        if let node = json(body) {
            varying = unsteady.members.filter { !$0.values(in: node).isEmpty }.map(\.path)
            guard redaction.isRedacted, let replaced = json(redaction.value) else {
                operation = Self.operation(of: node)
                let matching = unsteady.matching(node)
                items = ContentItems.ofJSON(sent: node, replaced: matching)
                leave(node, matching, .root, isWhole: true)
                return [.equalToJSON(matching)]
            }
            operation = Self.operation(of: replaced)
            let matching = unsteady.matching(JSONPlaceholder.standing(in: node, for: replaced))
            items = ContentItems.ofJSON(sent: node, replaced: matching)
            leave(node, unsteady.matching(replaced), .root, isWhole: false)
            account = SenderName.of(node, replaced: replaced)
            credentials = ReplacedValue.all(in: node, replaced: replaced).map { value in
                Credential(
                    place: value.path.names == nil ? .elsewhere(.member(value.path)) : .member(value.path),
                    name: value.name,
                    value: Array(value.value.utf8))
            }
            return [.equalToJSON(matching)]
        }
        if isForm {
            items = ContentItems.ofForm(sent: body, replaced: redaction.value)
            varying = Set(QueryText.decodedPairs(of: text).map(\.name)).intersection(unsteady.fields).map {
                "form:\($0)"
            }
            if let patterns = form(text, replaced: String(decoding: redaction.value, as: UTF8.self)) { return patterns }
        }
        if let xml = XMLContent(body, replaced: redaction.value, mediaType: mediaType, unsteady: unsteady) {
            left[.content] = [xml.told]
            return [xml.matcher]
        }
        guard redaction.isRedacted else { return [.value(.equal(to: text))] }
        let pattern = pattern(redaction)
        // A longer one than the library takes would keep the directory from being served.
        if pattern.utf8.count > Self.patternLimit { return storing(redaction, head: body, isText: true) }
        return [.value(.matching(pattern))]
    }

    /// Bytes of a pattern for the whole content. 16 KiB.
    private static let patternLimit = 16 * 1024

    /// Takes note of the members of JSON that are matched as anything of their type.
    ///
    /// - Parameter isWhole: whether the content may stand for parts without a path of names, since no secret is in it.
    private mutating func leave(_ sent: JSONNode, _ matching: JSONNode, _ path: JSONPlace?, isWhole: Bool) {
        switch (sent.value, matching.value) {
        case (.object(let left), .object(let right)) where left.members.count == right.members.count:
            for (sent, matching) in zip(left.members, right.members) {
                leave(sent.value, matching.value, path?.member(sent.name), isWhole: isWhole)
            }
        case (.array(let left), .array(let right)) where left.count == right.count:
            for (sent, matching) in zip(left, right) { leave(sent, matching, nil, isWhole: isWhole) }
        case (_, .string(let text)) where text.hasPrefix("${json-unit.") && sent.string != text:
            if let path {
                left[.member(path)] = [JSONWriter.compact(sent)]
            } else if isWhole {
                left[.content] = [SentContent.value(of: body)]
            }
        default: return
        }
    }

    /// Whether every reader takes the content for one of parts.
    private var hasPlainType: Bool { mediaType.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }

    private var isForm: Bool { mediaType.lowercased().hasPrefix("application/x-www-form-urlencoded") }

    /// The fields of a form in any order, with anything in the places of secrets, and no other; nil if that cannot be said.
    private mutating func form(_ text: String, replaced: String) -> [BodyMatcher]? {
        let sent = text.split(ascii: "&", omittingEmptySubsequences: false)
        let shown = replaced.split(ascii: "&", omittingEmptySubsequences: false)
        guard sent.count == shown.count, sent.count <= Self.fieldLimit else { return nil }
        account = SenderName.of(items)
        let isLong = body.count > Self.shownLimit
        var patterns: [String] = []
        var isExact = true
        var unshown: [String] = []
        var counts: [String: Int] = [:]
        defer { for (name, count) in counts where count <= 1 { left[.fieldOrder(name)] = nil } }
        for (sent, shown) in zip(sent, shown) {
            let sign = sent.firstIndex(ascii: "=") ?? sent.endIndex
            let name = QueryItems.lossyText(sent[..<sign])
            let behind = sign < sent.endIndex ? sent.utf8.index(after: sign) : sign
            let value = QueryItems.lossyText(sent[behind...])
            let written = String(sent[..<sign])
            // A secret shows nothing but its presence.
            counts[written, default: 0] += sent == shown ? 1 : -Self.fieldLimit
            if sent == shown { left[.fieldOrder(written), default: []].append(Array(sent.utf8)) }
            if sent == shown, !value.isEmpty, unsteady.variesInForm(name, value, among: items) {
                isExact = false
                items.removeAll { $0.name == name && $0.value == value }
                patterns.append(PatternText.escaped(String(sent[..<behind])) + "[^&]+")
                left[.field(written), default: []].append(Array(sent.utf8))
            } else if sent == shown, isLong, value.utf8.count > Self.fieldBytes {
                patterns.append(PatternText.escaped(String(sent[..<behind])) + "[^&]+")
                unshown.append(name)
            } else if sent == shown {
                patterns.append(PatternText.escaped(String(sent)))
            } else if sign < sent.endIndex, shown.utf8.starts(with: sent[..<behind].utf8) {
                patterns.append(PatternText.escaped(String(sent[..<behind])) + "[^&]+")
                isExact = false
                credentials.append(
                    Credential(place: .field(String(sent[..<sign])), name: name, value: Array(value.utf8)))
            } else {
                return nil
            }
        }
        // Without a secret it is matched as a whole.
        if isLong, isExact {
            left = [:]
            return nil
        }
        if !unshown.isEmpty {
            notes.append("long fields of the form are matched as present: \(unshown.joined(separator: ", "))")
        }
        if patterns.count == 1 {
            return [.value(isExact ? .equal(to: text) : .matching(patterns[0]))]
        }
        let fields = patterns.sorted().map { "(.*&)?\($0)(&.*)?" }
        return (["[^&]*(&[^&]*){\(patterns.count - 1)}"] + fields).map { .value(.matching($0)) }
    }

    private func json(_ bytes: [UInt8]) -> JSONNode? {
        guard let node = try? JSONParser.parse(bytes), node.object != nil || node.array != nil else { return nil }
        return node
    }

    /// The text that was sent, with anything in the places of placeholders.
    private func pattern(_ redaction: Redaction<[UInt8]>) -> String {
        var pattern = PatternText.escaped(String(decoding: redaction.value, as: UTF8.self))
        // A secret that was found in content other than a list of fields may reach over their separators.
        let isInField = isForm && Self.separators(in: body) == Self.separators(in: redaction.value)
        // A longer placeholder goes first: a shorter one may be its beginning.
        for placeholder in redaction.placeholders.sorted(by: { $0.utf8.count > $1.utf8.count }) {
            pattern = pattern.replacing(bytesOf: PatternText.escaped(placeholder), with: isInField ? "[^&]+" : ".+")
        }
        return pattern
    }

    private static func separators(in form: [UInt8]) -> Int { form.count { $0 == UInt8(ascii: "&") } }

    /// Content that is not UTF-8 text; if there are secrets in it, it is stored without them and not matched.
    private mutating func binary() -> [BodyMatcher] {
        if MediaType.isText(mediaType: mediaType, head: body) {
            let redaction = redactor.text(body, mediaType: mediaType, of: .request)
            if redaction.isRedacted { return storing(redaction, head: body, isText: true) }
        }
        let redaction = redactor.binary(body, mediaType: mediaType, of: .request)
        if redaction.isRedacted { return storing(redaction, head: body, isText: false) }
        guard body.count <= Self.binaryLimit || MediaType.isText(mediaType: mediaType, head: body) else {
            left[.content] = [SentContent.value(of: body)]
            notes.append(
                "the request's content of \(body.count) bytes is neither matched nor stored: it is not text, and over 64 KiB"
            )
            return []
        }
        stored = .init(
            bytes: body, fileExtension: MediaType.fileExtension(mediaType: mediaType, head: body), isText: false)
        return [.binaryEqualTo(body)]
    }

    /// Keeps content without its secrets, which is matched by nothing.
    private mutating func storing(_ redaction: Redaction<[UInt8]>, head: [UInt8], isText: Bool) -> [BodyMatcher] {
        placeholders = redaction.placeholders
        stored = .init(
            bytes: redaction.value, fileExtension: MediaType.fileExtension(mediaType: mediaType, head: head),
            isText: isText)
        notes.append("the request's content is stored without its secrets, and not matched")
        return []
    }

    /// Bytes that content may make without its coding; more is taken as it came. 16 MiB, as when it is served.
    private static let decodedLimit = 16 * 1024 * 1024

    /// - Returns: nil if the coding is not known, or the bytes are not of it.
    private static func decoded(_ body: [UInt8], _ coding: String) -> [UInt8]? {
        guard let decoder = StreamDecoder(codings: coding, limit: decodedLimit) else { return nil }
        var decoded: [UInt8] = []
        do throws(DecodingFailure) {
            decoder.push(body)
            while let piece = try decoder.pull() { decoded += piece }
            try decoder.finish()
        } catch {
            return nil
        }
        return decoded
    }

    /// Matchers for the head of each part and, if it is text, for its content; the boundary is left out.
    private mutating func multipart(_ parts: MultipartParts) -> [BodyMatcher] {
        var normalised: [UInt8] = []
        var patterns: [BodyMatcher] = []
        var pieces: [[UInt8]] = []
        for part in parts.parts {
            var content = part.content
            let isText = MediaType.isText(mediaType: part.mediaType, head: part.content)
            if isText {
                let named = redactor.query(part.name, String(decoding: part.content, as: UTF8.self))
                let redaction = redactor.text(
                    named.isRedacted ? Array(named.value.utf8) : part.content, mediaType: part.mediaType, of: .request)
                placeholders += redaction.isRedacted ? redaction.placeholders : named.placeholders
                content = redaction.value
                if named.isRedacted {
                    credentials.append(Credential(place: .elsewhere(.content), name: part.name, value: part.content))
                }
            } else {
                // A picture that is sent is matched by its head, and is nothing that a repository needs.
                content = Array("(\(part.content.count) bytes that are not stored)".utf8)
            }
            let isShown = isText && content == part.content && content.count <= Self.shownLimit
            let shown = part.head + (isShown ? content + part.lineEnd : [])
            patterns += ByteMatcher.containing(shown).map { .value($0) }
            if !isText || content == part.content {
                if !isShown, part.isPlain, hasPlainType {
                    left[.part(part.name), default: []].append(SentContent.value(of: part.content))
                }
                pieces.append(shown)
            }
            normalised += Array("--\(Self.boundary)\r\n".utf8) + part.head + content + part.lineEnd
        }
        normalised += Array("--\(Self.boundary)--\r\n".utf8)
        let isText = String(validating: normalised, as: UTF8.self) != nil
        stored = .init(bytes: normalised, fileExtension: "multipart", isText: isText)
        // A pattern of their order reads text alone.
        let hasOrder = pieces.count > 1 && pieces.count == parts.parts.count && body.count <= Self.shownLimit
        if hasOrder, String(validating: body, as: UTF8.self) != nil { left[.parts] = pieces }
        // In any order.
        return patterns.map { (pattern: $0, written: JSONWriter.compact(StubWriter.matcher($0))) }
            .sorted { $0.written.lexicographicallyPrecedes($1.written) }.map(\.pattern)
    }

    /// The boundary of a multipart form (RFC 2046 §5.1.1); nil for any other type.
    static func multipartBoundary(of mediaType: String) -> String? {
        guard mediaType.lowercased().hasPrefix("multipart/"),
            let boundary = FieldText.parameter("boundary", of: mediaType)
        else { return nil }
        // The longest allowed (RFC 2046 §5.1.1); a search for a longer boundary takes time that grows with its length.
        return boundary.utf8.count <= 70 ? boundary : nil
    }

    private static func operation(of node: JSONNode) -> String? {
        if let name = node["operationName"]?.string { return name }
        return node["jsonrpc"] == nil ? nil : node["method"]?.string
    }
}
