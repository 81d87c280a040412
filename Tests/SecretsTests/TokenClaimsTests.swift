// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiTestSupport
import Testing

@testable import MockapiSecrets

@Suite(.supervised) struct TokenClaimsTests {
    @Test func `placeholders are renamed in each of their forms, and all else stays`() throws {
        let names = (0..<40).map { "redacted.response.id-\($0)" }
        let uuid = "0f8fad5b-d9cb-469f-a165-70867728950e"
        let forms = try names.map { try #require(Placeholders.formPattern($0, like: Array(uuid.utf8))) }
        let others = names.map { $0.replacing("response", with: "query") }
        let otherForms = try others.map { try #require(Placeholders.formPattern($0, like: Array(uuid.utf8))) }
        func text(_ names: [String], _ forms: [String]) -> String {
            "[ü" + zip(names, forms).map { "\"\($0)\", {\"a\": \"\($1)\"}" }.joined(separator: ", ")
                + ", redacted.a, e]"
        }
        let changes = Dictionary(uniqueKeysWithValues: zip(names, others))
        let renamed = try #require(Placeholders.renamed(Array(text(names, forms).utf8), changes))
        #expect(String(decoding: renamed, as: UTF8.self) == text(others, otherForms))
        #expect(Placeholders.renamed(Array(text(others, otherForms).utf8), changes) == nil)
    }

    private static func part(_ text: String) -> String {
        Data(text.utf8).base64EncodedString().replacing("=", with: "").replacing("+", with: "-")
            .replacing("/", with: "_")
    }

    private func found(_ claims: String) -> Int {
        let head = Self.part(#"{"alg":"none","kid":"redacted","typ":"JWT"}"#)
        let token = "\(head).\(Self.part(claims)).\(Self.part("redacted.response.id_token"))"
        return SecretScan.findings(in: Array(#"{"id_token": "\#(token)"}"#.utf8), isText: true).count
    }

    @Test func `a secret within the claims of a placeholder is a finding`() {
        #expect(found(#"{"sub":"ann"}"#) == 0)
        #expect(found(#"{"sub":"ghp_16C7e42F292c6912E7710c838347Ae178B4a"}"#) > 0)
    }
}
