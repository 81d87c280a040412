// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

/// The rules on which responses a cache of one user may keep, and for how long (RFC 9111).
enum CachePolicy {
    /// Whether the response to a request may be kept, or come from the cache.
    ///
    /// Only GET and HEAD; not if the request says `no-store`, asks for a part, or has a condition of its own.
    static func mayBeKept(_ request: URLRequest) -> Bool {
        guard ["GET", "HEAD"].contains(request.httpMethod ?? "GET") else { return false }
        guard !directives(request.value(forHTTPHeaderField: "Cache-Control")).keys.contains("no-store") else {
            return false
        }
        return ["Range", "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range"]
            .allSatisfy { request.value(forHTTPHeaderField: $0) == nil }
    }

    /// How old a response may be that a request takes, in seconds; nil if it says nothing of it (RFC 9111 §5.2.1.1, §5.2.1.4).
    static func longestAge(for request: URLRequest) -> TimeInterval? {
        let directives = directives(request.value(forHTTPHeaderField: "Cache-Control"))
        if directives.keys.contains("no-cache") { return 0 }
        return directives["max-age"].map { TimeInterval($0) ?? 0 }
    }

    /// Whether a response may be kept: a whole success, without `no-store`, that does not vary by anything unknown (§3,
    /// §4.1).
    ///
    /// All other names in `Vary` are in the key; but for the cookies that the session adds on its way to the wire.
    static func mayBeKept(_ http: HTTPURLResponse, to request: URLRequest) -> Bool {
        guard (200..<300).contains(http.statusCode), http.statusCode != 206 else { return false }
        guard !directives(http.value(forHTTPHeaderField: "Cache-Control")).keys.contains("no-store") else {
            return false
        }
        let names = directives(http.value(forHTTPHeaderField: "Vary")).keys
        return !names.contains("*") && (!names.contains("cookie") || request.value(forHTTPHeaderField: "Cookie") != nil)
    }

    /// The directives of a Cache-Control by their names in lower case (§5.2).
    static func directives(_ field: String?) -> [String: String] {
        var directives: [String: String] = [:]
        for part in (field ?? "").split(separator: ",") {
            let name = part.prefix { $0 != "=" }
            let value = part[name.endIndex...].dropFirst().trimmingCharacters(in: CharacterSet(charactersIn: " \t\""))
            directives[name.trimmingCharacters(in: .whitespaces).lowercased()] = value
        }
        return directives
    }
}

/// The head of a response that is kept, and since when.
struct StoredResponse: Sendable {
    let http: HTTPURLResponse
    let storedAt: Date

    /// Whether the response may be given without asking the service (§4.2).
    ///
    /// One that does not say for how long is fresh as long as it is kept.
    /// - Parameter longestAge: the greatest age that the request accepts, in seconds; nil for any.
    func isFresh(at now: Date, longestAge: TimeInterval?) -> Bool {
        let directives = CachePolicy.directives(http.value(forHTTPHeaderField: "Cache-Control"))
        guard !directives.keys.contains("no-cache") else { return false }
        let given = http.value(forHTTPHeaderField: "Age").flatMap { TimeInterval($0) } ?? 0
        let age = max(0, given) + max(0, now.timeIntervalSince(storedAt))
        if let longestAge, longestAge == 0 || age > longestAge { return false }
        return lifetime(directives).map { age < $0 } ?? true
    }

    /// In seconds; nil if nothing is said (§4.2.1).
    private func lifetime(_ directives: [String: String]) -> TimeInterval? {
        if let text = directives["max-age"] { return TimeInterval(text).map { max(0, $0) } ?? 0 }
        guard let text = http.value(forHTTPHeaderField: "Expires") else { return nil }
        // Anything but a date has expired, such as 0 (§5.3).
        guard let expires = HTTPDate.date(text) else { return 0 }
        let date = http.value(forHTTPHeaderField: "Date").flatMap(HTTPDate.date) ?? storedAt
        return max(0, expires.timeIntervalSince(date))
    }

    /// The request that asks whether the response has changed; nil if it has no validator (§4.3.1).
    func conditional(_ request: URLRequest) -> URLRequest? {
        var conditional = request
        let tag = http.value(forHTTPHeaderField: "ETag")
        let modified = http.value(forHTTPHeaderField: "Last-Modified")
        guard tag != nil || modified != nil else { return nil }
        if let tag { conditional.setValue(tag, forHTTPHeaderField: "If-None-Match") }
        if let modified { conditional.setValue(modified, forHTTPHeaderField: "If-Modified-Since") }
        return conditional
    }

    /// The response after a 304 has said that it holds, with the fields of that (§4.3.4).
    func renewed(by notModified: HTTPURLResponse, at now: Date) throws -> StoredResponse {
        var fields = DataResponse(data: Data(), http: http).headers
        for (name, value) in DataResponse(data: Data(), http: notModified).headers
        where !["content-length", "content-encoding", "content-type", "transfer-encoding"].contains(name.lowercased()) {
            for present in fields.keys where present.lowercased() == name.lowercased() { fields[present] = nil }
            fields[name] = value
        }
        // An Age that the 304 does not repeat is of the response before it.
        if notModified.value(forHTTPHeaderField: "Age") == nil {
            for present in fields.keys where present.lowercased() == "age" { fields[present] = nil }
        }
        let url = http.url ?? notModified.url ?? URL(fileURLWithPath: "/")
        return StoredResponse(http: try .plain(url, status: http.statusCode, headers: fields), storedAt: now)
    }
}
