// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import HTTPTypes
import MockServer
import MockapiTestSupport
import MockapiWireSupport
import NetworkingKit
import Testing

/// What a command says is what arrives: each is run by a shell against a server.
@Suite(.supervised) struct CurlCommandTests {
    private struct Anything: Request {
        let url: URL
        var method: HTTPMethod = .get
        var headers: [String: String] = [:]
        var query: [URLQueryItem] = []
        var body: Data?
        var bodyFile: URL?
    }

    /// Runs a command and gives back what the server saw of it.
    private func arrival(of command: String, at server: MockServer, input: String = "") async throws -> JournalEntry {
        let directory = try TemporaryDirectory(["command": command])
        let code = try await Command(line: ["/bin/sh", directory.path + "/command"], input: input).exitCode()
        #expect(code == 0, "\(command)")
        let entries = server.journal.entries
        #expect(entries.count == 1)
        return try #require(entries.last)
    }

    private func withServer(_ body: (MockServer) async throws -> Void) async throws {
        let server = try await MockServer.start(fixtures: Sample.fixtures)
        do {
            try await body(server)
        } catch {
            Issue.record(error)
        }
        await server.stop()
    }

    @Test func aGetIsNoMoreThanItsURL() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:8080/api/domains"))
        #expect(URLRequest(url: url).net.curlCommand == "curl http://127.0.0.1:8080/api/domains")
    }

    @Test func everyPartIsQuotedForTheShell() async throws {
        try await withServer { server in
            let request = Anything(
                url: server.baseURL.appendingPathComponent("it's $HOME `here`"), method: "PATCH",
                headers: ["X-Empty": "", "X-Quotes": #"'a' "b" $(c) \d"#, "Accept": "*/*"],
                query: [URLQueryItem(name: "filter[a]", value: "x&y")],
                body: Data("it's\n{\"a\": \"$HOME\"}\n@file".utf8))
            let command = try request.net.curlCommand
            let port = try #require(server.baseURL.port)
            #expect(
                command == """
                    curl --request PATCH --header 'Accept: */*' --header 'Content-Type: application/octet-stream' \
                    --header 'X-Empty;' --header 'X-Quotes: '\\''a'\\'' "b" $(c) \\d' --data-raw 'it'\\''s
                    {"a": "$HOME"}
                    @file' 'http://127.0.0.1:\(port)/it'\\''s%20$HOME%20%60here%60?filter%5Ba%5D=x%26y'
                    """)
            let entry = try await arrival(of: command, at: server)
            #expect(entry.request.method.rawValue == "PATCH")
            #expect(entry.request.path == "/it's%20$HOME%20%60here%60?filter%5Ba%5D=x%26y")
            for (name, value) in request.headers {
                #expect(entry.request.headerFields[try #require(HTTPField.Name(name))] == value)
            }
            #expect(Data(entry.body) == request.body)
        }
    }

    @Test(arguments: [Data([0, 1, 0xFF, 0x27]), Data("a\0b".utf8), Data(repeating: 0x61, count: 100_000)])
    func aBodyThatIsNoWordIsPipedIn(_ body: Data) async throws {
        try await withServer { server in
            var request = URLRequest(url: server.baseURL.appendingPathComponent("upload"))
            request.httpMethod = "PUT"
            request.httpBody = body
            let command = request.net.curlCommand
            #expect(command.hasPrefix("printf %s \(body.base64EncodedString()) | base64 -d | curl --request PUT "))
            let entry = try await arrival(of: command, at: server)
            #expect(entry.bodySize == body.count)
            #expect(Data(entry.body) == body.prefix(entry.body.count))
        }
    }

    @Test func aFileIsNamed() async throws {
        let directory = try TemporaryDirectory(["my file": "content\n"])
        try await withServer { server in
            let request = Anything(
                url: server.baseURL.appendingPathComponent("upload"), method: .post,
                bodyFile: URL(fileURLWithPath: directory.path + "/my file"))
            let command = try request.net.curlCommand
            #expect(command.contains(" --data-binary '@\(directory.path)/my file' "))
            #expect(try await arrival(of: command, at: server).body == Array("content\n".utf8))
        }
    }

    @Test func aStreamIsReadFromStandardInput() async throws {
        try await withServer { server in
            var request = URLRequest(url: server.baseURL.appendingPathComponent("upload"))
            request.httpMethod = "POST"
            request.httpBodyStream = InputStream(data: Data())
            let entry = try await arrival(of: request.net.curlCommand, at: server, input: "from the pipe\n")
            #expect(entry.body == Array("from the pipe\n".utf8))
        }
    }

    @Test func headWaitsForNoBody() async throws {
        try await withServer { server in
            let request = Anything(url: server.baseURL.appendingPathComponent("api/domains"), method: .head)
            let command = try request.net.curlCommand
            #expect(command == "curl --head \(request.url.absoluteString)")
            #expect(try await arrival(of: command, at: server).request.method == .head)
        }
    }

    @Test func aGetWithABodyStaysAGet() async throws {
        try await withServer { server in
            let request = Anything(url: server.baseURL.appendingPathComponent("search"), body: Data("q".utf8))
            let entry = try await arrival(of: try request.net.curlCommand, at: server)
            #expect(entry.request.method == .get)
            #expect(entry.body == Array("q".utf8))
        }
    }

    @Test func bracketsAndDotSegmentsOfAURLStay() async throws {
        try await withServer { server in
            let url = try #require(URL(string: "\(server.baseURL.absoluteString)/a/./b/../{c}?d[]=[1-3]"))
            let command = URLRequest(url: url).net.curlCommand
            let entry = try await arrival(of: command, at: server)
            #expect(entry.request.path.map { "\(server.baseURL.absoluteString)\($0)" } == url.absoluteString)
        }
    }

    @Test func aQuotationMarkUnderAnAccentIsQuoted() async throws {
        try await withServer { server in
            let body = Data("it'\u{301} $(false) '\u{301}".utf8)
            let request = Anything(url: server.baseURL.appendingPathComponent("a"), method: .post, body: body)
            let entry = try await arrival(of: try request.net.curlCommand, at: server)
            #expect(entry.body == Array(body))
        }
    }

    @Test func whatCannotBeSentIsLeftOut() throws {
        var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1/")))
        request.setValue("5", forHTTPHeaderField: "Content-Length")
        request.setValue("elsewhere", forHTTPHeaderField: "Host")
        request.setValue("x", forHTTPHeaderField: "@/etc/passwd")
        request.setValue("a\r\nB: c", forHTTPHeaderField: "X-Split")
        #expect(request.net.curlCommand == "curl http://127.0.0.1/")
    }

    @Test func theHeadersOfADelegateAreInTheCommandOfItsNetworking() async throws {
        final class Reader: NetworkingDelegate {
            func headers(for networking: any Networking) -> [String: String] {
                ["Accept": "application/json", "x-both": "delegate"]
            }
        }
        let reader = Reader()
        let networker = Networker()
        networker.delegate = reader
        let url = try #require(URL(string: "http://127.0.0.1/"))
        let request = Anything(url: url, headers: ["X-Both": "request"])
        #expect(
            try request.net.curlCommand(by: networker)
                == "curl --header 'Accept: application/json' --header 'X-Both: request' http://127.0.0.1/")
        #expect(try request.net.curlCommand == "curl --header 'X-Both: request' http://127.0.0.1/")
    }

    @Test func aRequestThatIsNoneHasNoCommand() throws {
        let request = Anything(url: try #require(URL(string: "http://127.0.0.1/")), method: "NO WAY")
        #expect(throws: RequestError.method("NO WAY")) { try request.net.curlCommand }
    }
}
