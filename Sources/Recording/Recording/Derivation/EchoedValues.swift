// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiJSONText

/// The values that vary from request to request and come back in the response, as the id of JSON-RPC does: they are written as templates of the request.
struct EchoedValues {
    private struct Value {
        /// As it stands in JSON.
        var text: [UInt8]
        /// The name of the parameter or member.
        var name: String
        /// Its place in the response, if that is as in the request.
        var place: JSONPlace
        var template: String
    }

    private let values: [Value]
    /// The parameters of the query whose values need no percent-coding.
    private let parameters: [(name: String, value: String)]

    /// JSON in which they are looked for. 1 MiB.
    private static let limit = 1024 * 1024
    /// Bytes of a text that stands for itself under another name, too. 8.
    private static let tellingLength = 8

    /// - Parameters:
    ///   - left: the values that the matchers leave out.
    ///   - hidden: the parameters of the query that are secrets, with their placeholders.
    init(_ left: [SentPlace: [[UInt8]]], hidden: [(name: String, value: String)] = []) {
        values = left.compactMap { place, values in
            guard let value = values.first, values.count == 1 else { return nil }
            switch place {
            case .member(let place):
                guard let names = place.names, names.allSatisfy(Self.isPlain) else { return nil }
                return Value(
                    text: value, name: names.last ?? "", place: place,
                    template: "{{jsonPath request.body '\(place.path)'}}")
            case .parameter(let name) where Self.isPlain(name):
                let text = JSONWriter.compact(.string(String(decoding: value, as: UTF8.self)))
                return Value(
                    text: text, name: name, place: JSONPlace.root.member(name), template: "{{request.query.\(name)}}")
            default: return nil
            }
        }.sorted { $0.template < $1.template }
        parameters =
            left.compactMap { place, values in
                guard case .parameter(let name) = place, Self.isPlain(name), let value = values.first,
                    values.count == 1,
                    !value.isEmpty, value.allSatisfy(Self.isUnreserved)
                else { return nil }
                return (name, String(decoding: value, as: UTF8.self))
            } + hidden.filter { Self.isPlain($0.name) }
    }

    /// RFC 3986 §2.3.
    private static func isUnreserved(_ byte: UInt8) -> Bool {
        ASCII.lowercased(byte) &- 0x61 < 26 || ASCII.isDigit(byte) || "-._~".utf8.contains(byte)
    }

    /// The URL of a redirect with templates in the places of parameters that the request has too, as the `state` of OAuth (RFC 6749 §4.1.2); nil if
    /// there are none.
    func template(ofURL url: String, found: inout [String]) -> String? {
        var output: [UInt8] = []
        var places: [String] = []
        var piece: [UInt8] = []
        func flush() {
            let text = String(decoding: piece, as: UTF8.self)
            if let known = parameters.first(where: { text == "\($0.name)=\($0.value)" }) {
                output += Array("\(known.name)={{urlEncode request.query.\(known.name)}}".utf8)
                places.append(known.name)
            } else {
                output += piece
            }
            piece = []
        }
        for byte in url.utf8 {
            if "?&#".utf8.contains(byte) {
                flush()
                output.append(byte)
            } else {
                piece.append(byte)
            }
        }
        flush()
        if places.isEmpty { return nil }
        found += places.map { "\($0) in Location" }
        return String(decoding: output, as: UTF8.self)
    }

    private static func isPlain(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy {
                ASCII.lowercased($0) &- 0x61 < 26 || ASCII.isDigit($0) || $0 == UInt8(ascii: "_")
            }
    }

    /// JSON with templates in the places of these values; nil if none of them stands in it.
    ///
    /// - Parameter found: the places are added.
    func template(of bytes: [UInt8], found: inout [String]) -> JSONNode? {
        // A text that looks like a template would be one.
        guard !values.isEmpty, bytes.count <= Self.limit, bytes.firstRange(of: Array("{{".utf8)) == nil,
            let node = try? JSONParser.parse(bytes), node.object != nil || node.array != nil
        else { return nil }
        var places: [String] = []
        let template = replaced(node, .root, &places)
        if places.isEmpty { return nil }
        found += places
        return template
    }

    private func replaced(_ node: JSONNode, _ place: JSONPlace, _ found: inout [String]) -> JSONNode {
        switch node.value {
        case .object(let object):
            return JSONNode(
                .object(
                    JSONObject(
                        object.members.map { member in
                            .init(
                                name: member.name, value: replaced(member.value, place.member(member.name), &found))
                        })))
        case .array(let elements):
            return .array(elements.map { replaced($0, place.each, &found) })
        case .string, .number:
            let text = JSONWriter.compact(node)
            guard let value = values.first(where: { $0.text == text && stands($0, at: place, node) }) else {
                return node
            }
            if !found.contains(place.path) { found.append(place.path) }
            return .string(value.template)
        default: return node
        }
    }

    /// Whether a value that is the same is the request's: in the same place, or so long that no other is the same by chance.
    private func stands(_ value: Value, at place: JSONPlace, _ node: JSONNode) -> Bool {
        if place == value.place { return true }
        guard let text = node.string else { return false }
        guard text.utf8.count < Self.tellingLength else { return true }
        if case .member(let name)? = place.steps.last { return name.lowercased() == value.name.lowercased() }
        return false
    }
}
