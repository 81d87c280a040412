// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
package import MockapiJSONText
import MockapiSystemIO
package import MockapiTemplating
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The parts of a response that are rendered for each request.
package final class ResponseTemplates: Sendable {
    /// The value of a field line.
    package struct Header: Sendable {
        /// Which line of the response's it is.
        package let index: Int
        package let name: String
        package let template: Template
    }

    package let body: Template?
    /// The template of a body that is JSON; nil if there is none, or if it is a text.
    package let json: JSONTemplate?
    package let headers: [Header]
    package let status: Template?
    package let fileName: FileName?
    /// Where the response comes from.
    package let proxyBase: Template?
    /// The lines that requests get on their way there.
    package let proxyHeaders: [Header]
    /// The value of `parameters` in templates.
    package let parameters: JSONNode

    init(
        body: Template?, json: JSONTemplate? = nil, headers: [Header], status: Template?, fileName: FileName?,
        proxyBase: Template?,
        proxyHeaders: [Header], parameters: JSONNode
    ) {
        self.body = body
        self.json = json
        self.headers = headers
        self.status = status
        self.fileName = fileName
        self.proxyBase = proxyBase
        self.proxyHeaders = proxyHeaders
        self.parameters = parameters
    }

    /// The same for another text of the body.
    func with(body text: [UInt8]) -> ResponseTemplates {
        // A text that is not a template now renders to itself, or is sent as it is.
        let template = body.flatMap { try? Template(parsing: text, dialect: $0.dialect) }
        let json = json.flatMap { json in
            (try? JSONParser.parse(text)).flatMap { try? json.with($0) }
        }
        return ResponseTemplates(
            body: template, json: json, headers: headers, status: status, fileName: nil, proxyBase: proxyBase,
            proxyHeaders: proxyHeaders, parameters: parameters)
    }

    /// The same for other lines.
    ///
    /// - Parameter origins: for each of them, which of the earlier lines it was; nil for a new line.
    func with(lines origins: [Int?]) -> ResponseTemplates {
        let kept = origins.enumerated().flatMap { index, origin in
            headers.filter { $0.index == origin }.map { Header(index: index, name: $0.name, template: $0.template) }
        }
        return ResponseTemplates(
            body: body, json: json, headers: kept, status: status, fileName: fileName, proxyBase: proxyBase,
            proxyHeaders: proxyHeaders, parameters: parameters)
    }

    /// The same with the status that the response has by itself.
    var withoutStatus: ResponseTemplates {
        ResponseTemplates(
            body: body, json: json, headers: headers, status: nil, fileName: fileName, proxyBase: proxyBase,
            proxyHeaders: proxyHeaders, parameters: parameters)
    }

    /// Whether a file is text, by its media type and by its bytes: nothing else is a template.
    static func isText(_ content: Content, mediaType: String) -> Bool {
        guard Signature.of(content.head) == nil, TextStart.isText(content.head) else { return false }
        let essence = MediaType.essence(of: mediaType)
        return essence.isEmpty || essence == MediaType.unknown || MediaType.isTextual(essence)
    }
}

extension ResponseTemplates {
    /// The name of a body's file, which is another for each request.
    package final class FileName: Sendable {
        /// A file that a rendered name led to.
        package struct File: Sendable {
            package let body: Body
            /// Nil if the stub has no Content-Type line for its body by itself.
            package let mediaType: String?
            /// The template that the content is rendered by; nil if it is sent as it is.
            package let content: Template?
        }

        /// Why a rendered name leads to no response.
        package enum Failure: Error {
            case missing(String)
            case refused(String)
        }

        /// Templates of files that are kept; beyond them all are forgotten. 256.
        private static let kept = 256

        private struct Compiled {
            var modified: Int
            var size: Int
            var inode: UInt64
            var template: Template?
        }

        package let template: Template
        private let folder: String
        package let isWireMock: Bool
        private let isTyped: Bool
        private let rendersContent: Bool
        private let compiled = Mutex<[String: Compiled]>([:])

        init(template: Template, folder: String, isWireMock: Bool, isTyped: Bool, rendersContent: Bool) {
            self.template = template
            self.folder = folder
            self.isWireMock = isWireMock
            self.isTyped = isTyped
            self.rendersContent = rendersContent
        }

        /// Finds the file of a rendered name: one of the fixture directory, or of `__files`, and no stub file.
        ///
        /// - Parameter root: the fixture directory, absolute; empty for none.
        package func file(named name: String, root: String) throws(Failure) -> File {
            let shown = "the body file \"\(name.printable)\""
            let place = isWireMock ? "\"__files\"" : "the fixture directory"
            guard !root.isEmpty, !name.isEmpty, !name.utf8.contains(0), name.utf8.count <= 4096, !name.hasPrefix("/"),
                let path = BodyFiles.resolve(name, in: folder), !isWireMock || path.hasPrefix("__files/")
            else { throw .refused("\(shown) lies outside of \(place)") }
            let isHidden = HiddenName.isIn(path)
            let isStub = !isWireMock && (path.hasSuffix(".stub.json") || path.hasSuffix(".contract.json"))
            guard !isHidden, !isStub, let real = realpath("\(root)/\(path)", nil) else {
                throw .missing("there is no body file \"\(name.printable)\"")
            }
            defer { free(real) }
            let target = String(cString: real)
            let boundary = isWireMock ? "\(root)/__files/" : root == "/" ? root : "\(root)/"
            guard target.hasPrefix(boundary) else { throw .refused("\(shown) leads out of \(place)") }
            guard let status = FileStatus(path: target), status.kind == .file else {
                throw .missing("there is no body file \"\(name.printable)\"")
            }
            guard let content = try? Content.read(target, size: status.size) else {
                throw .missing("\(shown) cannot be read")
            }
            let type = MediaType.of(path, content)
            return File(
                body: content.body, mediaType: isTyped ? type : nil,
                content: try template(of: content, type, target, status, shown))
        }

        private func template(
            of content: Content, _ type: String, _ target: String, _ status: FileStatus, _ shown: String
        ) throws(Failure) -> Template? {
            guard rendersContent, content.body.count <= Template.Limits.source,
                ResponseTemplates.isText(content, mediaType: type)
            else { return nil }
            if let known = compiled.withLock({ $0[target] }), known.modified == status.modified,
                known.size == status.size, known.inode == status.inode
            {
                return known.template
            }
            guard let text = content.body.bytes else { throw .missing("\(shown) cannot be read") }
            var made = Compiled(modified: status.modified, size: status.size, inode: status.inode)
            if Template.isNeeded(for: text), String(validating: text, as: UTF8.self) != nil {
                do throws(TemplateError) {
                    made.template = try Template(parsing: text, dialect: template.dialect)
                } catch {
                    throw .refused("the template of \(shown) is broken at \(error)")
                }
            }
            let entry = made
            compiled.withLock { compiled in
                if compiled.count >= Self.kept { compiled.removeAll() }
                compiled[target] = entry
            }
            return made.template
        }
    }
}
