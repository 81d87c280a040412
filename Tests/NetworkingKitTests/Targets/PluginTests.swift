// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch
import Foundation
import MockapiTestSupport
import NetworkingKit
import Testing

@Suite(.supervised) struct PluginTests {
    private struct Recorder: PluginType {
        let name: String
        let calls: Collected<String>

        func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
            calls.append("\(name) prepare")
            var request = request
            request.addValue(name, forHTTPHeaderField: "X-Plugins")
            return request
        }

        func willSend(_ request: any RequestType, target: any TargetType) {
            calls.append("\(name) willSend \(request.request?.value(forHTTPHeaderField: "X-Plugins") ?? "")")
        }

        func didReceive(_ result: Result<Endpoint.Response, ProviderError>, target: any TargetType) {
            calls.append("\(name) didReceive \((try? result.get().statusCode) ?? 0)")
        }

        func process(
            _ result: Result<Endpoint.Response, ProviderError>, target: any TargetType
        ) -> Result<Endpoint.Response, ProviderError> {
            calls.append("\(name) process \((try? result.get().statusCode) ?? 0)")
            return result.map { Endpoint.Response(statusCode: $0.statusCode + 1, data: $0.data) }
        }
    }

    private static let order = [
        "endpoint", "stub", "request", "A prepare", "B prepare", "A willSend A,B", "B willSend A,B", "A didReceive 200",
        "B didReceive 200", "A process 200", "B process 201", "completion 202",
    ]

    private func provider(
        _ behavior: StubBehavior, _ calls: Collected<String>, mapped: ProviderError? = nil
    ) -> Provider<AnyTarget> {
        Provider<AnyTarget>(
            endpointClosure: {
                calls.append("endpoint")
                return Provider.defaultEndpointMapping(for: $0)
            },
            requestClosure: { endpoint, done in
                calls.append("request")
                if let mapped { return done(.failure(mapped)) }
                Provider<AnyTarget>.defaultRequestMapping(for: endpoint, closure: done)
            },
            stubClosure: { _ in
                calls.append("stub")
                return behavior
            }, plugins: [Recorder(name: "A", calls: calls), Recorder(name: "B", calls: calls)])
    }

    @Test func theOrderOnTheWireIsTheOneOfTheProtocol() async throws {
        let echo = try await EchoServer.start()
        let calls = Collected<String>()
        let response = try await provider(.never, calls).request(AnyTarget(baseURL: echo.url))
        calls.append("completion \(response.statusCode)")
        #expect(calls.elements == Self.order)
        #expect(echo.field("X-Plugins") == "A,B")
        await echo.stop()
    }

    @Test(arguments: [StubBehavior.immediate, .delayed(seconds: 0)])
    func theOrderOfAStubIsTheSame(_ behavior: StubBehavior) async {
        let calls = Collected<String>()
        await withCheckedContinuation { continuation in
            provider(behavior, calls).request(.unsent) { outcome in
                calls.append("completion \((try? outcome.get().statusCode) ?? 0)")
                continuation.resume()
            }
        }
        #expect(calls.elements == Self.order)
    }

    @Test(arguments: [StubBehavior.immediate, .delayed(seconds: 0), .never])
    func aRequestThatIsNoneIsOnlyProcessed(_ behavior: StubBehavior) async {
        let calls = Collected<String>()
        await #expect(throws: ProviderError.self) {
            _ = try await provider(behavior, calls, mapped: .requestMapping("no token")).request(.unsent)
        }
        #expect(calls.elements == ["endpoint", "stub", "request", "A process 0", "B process 0"])
    }

    @Test func aRequestClosureMayCallBackLaterAndFromAnywhere() async throws {
        let echo = try await EchoServer.start()
        for behavior in [StubBehavior.never, .immediate, .delayed(seconds: 0)] {
            let provider = Provider<AnyTarget>(
                requestClosure: { endpoint, done in
                    DispatchQueue.global().async {
                        done(
                            Result { () throws(ProviderError) in
                                var request = try endpoint.urlRequest()
                                request.setValue("fresh", forHTTPHeaderField: "X-Token")
                                return request
                            })
                        done(.failure(.requestMapping("called twice")))
                    }
                }, stubClosure: { _ in behavior })
            let status: Int = await withCheckedContinuation { continuation in
                provider.request(AnyTarget(baseURL: echo.url), callbackQueue: .global()) {
                    continuation.resume(returning: (try? $0.get().statusCode) ?? 0)
                }
            }
            #expect(status == 200)
        }
        #expect(echo.field("X-Token") == "fresh")
        #expect(echo.messages.count == 1)
        await echo.stop()
    }

    @Test func aPluginMaySaveARequestThatFailed() async throws {
        struct Saver: PluginType {
            func process(
                _ result: Result<Endpoint.Response, ProviderError>, target: any TargetType
            ) -> Result<Endpoint.Response, ProviderError> {
                result.flatMapError { error in
                    .success(Endpoint.Response(statusCode: 203, data: error.response?.data ?? Data()))
                }
            }
        }
        let echo = try await EchoServer.start()
        let target = AnyTarget(baseURL: echo.url, path: "teapot", validationType: .successCodes)
        let response = try await Provider<AnyTarget>(plugins: [Saver()]).request(target)
        #expect(response.statusCode == 203)
        #expect(try response.mapString() == "short and stout")
        await echo.stop()
    }
}
