// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiProxy
package import MockapiUpstream

extension RecordingSession {
    /// Redirects of one request that are followed. 10.
    package static let redirectLimit = 10

    /// Sends a request and records its response; redirects are followed.
    ///
    /// - Parameter fields: sent if neither the request nor its upstream has one of the name.
    package func send(_ request: DirectRequest, fields: [UpstreamField]) async {
        guard var outgoing = try? outgoing(request) else { return }
        asked.insert(outgoing)
        outgoing.addFieldsOfOrigin()
        outgoing.add(fields)
        await send(outgoing)
    }

    /// Takes note of a request that will be made, so that it is not made once more for a redirect that leads to it.
    ///
    /// - Throws: if it goes to none of the upstreams, or cannot be sent as it is written.
    package func check(_ request: DirectRequest) throws(RecordingError) {
        asked.insert(try outgoing(request))
    }

    /// The outcome of a request that fixtures match, so that it need not be made.
    package func matched(_ request: DirectRequest) -> RecordingOutcome {
        RecordingOutcome(
            .unchanged, request: "\(request.method) \(shown(request.path))", origin: origins.first?.text ?? "",
            notes: ["the fixtures answer it"])
    }

    /// The outcome of a request that no fixture matches, if nothing is recorded.
    ///
    /// - Parameter index: the upstream that it was for.
    package func missing(_ request: DirectRequest, from index: Int = 0) -> RecordingOutcome {
        RecordingOutcome(
            .failed, request: "\(request.method) \(shown(request.path))",
            origin: origins.indices.contains(index) ? origins[index].text : "",
            notes: ["no fixture answers it; record it with --mode new"])
    }

    private func outgoing(_ request: DirectRequest) throws(RecordingError) -> OutgoingRequest {
        guard let (origin, target) = place(of: request.path) else {
            let upstreams = origins.map(\.text).joined(separator: ", ")
            throw RecordingError(
                "\(shown(request.path)) goes to no upstream: write a path that begins with /, or a URL of \(upstreams)")
        }
        guard target.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            throw RecordingError("\(shown(target)) has a blank or a control character; percent-encode it")
        }
        return OutgoingRequest(
            origin: origin, method: request.method, target: Self.encoded(target), fields: request.fields,
            body: request.body)
    }

    /// Letters beyond ASCII as every client sends them (RFC 3986 §2.1).
    private static func encoded(_ target: String) -> String {
        String(decoding: PercentCoding.encode(target.utf8) { $0 < 0x80 }, as: UTF8.self)
    }

    /// The upstream of a URL, and the part after its authority.
    func place(of url: String) -> (origin: UpstreamOrigin, target: String)? {
        guard let first = origins.first else { return nil }
        if url.utf8.first == UInt8(ascii: "/"), !url.utf8.starts(with: "//".utf8) { return (first, url) }
        guard let (base, rest) = RedirectTarget.split(url), let origin = try? UpstreamOrigin(base),
            let known = origins.first(where: { $0.text == origin.text })
        else { return nil }
        return (known, rest.utf8.first == UInt8(ascii: "/") ? rest : "/" + rest)
    }

    private func send(_ request: OutgoingRequest) async {
        var request = request
        for step in 0...Self.redirectLimit {
            guard let next = await record(request, isLast: step == Self.redirectLimit) else { return }
            request = next
        }
    }

    /// Sends a request and records the response.
    ///
    /// - Returns: the request that a redirect leads to.
    private func record(_ request: OutgoingRequest, isLast: Bool) async -> OutgoingRequest? {
        await changes.settle(before: request)
        await queue?.enter()
        defer { queue?.leave() }
        let exchange: PassedExchange
        do throws(CaptureFailure) {
            guard let captured = try await capture(request, by: client).exchange else { return nil }
            exchange = captured
        } catch {
            fail(request, Self.text(error))
            return nil
        }
        let next = redirect(of: request, by: UpstreamHead(exchange.head))
        let isNew = next.map { asked.insert($0) } ?? false
        let way = next.map { "leads to \(shown($0.target))" + (isLast || !isNew ? "" : ", asked for too") }
        queue?.add(
            exchange, samples: sampling(of: request, since: exchange, by: client), notes: way.map { [$0] } ?? [])
        guard let next, isNew else { return nil }
        guard !isLast else {
            fail(next, "reached by \(Self.redirectLimit) redirects, and not requested; check whether they are circular")
            return nil
        }
        return next
    }

    /// The request that a redirect leads to, if it goes to an upstream and changes nothing.
    private func redirect(of request: OutgoingRequest, by head: UpstreamHead) -> OutgoingRequest? {
        guard [301, 302, 303, 307, 308].contains(head.status), let location = head["Location"],
            request.isSafe || head.status == 303,
            let url = RedirectTarget.resolve(location, from: request.origin.text, request.target),
            let (origin, target) = place(of: url)
        else { return nil }
        var next = request
        if origin.text != request.origin.text { next.turn(to: origin) }
        if !request.isSafe { next.method = "GET" }
        next.body = nil
        next.fields.removeAll { $0.name.lowercased() == "content-type" && !request.isSafe }
        next.target = target
        return next
    }
}
