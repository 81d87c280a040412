// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPMessage
import JSONText

extension RequestState {
    /// Decodes the query, once a request: pairs between `&`, name and value at the first `=`, `+` a space.
    @inline(__always)
    mutating func readQuery() {
        if !hasQuery { decodeQuery() }
    }

    private mutating func decodeQuery() {
        hasQuery = true
        decoded.removeAll()
        parameters.removeAll()
        // Decoding makes nothing longer, so the buffer stays where it is.
        decoded.reserve(query.count)
        var start = 0
        while start < query.count {
            let end = query.firstPlace(of: ASCII.ampersand, from: start) ?? query.count
            if end > start {
                let pair = query.slice(start, end)
                let equals = pair.firstPlace(of: ASCII.equals) ?? pair.count
                let nameStart = UInt32(decoded.count)
                decoded.appendDecoded(pair.slice(0, equals), plusIsSpace: true)
                let nameEnd = UInt32(decoded.count)
                if equals < pair.count { decoded.appendDecoded(pair.slice(equals + 1, pair.count), plusIsSpace: true) }
                let hash = ByteHash.hash(decoded.slice(nameStart, nameEnd), seed: 0)
                parameters.append(
                    Parameter(
                        nameHash: UInt32(truncatingIfNeeded: hash), nameStart: nameStart, nameEnd: nameEnd,
                        valueStart: nameEnd, valueEnd: UInt32(decoded.count)))
            }
            start = end + 1
        }
    }

    /// Finds the cookies, once a request (RFC 6265 §5.4): pairs between `;`, without white space and quotes around them.
    mutating func readCookies() {
        if hasCookies { return }
        hasCookies = true
        cookies.removeAll()
        for field in fields where isName(field, "cookie") {
            var start = Int(field.value.start)
            let last = Int(field.value.end)
            while start < last {
                var end = start
                while end < last, head[end] != ASCII.semicolon { end += 1 }
                addCookie(start, end)
                start = end + 1
            }
        }
    }

    private mutating func addCookie(_ start: Int, _ end: Int) {
        var equals = start
        while equals < end, head[equals] != ASCII.equals { equals += 1 }
        let name = trim(start, equals)
        var value = trim(min(equals + 1, end), end)
        if name.isEmpty { return }
        if value.count >= 2, head[Int(value.start)] == ASCII.quote, head[Int(value.end) - 1] == ASCII.quote {
            value = ByteRange(Int(value.start) + 1, Int(value.end) - 1)
        }
        cookies.append(
            Cookie(nameStart: name.start, nameEnd: name.end, valueStart: value.start, valueEnd: value.end))
    }

    private func trim(_ start: Int, _ end: Int) -> ByteRange {
        var start = start
        var end = end
        while start < end, head[start] == ASCII.space || head[start] == ASCII.tab { start += 1 }
        while end > start, head[end - 1] == ASCII.space || head[end - 1] == ASCII.tab { end -= 1 }
        return ByteRange(start, end)
    }

    /// The host without its port in lower case, worked out once a request; nil where the request names none.
    mutating func readHost() -> Bytes? {
        if !hasHost {
            hasHost = true
            host.removeAll()
            var end = authority.count
            let isLiteral = authority.first == UInt8(ascii: "[")
            if isLiteral, let bracket = authority.firstPlace(of: UInt8(ascii: "]")) {
                end = bracket + 1
            } else if let colon = authority.firstPlace(of: ASCII.colon) {
                end = colon
            }
            for byte in authority.slice(0, end) { host.append(ASCII.lowercased(byte)) }
        }
        return host.count == 0 ? nil : host.all
    }

    /// The percent-decoded path, worked out once a request.
    mutating func readFileName() -> Bytes {
        if path.firstPlace(of: ASCII.percent) == nil { return path }
        if !hasFileName {
            hasFileName = true
            fileName.removeAll()
            fileName.appendDecoded(path, plusIsSpace: false)
        }
        return fileName.all
    }

    /// The body as JSON, read once a request; nil where it is none.
    mutating func readJSON() -> JSONBody? {
        if case .unread = json {
            let isLarge = body.count > NearMissLimits.bodyBytes
            if isLarge, isExplaining { return nil }
            json = .broken
            if body.count <= JSONLimits.bytes {
                do throws(JSONError) {
                    let tree = try JSONParser.parse(body, mostValues: JSONLimits.values)
                    json = tree.map { .value(JSONBody($0, keepsTree: !isLarge)) } ?? .tooManyValues
                } catch {
                    // What is no JSON equals none.
                }
            }
        }
        if case .value(let body) = json { return body }
        return nil
    }

    /// Whether a field has a name, given in lower case.
    @inline(__always)
    func isName(_ field: RequestHead.Field, _ lowercased: Bytes) -> Bool {
        guard field.name.count == lowercased.count else { return false }
        let start = Int(field.name.start)
        for index in 0..<lowercased.count where ASCII.lowercased(head[start &+ index]) != lowercased[index] {
            return false
        }
        return true
    }

    @inline(__always)
    func isName(_ field: RequestHead.Field, _ lowercased: StaticString) -> Bool {
        isName(field, Bytes(start: lowercased.utf8Start, count: lowercased.utf8CodeUnitCount))
    }
}
