// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiContentCodings
import MockapiFixtures
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiJSONText
import MockapiSecrets
import MockapiUpstream

/// Derives a stub's response from a live response.
struct ResponseDerivation {
    private let exchange: Exchange
    private let redactor: Redactor
    private let options: RecorderOptions
    /// The response that is recorded already: a secret there is one still, whatever the rules are now.
    private let known: RecordedResponse?
    private let left: [SentPlace: [[UInt8]]]
    /// The values that identify the sender of the request.
    private let credentials: [Credential]
    /// The kinds of secrets that may stand in the stub and in the body, as findings name them, in lower case.
    private var allowed: (stub: Set<String>, body: Set<String>) = ([], [])
    private var derived: DerivedResponse
    /// Whether the head is read as ISO 8859-1.
    private let isLatin1: Bool

    /// - Parameter request: whose values may come back.
    init(
        _ exchange: Exchange, of request: DerivedRequest, redactor: Redactor, options: RecorderOptions,
        known: RecordedResponse? = nil
    ) {
        self.known = known
        left = request.left
        credentials = request.credentials
        self.exchange = exchange
        self.redactor = redactor
        self.options = options
        derived = DerivedResponse(response: RecordedResponse(status: exchange.head.status))
        isLatin1 = exchange.isLatin1
    }

    /// Makes allowed secrets in the files of the recording stay there.
    ///
    /// - Parameters:
    ///   - stub: nil if nothing is recorded: the files will be called by the request.
    ///   - step: of the stub, which this response is.
    mutating func allow(_ secrets: AllowedSecrets, of stub: RecordedStub?, step: Int, _ request: DerivedRequest) {
        guard !secrets.isEmpty else { return }
        var head: [UInt8] = []
        if case .bytes(let bytes) = exchange.content.storage { head = bytes }
        let mediaType = exchange.head.fields.first { $0.name.lowercased() == "content-type" }?.value ?? ""
        let fileExtension = MediaType.fileExtension(mediaType: mediaType, head: head)
        let name = FixtureName(request, fileExtension: fileExtension)
        let body = stub.map { $0.shownFile(step) } ?? name.body(step: step + 1, fileExtension: fileExtension)
        allowed = (secrets.kinds(in: stub?.path ?? name.stub), secrets.kinds(in: body))
    }

    mutating func derive() -> DerivedResponse {
        derived.response.reason = reason
        derived.response.headers = exchange.head.fields.compactMap { line(of: $0) }
        takeContent()
        derived.response.isUntyped =
            derived.response.body.count > 0 && derived.response.values(of: "content-type").isEmpty
        derived.response.trailers = exchange.trailers.compactMap { trailer(of: $0) }
        leaveOutDigests()
        echoInLocation()
        derived.response.isLatin1 = isLatin1 && hasBeyondASCII
        derived.response.hasRanges = exchange.givesRanges ?? known?.hasRanges ?? true
        derived.response.rewriteOrigins = options.origins.filter { isNamed($0) }
        return derived
    }

    /// The phrase of HTTP/1.1 if it is not the usual one; an empty one is not the usual one.
    private var reason: String? {
        let reason = exchange.text(exchange.head.reasonBytes, isLatin1: isLatin1)
        guard exchange.head.version != .http2, reason != StatusReason.phrase(exchange.head.status),
            FieldText.controlCharacter(in: reason) == nil
        else { return nil }
        return redactor.header("reason", reason).value
    }

    /// Whether characters beyond ASCII are left in the head: replaced ones need no charset.
    private var hasBeyondASCII: Bool {
        let values = (derived.response.headers + derived.response.trailers).map(\.value)
        return (values + [derived.response.reason ?? ""]).contains { $0.utf8.contains { $0 >= 0x80 } }
    }

    private var isHead: Bool { exchange.method == "HEAD" }

    // MARK: Lines

    private mutating func line(of field: UpstreamField) -> HeaderLine? {
        let name = field.name.lowercased()
        if name == "content-length", isHead { derived.response.contentLength = Int(field.value) }
        if ResponseHeaders.treatment(of: name) == .dropped || FieldNames.ofServers.contains(name) { return nil }
        // The stub states the coding of decoded content, in its last line unless one says where; if nothing was coded
        // there is none.
        if name == "content-encoding", !isHead, exchange.content.decodedFrom != nil || exchange.content.isEmpty {
            guard !exchange.content.isEmpty, let coding = exchange.content.decodedFrom,
                ContentCoding(rawValue: coding.lowercased()) != nil,
                isFollowed(field)
            else { return nil }
            return HeaderLine(field.name, coding.lowercased())
        }
        return written(field)
    }

    /// Whether a line that is kept stands behind another.
    private func isFollowed(_ field: UpstreamField) -> Bool {
        guard let place = exchange.head.fields.lastIndex(of: field) else { return false }
        return exchange.head.fields[(place + 1)...].contains {
            let name = $0.name.lowercased()
            return ResponseHeaders.treatment(of: name) != .dropped && !FieldNames.ofServers.contains(name)
        }
    }

    private mutating func trailer(of field: UpstreamField) -> HeaderLine? {
        let name = field.name.lowercased()
        guard !FieldNames.notInTrailers.contains(name), !FieldNames.ofServers.contains(name) else {
            derived.notes.append("\(field.name) is left out: it cannot be a trailer (RFC 9110 §6.5.1)")
            return nil
        }
        return ResponseHeaders.treatment(of: name) == .dropped ? nil : written(field)
    }

    private mutating func written(_ field: UpstreamField) -> HeaderLine? {
        let name = field.name.lowercased()
        let lines = (known?.headers ?? []) + (known?.trailers ?? [])
        let recorded = lines.filter { $0.name.lowercased() == name }.map(\.value)
        let value = exchange.text(field.bytes, isLatin1: isLatin1)
        let redaction = redactor.header(field.name, value, recorded: recorded, allowing: allowed.stub)
        guard FieldText.isToken(field.name), FieldText.controlCharacter(in: redaction.value) == nil else {
            derived.notes.append("the line \(field.name) is left out: it is not a field line (RFC 9110 §5)")
            return nil
        }
        derived.redacted += redaction.placeholders
        return HeaderLine(field.name, redaction.value)
    }

    // MARK: Content

    private mutating func takeContent() {
        guard !isHead, exchange.head.status != 204, exchange.head.status != 304 else { return }
        let content = exchange.content
        let mediaType = derived.response.mediaType
        switch content.storage {
        case .file(let path, let size):
            derived.response.body = .file(path: path, size: size)
            derived.response.fileExtension = MediaType.fileExtension(
                mediaType: mediaType, head: derived.response.body.head)
        case .bytes(let bytes):
            guard !bytes.isEmpty else { return }
            derived.response.isText = MediaType.isText(mediaType: mediaType, head: bytes)
            let body = derived.response.isText ? text(bytes, mediaType) : binary(bytes, mediaType)
            derived.response.body = .bytes(body)
            let template = derived.response.isText ? echo(in: body) : nil
            if let template {
                derived.response.template = template
                derived.response.body = .bytes(JSONWriter.compact(template))
            }
            derived.response.fileExtension = MediaType.fileExtension(mediaType: mediaType, head: body)
        }
        guard let coding = content.decodedFrom else { return }
        if ContentCoding(rawValue: coding.lowercased()) != nil {
            derived.response.contentEncoding = coding.lowercased()
        } else {
            derived.undoneCoding = coding
        }
    }

    private mutating func binary(_ bytes: [UInt8], _ mediaType: String) -> [UInt8] {
        let redaction = redactor.binary(bytes, mediaType: mediaType, of: .response)
        derived.redacted += redaction.placeholders
        return redaction.value
    }

    private mutating func text(_ bytes: [UInt8], _ mediaType: String) -> [UInt8] {
        let redaction = redactor.text(
            bytes, mediaType: mediaType, of: .response, recorded: known?.body.text.map { RecordedText($0) },
            allowing: allowed.body)
        derived.redacted += redaction.placeholders
        guard options.isPretty, let node = try? JSONParser.parse(redaction.value) else { return redaction.value }
        let pretty = JSONWriter.pretty(node) + [UInt8(ascii: "\n")]
        derived.isPretty = pretty != redaction.value
        return pretty
    }

    /// The JSON with values of the request as templates; nil if none stands in it, or a line would be taken for a template.
    private mutating func echo(in body: [UInt8]) -> JSONNode? {
        let echoed = EchoedValues(left)
        if derived.response.headers.contains(where: { $0.value.contains("{{") }) { return nil }
        return echoed.template(of: body, found: &derived.echoed)
    }

    /// Makes a redirect lead back with the values of the request's query, if nothing else would be taken for a template.
    private mutating func echoInLocation() {
        guard (300..<400).contains(exchange.head.status),
            let place = derived.response.headers.firstIndex(where: { $0.name.lowercased() == "location" }),
            !derived.response.headers.contains(where: { $0.value.contains("{{") }),
            derived.response.body.count == 0
                || derived.response.isText && derived.response.body.text?.contains(Array("{{".utf8)) == false,
            let template = EchoedValues(left, hidden: hiddenParameters).template(
                ofURL: derived.response.headers[place].value, found: &derived.echoed)
        else { return }
        derived.response.headers[place] = HeaderLine(derived.response.headers[place].name, template)
        derived.response.hasTemplates = true
    }

    /// The parameters of the request's query that are secrets by their looks, as a `state` at random is, with their placeholders.
    private var hiddenParameters: [(name: String, value: String)] {
        credentials.compactMap { credential in
            guard case .parameter(let name) = credential.place else { return nil }
            return redactor.placeholder(of: credential.value).map { (name, $0) }
        }
    }

    /// A checksum is right for the served content, or left out: if content was coded, or something in it was replaced, it is of other bytes.
    private mutating func leaveOutDigests() {
        guard !isHead else { return }
        var isSame = exchange.content.decodedFrom == nil
        if case .bytes(let came) = exchange.content.storage, case .bytes(let kept) = derived.response.body {
            isSame = isSame && came == kept
        }
        guard !isSame else { return }
        derived.response.headers.removeAll { FieldNames.isDigest($0.name.lowercased()) }
        derived.response.trailers.removeAll { FieldNames.isDigest($0.name.lowercased()) }
    }

    // MARK: Origins

    /// Whether an origin stands in the text or in a line, in one of its spellings.
    private func isNamed(_ origin: String) -> Bool {
        let rewriter = OriginRewriter([(origin: origin, base: "")])
        func stands(in text: [UInt8], _ mediaType: String = "") -> Bool {
            ContentOrigins(rewriter, mediaType: mediaType).map { $0.rewritten(text) != text } ?? false
                || Placeholders.rewritten(text, claims: rewriter.rewritten) != nil
        }
        let response = derived.response
        if response.headers.contains(where: { stands(in: Array($0.value.utf8)) }) { return true }
        let mediaType = response.mediaType
        let isLookedInto = response.isText || ContentOrigins.areIn(mediaType)
        guard isLookedInto, case .bytes(let bytes) = response.body else { return false }
        return stands(in: bytes, ContentOrigins.areIn(mediaType) ? mediaType : "")
    }
}

extension [UInt8] {
    /// Whether bytes stand in these, by Boyer, Moore and Horspool's search.
    func contains(_ pattern: [UInt8]) -> Bool {
        guard let last = pattern.indices.last, count >= pattern.count else { return false }
        var shifts = [Int](repeating: pattern.count, count: 256)
        for (index, byte) in pattern.dropLast().enumerated() { shifts[Int(byte)] = last - index }
        var end = last
        while end < count {
            var index = last
            while self[end - last + index] == pattern[index] {
                if index == 0 { return true }
                index -= 1
            }
            end += shifts[Int(self[end])]
        }
        return false
    }
}
