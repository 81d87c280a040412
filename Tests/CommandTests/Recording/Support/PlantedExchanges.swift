// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiJSONText
import MockapiSecretsSupport

/// Requests and answers with a secret in one place each.
struct PlantedExchanges: Sendable {
    enum Place: String, CaseIterable, Sendable {
        case responseJSON
        case responseText
        case responseLines
        case query
        case path
        case requestJSON
        case requestForm
        case requestLines
        /// The path of a link, behind a word that tells.
        case link
        /// Values at random of no name: in a path, a sentence, the phrase of an error.
        case random
    }

    private(set) var asks: [Ask] = []
    /// What must be nowhere.
    private(set) var secrets: [String] = []
    /// The stub file of the service.
    var upstream: [UInt8] { JSONWriter.pretty(.object(["stubs": .array(stubs)])) }

    private var stubs: [JSONNode] = []

    init(_ place: Place) {
        for planted in Planted.shapes { add(planted.secret, in: planted.text, named: nil, place) }
        for (index, name) in Planted.names.enumerated() {
            let value = Planted.random(place == .random ? 40 : 22, seed: UInt64(index + 900))
            add(value, in: value, named: name, place)
        }
    }

    private mutating func add(_ secret: String, in text: String, named name: String?, _ place: Place) {
        let number = asks.count
        let path = "/\(place.rawValue)/\(number)"
        var ask = Ask(path)
        var lines = ["Content-Type: application/json", "X-Case: \(number)"]
        var body = #"{"ok": true}"#
        let isLine = !secret.contains("\n")
        switch place {
        case .responseJSON:
            body = Self.json([("id", "\(number)"), (name ?? "note", text)])
        case .responseText:
            guard name == nil else { return }
            lines[0] = "Content-Type: text/plain; charset=utf-8"
            body = "Line one\nsee \(text) here\n"
        case .responseLines:
            guard name == nil, isLine else { return }
            lines += ["X-Auth-Token: \(secret)", "Set-Cookie: session=\(Self.encoded(secret)); Path=/; HttpOnly"]
            lines.append(
                "Link: <https://ann:\(Self.encoded(secret))@next.example.com/?access_token=\(Self.encoded(secret))>; rel=next"
            )
        case .query:
            ask.target += "?page=1&\(name ?? "access_token")=\(Self.encoded(secret))"
        case .path:
            // A segment has no name: what tells is its shape.
            guard name == nil, isLine, text == secret, !secret.contains("/"), !secret.contains("=") else { return }
            ask.target = "/\(place.rawValue)/\(Self.encoded(secret))/\(number)"
        case .requestJSON:
            body = Self.json([("id", "\(number)"), ("echo", "you sent \(secret)")])
            let sent = Self.json([("user", "ann"), (name ?? "password", secret)])
            ask = Ask("POST", path, "application/json", sent)
        case .requestForm:
            body = Self.json([("id", "\(number)"), ("echo", "you sent \(secret)")])
            let sent = "user=ann&\(name ?? "password")=\(Self.encoded(secret))"
            ask = Ask("POST", path, "application/x-www-form-urlencoded", sent)
        case .requestLines:
            guard isLine else { return }
            body = Self.json([("id", "\(number)"), ("echo", "you sent \(secret)")])
            ask.fields = [
                "Authorization: Bearer \(secret)", "X-Api-Key: \(secret)", "Cookie: session=\(Self.encoded(secret))",
            ]
        case .link:
            guard name != nil else { return }
            ask.target = "\(path)/reset/\(secret)"
            body = Self.json([("id", "\(number)"), ("next", "https://shop.example.com/invite/\(secret)")])
        case .random:
            guard name != nil else { return }
            ask.target = "/\(place.rawValue)/\(secret)/\(number)?q=\(secret)"
            body = Self.json([("id", "\(number)"), ("text", "We have \(secret) of you.")])
        }
        asks.append(ask)
        secrets.append(secret)
        let url: JSONObject.Member =
            switch place {
            case .path, .random:
                .init(name: "urlPathPattern", value: .string("/\(place.rawValue)/[^/]+/\(number)"))
            case .link: .init(name: "urlPathPattern", value: .string("\(path)/reset/[^/]+"))
            default: .init(name: "urlPath", value: .string(path))
            }
        stubs.append(
            .object([
                "request": JSONNode(.object(JSONObject([url]))),
                "response": .object([
                    "headers": .array(lines.map { .string($0) }), "body": .string(body),
                ]),
            ]))
    }

    private static func json(_ members: [(String, String)]) -> String {
        let object = JSONObject(members.map { .init(name: $0.0, value: .string($0.1)) })
        return String(decoding: JSONWriter.compact(JSONNode(.object(object))), as: UTF8.self)
    }

    static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text
    }
}
