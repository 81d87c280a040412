// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiHTTPWire

/// The rules that let pages of other origins read responses, with their credentials (Fetch standard, §3.3 "CORS
/// protocol").
struct CrossOrigin: Sendable {
    /// The origins whose pages may; empty for all.
    private let origins: Set<String>
    private let names: SettingNames

    init(origins: [String], _ names: SettingNames = .swift) {
        self.names = names
        self.origins = Set(origins.map { PageOrigin.parse($0) ?? $0.lowercased() })
    }

    private func allows(_ origin: String?) -> Bool {
        origins.isEmpty || origin.map { origins.contains($0.lowercased()) } ?? false
    }

    /// Seconds that a browser may remember the response to a preflight. 600.
    private static let maxAge = 600
    /// Bytes of an Origin line; a longer line is not one. 1 KiB.
    private static let originLimit = 1024
    /// Bytes of the names that a preflight asks for; more are not allowed. 8 KiB.
    private static let namesLimit = 8 * 1024

    /// The header fields of a response that a page may always read (Fetch standard, "CORS-safelisted
    /// response-header name"), or never.
    private static let unlisted: Set = [
        "cache-control", "content-language", "content-length", "content-type", "expires", "last-modified", "pragma",
        "set-cookie", "set-cookie2",
    ]

    /// The origin of the page that sends a request; nil if it names none that can be reported back.
    static func origin(of head: borrowing RequestHead) -> String? {
        for field in head.fields where isWhole(field, head) && head.equalsIgnoringCase(field.name, "origin") {
            let bytes = head.bytes[field.value.range]
            guard !bytes.isEmpty, bytes.count <= originLimit, bytes.allSatisfy({ 0x21...0x7E ~= $0 }) else {
                return nil
            }
            return String(decoding: bytes, as: UTF8.self)
        }
        return nil
    }

    /// In a message that was refused half-way, a line may lie outside the bytes that are there.
    private static func isWhole(_ field: RequestHead.Field, _ head: borrowing RequestHead) -> Bool {
        Int(field.name.end) <= head.bytes.count && Int(field.value.end) <= head.bytes.count
    }

    // MARK: Preflights

    /// The method that a page wants to send, if a request is a preflight (Fetch standard, §4.8); nil for any other.
    private static func wantedMethod(_ head: borrowing RequestHead) -> String? {
        guard head.equals(head.method, "OPTIONS"), let wanted = head.firstValue("access-control-request-method"),
            wanted.count > 0, wanted.count <= 64, head.bytes[wanted.range].allSatisfy(ASCII.isToken)
        else { return nil }
        return head.string(wanted)
    }

    /// The hint in the log about an unmatched preflight; nil for any other request.
    static func hint(_ head: borrowing RequestHead, _ names: SettingNames) -> String? {
        guard let origin = origin(of: head), wantedMethod(head) != nil else { return nil }
        return "a preflight of a page of \(origin), whose request will not follow; "
            + "\(names(.allowsCORS)) answers preflights"
    }

    /// The response to a preflight: the page may do as it asks. Nil for any other request.
    func preflight(_ head: borrowing RequestHead) -> Response? {
        guard let origin = Self.origin(of: head), let method = Self.wantedMethod(head) else { return nil }
        guard allows(origin) else {
            return PlainResponse.text(
                403, "pages of \(origin) may not read responses: \(names(.corsOrigins, origin)) lets them\n",
                fields: [WireField("Vary", "Origin")])
        }
        let methods =
            PlainResponse.allMethods.contains(method) ? PlainResponse.allMethods : PlainResponse.allMethods + [method]
        // With credentials an asterisk is a name like any other.
        var fields = [
            WireField("Access-Control-Allow-Origin", origin), WireField("Access-Control-Allow-Credentials", "true"),
            WireField("Access-Control-Allow-Methods", methods.joined(separator: ", ")),
        ]
        let names = head.fields.filter { head.equalsIgnoringCase($0.name, "access-control-request-headers") }
            .map { head.string($0.value) }.filter { !$0.isEmpty }.joined(separator: ", ")
        if !names.isEmpty, names.utf8.count <= Self.namesLimit {
            fields.append(WireField("Access-Control-Allow-Headers", names))
        }
        // A page of the internet asks before it calls an address of this network (Private Network Access, §3.1).
        if let value = head.firstValue("access-control-request-private-network"), head.equals(value, "true") {
            fields.append(WireField("Access-Control-Allow-Private-Network", "true"))
        }
        fields += [
            WireField("Access-Control-Max-Age", "\(Self.maxAge)"),
            WireField("Vary", "Origin, Access-Control-Request-Method, Access-Control-Request-Headers"),
        ]
        return Response(head: ResponseHead(status: 204, fields: fields, framing: .none))
    }

    // MARK: Responses

    /// The head of a response that a page may read: with the lines of the protocol in the place of those that were recorded.
    ///
    /// - Parameter origin: the page's; nil if none is named, and the response is for all without credentials.
    func adapted(_ head: ResponseHead, for origin: String?) -> ResponseHead {
        let isAllowed = allows(origin)
        var exposed: [String] = []
        var fields: [WireField] = []
        var variesAt: Int?
        var exposes = false
        for field in head.fields {
            let name = field.name.lowercased()
            if name == "access-control-allow-origin" || name == "access-control-allow-credentials" { continue }
            if name == "access-control-expose-headers" {
                // With credentials an asterisk would be a name.
                if field.value == "*" { continue }
                exposes = true
            } else if !Self.unlisted.contains(name), !name.hasPrefix("access-control-"), !exposed.contains(name) {
                exposed.append(name)
            }
            if name == "vary", variesAt == nil { variesAt = fields.count }
            fields.append(field)
        }
        if isAllowed { fields.append(WireField("Access-Control-Allow-Origin", origin ?? "*")) }
        if isAllowed, origin != nil { fields.append(WireField("Access-Control-Allow-Credentials", "true")) }
        if isAllowed, !exposes, !exposed.isEmpty {
            fields.append(WireField("Access-Control-Expose-Headers", exposed.joined(separator: ", ")))
        }
        // The response to a page of another origin differs (RFC 9110 §12.5.5).
        if let index = variesAt {
            let value = fields[index].value
            let names = value.split(ascii: ",").map { $0.trimmingBlanks.lowercased() }
            if !names.contains("*"), !names.contains("origin") {
                fields[index] = WireField(fields[index].name, value.isEmpty ? "Origin" : value + ", Origin")
            }
        } else {
            fields.append(WireField("Vary", "Origin"))
        }
        return head.replacing(fields: fields)
    }

    // MARK: Fixtures

    /// Origins that are reported by name. 3.
    private static let toldOrigins = 3

    /// The note on stubs that were recorded for pages of one origin; nil if there are none.
    static func note(on stubs: [Stub], _ names: SettingNames) -> String? {
        var origins: [String] = []
        var count = 0
        for stub in stubs {
            let lines = stub.responses.flatMap(\.headers).filter {
                $0.name.lowercased() == "access-control-allow-origin" && $0.value != "*"
            }
            if !lines.isEmpty { count += 1 }
            for line in lines where !origins.contains(line.value) { origins.append(line.value) }
        }
        guard count > 0 else { return nil }
        let told = origins.prefix(toldOrigins).joined(separator: ", ")
        let others = origins.count > toldOrigins ? " and \(origins.count - toldOrigins) more" : ""
        return
            "  \(Counts.count(count, "stub")) \(count == 1 ? "has" : "have") an Access-Control-Allow-Origin, so that "
            + "only pages of \(told)\(others) can read the response; with \(names(.allowsCORS)) those of every origin can"
    }
}
