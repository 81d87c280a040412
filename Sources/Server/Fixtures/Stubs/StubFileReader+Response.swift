// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiContentCodings
import MockapiHTTPSyntax
import MockapiJSONText

extension StubFileReader {
    mutating func writtenResponse(_ cursor: Cursor) -> StubResponse {
        guard cursor.node.object != nil else { return StubResponse() }
        var status = cursor[.status]?.node.number?.integer ?? 200
        if status == 0 { status = 200 }
        if status > 599, let written = cursor[.status] {
            report(
                .warning, "the status \(status) does not belong to a class that clients know (RFC 9110 §15)",
                at: written)
        }
        var lines = headerLines(cursor[.headers])
        if !isRecorded, cursor[.rewriteOrigins] == nil { checkHost(lines) }
        let coding = coding(of: cursor)
        if let coding { lines = withoutContentEncoding(lines, but: coding) }
        let isTemplated = isTemplated(cursor)
        let fileName = isTemplated ? fileNameTemplate(of: cursor) : nil
        let body = fileName == nil ? body(of: cursor) : nil
        let written = body.flatMap { $0.content.body.count > 0 ? $0.cursor : nil }
        checkWithoutBody(cursor, status: status, body: fileName == nil ? written : cursor[.bodyFile])
        let proxy = proxy(of: cursor, isTemplated: isTemplated)
        let templates = isTemplated ? templates(of: cursor, lines, body, fileName, proxy) : nil
        if !isTemplated { checkTemplates(lines, body) }
        if let body, coding == nil, cursor[.fault] == nil { checkCoding(lines, body) }
        var headers = lines.map(\.line)
        if let body {
            // Coded bytes do not show their type.
            let isCoded = coding == nil && lines.contains { $0.isNamed("content-encoding") }
            addContentType(
                of: body, to: &headers, lines: lines, isTyped: isTyped(cursor),
                isCoded: isCoded || templates?.body != nil)
        }
        var response = StubResponse(
            status: status, reason: reason(of: cursor), headers: shared(headers), body: body?.content.body ?? .empty,
            contentEncoding: coding, contentLength: contentLength(of: cursor, body: body),
            trailers: trailers(cursor[.trailers]), rewriteOrigins: origins(cursor[.rewriteOrigins]),
            delay: delay(of: cursor), fault: fault(of: cursor),
            faultEndsConnection: faultEndsConnection(cursor))
        response.isLatin1 = isLatin1(cursor, response)
        response.templates = templates
        response.proxy = proxy?.target
        response.faultRules = faultRules(cursor["faults"])
        response.delayRules = delayRules(cursor["delays"])
        response.isAsWritten = cursor["asWritten"]?.node.bool ?? isWireMock
        response.hasRanges = hasRanges(cursor)
        response.shiftsDates = cursor["dates"] != nil
        return response
    }

    /// Reports parts that are not sent if a response has no body: a written body, and trailers, which stand behind one
    /// (RFC 9110 §6.5.1).
    ///
    /// - Parameter body: the place of a body that is not empty, or of a template of its file's name; nil if there is none.
    private mutating func checkWithoutBody(_ cursor: Cursor, status: Int, body: Cursor?) {
        let hasNone = [204, 205, 304].contains(status)
        if hasNone, let body {
            report(
                .warning, "a response with status \(status) has no body (RFC 9110 §6.4.1); it is not sent", at: body)
        }
        if hasNone || asksForHead, let trailers = cursor[.trailers],
            trailers.node.array?.isEmpty == false || trailers.node.object?.members.isEmpty == false
        {
            let response = hasNone ? "a response with status \(status)" : "a response to HEAD"
            report(
                .warning, "\(response) has no body, and no trailers behind one (RFC 9110 §6.5.1); they are not sent",
                at: trailers)
        }
        if status == 204 || status == 205, let length = cursor[.contentLength] {
            report(
                .warning, "a response with status \(status) has no length (RFC 9110 §8.6); it is not sent", at: length)
        }
    }

    /// Reports lines that were written for the host of a service, and do something else to that of this server.
    private mutating func checkHost(_ lines: [PlacedLine]) {
        for placed in lines {
            if placed.isNamed("strict-transport-security") {
                if Self.endsStrictTransport(placed.line.value) { continue }
                report(
                    .warning,
                    "after this line over TLS a browser uses only https for this server's name, on every port, for as long as the line says; leave it out",
                    at: placed.cursor)
            } else if placed.isNamed("set-cookie"),
                let domain = placed.line.value.split(ascii: ";").dropFirst().lazy.map(\.trimmingBlanks)
                    .first(where: { $0.lowercased().hasPrefix("domain=") })?.dropFirst(7),
                !domain.isEmpty, !domain.contains("{{"), !Self.isLocal(domain)
            {
                report(
                    .warning,
                    "a client drops this cookie unless it calls this server by \(domain) or a name below it; leave Domain out",
                    at: placed.cursor)
            }
        }
    }

    /// Whether a Strict-Transport-Security line has browsers forget the host (RFC 6797 §6.1.1).
    private static func endsStrictTransport(_ value: String) -> Bool {
        value.split(ascii: ";").contains { directive in
            let parts = directive.split(ascii: "=", maxSplits: 1).map(\.trimmingBlanks)
            guard parts.count == 2, parts[0].lowercased() == "max-age" else { return false }
            let age = parts[1].filter { $0 != "\"" }
            return !age.isEmpty && age.allSatisfy { $0 == "0" }
        }
    }

    /// Whether a cookie's domain is a name of a server on a developer's machine: `localhost`, or an address.
    private static func isLocal(_ domain: Substring) -> Bool {
        let name = domain.hasPrefix(".") ? domain.dropFirst() : domain
        let numbers = name.split(ascii: ".", omittingEmptySubsequences: false)
        // A name holds no colon.
        return name.lowercased() == "localhost" || name.contains(":")
            || numbers.count == 4 && numbers.allSatisfy { UInt8($0) != nil }
    }

    /// The substitute for a response that cannot be made.
    static func failedResponse(_ reason: String) -> StubResponse {
        let text = Array("500: \(reason)\n".utf8)
        return StubResponse(
            status: 500, headers: [HeaderLine("Content-Type", "text/plain; charset=utf-8")],
            body: Content(bytes: text).body)
    }

    /// A response as it is written, its files by their names.
    mutating func definition(_ cursor: Cursor) -> ResponseDefinition {
        var response = ResponseDefinition(
            status: cursor[.status]?.node.number?.integer ?? 200, headers: headerLines(cursor[.headers]).map(\.line),
            content: content(of: cursor))
        response.reason = reason(of: cursor)
        response.isLatin1 = Self.isLatin1(cursor)
        response.contentEncoding = coding(of: cursor)
        response.isTyped = isTyped(cursor)
        response.contentLength = cursor[.contentLength]?.node.number?.integer
        response.trailers = trailers(cursor[.trailers])
        response.rewriteOrigins = origins(cursor[.rewriteOrigins])
        response.hasRanges = hasRanges(cursor)
        response.delay = delay(of: cursor)
        response.fault = fault(of: cursor)
        response.faultEndsConnection = faultEndsConnection(cursor)
        return response
    }

    private func coding(of cursor: Cursor) -> ContentCoding? {
        cursor[.contentEncoding]?.node.string.flatMap(ContentCoding.init)
    }
    private func isTyped(_ cursor: Cursor) -> Bool { cursor[.defaultContentType]?.node.bool ?? true }
    private func hasRanges(_ cursor: Cursor) -> Bool { cursor[.ranges]?.node.bool ?? true }
    private func faultEndsConnection(_ cursor: Cursor) -> Bool { cursor[.scope]?.node.string == "connection" }
    private static func isLatin1(_ cursor: Cursor) -> Bool { cursor[.headerCharset]?.node.string == "ISO-8859-1" }

    /// Whether the head is sent in ISO 8859-1; a character that it does not have is an error.
    private mutating func isLatin1(_ cursor: Cursor, _ response: StubResponse) -> Bool {
        guard let written = cursor[.headerCharset], Self.isLatin1(cursor) else { return false }
        let lines = (response.headers + response.trailers).map { (name: $0.name, text: $0.value) }
        for line in lines + [("the reason phrase", response.reason ?? "")] {
            guard let character = Latin1.characterBeyond(in: line.text) else { continue }
            report(
                .error, "\"\(Character(character))\" in \(line.name) is not a character of ISO-8859-1", at: written)
        }
        return true
    }

    private mutating func reason(of cursor: Cursor) -> String? {
        guard let written = cursor[.reason] ?? (isWireMock ? cursor["statusMessage"] : nil),
            let text = written.node.string
        else { return nil }
        if let byte = FieldText.controlCharacter(in: text) {
            report(.error, "the reason phrase holds \(FieldText.name(ofControl: byte))", at: written)
            return nil
        }
        return text
    }

    /// Lines without those of codings, except a line that says the same as `contentEncoding`: where its line stands.
    private mutating func withoutContentEncoding(_ lines: [PlacedLine], but coding: ContentCoding) -> [PlacedLine] {
        var hasPlace = false
        return lines.filter { placed in
            guard placed.isNamed("content-encoding") else { return true }
            if !hasPlace, placed.line.value == coding.rawValue {
                hasPlace = true
                return true
            }
            report(
                .error,
                "a Content-Encoding line beside \"contentEncoding\"; leave the line out, the server writes it",
                at: placed.cursor)
            return false
        }
    }

    /// Checks the Content-Type line: adds one if there is none (WireMock adds none), and compares an existing line with the bytes.
    private mutating func addContentType(
        of body: WrittenBody, to headers: inout [HeaderLine], lines: [PlacedLine], isTyped: Bool, isCoded: Bool
    ) {
        let written = lines.last { $0.isNamed("content-type") }
        if written == nil, !isTyped { return }
        if written == nil, !isWireMock, let type = body.mediaType { headers.append(HeaderLine("Content-Type", type)) }
        if isCoded { return }
        guard let type = written?.line.value ?? body.mediaType, body.key != "jsonBody" || written != nil else { return }
        if let text = bodies.contradiction(of: type, to: body.content) {
            report(.warning, text, at: written?.cursor ?? body.cursor)
        }
    }

    private mutating func contentLength(of cursor: Cursor, body: WrittenBody?) -> Int? {
        if isWireMock {
            guard asksForHead, body?.content.body.count ?? 0 == 0 else { return nil }
            let line = cursor[.headers]?.members.last { $0.name.lowercased() == "content-length" }
            return line?.value.node.headerText.flatMap(Int.init).flatMap { $0 < 0 ? nil : $0 }
        }
        guard let written = cursor[.contentLength], let length = written.node.number?.integer else { return nil }
        if let body, body.content.body.count > 0 {
            report(
                .warning, "\"contentLength\" is for a response without its body; here the body has its own length",
                at: written)
            return nil
        }
        return length
    }

    private mutating func origins(_ cursor: Cursor?) -> [String] {
        (cursor?.elements ?? []).compactMap { element in
            guard let text = element.node.string else { return nil }
            if Origin.isOrigin(text) { return text }
            report(
                .error,
                "expected an origin such as \"https://images.example.com\", without a path, found \"\(text)\"",
                at: element)
            return nil
        }
    }
}
