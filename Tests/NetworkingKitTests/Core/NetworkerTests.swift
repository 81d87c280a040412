// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import FixtureNetworking
import Foundation
import HTTPTypes
import MockServer
import MockapiTestSupport
import MockapiWireSupport
import NetworkingKit
import Testing
import UpstreamNetworking

@Suite("Networker on the wire", .supervised) struct NetworkerTests {
    @Test(arguments: [302, 307])
    func credentialsDoNotFollowARedirectionToAnotherOrigin(_ status: Int) async throws {
        let there = try await Service.answering("/there")
        let elsewhere = there.url("/there").absoluteString
        let here = try await Service([
            "all.stub.json": """
            {"stubs": [
              {"request": {"urlPath": "/away"}, "response": {"status": \(status), "headers": ["Location: \(elsewhere)"]}},
              {"request": {"urlPath": "/home"}, "response": {"status": \(status), "headers": ["Location: /there"]}},
              {"request": {"urlPath": "/there"}, "response": {"body": "ok"}}
            ]}
            """
        ])
        let networker = Networker()
        let headers = ["Authorization": "Bearer secret", "Cookie": "a=b", "X-Own": "1"]
        for path in ["/away", "/home"] {
            let data: Data = try await networker.data(for: PlainRequest(url: here.url(path), headers: headers))
            #expect(data == Data("ok".utf8))
        }
        let away = try #require(there.server.journal.entries.last?.request)
        #expect(away.headerFields[.authorization] == nil)
        #expect(away.headerFields[.cookie] == nil)
        #expect(away.headerFields[try #require(HTTPField.Name("X-Own"))] == "1")
        let home = try #require(here.server.journal.entries.last?.request)
        #expect(home.path == "/there")
        #expect(home.headerFields[.authorization] == "Bearer secret")
        await here.stop()
        await there.stop()
    }

    private static let redirections = """
        {"stubs": [
          {"request": {"urlPathTemplate": "/{status}"}, "response": {"status": 301, "headers": ["Location: there"], "body": "moved"}},
          {"request": {"urlPath": "/302"}, "response": {"status": 302, "headers": ["Location: /there"]}},
          {"request": {"urlPath": "/303"}, "response": {"status": 303, "headers": ["Location: /there"]}},
          {"request": {"urlPath": "/307"}, "response": {"status": 307, "headers": ["Location: /there"]}},
          {"request": {"urlPath": "/308"}, "response": {"status": 308, "headers": ["Location: /there"]}},
          {"request": {"urlPath": "/circle"}, "response": {"status": 302, "headers": ["Location: /circle"]}},
          {"request": {"urlPath": "/mail"}, "response": {"status": 302, "headers": ["Location: mailto:a@b"]}},
          {"request": {"urlPath": "/there"}, "response": {"body": "arrived"}}
        ]}
        """

    @Test(arguments: [
        ("301", HTTPMethod.post, "GET"), ("301", .put, "PUT"), ("302", .post, "GET"), ("303", .put, "GET"),
        ("307", .post, "POST"), ("308", .put, "PUT"),
    ])
    func contentFollowsARedirectionThatKeepsTheMethod(
        _ status: String, _ method: HTTPMethod, _ next: String
    ) async throws {
        let service = try await Service(["all.stub.json": Self.redirections])
        let file = try TemporaryDirectory(["content": "from a file"])
        let networker = Networker()
        var request = PlainRequest(url: service.url("/\(status)"), method: method, body: Data("from memory".utf8))
        #expect(try await networker.value(for: request) == Data("arrived".utf8))
        request.bodyFile = URL(fileURLWithPath: file.path + "/content")
        #expect(try await networker.value(for: request) == Data("arrived".utf8))
        let ends = service.server.journal.entries.filter { $0.request.path == "/there" }
        #expect(ends.map(\.request.method.rawValue) == [next, next])
        let bodies = ends.map { String(decoding: $0.body, as: UTF8.self) }
        #expect(bodies == (next == "GET" ? ["", ""] : ["from memory", "from a file"]))
        await service.stop()
    }

    @Test(arguments: [307, 308])
    func aRedirectionKeepsTheContentOfAFileToo(_ status: Int) async throws {
        let server = try await MockServer.start(stubs: [
            RequestMatch.any("/old").respond(status, headers: ["Location": "/new"], body: "moved"),
            RequestMatch.any("/new").respond(body: "there"),
        ])
        let directory = try TemporaryDirectory(["content": "from a file"])
        var request = PlainRequest(url: server.baseURL.appendingPathComponent("old"), method: .put)
        request.body = Data("from memory".utf8)
        let networker = Networker()
        #expect(try await networker.data(for: request) == Data("there".utf8))
        request.bodyFile = URL(fileURLWithPath: directory.path + "/content")
        #expect(try await networker.data(for: request) == Data("there".utf8))
        let bodies = server.journal.entries.map { String(decoding: $0.body, as: UTF8.self) }
        #expect(bodies == ["from memory", "from memory", "from a file", "from a file"])
        #expect(server.journal.entries.allSatisfy { $0.request.method == .put })
        await server.stop()
    }

    @Test func aDownloadHasTheFileAndTheProgressOfTheLastAnswer() async throws {
        let service = try await Service(["all.stub.json": Self.redirections])
        let progress = Collected<TransferProgress>()
        let response = try await Networker().response(
            for: PlainRequest(url: service.url("/301")),
            TransferOptions(isDownload: true, progress: { progress.append($0) }))
        let file = try #require(response.file)
        #expect(try Data(contentsOf: file) == Data("arrived".utf8))
        #expect(response.http.url == service.url("/there"))
        #expect(progress.elements.last == TransferProgress(completed: 7, total: 7))
        try FileManager.default.removeItem(at: file)
        await service.stop()
    }

    @Test(arguments: [("/circle", URLError.Code.httpTooManyRedirects), ("/mail", .unsupportedURL)])
    func aRedirectionThatLeadsNowhereIsAnError(_ path: String, _ code: URLError.Code) async throws {
        let service = try await Service(["all.stub.json": Self.redirections])
        let request = PlainRequest(url: service.url(path))
        let error = await #expect(throws: URLError.self) { () -> Data in try await Networker().data(for: request) }
        #expect(error?.code == code)
        await service.stop()
    }

    @Test func aCookieOfARedirectionIsSentWithTheNextRequest() async throws {
        let service = try await Service([
            "all.stub.json": """
            {"stubs": [
              {"request": {"urlPath": "/login"}, "response": {"status": 302, "headers": ["Location: /there", "Set-Cookie: a=b"]}},
              {"request": {"urlPath": "/there"}, "response": {"body": "arrived"}}
            ]}
            """
        ])
        let data: Data = try await Networker().data(for: PlainRequest(url: service.url("/login")))
        #expect(data == Data("arrived".utf8))
        #expect(service.server.journal.entries.last?.request.headerFields[.cookie] == "a=b")
        await service.stop()
    }

    @Test func aRedirectionWithoutALocationIsAnAnswer() async throws {
        let service = try await Service([
            "all.stub.json": #"{"request": {"urlPath": "/lost"}, "response": {"status": 302, "headers": ["X-Own: 1"]}}"#
        ])
        for isDownload in [false, true] {
            let response = try await Networker().response(
                for: PlainRequest(url: service.url("/lost")), TransferOptions(isDownload: isDownload))
            #expect(response.status == 302)
            #expect(response.http.value(forHTTPHeaderField: "X-Own") == "1")
            if let file = response.file { try FileManager.default.removeItem(at: file) }
        }
        await service.stop()
    }

    @Test func aFileThatCannotBeSentIsNamedByEveryNetworking() async throws {
        let service = try await Service.answering("/things")
        let files = try TemporaryDirectory()
        files.makeFolder("folder")
        let networkings: [any Networking] = [
            Networker(), UpstreamNetworker(), try FixtureNetworker(fixtures: Sample.fixtures),
        ]
        for (name, code, reason) in [
            ("none", URLError.Code.fileDoesNotExist, "there is no such file"),
            ("folder", .fileIsDirectory, "this is a folder"),
        ] {
            let file = URL(fileURLWithPath: "\(files.path)/\(name)")
            let request = PlainRequest(url: service.url("/things"), method: .post, bodyFile: file)
            for networking in networkings {
                let error = await #expect(throws: URLError.self) { () -> Data in try await networking.data(for: request)
                }
                #expect(error?.code == code)
                #expect(
                    error?.localizedDescription
                        == "the file \(file.path) cannot be sent: \(reason); name one that can be read")
            }
        }
        #expect(service.targets.isEmpty)
        await service.stop()
    }

    @Test(arguments: [0, 1, 1e12, .infinity])
    func anyTimeoutOfARequestIsTaken(_ interval: TimeInterval) async throws {
        let service = try await Service.answering("/things")
        let request = URLRequest(url: service.url("/things"), timeoutInterval: interval)
        let response = try await Networker().send(request, file: nil, options: TransferOptions())
        #expect(response.status == 200)
        await service.stop()
    }
}
