// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiSecrets
import MockapiStubMatching

/// The places of a request in which alone it differs from a recorded one, as the recorder's `--vary` names them.
enum RecordedPlaces {
    /// A request that differs in more than these is a different request. 3.
    private static let limit = 3

    /// - Parameter content: of the request; empty if it is longer than is looked into.
    /// - Returns: none if anything else differs, or something is missing.
    static func names(_ differences: [Difference], in content: [UInt8]) -> [String] {
        guard (1...limit).contains(differences.count) else { return [] }
        let names = differences.compactMap { name($0, content) }
        return names.count == differences.count ? names : []
    }

    static func list(_ names: [String]) -> String { names.joined(separator: " and ").printable }

    /// The next step of a user whose request differs from a recorded one in some places alone.
    static func advice(_ names: [String]) -> String {
        let isOne = names.count == 1
        let selecting = PlaceOptions.selecting(names).map { ", with \($0)" } ?? ""
        return
            "if \(list(names)) \(isOne ? "is" : "are") another in each request, record again with \(PlaceOptions.varying(names)); if \(isOne ? "it selects" : "they select") the response, record this request, too\(selecting)"
    }

    /// The values that a stub was recorded with, in the words of a miss.
    static func others(_ unknown: UnknownPlaces) -> String {
        let others = unknown.places.filter { !unknown.guessable.contains($0) }.map(\.text)
        let guessable = unknown.guessable.map(\.text)
        var texts = others.isEmpty ? [] : ["other values of \(list(others))"]
        if !guessable.isEmpty {
            texts.append(
                "several values of \(list(guessable)) that could be guessed, so that it does not say which got which response"
            )
        }
        return texts.joined(separator: " and ")
    }

    /// The next step of a user whose request has values where no stub asks that were not recorded.
    static func advice(on unknown: UnknownPlaces) -> String {
        let names = unknown.places.filter { !unknown.guessable.contains($0) || $0.isNamed }.map(\.text)
        if unknown.guessable.isEmpty { return advice(names) }
        let start =
            "record again with random letters and digits as the secret, or send the placeholder that a stub asks for in its place"
        return names.isEmpty ? start : "\(start); \(advice(names))"
    }

    private static func name(_ difference: Difference, _ content: [UInt8]) -> String? {
        guard difference.actual != "nothing", difference.expected != "nothing" else { return nil }
        if let name = difference.field.behind("queryParameters.") { return "query:\(name)" }
        guard let pointer = difference.field.behind("body /"), let root = try? JSONParser.parse(content) else {
            return nil
        }
        return path(pointer, in: root)
    }

    /// The JSON path of the part of a pointer behind its first slash (RFC 6901), with each item of a list; nil for a place that is not there.
    private static func path(_ pointer: String, in root: JSONNode) -> String? {
        var node = root
        var path = "$"
        for part in JSONPointer.tokens("/" + pointer) {
            switch node.value {
            case .array(let elements):
                guard let index = Int(part), elements.indices.contains(index) else { return nil }
                (node, path) = (elements[index], path + "[*]")
            case .object(let object):
                guard let value = object[part] else { return nil }
                (node, path) = (value, JSONPlace.member(path, part))
            default: return nil
            }
        }
        return path
    }
}

extension String {
    fileprivate func behind(_ prefix: String) -> String? {
        utf8.starts(with: prefix.utf8) && utf8.count > prefix.utf8.count
            ? String(utf8.dropFirst(prefix.utf8.count)) : nil
    }
}
