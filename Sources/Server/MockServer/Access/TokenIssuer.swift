// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiJSONText
import Synchronization

/// An authorization server of one client: the tokens that it has issued, and its token endpoint (RFC 6749 §3.2).
final class TokenIssuer: Sendable {
    /// The validity of a token.
    enum Standing {
        case valid(scope: String?)
        case expired
        case unknown
    }

    private struct Grant {
        /// Nanoseconds of a clock that only goes forward.
        var end: UInt64
        var uses: Int?
        var scope: String?
    }

    private struct State {
        var count: UInt64 = 0
        var access = BoundedTable<Grant>()
        /// The scopes of refresh tokens that are good; each is good once.
        var refresh = BoundedTable<String?>()
    }

    /// Why no token is issued (RFC 6749 §5.2).
    private struct Failure: Error {
        var status = 400
        let code: String
        let text: String
    }

    /// Bytes of a form; a longer body is not one. 64 KiB.
    static let formLimit = 64 * 1024

    private let settings: Authentication.OAuth2
    private let salt: UInt64
    private let state = Mutex(State())

    init(_ settings: Authentication.OAuth2, salt: UInt64) {
        self.settings = settings
        self.salt = salt
    }

    var realm: String { settings.realm }

    func reset() {
        state.withLock { $0 = State() }
    }

    /// Uses a token for one request.
    func use(_ token: String, now: UInt64) -> Standing {
        state.withLock { state in
            guard var grant = state.access[token] else { return .unknown }
            guard now < grant.end else { return .expired }
            if let uses = grant.uses {
                guard uses > 0 else { return .expired }
                grant.uses = uses - 1
                state.access[token] = grant
            }
            return .valid(scope: grant.scope)
        }
    }

    /// Whether a request is for the token endpoint.
    func isAsked(by head: borrowing RequestHead) -> Bool { head.string(head.path) == settings.tokenEndpoint }

    /// Responds at the token endpoint.
    ///
    /// - Returns: the response, and why no token is issued, for the log.
    func respond(
        to head: borrowing RequestHead, _ body: [UInt8], seed: UInt64, now: UInt64
    ) -> (response: Response, reason: String?) {
        do throws(Failure) {
            guard head.equals(head.method, "POST") else {
                throw Failure(status: 405, code: "invalid_request", text: "tokens are requested by POST")
            }
            let form = try form(head, body)
            try authenticate(head, form)
            return (Self.json(200, try issue(form, seed, now)), nil)
        } catch {
            var fields: [WireField] = []
            if error.status == 401 { fields.append(WireField("WWW-Authenticate", "Basic realm=\"\(settings.realm)\"")) }
            if error.status == 405 { fields.append(WireField("Allow", "POST")) }
            let node = JSONNode.object([
                "error": .string(error.code), "error_description": .string(error.text),
            ])
            let response = Self.json(error.status, node, fields: fields, isHead: head.equals(head.method, "HEAD"))
            return (response, "\(error.code): \(error.text)")
        }
    }

    private func form(_ head: borrowing RequestHead, _ body: [UInt8]) throws(Failure) -> [String: String] {
        let type = head.firstValue("content-type").map { head.string($0) } ?? ""
        let essence = MediaType.essence(of: type)
        guard essence == "application/x-www-form-urlencoded" else {
            throw Failure(
                code: "invalid_request",
                text: "the content is not a form: Content-Type must be application/x-www-form-urlencoded")
        }
        guard body.count <= Self.formLimit else {
            throw Failure(code: "invalid_request", text: "the form is longer than 64 KiB")
        }
        var form: [String: String] = [:]
        for (name, value) in QueryText.decodedPairs(of: String(decoding: body, as: UTF8.self)) where !value.isEmpty {
            // RFC 6749 §3.2.
            guard form.updateValue(value, forKey: name) == nil else {
                throw Failure(code: "invalid_request", text: "the form has \(name.printable) more than once")
            }
        }
        return form
    }

    /// Takes an Authorization line or the form (RFC 6749 §2.3.1).
    private func authenticate(_ head: borrowing RequestHead, _ form: [String: String]) throws(Failure) {
        let field = AuthorizationField(head)
        if field != nil, form["client_secret"] != nil {
            throw Failure(code: "invalid_request", text: "the client authenticates in two ways at once")
        }
        let given: (name: String, password: String)?
        if let field {
            given = field.scheme == "basic" ? field.nameAndPassword.map { (Self.decoded($0), Self.decoded($1)) } : nil
        } else {
            given = form["client_id"].map { ($0, form["client_secret"] ?? "") }
        }
        guard let given else {
            throw Failure(status: 401, code: "invalid_client", text: "the client does not authenticate")
        }
        guard given.name == settings.clientID, given.password == settings.clientSecret else {
            throw Failure(status: 401, code: "invalid_client", text: "the client's name or secret is wrong")
        }
    }

    private static func decoded(_ text: String) -> String {
        QueryText.decoded(text.utf8)
    }

    private func issue(_ form: [String: String], _ seed: UInt64, _ now: UInt64) throws(Failure) -> JSONNode {
        switch form["grant_type"] {
        case "client_credentials":
            let scope = try self.scope(form["scope"], within: settings.scope)
            return state.withLock { tokens(scope, &$0, seed, now) }
        case "refresh_token" where settings.refreshes:
            guard let token = form["refresh_token"] else {
                throw Failure(code: "invalid_request", text: "refresh_token is missing")
            }
            guard let granted = state.withLock({ $0.refresh[token] }) else {
                throw Failure(code: "invalid_grant", text: "the refresh token is not known, or was used before")
            }
            let scope = try self.scope(form["scope"], within: granted)
            let node = state.withLock { state -> JSONNode? in
                // If two requests come at once, one has it.
                guard state.refresh[token] != nil else { return nil }
                state.refresh[token] = nil
                return tokens(scope, &state, seed, now)
            }
            guard let node else {
                throw Failure(code: "invalid_grant", text: "the refresh token is not known, or was used before")
            }
            return node
        case nil: throw Failure(code: "invalid_request", text: "grant_type is missing")
        case let type?:
            let others = settings.refreshes ? "client_credentials and refresh_token are" : "client_credentials is"
            throw Failure(
                code: "unsupported_grant_type", text: "\(type.printable) is not supported; \(others)")
        }
    }

    /// The scope that is granted of the one asked for (RFC 6749 §3.3).
    private func scope(_ asked: String?, within allowed: String?) throws(Failure) -> String? {
        guard let asked else { return allowed }
        guard let allowed else { return asked }
        guard Self.covers(allowed, asked) else {
            throw Failure(code: "invalid_scope", text: "the scope must be within \(allowed)")
        }
        return asked
    }

    /// Whether each part of a scope is in another.
    static func covers(_ scope: String?, _ needed: String) -> Bool {
        guard let scope else { return true }
        return Set(needed.split(ascii: " ")).isSubset(of: scope.split(ascii: " "))
    }

    private func tokens(_ scope: String?, _ state: inout State, _ seed: UInt64, _ now: UInt64) -> JSONNode {
        var draw = SeededDraw(seed: seed, salt: salt, number: state.count)
        state.count += 1
        let token = draw.hexadecimal()
        state.access[token] = Grant(
            end: now + UInt64(settings.expiresIn) &* 1_000_000_000, uses: settings.uses, scope: scope)
        var members: [JSONObject.Member] = [
            .init(name: "access_token", value: .string(token)), .init(name: "token_type", value: .string("Bearer")),
            .init(name: "expires_in", value: .integer(settings.expiresIn)),
        ]
        if settings.refreshes {
            let refresh = draw.hexadecimal()
            state.refresh[refresh] = .some(scope)
            members.append(.init(name: "refresh_token", value: .string(refresh)))
        }
        if let scope { members.append(.init(name: "scope", value: .string(scope))) }
        return JSONNode(.object(JSONObject(members)))
    }

    /// RFC 6749 §5.1: nobody keeps a response with tokens.
    private static func json(
        _ status: Int, _ node: JSONNode, fields: [WireField] = [], isHead: Bool = false
    ) -> Response {
        let lines = [WireField("Cache-Control", "no-store"), WireField("Pragma", "no-cache")]
        return PlainResponse.content(
            status, "application/json", JSONWriter.compact(node), fields: lines + fields, isHead: isHead)
    }
}
