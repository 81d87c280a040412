// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// The evaluation of a request's conditional fields for a representation (RFC 9110 §13).
enum Preconditions {
    enum Verdict: Equatable {
        case proceed
        /// 304: the client has it already.
        case notModified
        /// 412.
        case failed
    }

    /// Judges them in the order of §13.2.2.
    ///
    /// - Parameter now: seconds since 1970.
    static func evaluate(_ request: ConditionalFields, _ validators: Validators, now: Int) -> Verdict {
        if let ifMatch = request.ifMatch {
            if !matches(ifMatch, validators.entityTag, strongly: true) { return .failed }
        } else if let since = request.ifUnmodifiedSince.flatMap({ HTTPDate.parse($0, now: now) }),
            let modified = validators.lastModified, modified > since
        {
            return .failed
        }
        if let ifNoneMatch = request.ifNoneMatch {
            return matches(ifNoneMatch, validators.entityTag, strongly: false) ? .notModified : .proceed
        }
        if let since = request.ifModifiedSince.flatMap({ HTTPDate.parse($0, now: now) }),
            let modified = validators.lastModified, modified <= since
        {
            return .notModified
        }
        return .proceed
    }

    private static func matches(_ value: String, _ tag: EntityTag?, strongly: Bool) -> Bool {
        // There is a representation, so * is met (§13.1.1).
        if Substring(value).trimmingBlanks == "*" { return true }
        guard let tag else { return false }
        return EntityTag.list(value).contains { strongly ? $0.matchesStrongly(tag) : $0.matchesWeakly(tag) }
    }

    /// Whether a Range field counts: If-Range is not there, or names this very representation (§13.1.5).
    static func allowsRange(_ request: ConditionalFields, _ validators: Validators, now: Int) -> Bool {
        guard let ifRange = request.ifRange else { return true }
        if let tag = EntityTag(ifRange) { return validators.entityTag.map(tag.matchesStrongly) ?? false }
        guard let date = HTTPDate.parse(ifRange, now: now), let modified = validators.lastModified else { return false }
        // A date is a strong validator only if the representation cannot have changed twice in its second (§8.8.2.2).
        return date == modified && modified < now - 1
    }
}
