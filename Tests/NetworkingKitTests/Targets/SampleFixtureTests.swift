// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiTestSupport
import NetworkingKit
import Testing

@Suite(.supervised) struct SampleFixtureTests {
    /// A target whose sample is a file.
    private struct Sampled: TargetType {
        var file: String
        var directory = URL(fileURLWithPath: Sample.fixtures)

        var baseURL: URL { AnyTarget.unsent.baseURL }
        var path: String { "domains" }
        var method: HTTPMethod { .get }
        var task: Endpoint.Task { .requestPlain }
        var headers: [String: String]? { nil }
        var sampleData: Data { get throws { try .fixture(file, in: directory) } }
    }

    private func failure(_ target: Sampled) async -> String {
        do {
            _ = try await Provider<Sampled>(stubClosure: Provider.immediatelyStub).request(target)
            return "no error"
        } catch {
            guard case .sampleData = error else { return "another phase: \(error)" }
            return "\(error)"
        }
    }

    @Test func aStubAnswersWithTheBytesOfAFixture() async throws {
        let provider = Provider<Sampled>(stubClosure: Provider.immediatelyStub)
        let response = try await provider.request(Sampled(file: "api/domains.json"))
        let file = URL(fileURLWithPath: Sample.fixtures).appendingPathComponent("api/domains.json")
        #expect(response.data == (try Data(contentsOf: file)))
        #expect(response.data.count > 100)
    }

    @Test func aFixtureThatIsNotThereIsTheErrorOfTheRequest() async {
        #expect(
            await failure(Sampled(file: "api/none.json"))
                == #"the stub has no sample: "api/none.json": there is no sample file \#(Sample.fixtures)/api/none.json"#
        )
    }

    @Test func aFixtureIsInsideOfItsDirectory() async {
        #expect(
            await failure(Sampled(file: "../Package.swift"))
                == #"the stub has no sample: "../Package.swift": a sample file is inside of its directory, \#(Sample.fixtures), and "#
                + URL(fileURLWithPath: Sample.fixtures).deletingLastPathComponent().path + "/Package.swift is not")
    }

    @Test func aDirectoryIsNoFixture() async {
        let text = await failure(Sampled(file: "api"))
        #expect(
            text.hasPrefix(
                #"the stub has no sample: "api": the sample file \#(Sample.fixtures)/api cannot be read: "#))
    }

    @Test func theDirectoryOfFixturesIsAFile() async {
        #expect(
            await failure(Sampled(file: "a.json", directory: AnyTarget.unsent.baseURL))
                == #"the stub has no sample: "a.json": the directory of samples is a file URL, and http://api.example.com is not"#
        )
    }

    @Test func theFixtureOfATargetInsideOfAnotherIsItsSample() async throws {
        let provider = Provider<MultiTarget>(stubClosure: Provider.immediatelyStub)
        let response = try await provider.request(MultiTarget(Sampled(file: "api/domains.json")))
        #expect(!response.data.isEmpty)
        await #expect(throws: ProviderError.self) {
            _ = try await provider.request(MultiTarget(Sampled(file: "none.json")))
        }
    }

    @Test func aFixtureIsReadOnlyWhereAStubAnswers() async throws {
        let echo = try await EchoServer.start()
        var target = Sampled(file: "none.json")
        target.directory = echo.url
        let provider = Provider<Sampled>(endpointClosure: { target in
            var wire = AnyTarget.unsent
            wire.baseURL = target.directory
            return Provider.defaultEndpointMapping(for: wire)
        })
        #expect(try await provider.request(target).statusCode == 200)
        await echo.stop()
    }
}
