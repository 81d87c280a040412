// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

extension UpstreamRequest {
    /// Throws if the request cannot be sent as it is written.
    ///
    /// - Parameter configuration: says which servers may be asked, and by which proxies.
    func check(_ configuration: UpstreamConfiguration) throws(UpstreamError) {
        let secure = url.lowercased().hasPrefix("https://")
        guard secure || url.lowercased().hasPrefix("http://") else {
            throw invalid("the URL has no scheme that is known; write http:// or https:// before it")
        }
        guard url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            throw invalid("the URL has a blank or a control character; percent-encode it")
        }
        if UpstreamError.hasCredentials(url) {
            throw invalid("the URL has credentials; send them in an Authorization field")
        }
        if let target, target.isEmpty || !target.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) {
            throw invalid("the request target is empty or has a blank or a control character; percent-encode it")
        }
        guard !method.isEmpty, method.utf8.allSatisfy(ASCII.isToken) else {
            throw invalid("the method \"\(method)\" is not a token (RFC 9110 §9.1); \(Self.tokenRemedy)")
        }
        if let reason = configuration.targets?.refusal(
            of: url, isProxied: configuration.proxies?.proxy(for: url) != nil)
        {
            throw denied(reason)
        }
        try checkVersion(secure: secure)
        try checkFields()
        try checkBody()
    }

    private func checkVersion(secure: Bool) throws(UpstreamError) {
        switch version {
        case .h2 where !secure: throw invalid("h2 is HTTP/2 over TLS; choose h2c for an http URL")
        case .h2c where secure, .h2cUpgrade where secure:
            throw invalid("h2c is HTTP/2 without TLS; choose h2 for an https URL")
        default: break
        }
    }

    private func checkFields() throws(UpstreamError) {
        for field in fields {
            guard !field.name.isEmpty, field.name.utf8.allSatisfy(ASCII.isToken) else {
                throw invalid("the field name \"\(field.name)\" is not a token (RFC 9110 §5.1); \(Self.tokenRemedy)")
            }
            guard !field.bytes.contains(where: { $0 == 0 || $0 == 10 || $0 == 13 }) else {
                throw invalid("the value of \(field.name) has a line end or NUL (RFC 9110 §5.5); leave it out")
            }
        }
    }

    private func checkBody() throws(UpstreamError) {
        switch body {
        case .none: return
        case .chunks(let length?, _) where length < 0: throw invalid("the content's length is negative")
        case .bytes, .chunks: break
        }
        if method == "HEAD" { throw invalid("HEAD with content cannot be sent; leave the content out") }
    }

    /// The error of a request to a server that may not be asked.
    func denied(_ reason: String) -> UpstreamError { UpstreamError(.connect, url: url, reason) }

    private static let tokenRemedy = "leave out what is not a letter, digit or hyphen"

    private func invalid(_ text: String) -> UpstreamError {
        UpstreamError(.invalid, url: url, text)
    }
}
