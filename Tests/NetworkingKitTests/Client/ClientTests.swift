// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch
import Foundation
import HTTPTypes
import MockServer
import MockapiTestSupport
import MockapiWireSupport
import NetworkingKit
import Synchronization
import Testing

@Suite(.supervised) struct ClientTests {
    private struct Ask<Response: Sendable & Decodable>: APIRequest {
        var baseURL: URL
        var method: HTTPMethod = .get
        var path: String
        var body: [String: String]?

        var parameters: Any? { body }
    }

    private struct Relative: APIRequest {
        typealias Response = Data
        let path: String
        var method: HTTPMethod { .get }
    }

    private struct Other: APIRequest {
        typealias Response = Void
        let path: String
        var method: HTTPMethod { .get }
    }

    private static func client() -> Client {
        Client(networking: HangingNetworking(), baseURL: URL(string: "http://127.0.0.1"))
    }

    @Test func aRefusedRequestIsAResponseErrorWithItsContent() async throws {
        let server = try await MockServer.start(fixtures: Sample.fixtures)
        let request = Ask<[String]>(baseURL: server.baseURL, method: .post, path: "/api/contents", body: ["a": "b"])
        let error = try await #require(throws: ClientError.self) { try await Client().send(request) }
        guard case .responseError(let status as ResponseError) = error else {
            Issue.record(error)
            return
        }
        #expect(status.status == 422)
        #expect(
            error.description.hasPrefix(
                "the response cannot be used: POST \(server.baseURL.absoluteString)/api/contents: 422\n{"))
        let entry = try #require(server.journal.entries.first)
        #expect(entry.request.headerFields[.contentType] == "application/json")
        #expect(entry.request.headerFields[.accept] == "application/json")
        #expect(entry.body == Array(#"{"a":"b"}"#.utf8))
        await server.stop()
    }

    @Test func anAnswerOfAnotherTypeIsAResponseError() async throws {
        let server = try await MockServer.start(fixtures: Sample.fixtures)
        let request = Ask<[String]>(baseURL: server.baseURL, path: "/api/domains")
        let error = try await #require(throws: ClientError.self) { try await Client().send(request) }
        guard case .responseError(is ResponseError) = error else {
            Issue.record(error)
            return
        }
        await server.stop()
    }

    @Test func aServerThatIsNotThereIsAConnectionError() async throws {
        // No test's server gets a port below 1,024.
        let url = try #require(URL(string: "http://127.0.0.1:1"))
        let error = try await #require(throws: ClientError.self) {
            try await Client().send(Ask<[String]>(baseURL: url, path: "/x"))
        }
        guard case .connectionError(let error as URLError) = error else {
            Issue.record(error)
            return
        }
        #expect(error.code == .cannotConnectToHost)
    }

    @Test func aRequestWithoutAnyBaseIsARequestError() async throws {
        let error = try await #require(throws: ClientError.self) { try await Client().send(Relative(path: "/x")) }
        guard case .requestError(ClientError.RequestFailure.noBaseURL(request: "Relative")) = error else {
            Issue.record(error)
            return
        }
        #expect(
            error.description
                == "there is nothing to send: Relative has no base URL: give it a `baseURL`, or send it with a client that has one"
        )
    }

    @Test func theBaseOfARequestGoesBeforeThatOfTheClient() async throws {
        let server = try await MockServer.start(fixtures: Sample.fixtures)
        let other = try #require(URL(string: "http://127.0.0.1:1"))
        let client = Client(baseURL: other)
        let domains = try await client.send(Ask<JSONAPI>(baseURL: server.baseURL, path: "/api/domains"))
        #expect(!domains.data.isEmpty)

        let relative = try await Client(baseURL: server.baseURL).send(Relative(path: "api/domains"))
        #expect(!relative.isEmpty)
        #expect(server.requestLines == ["GET /api/domains", "GET /api/domains"])
        await server.stop()
    }

    @Test func anyNetworkingFetchesARequestOfAClient() async throws {
        let server = try await MockServer.start(fixtures: Sample.fixtures)
        let networker = Networker()
        let request = Ask<JSONAPI>(baseURL: server.baseURL, path: "/api/domains")
        #expect(try await networker.value(for: request).data.count == 6)
        let count = networker.fetch(request).map(\.data.count)
        #expect(try await count.firstValue() == 6)
        #expect(try await networker.cachedValue(for: request).data.count == 6)
        let error = try await #require(throws: ClientError.self) {
            _ = try await networker.value(for: Relative(path: "/x"))
        }
        #expect(error.description.hasPrefix("there is nothing to send: Relative has no base URL"))
        await server.stop()
    }

    @Test func aFileIsSentAsTheContentOfARequest() async throws {
        struct Upload: APIRequest {
            typealias Response = Data
            let bodyFile: URL?
            var method: HTTPMethod { .post }
            var path: String { "/files" }
            var headerFields: [String: String] { ["Content-Type": "text/plain"] }
        }
        let fixtures = try TemporaryDirectory([
            "file.txt": "a file",
            "files.stub.json": #"{"request": {"method": "POST"}, "response": {"status": 201, "body": "taken"}}"#,
        ])
        let server = try await MockServer.start(fixtures: fixtures.path)
        let request = Upload(bodyFile: URL(fileURLWithPath: "\(fixtures.path)/file.txt"))
        let answer = try await Client(baseURL: server.baseURL).send(request)
        #expect(String(decoding: answer, as: UTF8.self) == "taken")
        let entry = try #require(server.journal.entries.first)
        #expect(String(decoding: entry.body, as: UTF8.self) == "a file")
        #expect(entry.request.headerFields[.contentType] == "text/plain")
        await server.stop()
    }

    private struct JSONAPI: Decodable {
        struct Item: Decodable {
            let id: String
        }
        let data: [Item]
    }

    @Test func aPublisherGivesTheResponseOrTheErrorOfItsPhase() async throws {
        let server = try await MockServer.start(fixtures: Sample.fixtures)
        let client = Client(baseURL: server.baseURL)
        let data = try await client.publisher(for: Relative(path: "/api/domains")).firstValue()
        #expect(!data.isEmpty)
        let error = await #expect(throws: ClientError.self) {
            try await client.publisher(for: Relative(path: "/api/recommendations")).firstValue()
        }
        #expect((error?.underlying as? ResponseError)?.status == 500)
        await server.stop()
    }

    @Test func aHandlerIsCalledOnTheQueueThatIsNamed() async throws {
        let server = try await MockServer.start(fixtures: Sample.fixtures)
        let key = DispatchSpecificKey<String>()
        let queue = DispatchQueue(label: "named")
        queue.setSpecific(key: key, value: "named")
        DispatchQueue.main.setSpecific(key: key, value: "main")
        defer { DispatchQueue.main.setSpecific(key: key, value: nil) }
        let operations = OperationQueue()
        let client = Client(baseURL: server.baseURL)
        let cases: [(Client.CallbackQueue?, @Sendable () -> Bool)] = [
            (.dispatchQueue(queue), { DispatchQueue.getSpecific(key: key) == "named" }),
            (.operationQueue(operations), { OperationQueue.current === operations }),
            (.main, { DispatchQueue.getSpecific(key: key) == "main" }),
            (nil, { DispatchQueue.getSpecific(key: key) == "main" }),
            (.sessionQueue, { DispatchQueue.getSpecific(key: key) == nil }),
        ]
        for (callbackQueue, isThere) in cases {
            let wasThere = await withCheckedContinuation { continuation in
                client.send(Relative(path: "/api/domains"), callbackQueue: callbackQueue) { result in
                    continuation.resume(returning: (try? result.get()) != nil && isThere())
                }
            }
            #expect(wasThere, "\(String(describing: callbackQueue))")
        }
        await server.stop()
    }

    @Test func aCancelledRequestIsCancelledAtTheNetworking() async throws {
        let networking = HangingNetworking()
        let client = Client(networking: networking, baseURL: URL(string: "http://127.0.0.1"))
        var events = networking.events.makeAsyncIterator()
        let task = Task { try await client.send(Relative(path: "/a")) }
        #expect(await events.next() == .asked("/a"))
        task.cancel()
        #expect(await events.next() == .cancelled("/a"))
        let error = await #expect(throws: ClientError.self) { try await task.value }
        guard case .connectionError(let error as URLError) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(error.code == .cancelled)
    }

    @Test func theRequestsOfATypeAreCancelled() async throws {
        let networking = HangingNetworking()
        let client = Client(networking: networking, baseURL: URL(string: "http://127.0.0.1"))
        let cancelled = Mutex<[String]>([])
        func send<R: APIRequest>(_ request: R) -> Task<Void, Never> {
            client.send(request) { result in
                guard case .failure(.connectionError(let error as URLError)) = result, error.code == .cancelled else {
                    return
                }
                cancelled.withLock { $0.append(request.path) }
            }
        }
        let works = [send(Relative(path: "/a")), send(Relative(path: "/b")), send(Other(path: "/c"))]
        var events = networking.events.makeAsyncIterator()
        for _ in works { _ = await events.next() }

        client.cancelRequests(with: Relative.self) { $0.path == "/b" }
        await works[1].value
        #expect(cancelled.withLock { $0 } == ["/b"])
        client.cancelRequests(with: Relative.self)
        await works[0].value
        #expect(cancelled.withLock { $0 } == ["/b", "/a"])
        works[2].cancel()
        await works[2].value
        #expect(cancelled.withLock { $0 } == ["/b", "/a", "/c"])
    }

    @Test func aRequestIsKnownToCancellationAsSoonAsItIsSent() async {
        let client = Self.client()
        let isCancelled = await withCheckedContinuation { continuation in
            client.send(Relative(path: "/a"), callbackQueue: .sessionQueue) { result in
                continuation.resume(returning: (try? result.get()) == nil)
            }
            client.cancelRequests(with: Relative.self)
        }
        #expect(isCancelled)
    }
}
