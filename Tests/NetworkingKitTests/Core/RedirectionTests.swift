// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiTestSupport
import NetworkingKit
import Testing

@Suite(.supervised) struct RedirectionTests {
    private func request(_ method: String, _ url: String = "https://api.example.com/a/b?c=d") throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.httpMethod = method
        if method == "POST" || method == "PUT" {
            request.httpBody = Data("content".utf8)
            request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        }
        request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
        request.setValue("a=b", forHTTPHeaderField: "Cookie")
        request.setValue("1", forHTTPHeaderField: "X-Own")
        return request
    }

    @Test(arguments: [
        (301, "GET", "GET"), (301, "POST", "GET"), (301, "PUT", "PUT"), (301, "HEAD", "HEAD"),
        (302, "GET", "GET"), (302, "POST", "GET"), (302, "PUT", "PUT"), (302, "DELETE", "DELETE"),
        (303, "GET", "GET"), (303, "POST", "GET"), (303, "PUT", "GET"), (303, "HEAD", "HEAD"), (303, "DELETE", "GET"),
        (307, "POST", "POST"), (307, "PUT", "PUT"), (308, "POST", "POST"), (308, "GET", "GET"),
    ])
    func theStatusSaysTheNextMethod(_ status: Int, _ method: String, _ next: String) throws {
        let old = try request(method)
        let redirection = try #require(try Redirection(of: old, status: status, location: "/new"))
        #expect(redirection.request.httpMethod == next)
        #expect(redirection.keepsContent == (method == next))
        #expect(redirection.request.httpBody == (method == next ? old.httpBody : nil))
        let type = redirection.request.value(forHTTPHeaderField: "Content-Type")
        #expect(type == (method == next ? old.value(forHTTPHeaderField: "Content-Type") : nil))
    }

    @Test(arguments: [200, 201, 300, 304, 305, 306, 400])
    func otherStatusesAreAnswers(_ status: Int) throws {
        #expect(try Redirection(of: request("GET"), status: status, location: "/new") == nil)
    }

    @Test func aRedirectionWithoutALocationIsAnAnswer() throws {
        #expect(try Redirection(of: request("GET"), status: 302, location: nil) == nil)
    }

    @Test(arguments: [
        ("/new", "https://api.example.com/new"), ("new?x=1", "https://api.example.com/a/new?x=1"),
        ("../new", "https://api.example.com/new"), ("?x=1", "https://api.example.com/a/b?x=1"),
        ("//other.example.com/x", "https://other.example.com/x"),
        ("http://other.example.com:81/", "http://other.example.com:81/"),
        ("HTTPS://api.example.com/x#part", "HTTPS://api.example.com/x#part"),
        ("/with space", "https://api.example.com/with%20space"),
    ])
    func aLocationIsRelativeToTheURLThatWasAsked(_ location: String, _ url: String) throws {
        let redirection = try #require(try Redirection(of: request("GET"), status: 302, location: location))
        #expect(redirection.request.url?.absoluteString == url)
    }

    @Test func theFragmentStaysUnlessTheLocationHasOne() throws {
        let old = try request("GET", "https://api.example.com/a#old")
        #expect(
            try Redirection(of: old, status: 301, location: "/b")?.request.url?.absoluteString
                == "https://api.example.com/b#old")
        #expect(
            try Redirection(of: old, status: 301, location: "/b#new")?.request.url?.absoluteString
                == "https://api.example.com/b#new")
    }

    @Test(arguments: [
        ("/x", true), ("https://API.example.com:443/x", true), ("http://api.example.com/x", false),
        ("https://api.example.com:8443/x", false), ("https://example.com/x", false),
    ])
    func secretsStayWithTheirOrigin(_ location: String, _ isSame: Bool) throws {
        let next = try #require(try Redirection(of: request("GET"), status: 307, location: location)).request
        #expect(next.value(forHTTPHeaderField: "Authorization") == (isSame ? "Bearer secret" : nil))
        #expect(next.value(forHTTPHeaderField: "Cookie") == (isSame ? "a=b" : nil))
        #expect(next.value(forHTTPHeaderField: "X-Own") == "1")
    }

    @Test(arguments: ["ftp://api.example.com/", "mailto:a@example.com", "file:///etc/passwd", "http:///x"])
    func aLocationThatIsNotOfHTTPIsRefused(_ location: String) throws {
        let old = try request("GET")
        let error = #expect(throws: URLError.self) { try Redirection(of: old, status: 302, location: location) }
        #expect(error?.code == .unsupportedURL)
        #expect(
            error?.localizedDescription
                == "the location \(location.debugDescription) is not a URL of HTTP; mend the server")
        #expect(error?.failingURL == old.url)
    }

    @Test(arguments: ["", "http://[::1/"])
    func aLocationThatIsNoURLIsRefused(_ location: String) throws {
        let old = try request("GET")
        let error = #expect(throws: URLError.self) { try Redirection(of: old, status: 302, location: location) }
        #expect(error?.code == .redirectToNonExistentLocation)
        #expect(
            error?.localizedDescription == "the location \(location.debugDescription) is not a URL; mend the server")
    }

    @Test func beyondTheLimitTheWayOutIsTold() {
        let error = Redirection.tooMany(limit: 20, url: nil)
        #expect(error.code == .httpTooManyRedirects)
        #expect(
            error.localizedDescription == "more than 20 redirections; look for a circle, or raise the limit")
    }
}
