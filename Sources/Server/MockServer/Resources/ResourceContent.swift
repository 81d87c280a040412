// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiJSONText
import MockapiMetering

/// The response of a resource.
struct ResourceResponse: Sendable {
    var status: Int
    var body: [UInt8]
    var mediaType = "application/json"
    var fields: [WireField]
    var isHead = false
    /// The reason that the log gives for a change that was refused for its file; nil for any other response.
    var reason: String?

    init(_ status: Int, _ body: [UInt8] = [], _ fields: [WireField] = []) {
        self.status = status
        self.body = body
        self.fields = fields
    }

    var response: Response {
        if status == 204 || status == 304 {
            return Response(head: ResponseHead(status: status, fields: fields, framing: .none))
        }
        return PlainResponse.content(status, mediaType, body, fields: fields, isHead: isHead)
    }
}

/// Why a resource refuses a request.
struct ResourceError: Error {
    let status: Int
    let text: String

    init(_ status: Int, _ text: String) {
        self.status = status
        self.text = text
    }

    /// The problem (RFC 9457).
    var response: ResourceResponse {
        let problem = JSONNode.object([
            "type": .string("about:blank"), "title": .string(StatusReason.phrase(status)),
            "status": .integer(status), "detail": .string(text),
        ])
        var response = ResourceResponse(status, JSONWriter.pretty(problem) + [UInt8(ascii: "\n")])
        response.mediaType = "application/problem+json"
        return response
    }
}

/// The content of a request of a resource.
enum ResourceContent {
    enum Patch {
        case merge(JSONNode)
        case operations(JSONPatch)

        func applied(to node: JSONNode, _ meter: Meter) throws(ResourceError) -> JSONNode {
            switch self {
            case .merge(let patch): return node.merging(patch)
            case .operations(let patch):
                do throws(JSONPatch.Failure) {
                    return try patch.applied(to: node) { meter.pay(steps: $0) }
                } catch {
                    throw ResourceContent.error(error)
                }
            }
        }
    }

    private static let patchType = "application/json-patch+json"
    /// The media types that PATCH takes.
    static let patchTypes = [patchType, "application/merge-patch+json", "application/json"]

    /// The object that a request has, as JSON.
    static func object(_ request: ResourceRequest) throws(ResourceError) -> JSONNode {
        let type = mediaType(request)
        guard type.isEmpty || type == "application/json" || type.hasSuffix("+json") else {
            throw ResourceError(415, "the content is \(type), but must be application/json")
        }
        let node = try json(request.body)
        guard node.object != nil else {
            throw ResourceError(400, "expected an object, found a value of the kind \(node.kindName)")
        }
        return node
    }

    /// Whether a request has a JSON patch: few bytes can ask for much work.
    static func isPatch(_ request: ResourceRequest) -> Bool { mediaType(request) == patchType }

    /// A JSON patch, or a merge patch, as which plain JSON is taken, too.
    static func patch(_ request: ResourceRequest) throws(ResourceError) -> Patch {
        let type = mediaType(request)
        guard type.isEmpty || patchTypes.contains(type) else {
            throw ResourceError(415, "the content is \(type), but must be \(patchTypes.joined(separator: ", "))")
        }
        let node = try json(request.body)
        guard type == patchType else { return .merge(node) }
        do throws(JSONPatch.Failure) {
            return .operations(try JSONPatch(node))
        } catch {
            throw self.error(error)
        }
    }

    /// RFC 5789 §2.2.
    private static func error(_ failure: JSONPatch.Failure) -> ResourceError {
        switch failure.kind {
        case .malformed: ResourceError(400, failure.text)
        case .missing, .test: ResourceError(409, failure.text)
        case .limit: ResourceError(422, failure.text)
        }
    }

    private static func mediaType(_ request: ResourceRequest) -> String {
        request.contentType.map { MediaType.essence(of: $0) } ?? ""
    }

    private static func json(_ bytes: [UInt8]) throws(ResourceError) -> JSONNode {
        do throws(JSONError) {
            return try JSONParser.parse(bytes)
        } catch {
            let place = LineMap(bytes).position(of: error.offset)
            throw ResourceError(
                400, "the content is not JSON: \(error.message) (line \(place.line), column \(place.column))")
        }
    }

    /// An object with an id, in front if it has none.
    static func with(_ id: JSONNode, as name: String, in node: JSONNode) -> JSONNode {
        var members = node.object?.members ?? []
        if let place = members.lastIndex(where: { $0.name == name }) {
            members[place].value = id
        } else {
            members.insert(.init(name: name, value: id), at: 0)
        }
        return JSONNode(.object(JSONObject(members)))
    }
}

/// The conditional fields of a request of a resource (RFC 9110 §13).
struct ResourceConditions {
    private let ifMatch: String?
    private let ifNoneMatch: String?

    init(_ request: ResourceRequest) {
        ifMatch = request.ifMatch
        ifNoneMatch = request.ifNoneMatch
    }

    var isEmpty: Bool { ifMatch == nil && ifNoneMatch == nil }

    /// The response to a request that reads, if it is not the representation; nil if it is.
    func response(reading tag: String, _ fields: [WireField]) throws(ResourceError) -> ResourceResponse? {
        if let ifMatch, !Self.matches(ifMatch, tag, strongly: true) { throw Self.failed("If-Match", tag) }
        guard let ifNoneMatch, Self.matches(ifNoneMatch, tag, strongly: false) else { return nil }
        return ResourceResponse(304, [], fields)
    }

    /// Lets a change be made, or not.
    ///
    /// - Parameter tag: that of the present item; nil if there is none.
    func check(changing tag: String?) throws(ResourceError) {
        if let ifMatch {
            guard let tag, Self.matches(ifMatch, tag, strongly: true) else { throw Self.failed("If-Match", tag) }
        }
        if let ifNoneMatch, let tag, Self.matches(ifNoneMatch, tag, strongly: false) {
            throw Self.failed("If-None-Match", tag)
        }
    }

    private static func matches(_ value: String, _ tag: String, strongly: Bool) -> Bool {
        if Substring(value).trimmingBlanks == "*" { return true }
        guard let tag = EntityTag(tag) else { return false }
        return EntityTag.list(value).contains { strongly ? $0.matchesStrongly(tag) : $0.matchesWeakly(tag) }
    }

    private static func failed(_ field: String, _ tag: String?) -> ResourceError {
        ResourceError(412, "\(field) does not hold: \(tag.map { "the ETag is \($0)" } ?? "there is no such item")")
    }
}
