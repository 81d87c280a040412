// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

/// A cookie as a Set-Cookie line asks for it (RFC 6265 §5.2 and §5.3).
struct SetCookie: Equatable {
    let name: String
    let value: String
    /// In lower case, without a dot at its beginning.
    let domain: String
    /// Whether it is for the host alone, and not for those below it.
    let isHostOnly: Bool
    let path: String
    let isSecure: Bool
    /// Nil for as long as the session lasts.
    let expires: Date?

    /// The cookies of the lines of a response.
    ///
    /// - Parameter lines: those of one name joined by commas, as Foundation has them.
    static func all(in lines: String, of url: URL, now: Date = Date()) -> [SetCookie] {
        split(lines).compactMap { SetCookie($0, of: url, now: now) }
    }

    /// - Returns: nil if the line sets none, or a cookie that is not for this host.
    private init?(_ line: Substring, of url: URL, now: Date) {
        guard let host = url.host?.lowercased() else { return nil }
        var parts = line.split(separator: ";", omittingEmptySubsequences: false)
        let pair = parts.removeFirst()
        guard let equals = pair.firstIndex(of: "=") else { return nil }
        name = Self.trimmed(pair[..<equals])
        value = Self.trimmed(pair[pair.index(after: equals)...])
        guard !name.isEmpty else { return nil }
        var (domain, path, isSecure) = ("", "", false)
        var (expires, lifetime): (Date?, Date?) = (nil, nil)
        // If an attribute is given several times, the last one counts.
        for part in parts {
            let equals = part.firstIndex(of: "=") ?? part.endIndex
            let value = Self.trimmed(part[equals...].dropFirst())
            switch Self.trimmed(part[..<equals]).lowercased() {
            case "expires": expires = CookieDate.date(value) ?? expires
            case "max-age": lifetime = Self.end(of: value, now: now) ?? lifetime
            case "domain" where !value.isEmpty:
                domain = (value.hasPrefix(".") ? String(value.dropFirst()) : value).lowercased()
            case "path": path = value
            case "secure": isSecure = true
            default: break
            }
        }
        guard domain.isEmpty || host == domain || host.hasSuffix(".\(domain)") && !Self.isAddress(host) else {
            return nil
        }
        self.domain = domain.isEmpty ? host : domain
        isHostOnly = domain.isEmpty
        self.path = path.hasPrefix("/") ? path : Self.defaultPath(of: url)
        self.isSecure = isSecure
        self.expires = lifetime ?? expires
    }

    /// Whether it takes the cookie of its name away.
    func isExpired(at now: Date) -> Bool { expires.map { $0 <= now } ?? false }

    /// Cuts at the commas that a name and `=` follow: those within a date are not.
    private static func split(_ lines: String) -> [Substring] {
        var found: [Substring] = []
        var start = lines.startIndex
        var index = lines.startIndex
        while let comma = lines[index...].firstIndex(of: ",") {
            index = lines.index(after: comma)
            let rest = lines[index...].drop { $0 == " " }
            let name = rest.prefix { !"=;, \t".contains($0) }
            if !name.isEmpty, rest.dropFirst(name.count).first == "=" {
                found.append(lines[start..<comma])
                start = index
            }
        }
        return found + [lines[start...]]
    }

    private static func trimmed(_ text: Substring) -> String { text.trimmingCharacters(in: .whitespaces) }

    /// When a lifetime in seconds is over; nil if it is not a number.
    private static func end(of text: String, now: Date) -> Date? {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        guard let seconds = Double(text), seconds > 0 else { return .distantPast }
        return now.addingTimeInterval(min(seconds, 1e10))
    }

    private static func isAddress(_ host: String) -> Bool {
        host.contains(":")
            || host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// The directory of the request's path (§5.1.4).
    private static func defaultPath(of url: URL) -> String {
        let path = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? ""
        guard path.hasPrefix("/"), let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
        return String(path[..<slash])
    }
}

/// The dates of cookies, in the many forms that services write them in (RFC 6265 §5.1.1).
enum CookieDate {
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// - Returns: nil if the text is not a date.
    static func date(_ text: String) -> Date? {
        var (time, day, month, year): ([Int]?, Int?, Int?, Int?) = (nil, nil, nil, nil)
        for token in text.split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == ":") }) {
            let clock = token.split(separator: ":", omittingEmptySubsequences: false).map { Int($0.prefix(2)) }
            if time == nil, clock.count == 3, clock.allSatisfy({ $0 != nil }) {
                time = clock.compactMap(\.self)
            } else if day == nil, token.count <= 2, let number = Int(token) {
                day = number
            } else if month == nil, let index = months.firstIndex(of: token.prefix(3).lowercased()) {
                month = index + 1
            } else if year == nil, (2...4).contains(token.count), let number = Int(token) {
                year = number < 70 ? 2000 + number : number < 100 ? 1900 + number : number
            }
        }
        guard let time, let day, let month, let year, (1...31).contains(day), year >= 1601,
            (0...23).contains(time[0]), (0...59).contains(time[1]), (0...59).contains(time[2])
        else { return nil }
        var components = DateComponents(
            year: year, month: month, day: day, hour: time[0], minute: time[1], second: time[2])
        components.timeZone = TimeZone(secondsFromGMT: 0)
        return Calendar(identifier: .gregorian).date(from: components)
    }
}
