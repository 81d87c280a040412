// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiTestSupport
import Testing

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

    @Test(arguments: ["__Host-id", "__Secure-id", "__HOST-id"])
    func `a name that asks for Secure has it for browsers, and has not for others, without TLS`(name: String) {
        let line = "\(name)=1; Path=/; Secure; SameSite=None"
        #expect(SeenCookie.lines(line, isSecure: false) == [line, "\(name)=1; Path=/"])
        #expect(SeenCookie.lines(line, isSecure: true) == [line])
        #expect(SeenCookie.lines("x\(line)", isSecure: false) == ["x\(name)=1; Path=/"])
    }

    @Test func `a value that looks like an attribute stays`() {
        #expect(SeenCookie.text("secure; Path=/", isSecure: false) == "secure; Path=/")
    }

    @Test func `the end of a cookie that was to come is moved, and no other`() {
        let recorded = 1_795_600_000
        for (line, moved) in [
            (
                "a=b; Expires=\(HTTPDate.format(recorded + 60)); Path=/",
                "a=b; Expires=\(HTTPDate.format(recorded + 360)); Path=/"
            ),
            // One that ended at that moment had ended.
            ("a=b; Expires=\(HTTPDate.format(recorded))", "a=b; Expires=\(HTTPDate.format(recorded))"),
            ("a=; expires=Thu, 01 Jan 1970 00:00:00 GMT", "a=; expires=Thu, 01 Jan 1970 00:00:00 GMT"),
            ("Expires=Wed, 01 Dec 2100 10:00:00 GMT", "Expires=Wed, 01 Dec 2100 10:00:00 GMT"),
            ("a=b; Expires=Wed, 01-Dec-2100 10:00:00 GMT", "a=b; Expires=Wed, 01 Dec 2100 10:05:00 GMT"),
            ("a=b; Expires=soon; Max-Age=60", "a=b; Expires=soon; Max-Age=60"),
        ] {
            #expect(SeenCookie.moved(line, by: 300, from: recorded) == moved)
        }
    }
}
