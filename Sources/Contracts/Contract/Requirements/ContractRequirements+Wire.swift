// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPTypes
import MockServer

extension ContractRequirements {
    /// Messages that are rare and right: each is asked of a server of its own, since a client that misreads one takes the rest of it for the
    /// response to its next request.
    static let messages = [
        wire(
            "answer.continue", "100 that nobody asked for is not the response (RFC 9110 §15.2)",
            RawResponse(body: "final", interim: [(100, [:])])),
        wire(
            "answer.interim", "103 in front of the response is not the response (RFC 9110 §15.2)",
            RawResponse(body: "final", interim: [(103, ["Link": "</style.css>; rel=preload"])])),
        wire(
            "answer.interims", "several of 1xx in front of the response are passed over (RFC 9110 §15.2)",
            RawResponse(
                body: "final",
                interim: [(102, [:]), (103, ["Link": "</a.css>; rel=preload"]), (103, ["Link": "</b.css>"])])),
        wire(
            "answer.chunks", "chunk extensions are not content (RFC 9112 §7.1.1)",
            RawResponse(
                body: "final",
                http1: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
                    + "2;a=\"1;2\"\r\nfi\r\n3;b;c=2\r\nnal\r\n0\r\n\r\n"), isOfHTTP1: true),
        trailers,
        wire(
            "answer.close", "content without a length lasts until the connection ends (RFC 9112 §6.3)",
            RawResponse(body: "final", http1: "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nfinal"), isOfHTTP1: true),
        wire(
            "answer.http10", "a response of HTTP/1.0 is one (RFC 9112 §2.3)",
            RawResponse(body: "final", http1: "HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nfinal"),
            isOfHTTP1: true),
    ]

    /// URLSession on Linux (Swift 6.3) ends its process if trailers come, which no run in the same process can report.
    private static var trailers: Requirement {
        var requirement = wire(
            "answer.trailers", "trailers are not content (RFC 9112 §7.1.2)",
            RawResponse(
                body: "final", trailers: ["X-Trailer": "behind"],
                http1: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Trailer\r\n"
                    + "Connection: close\r\n\r\n5\r\nfinal\r\n0\r\nX-Trailer: behind\r\n\r\n"))
        requirement.isOfOtherProcesses = true
        return requirement
    }

    private static func wire(
        _ id: String, _ title: String, _ response: RawResponse, isOfHTTP1: Bool = false
    ) -> Requirement {
        var requirement = Requirement(
            id, title, expected: "200, 5 bytes as they were sent", { $0.timeout = 5 }, stubs: { _ in [] }
        ) { evidence in
            guard !evidence.entries.isEmpty else { return Judging.none(evidence) }
            let judge = { () -> Judgement in
                if evidence.outcomes.first?.header("Link") != nil {
                    return .fail("the fields of a 1xx as the response's")
                }
                return Judging.response(evidence, 200, Array("final".utf8))
            }
            return isOfHTTP1 ? Judging.onHTTP1(evidence, judge) : judge()
        }
        requirement.isOfTheWire = true
        requirement.place = .wire(response)
        return requirement
    }

    static let proxies = [proxy, exception]

    private static let environment = "proxy.environment"
    private static let untaken = Judgement.notApplicable(
        "the client takes no proxy from its environment, or none for a loopback address")

    /// A host that `no_proxy` names, in an environment that has a proxy.
    private static var exception: Requirement {
        var requirement = ofTheWire(
            "proxy.exception", "a host that no_proxy names is asked itself", expected: "GET of a path",
            stubs: { [RequestMatch.any($0.path).respond(body: "ok")] }
        ) { evidence in
            if let entry = evidence.entries.first, !entry.target.hasPrefix("/") {
                return .fail("the proxy is asked: GET \(entry.target)")
            }
            let judgement = Judging.request(evidence) { _ in .pass }
            let takesProxy = evidence.run.contains { Step(environment).owns($0) }
            return takesProxy || judgement != .pass ? judgement : untaken
        }
        requirement.restsOn = environment
        requirement.isOfProxy = true
        requirement.isOfOtherProcesses = true
        return requirement
    }

    /// An origin that nobody is at: a request for it comes only by the proxy that the driver's environment names.
    private static var proxy: Requirement {
        var requirement = ofTheWire(
            environment, "a proxy that http_proxy names is asked by the whole URL (RFC 9112 §3.2.2)",
            expected: "GET http://127.0.0.3:9/…", { $0.timeout = 2 },
            stubs: { [RequestMatch.any($0.path).respond(body: "ok")] }
        ) { evidence in
            guard let outcome = evidence.outcomes.first else { return .fail("the client reported nothing") }
            guard let entry = evidence.entries.first else {
                return outcome.failure == nil
                    ? .fail("a response that nobody gave: \(outcome.summary)")
                    : untaken
            }
            if entry.protocolName != WireProtocol.http2.rawValue, !entry.target.hasPrefix("http://") {
                return .fail("GET \(entry.target) of \(entry.request.authority ?? "")")
            }
            return Judging.response(evidence, 200, Judging.ok)
        }
        requirement.place = .proxied("127.0.0.3:9")
        requirement.isOfOtherProcesses = true
        return requirement
    }

    /// A certificate that nobody should take. If a client does not trust the authority to begin with, its error says nothing about the certificate.
    static let certificates = [
        certificate(
            trusted, "a certificate of the plan's authority is taken", nil, expected: "200"),
        certificate(
            "tls.unknown", "a certificate of an unknown authority is refused (RFC 9110 §4.3.4)", .unknownAuthority,
            expected: "an error: certificate or connection or protocol"),
        certificate(
            "tls.expired", "a certificate that has expired is refused (RFC 5280 §4.1.2.5)", .expired,
            expected: "an error: certificate or connection or protocol"),
        certificate(
            "tls.host", "a certificate of another host is refused (RFC 9110 §4.3.4)", .otherHost,
            expected: "an error: certificate or connection or protocol"),
    ]

    /// The step whose response shows that a client trusts the authority.
    private static let trusted = "tls.trusted"

    private static func certificate(
        _ id: String, _ title: String, _ defect: MockServer.Configuration.TLS.Defect?, expected: String
    ) -> Requirement {
        let kinds: Set<StepOutcome.Failure> = [.certificate, .connection, .protocol]
        var requirement = ofTheWire(
            id, title, expected: expected, { $0.timeout = 5 },
            stubs: { [RequestMatch.any($0.path).respond(body: "ok")] }
        ) { evidence in
            guard MockServer.Configuration.TLS.isBuilt else {
                return .notApplicable(MockServer.Configuration.TLS.unbuilt)
            }
            guard let outcome = evidence.outcomes.first else { return .fail("the client reported nothing") }
            guard defect != nil else {
                if evidence.entries.isEmpty, outcome.failure != nil { return distrust }
                return evidence.entries.isEmpty ? Judging.none(evidence) : Judging.response(evidence, 200, Judging.ok)
            }
            guard let failure = outcome.failure else { return .fail("a response: \(outcome.summary)") }
            guard evidence.entries.isEmpty else {
                return .fail("the request was sent; the client says \(outcome.summary)")
            }
            let trusts = evidence.run.contains { Step(trusted).owns($0) }
            guard trusts || defect == .unknownAuthority else { return distrust }
            if kinds.contains(failure) { return .pass }
            guard failure == .other, !evidence.tellsKinds else { return .fail(outcome.summary) }
            return .advice("an error, of a kind that the client does not report: \(outcome.summary)")
        }
        if MockServer.Configuration.TLS.isBuilt { requirement.place = .secure(defect) }
        if defect != nil { requirement.failures = kinds }
        // A client that refuses all certificates is right to refuse that of an unknown authority.
        if let defect, defect != .unknownAuthority { requirement.restsOn = trusted }
        return requirement
    }

    private static let distrust = Judgement.notApplicable(
        "the client does not trust the plan's authority, so that an error says nothing")
}
