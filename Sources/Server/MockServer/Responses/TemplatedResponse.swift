// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiJSONText
import MockapiMetering
import MockapiStubMatching
import MockapiTemplating
import Synchronization

/// A response that is rendered for each request.
final class TemplatedResponse: Sendable {
    typealias Failure = TemplateRendering.Failure

    private let response: StubResponse
    /// Nil for a response with nothing of the client but nonces.
    private let templates: ResponseTemplates?
    /// Whether it has a token with the nonce of a sign-in.
    private let hasNonce: Bool
    private let isOfHead: Bool
    /// How far dates in the body move; nil if they stay.
    private let dates: ShiftedDates?
    /// The path with variables that its stub has; nil if it has none.
    private let pathTemplate: String?
    /// Distinguishes this response from others in random draws.
    private let salt: UInt64
    private let count = Atomic<UInt64>(0)

    /// - Returns: nil for a response that is the same for all requests.
    init?(_ response: StubResponse, salt: UInt64, isOfHead: Bool, pathTemplate: String?, dates: ShiftedDates?) {
        self.dates = dates
        hasNonce = !isOfHead && response.hasNonce
        guard response.templates != nil || hasNonce else { return nil }
        self.response = response
        templates = response.templates
        self.salt = salt
        self.isOfHead = isOfHead
        self.pathTemplate = pathTemplate
    }

    /// Steps that are taken on a loop before the rendering is moved beside it; they take some milliseconds. 10,000.
    private static let loopSteps = 10_000

    /// Renders the response on a loop if that does not take long; nil if it would, or if it fails: it is then to be rendered beside the loop.
    ///
    /// - Parameters:
    ///   - number: which rendering of the response it is, from `claim`.
    ///   - original: the response as it was laid out at load.
    func renderedSoon(
        for head: borrowing RequestHead, _ body: [UInt8], _ connection: ConnectionInfo, number: UInt64,
        of original: PreparedResponse, root: String, hasRawVariables: Bool, _ context: ServerContext
    ) -> PreparedResponse? {
        do throws(Failure) {
            var stepsLeft: Int? = Self.loopSteps
            let response = try rendered(
                for: head, body, connection, number: number, of: original, root: root,
                hasRawVariables: hasRawVariables, context, meter: Meter(), stepsLeft: &stepsLeft)
            // A helper that runs out of steps may give less than it otherwise would.
            return stepsLeft == 0 ? nil : response
        } catch {
            return nil
        }
    }

    /// The number of the next rendering, which random values depend on.
    func claim() -> UInt64 { count.wrappingAdd(1, ordering: .relaxed).oldValue }

    /// Renders the response.
    ///
    /// - Parameters:
    ///   - number: which rendering of the response it is, from `claim`.
    ///   - original: the response as it was laid out at load.
    ///   - hasRawVariables: whether the variables of the path stay percent-encoded, as in WireMock.
    ///   - stop: ends it if nobody waits for it any more; nil if nothing does.
    func rendered(
        for head: borrowing RequestHead, _ body: [UInt8], _ connection: ConnectionInfo, number: UInt64,
        of original: PreparedResponse, root: String, hasRawVariables: Bool, _ context: ServerContext, stop: WorkStop?
    ) throws(Failure) -> PreparedResponse {
        var stepsLeft: Int?
        return try rendered(
            for: head, body, connection, number: number, of: original, root: root,
            hasRawVariables: hasRawVariables, context, meter: Meter(stop: stop), stepsLeft: &stepsLeft)
    }

    /// - Parameters:
    ///   - meter: pays for all templates of the response.
    ///   - stepsLeft: the steps that may be taken in all; nil if each template has its own limit.
    private func rendered(
        for head: borrowing RequestHead, _ body: [UInt8], _ connection: ConnectionInfo, number: UInt64,
        of original: PreparedResponse, root: String, hasRawVariables: Bool, _ context: ServerContext, meter: Meter,
        stepsLeft: inout Int?
    ) throws(Failure) -> PreparedResponse {
        var drawing = TemplateRandom(seed: context.seed, salt: salt, number: number)
        let request = RequestModel(
            copy head, body, client: context.identity.client(of: head, from: connection.peer.host),
            base: context.identity.base(for: head), pathTemplate: pathTemplate,
            hasRawVariables: hasRawVariables, id: drawing.uuid())
        let model = TemplateValue.object(
            TemplateModel(request: request, parameters: templates?.parameters ?? .object([:])))
        var rendering = TemplateRendering(
            model: model, now: context.now(), random: drawing, meter: meter, stepsLeft: stepsLeft)
        defer { stepsLeft = rendering.stepsLeft }
        var response = response
        response.templates = nil
        if let template = templates?.status {
            let text = try rendering.text(template, "the status")
            guard let status = Int(text.filter { !$0.isWhitespace }), (200...999).contains(status) else {
                throw Failure(
                    text: "the status renders to \"\(text.prefix(40))\", which is not a status from 200 to 999"
                        .printable)
            }
            response.status = status
        }
        try rendering.render(templates?.headers ?? [], into: &response.headers, "the header")
        if let template = templates?.proxyBase {
            let text = try rendering.text(template, "proxyBaseUrl")
            guard let base = ProxyTarget.base(of: text) else {
                throw Failure(
                    text: "proxyBaseUrl renders to \"\(text.prefix(200))\", which is not a URL of http or https"
                        .printable)
            }
            response.proxy?.base = base
        }
        if var lines = response.proxy?.addedFields {
            try rendering.render(templates?.proxyHeaders ?? [], into: &lines, "the header")
            response.proxy?.addedFields = lines
        }
        var content = templates?.body
        if let name = templates?.fileName {
            let file = try file(name, rendering.text(name.template, "the name of the body file"), root)
            response.body = file.body
            let isTyped = response.headers.contains { $0.name.lowercased() == "content-type" }
            if !isTyped, let type = file.mediaType { response.headers.append(HeaderLine("Content-Type", type)) }
            content = file.content
        }
        if let json = templates?.json {
            response.body = .bytes(try rendering.bytes(json, "the body"))
        } else if let content {
            let bytes = try rendering.bytes(content, "the body")
            response.body = bytes.isEmpty ? .empty : .bytes(bytes)
            tellBroken(bytes, response.headers, for: head, context)
        }
        if let dates, case .bytes(let bytes) = response.body { response.body = .bytes(dates.moved(bytes)) }
        if hasNonce, let nonce = context.signIns.nonce(of: head, body) { response.set(nonce: nonce) }
        return PreparedResponse(
            response: response, salt: salt, isOfHead: isOfHead, step: original.step, rendered: original)
    }

    /// Reports a rendered text that is not JSON, although its line says that it is.
    private func tellBroken(
        _ bytes: [UInt8], _ lines: [HeaderLine], for head: borrowing RequestHead, _ context: ServerContext
    ) {
        guard let log = context.log, let fault = RenderedJSON.fault(of: bytes, lines) else { return }
        let target = Confidential.target(head.string(head.path))
        log.tell(
            .template,
            "the body rendered for \(head.string(head.method)) \(target) \(fault); \"jsonBody\" writes the result as JSON"
        )
    }

    private func file(
        _ name: ResponseTemplates.FileName, _ text: String, _ root: String
    ) throws(Failure) -> ResponseTemplates.FileName.File {
        do throws(ResponseTemplates.FileName.Failure) {
            return try name.file(named: text, root: root)
        } catch {
            switch error {
            // In a WireMock root, a missing file is the same whether its name was rendered or not.
            case .missing(let text): throw Failure(status: name.isWireMock ? 500 : 404, text: text)
            case .refused(let text): throw Failure(text: text)
            }
        }
    }
}
