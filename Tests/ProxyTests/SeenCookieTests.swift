// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import Testing

@testable import MockapiProxy

@Suite(.supervised) struct SeenCookieTests {
    private let cookie = "id=a=b; Domain=example.com; Path=/; SECURE; SameSite=None; HttpOnly; Partitioned"

    @Test func `a client without TLS gets a cookie that it keeps`() {
        #expect(SeenCookie.text(cookie, isSecure: false) == "id=a=b; Path=/; HttpOnly")
        #expect(SeenCookie.text("a=b; SameSite=Lax", isSecure: false) == "a=b; SameSite=Lax")
    }

    @Test func `a client with TLS gets all but the domain`() {
        #expect(
            SeenCookie.text(cookie, isSecure: true)
                == "id=a=b; Path=/; SECURE; SameSite=None; HttpOnly; Partitioned")
    }

    @Test func `a value that looks like an attribute stays`() {
        #expect(SeenCookie.text("secure; Path=/", isSecure: false) == "secure; Path=/")
    }
}
