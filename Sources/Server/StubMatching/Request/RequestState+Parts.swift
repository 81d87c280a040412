// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiJSONText
import MockapiMetering

extension RequestState {
    /// Decodes the query, once per request.
    @inline(__always)
    mutating func readQuery() {
        if hasQuery { return }
        hasQuery = true
        query.decode(rawQuery)
    }

    /// Fields of a form; a form with more is not read. 500,000.
    private static let mostFields = 500_000

    /// Decodes the fields of a form, once per request; another body has none.
    ///
    /// - Returns: whether the fields are known; false, and noted, if there are too many, or the request has taken all the work it may.
    mutating func readForm() -> Bool {
        if !hasForm {
            hasForm = true
            form.removeAll()
            // Field values are compared as they are in a query; a media type may stand in any case.
            if contentType?.text.lowercased().contains("x-www-form-urlencoded") == true {
                isFormGivenUp = !budget.meter.pay(body.count) || !body.isFew(ASCII.ampersand, Self.mostFields)
                if !isFormGivenUp { form.decode(body) }
            }
        }
        if isFormGivenUp { givenUp.insert(.form) }
        return !isFormGivenUp
    }

    /// The parts of a multipart body, found once per request; nil if the body is not multipart, or is broken.
    mutating func readParts() -> [MultipartBody.Part]? {
        if case .unread = multipart {
            guard budget.meter.pay(body.count) else {
                givenUp.insert(.parts)
                return nil
            }
            do throws(MultipartBody.Broken) {
                multipart = .parts(try MultipartBody.parts(of: body, contentType: contentType))
            } catch {
                multipart = .broken(error.text)
            }
        }
        if case .parts(let parts) = multipart { return parts }
        return nil
    }

    /// The value of the first Content-Type line.
    var contentType: Bytes? { mutating get { value(of: "content-type") } }

    private mutating func value(of name: StaticString) -> Bytes? {
        for field in fields where isName(field, name) { return bytes(field.value) }
        return nil
    }

    /// The port that the request names, or that its scheme stands for.
    mutating func readPort() -> Int {
        let authority = authority
        // A port has five digits at most.
        let colon = authority.suffix(6).lastIndex(of: ASCII.colon)
        let digits = colon.map { authority.slice($0 + 1, authority.count) }
        guard let digits, !digits.isEmpty, digits.count <= 5, digits.allSatisfy(ASCII.isDigit) else {
            return isSecure ? 443 : 80
        }
        return digits.reduce(0) { $0 * 10 + Int($1 & 0x0F) }
    }

    /// The first address of the first `X-Forwarded-For` line (each proxy on the way adds one to it), else the address that the request comes from.
    mutating func readClient() -> Bytes? {
        guard let line = value(of: "x-forwarded-for") else { return client }
        var end = line.firstPlace(of: ASCII.comma) ?? line.count
        while end > 0, line[end - 1] == ASCII.space || line[end - 1] == 0x09 { end -= 1 }
        return line.slice(0, end)
    }

    /// Finds the cookies, once per request (RFC 6265 §5.4): pairs between `;`, without white space and quotes around
    /// them.
    mutating func readCookies() {
        if hasCookies { return }
        hasCookies = true
        cookies.removeAll()
        let head = head
        for field in fields where isName(field, "cookie") {
            var start = Int(field.value.start)
            let last = Int(field.value.end)
            while start < last {
                var end = start
                while end < last, head[end] != ASCII.semicolon { end += 1 }
                addCookie(head, start, end)
                start = end + 1
            }
        }
    }

    private mutating func addCookie(_ head: Bytes, _ start: Int, _ end: Int) {
        var equals = start
        while equals < end, head[equals] != ASCII.equals { equals += 1 }
        let name = Self.trim(head, start, equals)
        var value = Self.trim(head, min(equals + 1, end), end)
        if name.isEmpty { return }
        if value.count >= 2, head[Int(value.start)] == ASCII.quote, head[Int(value.end) - 1] == ASCII.quote {
            value = ByteRange(Int(value.start) + 1, Int(value.end) - 1)
        }
        cookies.append(
            Cookie(nameStart: name.start, nameEnd: name.end, valueStart: value.start, valueEnd: value.end))
    }

    private static func trim(_ head: Bytes, _ start: Int, _ end: Int) -> ByteRange {
        var start = start
        var end = end
        while start < end, head[start] == ASCII.space || head[start] == ASCII.tab { start += 1 }
        while end > start, head[end - 1] == ASCII.space || head[end - 1] == ASCII.tab { end -= 1 }
        return ByteRange(start, end)
    }

    /// The host in lower case, without its port and the dot that may end a full name (RFC 1034 §3.1), worked out once per request; nil if the
    /// request names none.
    mutating func readHost() -> Bytes? {
        if !hasHost {
            hasHost = true
            host.removeAll()
            let authority = authority
            var end = authority.count
            let isLiteral = authority.first == UInt8(ascii: "[")
            if isLiteral, let bracket = authority.firstPlace(of: UInt8(ascii: "]")) {
                end = bracket + 1
            } else if let colon = authority.firstPlace(of: ASCII.colon) {
                end = colon
            }
            if end > 1, authority[end - 1] == UInt8(ascii: ".") { end -= 1 }
            for byte in authority.slice(0, end) { host.append(ASCII.lowercased(byte)) }
        }
        return host.count == 0 ? nil : host.all
    }

    /// The percent-decoded path, worked out once per request.
    mutating func readFileName() -> Bytes {
        if path.firstPlace(of: ASCII.percent) == nil { return path }
        if !hasFileName {
            hasFileName = true
            fileName.removeAll()
            fileName.appendDecoded(path, plusIsSpace: false)
        }
        return fileName.all
    }

    /// Whether the body is not read once more for the explanation of a miss.
    var isTooLargeToExplain: Bool { mutating get { isExplaining && body.count > NearMissLimits.bodyBytes } }

    /// Whether the body is to be read as JSON, for the first time or if it was not paid for.
    private var isJSONUnread: Bool {
        switch json {
        case .unread, .tooMuchWork: true
        case .broken, .tooLarge, .value: false
        }
    }

    /// The body as JSON, read once per request; nil if it is not JSON, or the request has taken all the work it may.
    mutating func readJSON() -> JSONBody? {
        if isJSONUnread {
            if isTooLargeToExplain { return nil }
            guard budget.meter.pay(body.count) else {
                json = .tooMuchWork
                return nil
            }
            json = .broken
            if body.count <= JSONLimits.bytes {
                do throws(JSONError) {
                    let tree = try JSONParser.parse(body, most: JSONLimits.memory, weights: JSONLimits.weights)
                    json = tree.map { .value(JSONBody($0)) } ?? .tooLarge
                } catch {
                    // A body that is not JSON equals no JSON.
                }
            }
        }
        if case .value(let body) = json { return body }
        return nil
    }

    @inline(__always)
    mutating func bytes(_ range: ByteRange) -> Bytes { head.slice(Int(range.start), Int(range.end)) }

    /// Whether a field has a name, given in lower case.
    @inline(__always)
    mutating func isName(_ field: RequestHead.Field, _ lowercased: Bytes) -> Bool {
        guard field.name.count == lowercased.count else { return false }
        let head = head
        let start = Int(field.name.start)
        for index in 0..<lowercased.count where ASCII.lowercased(head[start &+ index]) != lowercased[index] {
            return false
        }
        return true
    }

    @inline(__always)
    mutating func isName(_ field: RequestHead.Field, _ lowercased: StaticString) -> Bool {
        isName(field, Bytes(start: lowercased.utf8Start, count: lowercased.utf8CodeUnitCount))
    }
}
