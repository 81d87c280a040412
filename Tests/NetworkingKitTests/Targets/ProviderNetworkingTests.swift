// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import FixtureNetworking
import Foundation
import MockapiTestSupport
import MockapiWireSupport
import NetworkingKit
import Testing

/// Providers over what else can take the place of URLSession.
@Suite(.supervised) struct ProviderNetworkingTests {
    @Test func targetsAreAnsweredFromFixtures() async throws {
        let networker = try FixtureNetworker(fixtures: Sample.fixtures)
        let provider = Provider<AnyTarget>(networking: networker)
        var target = AnyTarget.unsent
        target.path = "api/contents"
        target.task = .requestParameters(
            parameters: ["filter": ["content_types": ["article"]]], encoding: URLEncoding.default)
        struct Item: Decodable { let id: String }
        #expect(try await provider.request(target).map([Item].self, atKeyPath: "data").count == 20)

        let files = try TemporaryDirectory()
        let place = URL(fileURLWithPath: "\(files.path)/image.png")
        target.path = "uploads/2025/hexagons.png"
        target.task = .downloadDestination { _, _ in (place, []) }
        #expect(try await provider.request(target).statusCode == 200)
        let stored = URL(fileURLWithPath: Sample.fixtures).appendingPathComponent(target.path)
        #expect(try Data(contentsOf: place) == Data(contentsOf: stored))

        target.path = "nowhere"
        target.task = .requestPlain
        #expect(try await provider.request(target).statusCode == 404)
        #expect(networker.journal.entries.count == 3)
    }

    @Test func theDelegateOfANetworkingAddsWhatATargetHasNot() async throws {
        final class Headers: NetworkingDelegate {
            func headers(for networking: any Networking) -> [String: String] { ["X-Client": "all", "Accept": "*/*"] }
        }
        let echo = try await EchoServer.start()
        let headers = Headers()
        let networker = Networker()
        networker.delegate = headers
        let target = AnyTarget(baseURL: echo.url, headers: ["accept": "text/plain"])
        _ = try await Provider<AnyTarget>(networking: networker).request(target)
        #expect(echo.field("X-Client") == "all")
        #expect(echo.field("Accept") == "text/plain")
        await echo.stop()
    }

    @Test func otherNetworkingsTakeThePlaceOfURLSession() async throws {
        struct Canned: Networking {
            var delegate: (any NetworkingDelegate)?

            func fetch(_ request: any Request) -> AnyPublisher<Data, URLError> {
                Just(Data("\(request.method) \(request.url.path) \(request.headers["Accept"] ?? "")".utf8))
                    .setFailureType(to: URLError.self).eraseToAnyPublisher()
            }
        }
        var target = AnyTarget.unsent
        target.path = "things"
        target.headers = ["Accept": "text/plain"]
        let response = try await Provider<AnyTarget>(networking: Canned()).request(target)
        #expect(response.statusCode == 200)
        #expect(try response.mapString() == "GET /things text/plain")
    }
}
