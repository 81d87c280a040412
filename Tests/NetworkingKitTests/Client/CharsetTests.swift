// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServer
import MockapiTestSupport
import NetworkingKit
import Testing

/// Texts are read in the charset that their service names.
@Suite(.supervised) struct CharsetTests {
    private struct Text: APIRequest {
        typealias Response = String
        let baseURL: URL
        let path = "/text"
        let method = HTTPMethod.get
    }

    private static let texts: [(type: String, bytes: [UInt8], text: String?)] = [
        ("text/plain; charset=ISO-8859-1", [0x4B, 0xE4, 0x73, 0x65], "Käse"),
        ("text/plain; charset=iso-8859-1; x=y", [0x4B, 0xE4, 0x73, 0x65], "Käse"),
        ("text/plain;CHARSET=\"latin1\"", [0xFC], "ü"), ("text/plain; charset=windows-1252", [0x80], "€"),
        ("text/plain; charset=iso-8859-1", [0x80, 0x81, 0x9F, 0xFF], "€\u{81}Ÿÿ"),
        ("text/plain; charset=l1", [0x93, 0x94], "“”"), ("text/plain; charset=ascii", [0x99], "™"),
        ("text/plain; charset=utf-16", [0x61, 0x00, 0xE4, 0x00], "aä"),
        ("text/plain; charset=utf-16", [0xFF, 0xFE, 0xE4, 0x00], "ä"),
        ("text/plain; charset=utf-16", [0xFE, 0xFF, 0x00, 0xE4], "ä"),
        ("text/plain; charset=utf-16be", [0x00, 0xE4], "ä"),
        ("text/plain; charset=windows-1251", [0xC4, 0xE0], "Да"),
        ("text/plain; charset=utf-16le", [0x61, 0x00, 0xE4, 0x00], "aä"),
        ("text/plain; charset=utf-8", [0xC3, 0xA4], "ä"), ("text/plain", [0xC3, 0xA4], "ä"),
        ("text/plain; charset=x-unknown", [0xC3, 0xA4], "ä"), ("text/plain; charset=utf-8", [0xE4], nil),
        ("text/plain; charset", [0xE4], nil), ("text/plain; charset=ISO-8859-1", [], ""),
    ]

    @Test(arguments: texts.indices) func `a text is read in the charset that its response names`(
        _ index: Int
    ) async throws {
        let (type, bytes, text) = Self.texts[index]
        let server = try await MockServer.start(stubs: [
            RequestMatch.get("/text").respond(headers: ["Content-Type": type], body: .bytes(bytes))
        ])
        let request = Text(baseURL: server.baseURL)
        let response = try await Networker().response(for: request)
        #expect(response.text == text)
        #expect((try? response.mapString()) == text)
        if let text {
            #expect(try await Client().send(request) == text)
            #expect(try await Networker().value(for: request) == text)
        } else {
            let error = try await #require(throws: ClientError.self) { try await Client().send(request) }
            #expect(error.description.contains("unexpected Data: "))
        }
        await server.stop()
    }
}
