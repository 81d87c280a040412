// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Fixtures
import HTTPMessage
import HTTPServer
import HTTPWire
import Synchronization
import Templating

/// An answer that is rendered for each request.
final class TemplatedResponse: Sendable {
    /// Why an answer cannot be rendered.
    struct Failure: Error {
        var status = 500
        let text: String
    }

    private let response: StubResponse
    private let templates: ResponseTemplates
    private let isOfHead: Bool
    /// The path with variables that its stub has; nil where it has none.
    private let pathTemplate: String?
    /// Tells this answer from others in what is drawn for it.
    private let salt: UInt64
    private let count = Atomic<UInt64>(0)

    /// - Returns: nil for an answer that is the same for all requests.
    init?(_ response: StubResponse, salt: UInt64, isOfHead: Bool, pathTemplate: String?) {
        guard let templates = response.templates else { return nil }
        self.response = response
        self.templates = templates
        self.salt = salt
        self.isOfHead = isOfHead
        self.pathTemplate = pathTemplate
    }

    /// Renders the answer.
    ///
    /// - Parameter original: as it was laid out at load.
    func rendered(
        for head: borrowing RequestHead, _ body: [UInt8], _ connection: ConnectionInfo, of original: PreparedResponse,
        root: String, _ core: ServerCore
    ) throws(Failure) -> PreparedResponse {
        let number = count.wrappingAdd(1, ordering: .relaxed).oldValue
        var drawing = TemplateRandom(seed: core.seed, salt: salt, number: number)
        let request = RequestModel(
            copy head, body, client: connection.peer.host, base: core.identity.base(for: head),
            pathTemplate: pathTemplate, id: drawing.uuid())
        let model = TemplateValue.object(AnswerModel(request: request, parameters: templates.parameters))
        var rendering = Rendering(model: model, now: core.now(), random: drawing, hostname: Machine.hostName)
        var response = response
        response.templates = nil
        if let template = templates.status {
            let text = try rendering.text(template, "the status")
            guard let status = Int(text.filter { !$0.isWhitespace }), (200...999).contains(status) else {
                throw Failure(
                    text: "the status renders to \"\(text.prefix(40))\", which is none from 200 to 999".printable)
            }
            response.status = status
        }
        for header in templates.headers where response.headers.indices.contains(header.index) {
            let text = try rendering.text(header.template, "the header \(header.name)")
            if HeaderText.controlCharacter(in: text) != nil {
                throw Failure(text: "the header \(header.name) renders to a text with a control character")
            }
            response.headers[header.index].value = HeaderText.trimmed(text[...])
        }
        var content = templates.body
        if let name = templates.fileName {
            let file = try file(name, rendering.text(name.template, "the name of the body file"), root)
            response.body = file.body
            let isTyped = response.headers.contains { $0.name.lowercased() == "content-type" }
            if !isTyped, let type = file.mediaType { response.headers.append(HeaderLine("Content-Type", type)) }
            content = file.content
        }
        if let content {
            let bytes = try rendering.bytes(content, "the body")
            response.body = bytes.isEmpty ? .empty : .bytes(bytes)
        }
        return PreparedResponse(
            response: response, salt: salt, isOfHead: isOfHead, step: original.step, rendered: original)
    }

    private func file(
        _ name: ResponseTemplates.FileName, _ text: String, _ root: String
    ) throws(Failure) -> ResponseTemplates.FileName.File {
        do throws(ResponseTemplates.FileName.Failure) {
            return try name.file(named: text, root: root)
        } catch {
            switch error {
            case .missing(let text): throw Failure(status: 404, text: text)
            case .refused(let text): throw Failure(text: text)
            }
        }
    }

    /// The renderings of one answer: all at the same time, and each with random values of its own.
    private struct Rendering {
        let model: TemplateValue
        let now: Int64
        var random: TemplateRandom
        let hostname: String

        mutating func bytes(_ template: Template, _ name: String) throws(Failure) -> [UInt8] {
            let surroundings = TemplateSurroundings(
                clock: .frozen(now), random: TemplateRandom(random.next()), hostname: hostname)
            do throws(TemplateError) {
                return try template.render(model, surroundings)
            } catch {
                throw Failure(text: "the template of \(name) cannot be rendered: \(error)".printable)
            }
        }

        mutating func text(_ template: Template, _ name: String) throws(Failure) -> String {
            String(decoding: try bytes(template, name), as: UTF8.self)
        }
    }
}
