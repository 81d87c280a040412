// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiJSONText

/// The responses of the admin API.
enum AdminResponse {
    /// Success without content.
    static var empty: Response {
        Response(head: ResponseHead(status: 200, fields: [], framing: .length(0)))
    }

    private static let mediaType = "application/json"

    /// The head of a response that comes in pieces.
    static func listHead(_ framing: ResponseHead.Framing) -> ResponseHead {
        ResponseHead(status: 200, fields: [WireField("Content-Type", mediaType)], framing: framing)
    }

    /// A report as one response.
    static func response(_ content: AdminReports.Content, isHead: Bool) -> Response {
        switch content {
        case .response(var response):
            if isHead { response.body = .none }
            return response
        case .list(let list): return PlainResponse.content(200, mediaType, list.text, isHead: isHead)
        }
    }

    /// - Parameter isPublic: whether pages of other origins may read it.
    static func json(
        _ status: Int, _ node: JSONNode, fields: [WireField] = [], isHead: Bool = false, isPublic: Bool = false
    ) -> Response {
        let isEmpty = node.object?.members.isEmpty == true
        return PlainResponse.content(
            status, mediaType, isEmpty ? Array("{}".utf8) : JSONWriter.pretty(node) + [UInt8(ascii: "\n")],
            fields: (isPublic ? [PlainResponse.readableByPages] : []) + fields, isHead: isHead)
    }

    /// Texts as a list in one line, as WireMock writes lists.
    static func line(_ texts: [String]) -> Response {
        let elements = texts.map { String(decoding: JSONWriter.compact(.string($0)), as: UTF8.self) }
        let text = elements.isEmpty ? "[ ]" : "[ \(elements.joined(separator: ", ")) ]"
        return PlainResponse.content(200, mediaType, Array(text.utf8))
    }

    static func error(_ error: AdminError, fields: [WireField] = [], isHead: Bool = false) -> Response {
        let entries = ([error] + error.others).map { error in
            var members: [JSONObject.Member] = [.init(name: "code", value: .integer(error.code))]
            if let pointer = error.pointer {
                members.append(.init(name: "source", value: .object(["pointer": .string(pointer)])))
            }
            members.append(.init(name: "title", value: .string(error.text)))
            if let detail = error.detail { members.append(.init(name: "detail", value: .string(detail))) }
            return JSONNode(.object(JSONObject(members)))
        }
        return json(error.status, .object(["errors": .array(entries)]), fields: fields, isHead: isHead)
    }
}
