// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiProxy
import MockapiTestSupport
import Testing

@Suite(.supervised) struct UpstreamOriginTests {
    @Test(arguments: [
        ("https://API.example.com/", "https://api.example.com"), ("HTTP://a:80", "http://a"),
        ("https://a:443", "https://a"), ("https://a:80", "https://a:80"), ("http://[::1]:8080/", "http://[::1]:8080"),
        ("http://u:p@a:81", "http://a:81"), ("http://a:", "http://a"),
    ])
    func `an origin is scheme, host and port`(url: String, text: String) throws {
        #expect(try UpstreamOrigin(url).text == text)
    }

    @Test func `credentials become a line`() throws {
        #expect(
            try UpstreamOrigin("https://Aladdin:open%20sesame@a").authorization == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
        #expect(try UpstreamOrigin("https://tok@a").authorization == "Basic dG9r")
        #expect(try UpstreamOrigin("https://a").authorization == nil)
    }

    @Test(arguments: [
        ("api.example.com", "\"api.example.com\" is not an upstream: write http:// or https:// before its host"),
        ("u:hunter2@a", "\"a\" is not an upstream: write http:// or https:// before its host"),
        (
            "http://u:hunter2@",
            "\"http://\" is not an upstream: write a host behind the scheme, and perhaps a colon and a port"
        ),
        (
            "http://u:hunter2@a/v2?token=hunter2",
            "\"http://a/v2\" has more than a host: leave out the rest, and request it by its path"
        ),
        ("http://a:99999", "\"http://a:99999\" has port 99999: write one from 1 to 65535"),
    ])
    func `what is not an origin is told without its secrets`(url: String, text: String) {
        #expect(throws: ProxyError(text)) { try UpstreamOrigin(url) }
    }
}
