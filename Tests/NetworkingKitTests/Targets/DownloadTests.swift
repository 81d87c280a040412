// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServer
import MockapiTestSupport
import MockapiWireSupport
import NetworkingKit
import Testing

@Suite(.supervised) struct DownloadTests {
    private static let image = "uploads/2025/hexagons.png"

    private func stored() throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: Sample.fixtures).appendingPathComponent(Self.image))
    }

    @Test func aFileComesWhereItIsWanted() async throws {
        let server = try await MockServer.start(fixtures: Sample.fixtures)
        let files = try TemporaryDirectory()
        let place = URL(fileURLWithPath: "\(files.path)/some/folder/image.png")
        let seen = Collected<String>()
        let target = AnyTarget(
            baseURL: server.baseURL, path: Self.image,
            task: .downloadDestination { temporary, response in
                seen.append("\(response.statusCode) \(FileManager.default.fileExists(atPath: temporary.path))")
                return (place, .createIntermediateDirectories)
            })
        let response = try await Provider<AnyTarget>().request(target)
        #expect(response.statusCode == 200)
        #expect(response.data.isEmpty)
        #expect(try Data(contentsOf: place) == stored())
        #expect(seen.elements == ["200 true"])
        await server.stop()
    }

    @Test func aFileThatIsThereStaysUnlessItMayBeRemoved() async throws {
        let server = try await MockServer.start(fixtures: Sample.fixtures)
        let files = try TemporaryDirectory(["image.png": "old"])
        let place = URL(fileURLWithPath: "\(files.path)/image.png")
        let temporary = Collected<URL>()
        let provider = Provider<AnyTarget>()
        var target = AnyTarget(baseURL: server.baseURL, path: Self.image)
        target.task = .downloadDestination { file, _ in
            temporary.append(file)
            return (place, [])
        }
        do {
            _ = try await provider.request(target)
            Issue.record("the file was replaced")
        } catch {
            guard case .underlying(let cause as URLError, let response) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(cause.code == .cannotMoveFile)
            #expect(response?.statusCode == 200)
        }
        #expect(files.text("image.png") == "old")
        #expect(temporary.elements.allSatisfy { !FileManager.default.fileExists(atPath: $0.path) })
        #expect(temporary.count == 1)

        target.task = .downloadDestination { _, _ in (place, .removePreviousFile) }
        _ = try await provider.request(target)
        #expect(try Data(contentsOf: place) == stored())
        await server.stop()
    }

    @Test func parametersOfADownloadAreEncoded() async throws {
        let echo = try await EchoServer.start()
        let files = try TemporaryDirectory()
        let place = URL(fileURLWithPath: "\(files.path)/answer.json")
        let target = AnyTarget(
            baseURL: echo.url,
            task: .downloadParameters(parameters: ["page": 2], encoding: URLEncoding.default) { _, _ in (place, []) })
        _ = try await Provider<AnyTarget>().request(target)
        #expect(echo.messages.map(\.target) == ["/things?page=2"])
        #expect(files.text("answer.json") == #"{"ok":true}"#)
        await echo.stop()
    }

    @Test func aDownloadIsValidatedWhenItsFileIsInItsPlace() async throws {
        let echo = try await EchoServer.start()
        let files = try TemporaryDirectory()
        let place = URL(fileURLWithPath: "\(files.path)/teapot")
        let target = AnyTarget(
            baseURL: echo.url, path: "teapot", task: .downloadDestination { _, _ in (place, []) },
            validationType: .successCodes)
        await #expect(throws: ProviderError.self) { _ = try await Provider<AnyTarget>().request(target) }
        #expect(files.text("teapot") == "short and stout")
        await echo.stop()
    }

    @Test func progressEndsWithTheResponse() async throws {
        let server = try await MockServer.start(fixtures: Sample.fixtures)
        let seen = Collected<ProgressResponse>()
        let target = AnyTarget(baseURL: server.baseURL, path: "uploads/2026/aurora.png")
        let response = try await Provider<AnyTarget>().request(target) { seen.append($0) }
        let transfers = seen.elements.dropLast()
        #expect(!transfers.isEmpty)
        #expect(transfers.allSatisfy { !$0.completed && $0.transfer != nil })
        #expect(transfers.map(\.progress) == transfers.map(\.progress).sorted())
        #expect(transfers.last?.progress == 1)
        #expect(seen.elements.last?.response == response)
        #expect(seen.elements.last?.progress == 1)
        await server.stop()
    }
}
