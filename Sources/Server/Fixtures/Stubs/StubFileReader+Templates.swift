// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTemplating

extension StubFileReader {
    /// The transformer that renders templates.
    private static let templating = "response-template"

    /// Whether a response asks for its templates to be rendered, or all do; reports transformers that there are none of.
    mutating func isTemplated(_ cursor: Cursor) -> Bool {
        var isAsked = templatesAll
        for element in cursor["transformers"]?.elements ?? [] {
            guard let name = element.node.string else { continue }
            if name == Self.templating {
                isAsked = true
            } else {
                report(
                    isWireMock ? .warning : .error,
                    "there is no transformer \"\(name)\"; the only one is \"\(Self.templating)\"", at: element)
            }
        }
        if !isAsked, let status = cursor["status"], let text = status.node.string, Template.isNeeded(for: text.utf8) {
            report(
                .error, "a status that is a template needs \"transformers\": [\"\(Self.templating)\"]", at: status)
        }
        return isAsked
    }

    /// The template of the body file's name; nil where the name is none, or there is a body without.
    mutating func fileNameTemplate(of cursor: Cursor) -> ResponseTemplates.FileName? {
        let key = isWireMock ? "bodyFileName" : "bodyFile"
        guard let written = cursor[key], let name = written.node.string, Template.isNeeded(for: name.utf8),
            !["body", "jsonBody", "base64Body"].contains(where: { cursor[$0].map { !$0.node.isNull } ?? false }),
            let template = template(Array(name.utf8), at: written)
        else { return nil }
        return ResponseTemplates.FileName(
            template: template, folder: isWireMock ? "__files" : String(path.directory), isWireMock: isWireMock,
            isTyped: !isWireMock && (cursor["defaultContentType"]?.node.bool ?? true),
            rendersContent: rendersFiles(cursor))
    }

    private func rendersFiles(_ cursor: Cursor) -> Bool {
        !(cursor["transformerParameters"]?.node["disableBodyFileTemplating"]?.bool ?? false)
    }

    /// The parts of a response that are rendered for each request; nil where nothing is a template.
    ///
    /// - Parameter fileName: of a body whose file's name is a template.
    mutating func templates(
        of cursor: Cursor, _ lines: [PlacedLine], _ body: WrittenBody?, _ fileName: ResponseTemplates.FileName?,
        _ proxy: WrittenProxy?
    ) -> ResponseTemplates? {
        var status: Template?
        if let written = cursor["status"], let text = written.node.string {
            status = template(Array(text.utf8), at: written)
        }
        let headers = headerTemplates(lines)
        let content = body.flatMap { self.content($0, lines, cursor) }
        var base: Template?
        if let proxy, let written = cursor["proxyBaseUrl"], Template.isNeeded(for: proxy.target.base.utf8) {
            base = template(Array(proxy.target.base.utf8), at: written)
        }
        let proxyHeaders = headerTemplates(proxy?.lines ?? [])
        if status == nil, headers.isEmpty, content == nil, fileName == nil, base == nil, proxyHeaders.isEmpty {
            return nil
        }
        return ResponseTemplates(
            body: content, headers: headers, status: status, fileName: fileName, proxyBase: base,
            proxyHeaders: proxyHeaders, parameters: cursor["transformerParameters"]?.node ?? .object([:]))
    }

    /// The values of field lines that are templates.
    mutating func headerTemplates(_ lines: [PlacedLine]) -> [ResponseTemplates.Header] {
        var headers: [ResponseTemplates.Header] = []
        for (index, line) in lines.enumerated() {
            guard let template = template(in: line.line.value, at: line.cursor) else { continue }
            headers.append(ResponseTemplates.Header(index: index, name: line.line.name, template: template))
        }
        return headers
    }

    /// The template that a text is; nil for one with nothing to render, and for a broken one, which is reported.
    mutating func template(in text: String, at cursor: Cursor) -> Template? {
        Template.isNeeded(for: text.utf8) ? template(Array(text.utf8), at: cursor) : nil
    }

    /// The template that a body is; nil for one that is no text, or has nothing to render.
    private mutating func content(_ body: WrittenBody, _ lines: [PlacedLine], _ cursor: Cursor) -> Template? {
        switch body.key {
        case "body", "jsonBody":
            guard let text = body.content.body.bytes, Template.isNeeded(for: text) else { return nil }
            return template(text, at: body.cursor)
        case "base64Body": return nil
        default:
            guard rendersFiles(cursor) else { return nil }
            let type = lines.last { $0.isNamed("content-type") }?.line.value ?? body.mediaType ?? ""
            guard ResponseTemplates.isText(body.content, mediaType: type) else { return nil }
            return fileContent(body, isAsked: cursor["transformers"] != nil)
        }
    }

    private mutating func fileContent(_ body: WrittenBody, isAsked: Bool) -> Template? {
        if body.content.body.count > Template.Limits.source {
            if isAsked {
                report(
                    .error,
                    "the body file is larger than 1 MiB, which templates have at most; \"transformerParameters\": "
                        + "{\"disableBodyFileTemplating\": true} sends it as it is", at: body.cursor)
            }
            return nil
        }
        guard let text = body.content.body.bytes, Template.isNeeded(for: text),
            String(validating: text, as: UTF8.self) != nil
        else { return nil }
        do throws(TemplateError) {
            return try Template(parsing: text, dialect: templateDialect)
        } catch {
            let file = body.file ?? path
            reportFailure(
                "the template is broken: \(error.message)",
                at: Place(path: file, line: error.line, column: error.column))
            return nil
        }
    }

    /// A template of a value; nil where it is broken, which is reported.
    private mutating func template(_ text: [UInt8], at cursor: Cursor) -> Template? {
        do throws(TemplateError) {
            return try Template(parsing: text, dialect: templateDialect)
        } catch {
            reportFailure("the template is broken at \(error)", at: cursor)
            return nil
        }
    }

    private var templateDialect: Template.Dialect { isWireMock ? .wireMock : .handlebars }
}
