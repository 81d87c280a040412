// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiProxy
import MockapiUpstream

// The notes of a recording on the hosts in a request and its response.
extension Recorder {
    /// Notes on a signed host, and on a host that a redirect leads to: each is reported once.
    func hostNotes(_ exchange: Exchange) -> [String] {
        [signedHost(exchange), leadingAway(exchange)].compactMap(\.self)
    }

    /// The note on a refused request whose signature covers the host that the client called; nil for any other request.
    private func signedHost(_ exchange: Exchange) -> String? {
        guard exchange.head.status == 403 || exchange.head.status == 401, !options.keepsHost,
            toldHosts["signature"] == nil, Self.signsHost(exchange)
        else { return nil }
        toldHosts["signature"] = true
        return
            "warning: the request is signed with the host that the client has called, and the service has seen its own: record with --keep-host"
    }

    /// Whether a request is signed with its host: by Signature Version 4, OAuth 1 (RFC 5849 §3.4.1.2), or a signature of HTTP messages (RFC 9421 §2.2).
    private static func signsHost(_ exchange: Exchange) -> Bool {
        for field in exchange.requestFields where !exchange.addedFields.contains(field.name.lowercased()) {
            let value = field.value.lowercased()
            switch field.name.lowercased() {
            case "authorization":
                if value.hasPrefix("aws4-"), value.contains("host") { return true }
                if value.hasPrefix("oauth "), value.contains("oauth_signature=") { return true }
                if value.hasPrefix("signature "), value.contains("host") { return true }
            case "signature-input":
                if ["\"@authority\"", "\"@target-uri\"", "\"host\""].contains(where: value.contains) { return true }
            default: break
            }
        }
        let target = exchange.target.lowercased()
        return ["x-amz-signedheaders=", "x-goog-signedheaders="].contains { name in
            target.firstRange(of: name).map { target[$0.upperBound...].prefix { $0 != "&" }.contains("host") } ?? false
        }
    }

    /// The note on a redirect to a host that is not recorded; nil for any other response.
    private func leadingAway(_ exchange: Exchange) -> String? {
        guard let base = Self.redirect(of: exchange)?.base, let origin = try? UpstreamOrigin(base).text,
            !options.origins.contains(origin), toldHosts[origin] == nil
        else { return nil }
        toldHosts[origin] = true
        return "leads to \(origin), which is none of the services: its responses are not recorded (--also \(origin))"
    }

    /// Where a redirect (RFC 9110 §15.4) leads to.
    private static func redirect(of exchange: Exchange) -> (base: String, rest: String)? {
        let location = exchange.head.fields.first { $0.name.lowercased() == "location" }?.value
        guard [301, 302, 303, 307, 308].contains(exchange.head.status), let location else { return nil }
        return RedirectTarget.resolve(location, from: exchange.origin, exchange.target).flatMap(RedirectTarget.split)
    }

    // MARK: To another service

    /// Whether the response leads to the same request of another service, as from a bare domain to its `www`, or from http to https: a server that
    /// stands for both would lead to itself.
    static func leads(_ exchange: Exchange, to origin: String) -> Bool {
        guard let (base, rest) = redirect(of: exchange), (try? UpstreamOrigin(base).text) == origin else {
            return false
        }
        return rest == exchange.target || rest.isEmpty && exchange.target == "/"
    }

    /// Whether a stub's response leads to the same request of another service.
    static func leads(_ stub: RecordedStub, to exchange: Exchange) -> Bool {
        guard stub.steps.count == 1, let response = stub.steps.first?.response,
            [301, 302, 303, 307, 308].contains(response.status),
            let location = response.headers.first(where: { $0.name.lowercased() == "location" })?.value,
            let url = RedirectTarget.resolve(location, from: stub.origin, exchange.target),
            let (base, rest) = RedirectTarget.split(url), (try? UpstreamOrigin(base).text) == exchange.origin
        else { return false }
        return rest == exchange.target || rest.isEmpty && exchange.target == "/"
    }
}
