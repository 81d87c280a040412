// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiTestSupport
import NetworkingKit
import Testing

@Suite(.supervised) struct NetNamespaceTests {
    private let url = URL(fileURLWithPath: "/")

    @Test(arguments: [
        ("application/json", "application/json", true),
        ("Application/VND.api+JSON; charset=utf-8", "application/vnd.api+json", true),
        ("text/html;q=\"a/b\"", "text/html", false), ("json", nil, false), ("a/b/c", nil, false), ("", nil, false),
    ])
    func theMediaTypeIsReadWithoutItsParameters(_ field: String, _ type: String?, _ isJSON: Bool) throws {
        let response = try HTTPURLResponse.net.plain(url, status: 200, headers: ["content-type": field])
        #expect(response.net.mediaType == type)
        #expect(response.net.isJSON == isJSON)
    }

    @Test func aResponseWithoutATypeHasNone() throws {
        let response = try HTTPURLResponse.net.plain(url, status: 404)
        #expect(response.statusCode == 404)
        #expect(response.net.mediaType == nil)
        #expect(!response.net.isJSON)
    }

    @Test func aMutatingMemberChangesWhatHasThePrefix() {
        var request = URLRequest(url: url)
        request.net.authorize("secret")
        #expect(request.value(forHTTPHeaderField: "Authorization") == "Bearer secret")
    }
}

extension NetNamespace where Base == URLRequest {
    fileprivate mutating func authorize(_ token: String) {
        base.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
    }
}
