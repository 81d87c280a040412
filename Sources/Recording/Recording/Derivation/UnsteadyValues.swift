// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiJSONText

/// The values of requests that differ each time a client sends the same one: they are matched as present.
package struct UnsteadyValues: Sendable {
    /// Parameters of the query that vary by the user's word.
    var parameters: Set<String> = []
    /// Fields of forms, and members of JSON.
    var fields: Set<String> = []
    var members: Set<JSONPlace> = []
    /// Whether secrets in the path vary.
    var hasPaths = false
    /// Seconds since 1970: a time within ten minutes of it is the client's clock.
    var now: Int?

    /// How far a client's clock may be off. 10 min.
    private static let drift = 600

    package init() {}

    // MARK: Queries and forms

    /// Whether a value stands for anything, by its name, by the other parameters and by itself.
    func varies(_ name: String, _ value: String, among items: [(name: String, value: String)]) -> Bool {
        if parameters.contains(name) || isNow(value) { return true }
        let key = Self.key(name)
        if Self.ofNoCache.contains(key) || Self.ofOne.contains(key), Self.isRandom(value) { return true }
        let names = Set(items.map { Self.key($0.name) })
        if Self.ofSigned.contains(key) { return !names.isDisjoint(with: Self.signatures) }
        // RFC 6749 §4.1.1, OpenID Connect Core §3.1.2.1, RFC 7636 §4.3.
        if ["state", "nonce", "codechallenge"].contains(key) {
            return !names.isDisjoint(with: ["clientid", "responsetype", "code"])
        }
        return false
    }

    func variesInForm(_ name: String, _ value: String, among items: [(name: String, value: String)]) -> Bool {
        fields.contains(name) || !parameters.contains(name) && varies(name, value, among: items)
    }

    /// Whether a text or an attribute of XML stands for anything, by its name in no namespace and by itself.
    func variesInXML(_ name: String, _ value: String) -> Bool {
        if isNow(value) { return true }
        let plain = ["urn:uuid:", "uuid:"].first(where: value.hasPrefix).map { value.dropFirst($0.utf8.count) }
        return Self.ofOne.contains(Self.key(name)) && Self.isRandom(plain.map(String.init) ?? value)
    }

    /// Parameters that a client adds to bypass caches.
    private static let ofNoCache: Set<String> = [
        "", "cb", "cachebust", "cachebuster", "nocache", "bust", "rnd", "rand", "random", "ts", "dc",
    ]
    /// Names of values of one request.
    private static let ofOne: Set<String> = [
        "nonce", "oauthnonce", "oauthtimestamp", "requestid", "correlationid", "traceid", "messageid", "idempotencykey",
        "clientmutationid", "clientrequestid",
    ]
    /// Whether a name is that of an id of one request.
    static func isOfOneRequest(_ name: String) -> Bool { ofOne.contains(key(name)) }

    /// Names in URLs that are signed again each time.
    private static let ofSigned: Set<String> = [
        "expires", "expiry", "amzdate", "amzcredential", "googdate", "googcredential", "se", "st", "ske", "skt",
        "policy",
    ]
    /// Whether a name is that of a signature of one request.
    static func isSignature(_ name: String) -> Bool { signatures.contains(key(name)) }
    private static let signatures: Set<String> = ["signature", "amzsignature", "googsignature", "sig", "hmac"]

    // MARK: JSON

    /// The JSON with matchers of anything of their kind in the places that vary.
    func matching(_ node: JSONNode) -> JSONNode { matching(node, .root) }

    private func matching(_ node: JSONNode, _ place: JSONPlace) -> JSONNode {
        switch node.value {
        case .object(let object):
            let hasClock = object.members.contains { isNow($0.value) }
            return JSONNode(
                .object(
                    JSONObject(
                        object.members.map { member in
                            let inner = place.member(member.name)
                            let varies =
                                members.contains { $0.matches(inner) } || isNow(member.value)
                                || variesByName(member.name, member.value, hasClock: hasClock)
                            return .init(
                                name: member.name,
                                value: varies ? Self.anything(like: member.value) : matching(member.value, inner))
                        })))
        case .array(let elements): return .array(elements.map { matching($0, place.each) })
        default: return node
        }
    }

    private func variesByName(_ name: String, _ value: JSONNode, hasClock: Bool) -> Bool {
        guard let text = value.string else { return false }
        let key = Self.key(name)
        if Self.ofOne.contains(key) { return Self.isRandom(text) }
        // An event that a client makes has an id of its own beside its time.
        return hasClock && key.hasSuffix("id") && TextLook.isUUID(text.utf8)
    }

    private static func anything(like value: JSONNode) -> JSONNode {
        // A placeholder that is there already, as for a secret, stays.
        if let text = value.string {
            return text.hasPrefix("${json-unit.") ? value : .string("${json-unit.any-string}")
        }
        return .string(value.number == nil ? "${json-unit.ignore}" : "${json-unit.any-number}")
    }

    // MARK: Values

    private func isNow(_ node: JSONNode) -> Bool {
        if let text = node.string { return isNow(text) }
        return node.number.map { isNow($0.literal) } ?? false
    }

    /// Whether a text is the time of the recording: in seconds, milliseconds or microseconds since 1970, or as RFC 3339 has it.
    func isNow(_ text: String) -> Bool {
        guard let now, text.utf8.count >= 10, text.utf8.count <= 35, let seconds = Self.seconds(text) else {
            return false
        }
        return abs(seconds - now) <= Self.drift
    }

    /// Whether a text is the time at which a client has just sent it: at most ten seconds ago, and five of a clock that is ahead.
    func isClock(_ text: String) -> Bool {
        guard let now, isNow(text), let seconds = Self.seconds(text) else { return false }
        return (-10...5).contains(seconds - now)
    }

    static func seconds(_ text: String) -> Int? {
        let whole = text.prefix(before: ".")
        if whole.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(whole) {
            switch whole.utf8.count {
            case 10: return number
            case 13: return number / 1000
            case 16: return number / 1_000_000
            default: return nil
            }
        }
        let bytes = Array(text.utf8)
        func number(_ range: Range<Int>) -> Int? { Int(String(decoding: bytes[range], as: UTF8.self)) }
        guard bytes.count >= 19, let day = TextLook.day(bytes),
            bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: " "), bytes[13] == UInt8(ascii: ":"),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19)
        else { return nil }
        // The offset from UTC at the end, as +02:00 (RFC 3339 §5.6).
        var offset = 0
        if bytes.count >= 25, bytes[bytes.count - 3] == UInt8(ascii: ":"),
            let hours = number(bytes.count - 6..<bytes.count - 3), let minutes = number(bytes.count - 2..<bytes.count)
        {
            offset = hours * 3600 + (hours < 0 ? -minutes : minutes) * 60
        }
        return day.daysSince1970 * 86400 + hour * 3600 + minute * 60 + second - offset
    }

    /// Whether a text looks random: digits, a fraction, or letters and digits.
    static func isRandom(_ text: String) -> Bool {
        if TextLook.isUUID(text.utf8) { return true }
        let digits = text.utf8.count { $0 &- UInt8(ascii: "0") < 10 }
        if digits == text.utf8.count { return digits >= 9 }
        if text.hasPrefix("0."), digits == text.utf8.count - 1 { return digits >= 6 }
        let letters = text.utf8.count { ($0 | 0x20) &- UInt8(ascii: "a") < 26 }
        let others = text.utf8.count { "-_.=+/~".utf8.contains($0) }
        return text.utf8.count >= 8 && digits > 0 && letters > 0 && digits + letters + others == text.utf8.count
    }

    private static func key(_ name: String) -> String {
        let name = name.lowercased().filter { $0 != "-" && $0 != "_" }
        return name.hasPrefix("xamz") || name.hasPrefix("xgoog") ? String(name.dropFirst()) : name
    }
}

extension UnsteadyValues {
    /// The values that the user declares to vary.
    ///
    /// - Parameter texts: such as `query:NAME`, `form:NAME`, `$.sentAt` and `path`.
    /// - Returns: nil if one of them is not one of these.
    package init?(_ texts: [String]) {
        for text in texts {
            if text.hasPrefix("query:"), text.utf8.count > 6 {
                parameters.insert(String(text.dropFirst(6)))
            } else if text.hasPrefix("form:"), text.utf8.count > 5 {
                fields.insert(String(text.dropFirst(5)))
            } else if text == "path" {
                hasPaths = true
            } else if let place = JSONPlace(ofMember: text) {
                members.insert(place)
            } else {
                return nil
            }
        }
    }

    /// Adds the values that stubs say vary, but for those that are to select.
    mutating func add(_ other: UnsteadyValues, butFor selects: (String) -> Bool) {
        parameters.formUnion(other.parameters.filter { !selects("query:\($0)") })
        fields.formUnion(other.fields.filter { !selects("form:\($0)") })
        members.formUnion(other.members.filter { !selects($0.path) })
        hasPaths = hasPaths || other.hasPaths
    }
}

extension JSONPlace {
    /// The place of a member of a request, in a list by each item: `$.events[*].sentAt` or `$['a b']`; nil for a path of another form.
    init?(ofMember text: String) {
        guard let place = try? JSONPlace(text), !place.steps.isEmpty, place.steps.allSatisfy(\.isOfEach) else {
            return nil
        }
        self = place
    }
}

extension JSONPlace.Step {
    /// Whether it is a name, or each item.
    fileprivate var isOfEach: Bool {
        switch self {
        case .member, .every: true
        case .item, .token, .anyDepth: false
        }
    }
}
