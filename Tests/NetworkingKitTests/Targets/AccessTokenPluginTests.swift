// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServer
import MockapiTestSupport
import NetworkingKit
import Testing

@Suite(.supervised) struct AccessTokenPluginTests {
    private struct Bookmarks: TargetType, AccessTokenAuthorizable {
        let baseURL: URL
        var authorizationType: AuthorizationType? = .custom("Token")

        var path: String { "api/bookmarks" }
        var method: HTTPMethod { .get }
        var task: Endpoint.Task { .requestPlain }
        var headers: [String: String]? { nil }
    }

    private let plugin = AccessTokenPlugin { _ in "token=sample-token" }

    @Test func aTokenIsSentByTheSchemeOfItsTarget() async throws {
        let server = try await MockServer.start(fixtures: Sample.fixtures)
        let target = Bookmarks(baseURL: server.baseURL)
        let provider = Provider<Bookmarks>(plugins: [plugin])
        #expect(try await provider.request(target).statusCode == 200)
        #expect(try await Provider<Bookmarks>().request(target).statusCode == 401)
        let multiple = Provider<MultiTarget>(plugins: [plugin])
        #expect(try await multiple.request(MultiTarget(target)).statusCode == 200)
        await server.stop()
    }

    @Test func theLineBreakOfATokenFileIsNotSent() {
        let plugin = AccessTokenPlugin { _ in "sample-token\n" }
        let target = Bookmarks(baseURL: AnyTarget.unsent.baseURL)
        let request = plugin.prepare(URLRequest(url: target.baseURL), target: target)
        #expect(request.value(forHTTPHeaderField: "Authorization") == "Token sample-token")
    }

    @Test func theSchemesHaveTheirNames() async throws {
        for (type, field) in [(AuthorizationType.basic, "Basic"), (.bearer, "Bearer"), (.custom("Token"), "Token")] {
            let target = Bookmarks(baseURL: AnyTarget.unsent.baseURL, authorizationType: type)
            let request = plugin.prepare(URLRequest(url: target.baseURL), target: target)
            #expect(request.value(forHTTPHeaderField: "Authorization") == "\(field) token=sample-token")
        }
    }

    @Test func aTargetWithoutASchemeSendsNoToken() {
        let request = URLRequest(url: AnyTarget.unsent.baseURL)
        let target = Bookmarks(baseURL: AnyTarget.unsent.baseURL, authorizationType: nil)
        #expect(plugin.prepare(request, target: target) == request)
        #expect(plugin.prepare(request, target: AnyTarget.unsent) == request)
    }

    @Test func aTokenIsAskedForTheTargetInside() {
        let asked = Collected<String>()
        let plugin = AccessTokenPlugin { target in
            asked.append("\(type(of: target))")
            return "t"
        }
        let target = MultiTarget(MultiTarget(Bookmarks(baseURL: AnyTarget.unsent.baseURL)))
        _ = plugin.prepare(URLRequest(url: AnyTarget.unsent.baseURL), target: target)
        #expect(asked.elements == ["Bookmarks"])
    }
}
