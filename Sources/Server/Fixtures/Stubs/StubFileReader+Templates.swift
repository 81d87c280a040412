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
        for element in cursor[.transformers]?.elements ?? [] {
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

    /// The template of the body file's name; nil if the name is not a template, or there is a body without.
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

    /// The parts of a response that are rendered for each request; nil if nothing is a template.
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
        let json = body.flatMap { $0.key == "jsonBody" ? jsonTemplate($0.cursor) : nil }
        let content = json == nil ? body.flatMap { self.content($0, lines, cursor) } : nil
        var base: Template?
        if let proxy, let written = cursor["proxyBaseUrl"], Template.isNeeded(for: proxy.target.base.utf8) {
            base = template(Array(proxy.target.base.utf8), at: written)
        }
        let proxyHeaders = headerTemplates(proxy?.lines ?? [])
        if status == nil, headers.isEmpty, content == nil, json == nil, fileName == nil, base == nil,
            proxyHeaders.isEmpty
        {
            return nil
        }
        return ResponseTemplates(
            body: content, json: json, headers: headers, status: status, fileName: fileName, proxyBase: base,
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

    /// The template that a text is; nil if it has nothing to render, or is broken, which is reported.
    mutating func template(in text: String, at cursor: Cursor) -> Template? {
        Template.isNeeded(for: text.utf8) ? template(Array(text.utf8), at: cursor) : nil
    }

    /// The template of a body; nil if it is not text, or has nothing to render.
    private mutating func content(_ body: WrittenBody, _ lines: [PlacedLine], _ cursor: Cursor) -> Template? {
        switch body.key {
        case "body":
            guard let text = body.content.body.bytes, Template.isNeeded(for: text) else { return nil }
            return template(text, at: body.cursor)
        case "jsonBody":
            // In WireMock the JSON's text is the template: a block may begin in one string and end in another.
            guard isWireMock, let text = body.content.body.bytes, Template.isNeeded(for: text) else { return nil }
            return template(text, at: body.cursor)
        case "base64Body": return nil
        default:
            guard rendersFiles(cursor) else { return nil }
            let type = lines.last { $0.isNamed("content-type") }?.line.value ?? body.mediaType ?? ""
            guard ResponseTemplates.isText(body.content, mediaType: type) else { return nil }
            return fileContent(body, isAsked: cursor[.transformers] != nil)
        }
    }

    /// The template that JSON is, whose strings are rendered each by itself; nil if there is nothing to render, and for one with a broken
    /// string, which is reported.
    private mutating func jsonTemplate(_ cursor: Cursor) -> JSONTemplate? {
        guard Template.isNeeded(for: JSONWriter.compact(cursor.node)) else { return nil }
        if isWireMock { return try? JSONTemplate(cursor.node, dialect: templateDialect, keepsTypes: false) }
        var templates: [Template] = []
        guard areSound(cursor, &templates) else { return nil }
        checkNames(of: templates, at: cursor)
        do throws(TemplateError) {
            return try JSONTemplate(cursor.node, dialect: templateDialect, keepsTypes: true)
        } catch {
            report(.error, "the template is broken at \(error)", at: cursor)
            return nil
        }
    }

    /// Whether all strings of a value are templates, or have none; those that are broken are reported at their places.
    private mutating func areSound(_ cursor: Cursor, _ templates: inout [Template]) -> Bool {
        var areSound = true
        func isNeeded(_ text: String) -> Bool { Template.isNeeded(for: text.utf8) }
        func add(_ text: String, _ cursor: Cursor, _ reader: inout StubFileReader) {
            guard isNeeded(text) else { return }
            if let template = reader.template(Array(text.utf8), at: cursor, checksNames: false) {
                templates.append(template)
            } else {
                areSound = false
            }
        }
        if let text = cursor.node.string { add(text, cursor, &self) }
        for member in cursor.members {
            add(member.name, member.value, &self)
            if !self.areSound(member.value, &templates) { areSound = false }
        }
        for element in cursor.elements where !self.areSound(element, &templates) { areSound = false }
        return areSound
    }

    private mutating func fileContent(_ body: WrittenBody, isAsked: Bool) -> Template? {
        if body.content.body.count > Template.Limits.source {
            if isAsked {
                reportFailure(
                    "the body file is larger than 1 MiB, the limit of a template; \"transformerParameters\": "
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

    /// A template of a value; nil if it is broken, which is reported.
    private mutating func template(_ text: [UInt8], at cursor: Cursor, checksNames: Bool = true) -> Template? {
        do throws(TemplateError) {
            let template = try Template(parsing: text, dialect: templateDialect)
            if checksNames { checkNames(of: [template], at: cursor) }
            return template
        } catch {
            reportFailure("the template is broken at \(error)", at: cursor)
            return nil
        }
    }

    private var templateDialect: Template.Dialect { isWireMock ? .wireMock : .handlebars }
}
