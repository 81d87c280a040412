// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiTestSupport
import Testing

@testable import MockapiSecrets

@Suite(.supervised) struct TokenClaimsTests {
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
