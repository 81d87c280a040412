// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiTestSupport
import Testing

/// How proxy stubs and webhooks are read from stub files.
@Suite(.supervised) struct ProxyReadingTests {
    private func findings(_ text: String, _ name: String = "x.stub.json") throws -> [String] {
        try TemporaryDirectory([name: text]).load().findings.map(\.description)
    }

    @Test(arguments: [
        (
            #"{"response": {"proxyBaseUrl": "ftp://a"}}"#,
            #"x.stub.json:1:31: error: expected a URL such as "https://api.example.com", of http or https, without credentials, query and fragment, found "ftp://a" (/response/proxyBaseUrl)"#
        ),
        (
            #"{"response": {"proxyBaseUrl": "http://a", "body": "b"}}"#,
            #"x.stub.json:1:51: error: "body" beside "proxyBaseUrl"; the response is the other server's, leave it out (/response/body)"#
        ),
        (
            #"{"response": {"proxyBaseUrl": "{{request.query.to}}"}}"#,
            #"x.stub.json:1:31: error: a URL that is a template needs "transformers": ["response-template"] (/response/proxyBaseUrl)"#
        ),
        (
            #"{"response": {"proxyBaseUrl": "http://{{uper a}}", "transformers": ["response-template"]}}"#,
            #"x.stub.json:1:31: error: the template is broken at line 1, column 8: there is no helper "uper"; did you mean "upper"? (/response/proxyBaseUrl)"#
        ),
        (
            #"{"response": {"proxyUrlPrefixToRemove": "/a"}}"#,
            #"x.stub.json:1:41: error: "proxyUrlPrefixToRemove" goes with "proxyBaseUrl" (/response/proxyUrlPrefixToRemove)"#
        ),
        (
            #"{"response": {}, "serveEventListeners": [{"name": "mail", "parameters": {}}]}"#,
            #"x.stub.json:1:51: error: the listener "mail" is not known; "webhook" is (/serveEventListeners/0/name)"#
        ),
        (
            #"{"response": {}, "serveEventListeners": [{"name": "webhook", "parameters": {}}]}"#,
            #"x.stub.json:1:76: error: "url" is missing (/serveEventListeners/0/parameters)"#
        ),
        (
            #"{"response": {}, "serveEventListeners": [{"name": "webhook", "parameters": {"url": "/a"}}]}"#,
            #"x.stub.json:1:84: error: expected a URL of http or https, found "/a" (/serveEventListeners/0/parameters/url)"#
        ),
    ])
    func `a mistake is told with its place`(text: String, finding: String) throws {
        #expect(try findings(text) == [finding])
    }

    @Test func `where a stub leads is read`() throws {
        let text = #"""
            {"response": {"proxyBaseUrl": "https://api.example.com/v1/", "proxyUrlPrefixToRemove": "/api",
              "additionalProxyRequestHeaders": {"X-A": "1", "X-B": ["2", "3"]}, "removeProxyRequestHeaders": ["Cookie"]}}
            """#
        let set = try TemporaryDirectory(["x.stub.json": text]).load()
        #expect(set.findings.map(\.description) == [])
        var target = ProxyTarget(base: "https://api.example.com/v1")
        target.prefixToRemove = "/api"
        target.addedFields = [HeaderLine("X-A", "1"), HeaderLine("X-B", "2"), HeaderLine("X-B", "3")]
        target.removedNames = ["cookie"]
        #expect(set.stubs.first?.responses.first?.proxy == target)
    }

    @Test(arguments: [
        #""serveEventListeners": [{"name": "webhook", "requestPhases": ["AFTER_COMPLETE"], "parameters": PARAMETERS}]"#,
        #""postServeActions": [{"name": "webhook", "parameters": PARAMETERS}]"#,
        #""postServeActions": {"webhook": PARAMETERS}"#,
    ])
    func `webhooks are read in every form that WireMock has`(form: String) throws {
        let parameters = #"""
            {"method": "POST", "url": "http://a/b", "headers": {"Content-Type": "text/plain"}, "base64Body": "aGk=",
             "delay": {"type": "uniform", "lower": 1, "upper": 2}}
            """#
        let text = #"{"response": {}, \#(form.replacing("PARAMETERS", with: parameters))}"#
        let set = try TemporaryDirectory(["mappings/x.json": text]).load()
        #expect(set.findings.map(\.description) == [])
        let webhook = try #require(set.stubs.first?.webhooks.first)
        #expect(set.stubs.first?.webhooks.count == 1)
        #expect(webhook.url == "http://a/b" && webhook.method == "POST" && webhook.templates == nil)
        #expect(webhook.headers == [HeaderLine("Content-Type", "text/plain")])
        #expect(webhook.body == Array("hi".utf8) && webhook.delay == .uniform(lower: 1, upper: 2))
    }
}
