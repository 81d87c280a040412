// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTemplating

/// The names that templates of stubs have values for.
package enum TemplateScope {
    /// The members of `request`; `each` goes through the first.
    package static let requestMembers = [
        "id", "url", "path", "pathSegments", "query", "method", "host", "port", "scheme", "baseUrl", "clientIp",
        "headers", "cookies", "body", "bodyAsBase64", "multipart", "parts",
    ]
    /// Members of `request` that stand for others, as in WireMock.
    static let otherMembers = ["requestLine", "isMultipart"]
    /// The outermost names; those of webhooks begin with `original`.
    static let outermost = ["request", "parameters", "originalRequest", "originalResponse"]
    /// Names of helpers that people know from elsewhere, and their names here.
    static let others = [
        "uuid": "{{randomValue type='UUID'}}", "guid": "{{randomValue type='UUID'}}", "timestamp": "{{now}}",
        "random": "{{randomInt}}", "query": "{{request.query.NAME}}", "params": "{{request.path.NAME}}",
        "path": "{{request.path}}", "headers": "{{request.headers.NAME}}", "body": "{{request.body}}",
        "method": "{{request.method}}", "url": "{{request.url}}", "cookies": "{{request.cookies.NAME}}",
    ]
}

extension StubFileReader {
    /// Reports names that nothing gives a value to, which would render to nothing.
    mutating func checkNames(of templates: [Template], at cursor: Cursor) {
        let names = TemplateNames(of: templates)
        var told: Set<ExactText> = []
        for path in names.lookedUp {
            let outermost = path[0]
            if outermost == "request" || outermost == "originalRequest" {
                let members = TemplateScope.requestMembers + TemplateScope.otherMembers
                guard path.count > 1, !members.contains(path[1]), told.insert(ExactText(path[1])).inserted else {
                    continue
                }
                let way = Nearest.word(to: path[1], among: members).map { "; did you mean \"\($0.word)\"?" } ?? ""
                report(.warning, "\"\(outermost)\" has no \"\(path[1])\", and renders to nothing\(way)", at: cursor)
            } else if !TemplateScope.outermost.contains(outermost), !names.given.contains(outermost),
                told.insert(ExactText(outermost)).inserted
            {
                let way: String
                if let other = TemplateScope.others[outermost.lowercased()] {
                    way = "; write \(other)"
                } else {
                    let near = Nearest.word(to: outermost, among: TemplateScope.outermost)
                    way = near.flatMap { $0.isNear ? "; did you mean \"\($0.word)\"?" : nil } ?? ""
                }
                report(
                    .warning,
                    "nothing has the name \"\(outermost)\", so that {{\(outermost)}} renders to nothing\(way)",
                    at: cursor)
            }
        }
    }
}
